//! The command line, and what is said about one that cannot be understood.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use ample_guarantee::{Part, PartKind};
use ample_source::InputRange;
use anstream::ColorChoice;
use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::failure::{Failure, Status};
use crate::output::Terminal;
use crate::predicates::PredicateArgs;
use crate::{choices, not_built, units};

/// Checks concurrent designs: every behaviour is explored, and the answer can be defended.
///
/// A violation comes with a run that leads to it, step by step, and was replayed before it is
/// shown. "Holds" comes with what it is worth.
#[derive(Parser, Debug)]
#[command(name = "ample", version, subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = format!("\
A model is written in {}.

Examples:
  ample check model.pml            does anything go wrong?
  ample check model.dve            the same, of a model in DVE
  ample check model.gcl            the same, of guarded commands
  ample sim model.pml --seed 1     run it once, at random

Exit status: 0 everything holds; 1 violated; 2 bad usage or a bad model; 3 unknown; 70 internal error",
    ample_frontends::languages_and_endings()))]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_parser = color)]
    #[arg(help = "Use colours: auto, always or never")]
    pub color: ColorChoice,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Explore every behaviour of a model and look for errors
    Check(Box<CheckArgs>),
    /// Run a model: at random, step by step by hand, or along a saved trace
    Sim(SimArgs),
    /// Write the state space of a model as a graph
    Graph(GraphArgs),
    /// Say what each statement reads, writes and depends on, and where a process may go first
    Inspect(InspectArgs),
    /// Translate temporal formulas to automata, and say what is known about them
    Ltl(LtlArgs),
    /// Ask the same question in every sound way there is; all answers must agree
    Audit(Box<AuditArgs>),
    /// Say what each sound reduction would give on this model, measured, and which flags to use
    Advise(Box<AdviseArgs>),
    /// Say whether two transition systems are equivalent
    Compare(CompareArgs),
    /// Measure on this machine, beside other tools
    Bench(BenchArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

/// Which model, and how it is read.
#[derive(Args, Debug)]
pub struct ModelArgs {
    #[arg(help = format!("The model, in {}, or `-` for standard input", ample_frontends::languages_and_endings()))]
    pub model: String,
    /// Define a macro before the model is read; without a value it is 1
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = define, help_heading = "The model")]
    pub defines: Vec<(String, String)>,
    /// Let the inputs of this variable of a program of guarded commands have these values; may be
    /// given several times
    #[arg(long = "input", value_name = "NAME=LOW..HIGH", value_parser = InputRange::parse, help_heading = "The model")]
    pub inputs: Vec<InputRange>,
    /// The language of the model, instead of what its file's ending says
    #[arg(long = "lang", value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(ample_frontends::languages()))]
    #[arg(help_heading = "The model")]
    pub language: Option<String>,
    /// How many processes there may be at a time; one more is an error of the model [default: 255]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "The model")]
    pub max_processes: Option<u16>,
}

/// What is asked about a model.
#[derive(Args, Debug)]
pub struct AskedArgs {
    /// Check this only: a property of the model, or one of `assertions`, `end-states`, `safety`
    /// (both, and run-time errors), `exclusive` (xr and xs), `progress` and `accept` (cycles
    /// without progress, through accept labels), which `builtin:NAME` means even if the model has a
    /// property of that name; may be given several times [default: safety, then every property of
    /// the model]
    #[arg(short = 'p', long = "property", value_name = "NAME")]
    pub properties: Vec<String>,
    /// Check this temporal formula about the model, and what -p names; may be given several times
    #[arg(long = "ltl", value_name = "FORMULA", allow_hyphen_values = true)]
    pub formulas: Vec<String>,
    /// Check that no run is one that this claim accepts, and what -p and --ltl name: an automaton
    /// in HOA format (.hoa), a formula that every run must satisfy (.ltl), or a never claim of
    /// Promela (any other ending)
    #[arg(long, value_name = "FILE")]
    pub claim: Option<PathBuf>,
}

/// `ample check`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample check mutex.pml                        look for errors; stop at the first
  ample check mutex.pml -p safety --order bfs  find a shortest counterexample
  ample check mutex.pml --claim starve.hoa     no run is accepted by this automaton
  ample check mutex.pml --under visibility     begin with little; often enough to find an error
  ample check ticket.gcl --under predicates    tell states apart by predicates; for numbers without bound
  ample check mutex.pml --match 'x > 0, y'     remember no more of a state than these values

Exit status: 0 every property checked holds; 1 a property is violated; 2 bad usage or a bad model;
3 unknown (a limit was reached, or a property cannot be checked); 70 internal error")]
pub struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub asked: AskedArgs,
    /// Reductions to use: auto (where a search grows large), none, or names with commas between
    /// them
    #[arg(long, value_name = "LIST", default_value = "auto", help_heading = "How to search")]
    pub reduce: String,
    /// The partial order reduction to use from the beginning; `auto` leaves that to --reduce
    #[arg(long, value_name = "NAME", default_value = "auto")]
    #[arg(help_heading = "How to search")]
    pub por: String,
    /// When a partial order reduction may leave transitions out
    #[arg(long, value_name = "CONDITION", default_value = "auto")]
    #[arg(help_heading = "How to search")]
    pub proviso: String,
    /// Remember of each state only the values of these expressions, with commas between them: a
    /// state counts as seen if one with the same values was. Errors that are found are real, and
    /// others may be missed
    #[arg(long = "match", value_name = "EXPR,…", help_heading = "How to search", allow_hyphen_values = true)]
    pub matching: Option<String>,
    /// Begin with a part of what matters, and take in more of it until there is an error or an
    /// answer
    #[arg(long, value_name = "LOOP", help_heading = "How to search")]
    pub under: Option<String>,
    /// What --under takes in next [default: guided]
    #[arg(long, value_name = "HOW", value_parser = choices::picks(), help_heading = "How to search")]
    pub pick: Option<String>,
    /// The seed of --pick random [default: 0]
    #[arg(long, value_name = "N", help_heading = "How to search")]
    pub seed: Option<u64>,
    /// What --under visibility and cycles take in from the beginning [default: none]
    #[arg(long, value_name = "WHAT", value_parser = choices::begins(), help_heading = "How to search")]
    pub begin: Option<String>,
    #[command(flatten)]
    pub predicates: PredicateArgs,
    /// The order of exploration
    #[arg(long, value_name = "ORDER", default_value = "auto")]
    #[arg(help_heading = "How to search")]
    pub order: String,
    /// How infinite runs are looked for, for formulas, claims and labels
    #[arg(long, value_name = "ALGORITHM", default_value = "auto")]
    #[arg(help_heading = "How to search")]
    pub emptiness: String,
    /// Of infinite runs only those count on which every process that could move all the time does
    /// move again and again
    #[arg(long, value_name = "KIND", value_parser = ["weak"], help_heading = "How to search")]
    pub fair: Option<String>,
    /// How states are remembered
    #[arg(long, value_name = "STORE", default_value = "auto")]
    #[arg(help_heading = "How to search")]
    pub store: String,
    /// How statements are executed
    #[arg(long, value_name = "HOW", default_value = "auto")]
    #[arg(help_heading = "How to search")]
    pub exec: String,
    /// How many threads search [default: one for each core, if the order can use them; one for
    /// infinite runs]
    #[arg(long, value_name = "N", help_heading = "How to search", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Do not stop at the first violation: explore everything, report each distinct violation once
    #[arg(long, help_heading = "How to search")]
    pub keep_going: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Stop --under after so many searches
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_rounds: Option<u64>,
    /// Save the trace of a violation here [default: the model's name with the ending .trace, in the
    /// current folder]
    #[arg(long, value_name = "FILE", help_heading = "What to report")]
    pub trace: Option<PathBuf>,
    /// List the statements that were never executed
    #[arg(long, help_heading = "What to report")]
    pub coverage: bool,
    /// Print one JSON object and nothing else
    #[arg(long, help_heading = "What to report")]
    pub json: bool,
    /// Print the verdict only, and no progress
    #[arg(long, short, help_heading = "What to report")]
    pub quiet: bool,
}

/// Where to stop.
#[derive(Args, Debug)]
pub struct LimitArgs {
    /// Stop when so much memory is in use: 512M, 2G [default: four fifths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::size, help_heading = "Limits")]
    pub max_memory: Option<u64>,
    /// Stop after this time: 90, 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = units::time, help_heading = "Limits")]
    pub max_time: Option<Duration>,
    /// Do not look further than so many transitions from the initial state
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_depth: Option<u64>,
    /// Stop when so many states are stored
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: Option<u64>,
}

/// `ample sim`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample sim mutex.pml --seed 7 --steps 20         a random run, the same each time
  ample sim mutex.pml --replay mutex.trace        the counterexample that `ample check` saved

Exit status: 0 nothing went wrong; 1 the run ends in an error of the model; 2 bad usage or a bad model")]
pub struct SimArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The seed of a random run [default: another one each time; it is printed]
    #[arg(long, value_name = "N", conflicts_with_all = ["interactive", "replay"])]
    pub seed: Option<u64>,
    /// How many steps a random run may take
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with_all = ["interactive", "replay"])]
    pub steps: usize,
    /// Choose each step by hand
    #[arg(long, short)]
    pub interactive: bool,
    /// Follow a trace that `ample check` saved, or the output of `spin -t -p`
    #[arg(long, value_name = "FILE", conflicts_with = "interactive")]
    pub replay: Option<PathBuf>,
    /// The claim that the trace was made with, if it was made with one
    #[arg(long, value_name = "FILE", requires = "replay")]
    pub claim: Option<PathBuf>,
}

/// `ample graph`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample graph mutex.pml -o mutex.svg                draw it, if it is small
  ample graph mutex.pml | dot -Tsvg > mutex.svg     draw it with Graphviz
  ample graph mutex.pml --format aut -o mutex.aut   write it for other tools
  ample graph mutex.pml --quotient bisim            a state for each class of bisimilar states
  ample graph mutex.pml --por stubborn              what a reduction leaves of it

Exit status: 0 the graph is complete; 2 bad usage or a bad model; 3 a limit cut it off")]
pub struct GraphArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The format [default: by the ending of the output file, else dot]
    #[arg(long, short, value_name = "FORMAT")]
    pub format: Option<GraphFormat>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The order of exploration, and so of the numbers of the states
    #[arg(long, value_name = "ORDER", default_value = "bfs")]
    pub order: String,
    /// Stop when there are so many states
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: u64,
    /// Do not look further than so many transitions from the initial state
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u64>,
    /// Write what these reductions leave, names with commas between them
    #[arg(long, value_name = "LIST", help_heading = "Something smaller")]
    pub reduce: Option<String>,
    /// Write what this partial order reduction leaves
    #[arg(long, value_name = "NAME", help_heading = "Something smaller")]
    pub por: Option<String>,
    /// Write what is left where a state counts as seen if one with the same values of these
    /// expressions was, with commas between them; transitions lead to the state that was seen first
    #[arg(long = "match", value_name = "EXPR,…", help_heading = "Something smaller", allow_hyphen_values = true)]
    pub matching: Option<String>,
    /// What reductions keep, and by what --quotient tells states apart: which propositions of this
    /// formula are true
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true, help_heading = "Something smaller")]
    pub see: Option<String>,
    /// Write the smallest graph that is equivalent
    #[arg(long, value_name = "RELATION", value_parser = choices::quotients(), help_heading = "Something smaller")]
    pub quotient: Option<String>,
    /// For --quotient: transitions with this label cannot be seen; may be given several times
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true, help_heading = "Something smaller")]
    pub tau: Vec<String>,
    /// For --quotient k-bisim: how many steps it looks ahead
    #[arg(short = 'k', long = "depth", value_name = "K", help_heading = "Something smaller")]
    pub depth: Option<usize>,
    /// For --quotient: stop when so many members of sets would have to be looked at
    #[arg(long, value_name = "N", help_heading = "Something smaller")]
    pub max_work: Option<u64>,
}

/// Formats of graphs.
#[derive(ValueEnum, Copy, Clone, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// Graphviz, to be drawn
    Dot,
    /// Aldebaran, for CADP, mCRL2 and others
    Aut,
    /// A drawing, of a small graph
    Svg,
}

/// `ample inspect`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample inspect mutex.pml            why can this not be reduced?
  ample inspect mutex.pml --json     the same for programs

Exit status: 0 the model was analysed; 2 bad usage or a bad model")]
pub struct InspectArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

/// `ample ltl`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample ltl 'G(request -> F reply)'                the automaton, and what is known about the formula
  ample ltl 'a U b' --negate --format never        a never claim for the runs that violate it

Exit status: 0 there is an answer; 2 bad usage or a bad formula; 3 stutter invariance is not decided")]
pub struct LtlArgs {
    /// The formula, or `-` for formulas on standard input, one a line
    #[arg(required_unless_present_any = ["file", "claim"], conflicts_with_all = ["file", "claim"])]
    pub formula: Option<String>,
    /// Read formulas from this file, one a line; lines that begin with `#` are comments
    #[arg(long, value_name = "FILE", conflicts_with = "claim")]
    pub file: Option<PathBuf>,
    /// Read automata in HOA format from this file instead of formulas
    #[arg(long, value_name = "FILE")]
    pub claim: Option<PathBuf>,
    /// Take the negation: the runs that a checker looks for
    #[arg(long)]
    pub negate: bool,
    /// Give the closure under stuttering: with each run all that differ from it in repetitions only
    #[arg(long, conflicts_with = "tgba")]
    pub stutter_closure: bool,
    /// Say only whether repetitions of states matter
    #[arg(long, conflicts_with_all = ["format", "tgba", "stutter_closure"])]
    pub is_stutter_invariant: bool,
    /// Print the automaton only, in this format [default: a summary, then HOA]
    #[arg(long, short, value_name = "FORMAT", help_heading = "What to print")]
    pub format: Option<AutomatonFormat>,
    /// The automaton with generalised acceptance on transitions instead of accepting states
    #[arg(long, conflicts_with = "claim", help_heading = "What to print")]
    pub tgba: bool,
    /// Print one JSON object and nothing else
    #[arg(long, help_heading = "What to print")]
    pub json: bool,
}

/// Formats of automata.
#[derive(ValueEnum, Copy, Clone, Debug, PartialEq, Eq)]
pub enum AutomatonFormat {
    /// Hanoi omega-automata
    Hoa,
    /// A never claim of Promela
    Never,
    /// Graphviz, to be drawn
    Dot,
}

impl From<AutomatonFormat> for ample_report::ltl::AutomatonFormat {
    fn from(format: AutomatonFormat) -> Self {
        match format {
            AutomatonFormat::Hoa => Self::Hoa,
            AutomatonFormat::Never => Self::Never,
            AutomatonFormat::Dot => Self::Dot,
        }
    }
}

/// `ample audit`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample audit mutex.pml                      every property, in every way, for ten seconds
  ample audit mutex.pml -p safety --budget 5m --verbose
                                             one property, longer, and each way with its answer

Exit status: 0 all agree, and every property holds; 1 all agree, and a property is violated; 2 bad usage or a bad model;
3 unknown (nothing came to an answer within the budget, or one plan only did); 70 something does not agree: an internal error")]
pub struct AuditArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub asked: AskedArgs,
    /// Of infinite runs only those count on which every process that could move all the time does
    /// move again and again
    #[arg(long, value_name = "KIND", value_parser = ["weak"])]
    pub fair: Option<String>,
    /// How long all may take together: 90, 90s, 5m [default: 10s, or no limit if there is one for
    /// states]
    #[arg(long, value_name = "TIME", value_parser = units::time, help_heading = "Limits")]
    pub budget: Option<Duration>,
    /// End each search when so many states are stored
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: Option<u64>,
    /// End each search when so much memory is in use: 512M, 2G [default: four fifths of what is
    /// free]
    #[arg(long, value_name = "SIZE", value_parser = units::size, help_heading = "Limits")]
    pub max_memory: Option<u64>,
    /// The seed of the sample of choices that are looked at closely
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// List each way with its answer, or why it was refused
    #[arg(long, short, help_heading = "What to report")]
    pub verbose: bool,
    /// Print one JSON object and nothing else
    #[arg(long, help_heading = "What to report")]
    pub json: bool,
}

/// `ample advise`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample advise mutex.pml                      each property, in half a minute
  ample advise mutex.pml -p safety --max-time 5m
                                              one property, with more time for large searches
  ample advise mutex.pml --json               the same for programs

Each line is a way to ask, with the flags to copy; the last line is the one to use. What differs by little from others is
not listed, unless --verbose is given.

Exit status: 0 every property holds; 1 a property is violated; 2 bad usage or a bad model; 3 unknown (no way came to an
answer in time); 70 two ways came to different answers: an internal error")]
pub struct AdviseArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub asked: AskedArgs,
    /// Of infinite runs only those count on which every process that could move all the time does
    /// move again and again
    #[arg(long, value_name = "KIND", value_parser = ["weak"])]
    pub fair: Option<String>,
    /// How long all may take together: 90, 90s, 5m
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = units::time, help_heading = "Limits")]
    pub max_time: Duration,
    /// End each search when so much memory is in use: 512M, 2G [default: four fifths of what is
    /// free]
    #[arg(long, value_name = "SIZE", value_parser = units::size, help_heading = "Limits")]
    pub max_memory: Option<u64>,
    /// List every way that was tried
    #[arg(long, short, help_heading = "What to report")]
    pub verbose: bool,
    /// Print one JSON object and nothing else
    #[arg(long, help_heading = "What to report")]
    pub json: bool,
}

/// `ample compare`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample compare old.pml new.pml --relation deadlock              does the new one end where the old one does?
  ample compare a.aut b.aut --relation weak-trace --tau work     do they look the same from outside?

The labels of a model are those that `ample graph --format aut` writes. `i` and `tau` are invisible always.

Exit status: 0 equivalent; 1 different; 2 bad usage, a bad model or a bad file; 3 unknown (a limit was reached)")]
pub struct CompareArgs {
    /// A system: a file in Aldebaran format (.aut), or `-` for one on standard input; or a model
    #[arg(value_name = "A")]
    pub first: String,
    /// The other system
    #[arg(value_name = "B")]
    pub second: String,
    /// In which way they are to be equivalent
    #[arg(long, short, value_name = "RELATION", default_value = "bisim", value_parser = choices::relations())]
    pub relation: String,
    /// Ask whether the first is below the second: whether it is simulated by it, or has only traces
    /// that the second has
    #[arg(long)]
    pub preorder: bool,
    /// Edges with this label cannot be seen; may be given several times
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub tau: Vec<String>,
    /// States of models are told apart by which propositions of this formula are true in them; for
    /// stutter
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub see: Option<String>,
    /// For k-bisim: how many steps it looks ahead
    #[arg(short = 'k', long = "depth", value_name = "K")]
    pub depth: Option<usize>,
    /// Define a macro before a model is read; without a value it is 1
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = define)]
    pub defines: Vec<(String, String)>,
    /// Let the inputs of this variable of a program of guarded commands have these values; may be
    /// given several times
    #[arg(long = "input", value_name = "NAME=LOW..HIGH", value_parser = InputRange::parse)]
    pub inputs: Vec<InputRange>,
    /// Stop when a model has so many states
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: u64,
    /// Stop when so many members of sets, pairs of states and the like would have to be looked at
    #[arg(long, value_name = "N", default_value_t = ample_equivalence::Limits::default().work)]
    pub max_work: u64,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

/// `ample bench`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample bench                              the tables that there are
  ample bench spin --only leader -r 1      one model beside Spin, once
  ample bench reduction-spin --only spin/  partial order reduction beside Spin's, on some models of the corpus
  ample bench beem --max-states 100000     the small models of BEEM
  ample bench instructions --record        what later counts of instructions are compared with

What was measured is kept, and not measured again as long as the programs are the same; so a run that was
interrupted can be taken up.

Exit status: 0 the table is complete; 2 bad usage, or another tool is missing; 3 a row could not be measured, or the
counts differ")]
pub struct BenchArgs {
    /// The table; without one, they are listed
    #[arg(value_parser = choices::tables())]
    pub table: Option<String>,
    /// Only the rows whose names contain this; may be given several times
    #[arg(long, value_name = "NAME", requires = "table")]
    pub only: Vec<String>,
    /// How often each program runs; the median is shown [default: 3]
    #[arg(long, short, value_name = "K", value_parser = clap::value_parser!(u16).range(1..), requires = "table")]
    pub repeat: Option<u16>,
    /// The folder of the models [default: examples/scale, or examples/papers for reduction and
    /// examples/brim for brim, here or in the checkout that the program was built in; for
    /// corpus, reduction-spin, beem, beem-reduction and under the corpus, found by the variable
    /// AMPLE_CORPUS, else beside the checkout]
    #[arg(long, value_name = "DIR", requires = "table")]
    pub models: Option<PathBuf>,
    /// The file that keeps what was measured [default: bench-results.jsonl in target, or else in
    /// the folder for temporary files]
    #[arg(long, value_name = "FILE", requires = "table")]
    pub results: Option<PathBuf>,
    /// For the corpus, partial order reduction, BEEM and under-approximations: stop a search after
    /// this time [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = units::time, requires = "table")]
    pub max_time: Option<Duration>,
    /// For the same tables: stop a search when so many states are stored; of BEEM, models that are
    /// known to have more are left out [default: 10000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "table")]
    pub max_states: Option<u64>,
    /// For the same tables: stop a search when so much memory is in use [default: 8G]
    #[arg(long, value_name = "SIZE", value_parser = units::size, requires = "table")]
    pub max_memory: Option<u64>,
    /// Measure everything again
    #[arg(long, requires = "table")]
    pub fresh: bool,
    /// For instructions: write what was counted to the file of the records in this checkout, to be
    /// compared with from the next build on
    #[arg(long, requires = "table")]
    pub record: bool,
    /// Put the table between its markers in a document [default: docs/benchmarks.md]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, requires = "table")]
    #[arg(default_missing_value = "docs/benchmarks.md")]
    pub write: Option<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long, requires = "table")]
    pub json: bool,
}

/// `ample completions`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample completions bash > ~/.local/share/bash-completion/completions/ample
  ample completions zsh > ~/.zfunc/_ample")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `ample man`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ample man > ~/.local/share/man/man1/ample.1
  ample man check | man -l -")]
pub struct ManArgs {
    /// The page of this subcommand instead of the first page
    #[arg(value_parser = ["check", "sim", "graph", "inspect", "ltl", "audit", "advise", "compare", "bench", "completions", "man"])]
    pub command: Option<String>,
}

/// Reads the arguments. What cannot be understood is said here, and help and version are printed
/// here.
pub fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Cli, Status> {
    let arguments: Vec<OsString> = arguments.collect();
    let parsed = command().try_get_matches_from(&arguments);
    let parsed =
        parsed.and_then(|matches| Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command())));
    parsed.map_err(|error| {
        if !error.use_stderr() {
            // A reader that went away is no error.
            let _ = error.print();
            return Status::Holds;
        }
        let json = arguments.iter().any(|argument| argument == "--json");
        match explain(&error) {
            Some(message) => Failure::Usage(message).report(&Terminal { json, ..Terminal::default() }),
            None if json => {
                let text = error.render().to_string();
                let first = text.lines().next().unwrap_or_default();
                Failure::Usage(first.trim_start_matches("error: ").to_owned())
                    .report(&Terminal { json, ..Terminal::default() })
            }
            None => {
                let _ = error.print();
                Status::Bad
            }
        }
    })
}

/// Our own words for what clap cannot know: what is to come, and a model without a subcommand.
fn explain(error: &clap::Error) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let name = context(ContextKind::InvalidArg)?;
            not_built::is_flag(name).then(|| not_built::refusal(name))
        }
        ErrorKind::InvalidSubcommand => {
            let name = context(ContextKind::InvalidSubcommand)?;
            let is_model = std::path::Path::new(name).is_file();
            is_model.then(|| format!("`{name}` is a file, not a subcommand; did you mean `ample check {name}`?"))
        }
        _ => None,
    }
}

/// The command line as data, for completions and manual pages.
pub fn command() -> clap::Command {
    choices::with_choices(Cli::command(), &ample_check::parts().collect::<Vec<_>>())
}

/// The parts of a kind that are built.
pub fn built(kind: PartKind) -> impl Iterator<Item = &'static Part> {
    let parts: Vec<_> = ample_check::parts().collect();
    choices::built(&parts, kind).collect::<Vec<_>>().into_iter()
}

fn color(text: &str) -> Result<ColorChoice, String> {
    match text {
        "auto" => Ok(ColorChoice::Auto),
        "always" => Ok(ColorChoice::Always),
        "never" => Ok(ColorChoice::Never),
        _ => Err("expected auto, always or never".to_owned()),
    }
}

fn define(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(is_name) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(format!("`{name}` is not the name of a macro"));
    }
    Ok((name.to_owned(), value.to_owned()))
}
