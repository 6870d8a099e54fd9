//! The layout of a table: aligned columns for a terminal, a table of Markdown for a document.

/// A table with a title.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    /// Says what is compared.
    pub(crate) title: String,
    /// The names of the columns.
    pub(crate) columns: Vec<String>,
    /// The cells. The first column is a name and stands on the left, the others are numbers and
    /// stand on the right.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Section {
    /// For a terminal.
    pub(crate) fn text(&self) -> String {
        let widths: Vec<usize> = (0..self.columns.len()).map(|column| self.width(column)).collect();
        let line = |cells: &Vec<String>| {
            let cells = cells.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
        };
        let lines: String = std::iter::once(&self.columns).chain(&self.rows).map(line).collect();
        format!("{}\n\n{lines}", self.title)
    }

    /// For a document.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
        let header = format!("| {} |\n", self.columns.join(" | "));
        let rule = format!("|---|{}\n", "---:|".repeat(self.columns.len().saturating_sub(1)));
        let lines: String = self.rows.iter().map(line).collect();
        format!("**{}**\n\n{header}{rule}{lines}", self.title)
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain(self.columns.get(column).map(|name| name.chars().count())).max().unwrap_or(0)
    }
}

/// The names of columns that are always the same.
pub(crate) fn names(columns: &[&str]) -> Vec<String> {
    columns.iter().map(|&column| column.to_owned()).collect()
}

/// The cell of what is not known.
pub(crate) const NOTHING: &str = "–";

/// A number of seconds, a ratio, or another number that is not counted.
pub(crate) fn decimal(number: Option<f64>) -> String {
    number.filter(|number| number.is_finite()).map_or(NOTHING.to_owned(), |number| match number.abs() {
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    })
}

/// A count, its digits in groups of three.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.iter().map(|group| String::from_utf8_lossy(group)).collect::<Vec<_>>().join(",")
}

/// The middle one, or the mean of the two in the middle. Nothing of nothing.
pub(crate) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(numbers[middle]),
        _ => Some((numbers[middle - 1] + numbers[middle]) / 2.0),
    }
}

/// The rows below a table: the median and the worst of the columns that are ratios.
pub(crate) fn summary_rows(
    ratios: &[Vec<Option<f64>>],
    is_ratio: &[bool],
    worst: fn(f64, f64) -> f64,
) -> Vec<Vec<String>> {
    if ratios.len() < 2 {
        return Vec::new();
    }
    let column = |at: usize| ratios.iter().filter_map(|row| row.get(at).copied().flatten()).collect::<Vec<f64>>();
    let line = |name: &str, value: &dyn Fn(Vec<f64>) -> Option<f64>| {
        let cells = is_ratio.iter().enumerate().map(|(at, &is_ratio)| match is_ratio {
            true => decimal(value(column(at))),
            false => String::new(),
        });
        std::iter::once(name.to_owned()).chain(cells).collect()
    };
    vec![line("median", &median), line("worst", &|numbers| numbers.into_iter().reduce(worst))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section() -> Section {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        Section {
            title: "Times".to_owned(),
            columns: names(&["model", "states", "s"]),
            rows: vec![row(["a", "1,000", "0.25"]), row(["longer", "7", NOTHING])],
        }
    }

    #[test]
    fn columns_are_aligned() {
        let expected = "Times\n\nmodel   states     s\na        1,000  0.25\nlonger       7     –\n";
        assert_eq!(section().text(), expected);
    }

    #[test]
    fn markdown_has_a_rule_below_its_header() {
        let expected =
            "**Times**\n\n| model | states | s |\n|---|---:|---:|\n| a | 1,000 | 0.25 |\n| longer | 7 | – |\n";
        assert_eq!(section().markdown(), expected);
    }

    #[test]
    fn numbers_have_three_digits_that_matter() {
        let shown = [123.4, 12.34, 1.234, 0.0].map(|number| decimal(Some(number)));
        assert_eq!(shown, ["123", "12.3", "1.23", "0.00"]);
        assert_eq!([decimal(None), decimal(Some(f64::NAN))], [NOTHING, NOTHING]);
        assert_eq!([count(0), count(999), count(1000), count(12_345_678)], ["0", "999", "1,000", "12,345,678"]);
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
    }

    #[test]
    fn below_several_rows_there_is_a_summary_of_the_ratios() {
        let ratios = [vec![Some(9.0), Some(0.5)], vec![Some(9.0), Some(0.7)], vec![Some(9.0), None]];
        let rows = summary_rows(&ratios, &[false, true], f64::max);
        assert_eq!(rows, [["median", "", "0.60"], ["worst", "", "0.70"]]);
        assert!(summary_rows(&ratios[..1], &[false, true], f64::max).is_empty());
    }
}
