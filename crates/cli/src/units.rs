//! Sizes and times on the command line.

use std::time::Duration;

/// `512M`, `2G`, `1.5GB`, `1000000`: bytes, with units of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        "t" | "tb" | "tib" => 1 << 40,
        _ => return Err("a size is a number with K, M, G or T behind it, such as 512M or 2G".to_owned()),
    };
    let number = positive(number, "a size is a number with K, M, G or T behind it, such as 512M or 2G")?;
    Ok((number * factor as f64) as u64)
}

/// `90`, `90s`, `5m`, `1.5h`: a time.
pub fn time(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "a time is a number with s, m or h behind it, such as 90s, 5m or 1h";
    let (number, unit) = split(text);
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "s" | "sec" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(EXPECTED.to_owned()),
    };
    let seconds = positive(number, EXPECTED)? * factor;
    Duration::try_from_secs_f64(seconds).map_err(|_| "this time is too long".to_owned())
}

fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn positive(number: &str, expected: &str) -> Result<f64, String> {
    number.parse::<f64>().ok().filter(|number| *number > 0.0).ok_or_else(|| expected.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("1000"), Ok(1000));
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("1.5GB"), Ok(3 << 29));
        assert!(size("G").is_err() && size("5X").is_err() && size("").is_err() && size("0").is_err());
    }

    #[test]
    fn times() {
        assert_eq!(time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(time("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(time("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(time("50ms"), Ok(Duration::from_millis(50)));
        assert!(time("soon").is_err() && time("1d").is_err() && time("-1").is_err());
        assert!(time("99999999999999999999h").is_err());
    }
}
