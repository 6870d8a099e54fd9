//! S-expressions.

/// A symbol or a list, and the line where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    Symbol(String, usize),
    List(Vec<Expression>, usize),
}

impl Expression {
    pub fn line(&self) -> usize {
        match self {
            Expression::Symbol(_, line) | Expression::List(_, line) => *line,
        }
    }
}

/// Lists within lists, at most.
const DEEPEST: usize = 2_000;

/// All expressions of a text, or the line where one is not understood.
pub(crate) fn parse(text: &str) -> Result<Vec<Expression>, usize> {
    let mut open: Vec<(Vec<Expression>, usize)> = Vec::new();
    let mut done = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let number = at + 1;
        let code = line.split(';').next().unwrap_or_default();
        let spaced = code.replace('(', " ( ").replace(')', " ) ");
        for token in spaced.split_whitespace() {
            let expression = match token {
                "(" if open.len() >= DEEPEST => return Err(number),
                "(" => {
                    open.push((Vec::new(), number));
                    continue;
                }
                ")" => {
                    let (parts, start) = open.pop().ok_or(number)?;
                    Expression::List(parts, start)
                }
                symbol => Expression::Symbol(symbol.to_owned(), number),
            };
            open.last_mut().map_or(&mut done, |(parts, _)| parts).push(expression);
        }
    }
    match open.first() {
        Some((_, line)) => Err(*line),
        None => Ok(done),
    }
}
