//! What a random model has declared so far, and how it is written.

use ample_stdx::Random;

/// The type of a variable or message field.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned,
    Pid,
    Mtype,
}

impl Kind {
    const ALL: &[(usize, Kind)] = &[
        (2, Kind::Bit),
        (2, Kind::Bool),
        (8, Kind::Byte),
        (1, Kind::Short),
        (2, Kind::Int),
        (1, Kind::Unsigned),
        (1, Kind::Pid),
        (1, Kind::Mtype),
    ];

    pub(crate) fn any(prng: &mut Random) -> Kind {
        prng.weighted(Kind::ALL).unwrap_or(Kind::Byte)
    }

    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Kind::Bit => "bit",
            Kind::Bool => "bool",
            Kind::Byte => "byte",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Unsigned => "unsigned",
            Kind::Pid => "pid",
            Kind::Mtype => "mtype",
        }
    }

    /// Whether `x++` keeps the number of values small.
    pub(crate) fn wraps_soon(self) -> bool {
        matches!(self, Kind::Bit | Kind::Bool | Kind::Unsigned)
    }
}

/// A scalar, an array, or a field of a structure: whatever can stand left of `=`.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The number of elements, for an array.
    pub(crate) length: Option<usize>,
}

impl Variable {
    pub(crate) fn scalar(name: impl Into<String>, kind: Kind) -> Variable {
        Variable { name: name.into(), kind, length: None }
    }
}

/// A channel or an array of channels.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    pub(crate) name: String,
    /// What is known of its capacity: nothing for a parameter.
    pub(crate) capacity: Option<usize>,
    pub(crate) fields: Vec<Kind>,
    pub(crate) length: Option<usize>,
}

/// A process type that can be created with `run`.
#[derive(Clone, Debug)]
pub(crate) struct Proctype {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
}

/// A parameter of a process type.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
    Byte,
    Bit,
    /// A channel of bytes.
    Channel,
}

/// An inline: its name and what its first parameter is. The second is always an expression.
#[derive(Clone, Debug)]
pub(crate) struct Inline {
    pub(crate) name: String,
}

/// What can be named at some place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) variables: Vec<Variable>,
    pub(crate) channels: Vec<Channel>,
    pub(crate) labels: Vec<String>,
    pub(crate) runnable: Vec<Proctype>,
    pub(crate) inlines: Vec<Inline>,
    /// The declarations that the body asked for: loop counters.
    pub(crate) counters: Vec<String>,
    /// In `d_step` or `provided`, where Spin refuses remote references.
    pub(crate) no_remote: bool,
    /// In `eval`, which Spin evaluates again when it undoes a receive: without `timeout` and
    /// `enabled`.
    pub(crate) in_eval: bool,
    /// A variable for channels, and a channel that it may name.
    pub(crate) mobile: Option<(String, String)>,
    /// The prefix of names made up here.
    pub(crate) prefix: String,
}

/// Which parts of the language a model uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flavour {
    pub(crate) channels: bool,
    pub(crate) rendezvous: bool,
    pub(crate) arrays: bool,
    pub(crate) structures: bool,
    pub(crate) atomic: bool,
    pub(crate) d_step: bool,
    pub(crate) unless: bool,
    pub(crate) timeout: bool,
    pub(crate) jumps: bool,
    pub(crate) loops: bool,
    pub(crate) inlines: bool,
    pub(crate) creation: bool,
    pub(crate) provided: bool,
    pub(crate) priorities: bool,
    pub(crate) trace: bool,
    pub(crate) exclusive: bool,
    /// `_last`, remote references, `enabled`: what only some models need of the state.
    pub(crate) reflection: bool,
    /// Statements that may fail at run time.
    pub(crate) errors: bool,
    /// Expressions that read the whole state, wherever one is evaluated.
    pub(crate) whole: bool,
    /// `enabled`. There is no `else` then: whether Spin counts one depends on what the process that
    /// asks tried before.
    pub(crate) enabled: bool,
    /// Hidden variables.
    pub(crate) hidden: bool,
    /// `D_proctype`.
    pub(crate) deterministic: bool,
    /// Messages that are structures, and `for` over their channel.
    pub(crate) messages: bool,
    /// Channels in messages.
    pub(crate) mobile: bool,
}

impl Flavour {
    pub(crate) fn any(prng: &mut Random) -> Flavour {
        let channels = prng.chance(70);
        let priorities = prng.chance(7);
        let d_step = prng.chance(35);
        Flavour {
            channels,
            // Spin refuses priorities beside rendezvous.
            rendezvous: channels && !priorities && prng.chance(60),
            arrays: prng.chance(40),
            structures: prng.chance(25),
            atomic: prng.chance(50),
            d_step,
            unless: prng.chance(25),
            timeout: prng.chance(20),
            jumps: prng.chance(35),
            loops: prng.chance(35),
            inlines: prng.chance(20),
            creation: prng.chance(50),
            provided: prng.chance(12),
            priorities,
            trace: channels && prng.chance(7),
            exclusive: channels && prng.chance(5),
            // Spin refuses remote references in d_step.
            reflection: !d_step && prng.chance(12),
            errors: prng.chance(6),
            ..Flavour::default()
        }
    }

    /// Models that look at the whole state.
    pub(crate) fn whole(prng: &mut Random) -> Flavour {
        let usual = Flavour::any(prng);
        let enabled = prng.chance(30);
        // Spin refuses `enabled` beside rendezvous; loops and inlines come with an `else`.
        let rendezvous = usual.rendezvous && !enabled && prng.chance(60);
        Flavour {
            enabled,
            rendezvous,
            loops: usual.loops && !enabled,
            inlines: usual.inlines && !enabled,
            atomic: prng.chance(60),
            d_step: !enabled && prng.chance(45),
            unless: prng.chance(35),
            timeout: prng.chance(40),
            jumps: prng.chance(40),
            provided: prng.chance(35),
            reflection: false,
            whole: true,
            exclusive: false,
            hidden: prng.chance(15),
            // A rendezvous that nobody takes part in is a choice to Spin.
            deterministic: !rendezvous && prng.chance(15),
            messages: !enabled && prng.chance(20),
            mobile: usual.channels && prng.chance(20),
            ..usual
        }
    }
}
