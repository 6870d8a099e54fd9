//! Numbers as people read them.

/// `1234567` as `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 state`, `2 states`.
pub fn count(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// `0.03 s`, `12.4 s`, `3 min 20 s`, `2 h 05 min`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 9.995 => format!("{seconds:.2} s"),
        _ if seconds < 119.95 => format!("{seconds:.1} s"),
        120..7_200 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// `12 MB`, in millions of bytes; less than one is shown as one.
pub fn megabytes(bytes: u64) -> String {
    format!("{} MB", thousands(bytes.div_ceil(1_000_000)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(count(1, "state"), "1 state");
        assert_eq!(count(20_000, "state"), "20,000 states");
        assert_eq!(duration(0.0), "0.00 s");
        assert_eq!(duration(9.999), "10.0 s");
        assert_eq!(duration(119.99), "2 min 00 s");
        assert_eq!(duration(200.4), "3 min 20 s");
        assert_eq!(duration(7_500.0), "2 h 05 min");
        assert_eq!(megabytes(1), "1 MB");
        assert_eq!(megabytes(1_234_000_000), "1,234 MB");
    }
}
