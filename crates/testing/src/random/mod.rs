//! Random models, small and valid, as text: Promela, DVE and guarded commands.
//!
//! A model is a pure function of its seed and size. It is valid for Spin as well as for our parser:
//! names are unique and nothing is shadowed, declarations come first, every block has a statement.
//! Values are kept small (most assignments are modulo 2 to 4), so most state spaces are. One
//! statement stands on each line and blocks are indented, which is what [`crate::shrink`] works on.

mod acyclic;
mod bounded;
mod counting;
mod creation;
mod cycles;
mod dve;
mod expressions;
mod formulas;
mod gcl;
mod processes;
mod scope;
mod shifting;
mod statements;
mod whole_state;

use std::ops::Range;

pub use acyclic::{AcyclicModel, acyclic_model};
use ample_stdx::Random;
pub use bounded::{Language, bounded_model};
pub use counting::counting_model;
pub use creation::creating_model;
pub use cycles::cyclic_model;
pub use dve::{DveModel, dve_model};
pub use formulas::{claim_propositions, formula, formula_over, spin_formula};
pub use gcl::{GclProgram, Numbers, gcl_program};
use scope::{Flavour, Scope};
pub use shifting::shifting_model;

/// The symbolic names that every model declares.
pub(crate) const MTYPES: &[&str] = &["red", "green", "blue"];

/// Lines with their indentation.
pub(crate) type Lines = Vec<(usize, String)>;

/// How large a model may be.
#[derive(Copy, Clone, Debug)]
pub struct Size {
    /// The number of process types.
    pub processes: usize,
    /// The number of statements in a block.
    pub statements: usize,
    /// How deep blocks are nested.
    pub depth: usize,
}

impl Default for Size {
    fn default() -> Self {
        Size { processes: 3, statements: 4, depth: 3 }
    }
}

/// The seeds to try: those that `AMPLE_SEEDS=A..B` names, else these. What has another form is
/// given back.
pub fn seeds(usual: Range<u64>) -> Result<Range<u64>, String> {
    let Ok(text) = std::env::var("AMPLE_SEEDS") else { return Ok(usual) };
    let named = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    named.ok_or(text)
}

/// The model of a seed.
pub fn model(seed: u64, size: Size) -> String {
    let mut prng = Random::new(seed);
    let flavour = Flavour::any(&mut prng);
    write(Generator::new(prng, flavour, size), &format!("random model, seed {seed}"))
}

/// The model of a seed that looks at the whole state wherever it evaluates something, and that may
/// use what few models use: hidden variables, `D_proctype`, `for` over channels, local variables of
/// others, channels in messages.
pub fn whole_state_model(seed: u64, size: Size) -> String {
    let mut prng = Random::new(seed);
    let flavour = Flavour::whole(&mut prng);
    write(Generator::new(prng, flavour, size), &format!("random model of the whole state, seed {seed}"))
}

fn write(mut generator: Generator, title: &str) -> String {
    let lines = generator.model();
    let mut text = format!("/* {title} */\n");
    for (depth, line) in lines {
        text.push_str(&"    ".repeat(depth));
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// What the generator knows while it writes.
pub(crate) struct Generator {
    prng: Random,
    flavour: Flavour,
    size: Size,
    /// Remote references that can be used: labels of processes that live for ever.
    remote: Vec<String>,
    /// Whether a channel was claimed with `xr` or `xs`.
    claimed: bool,
    /// How many processes there are from the beginning, of those written so far.
    actives: usize,
    /// The first number of two processes of a kind.
    twins: Option<usize>,
}

impl Generator {
    fn new(prng: Random, flavour: Flavour, size: Size) -> Generator {
        Generator { prng, flavour, size, remote: Vec::new(), claimed: false, actives: 0, twins: None }
    }

    fn model(&mut self) -> Lines {
        let mut globals = Scope { prefix: "g".to_owned(), ..Scope::default() };
        let mut lines = vec![(0, format!("mtype = {{ {} }};", MTYPES.join(", ")))];
        lines.extend(self.globals(&mut globals));
        lines.extend(self.inlines(&mut globals));
        lines.extend(self.processes(&globals));
        lines
    }
}
