//! Valuations on a grid. Those whose values are multiples of one part in so many as there are
//! clocks, and one, are enough to tell sets apart that are described by whole numbers.

/// All valuations of so many clocks from 0 to `most` parts.
pub fn valuations(clocks: usize, most: i64) -> impl Iterator<Item = Vec<i64>> {
    let side = most + 1;
    (0..side.pow(clocks as u32)).map(move |mut number| {
        let mut next = || (number % side, number /= side).0;
        (0..clocks).map(|_| next()).collect()
    })
}
