//! The parts of the language that look at the whole state, and those that few models use: what
//! [`super::whole_state_model`] adds.

use super::scope::{Kind, Scope, Variable};
use super::statements::{Place, indent};
use super::{Generator, Lines};

impl Generator {
    /// A value that depends on the whole state.
    pub(crate) fn whole_state(&mut self, scope: &Scope) -> String {
        let other = self.prng.below(self.actives.max(2));
        match self.prng.below(13) {
            0..=2 if !scope.in_eval => "timeout".to_owned(),
            3 | 4 => "_last".to_owned(),
            5 | 6 => "_nr_pr".to_owned(),
            7 | 8 if self.flavour.enabled && !scope.in_eval => format!("enabled({other})"),
            // The number of a location is nobody's business; whether two processes are at the same
            // one can be asked. To Spin a process is where it was until a `d_step` is over.
            9 if self.twins.is_some() && !scope.no_remote => {
                let first = self.twins.unwrap_or_default();
                format!("(pc_value({first}) == pc_value({}))", first + 1)
            }
            // Spin refuses it in d_step.
            10 | 11 if !scope.no_remote => self.remote(),
            _ => self.channel_test(scope),
        }
    }

    /// A label or a local variable of a process that came before.
    fn remote(&mut self) -> String {
        let remote = self.remote.clone();
        self.prng.pick(&remote).cloned().unwrap_or_else(|| "_nr_pr".to_owned())
    }

    /// Labels and local variables of a process type that was written, for those that come after it.
    /// By its number if it has a fixed one: a process with a smaller number is always there.
    pub(crate) fn remember(&mut self, scope: &Scope, name: &str, number: Option<usize>, globals: usize) {
        let who = number.map_or_else(|| name.to_owned(), |number| format!("{name}[{number}]"));
        self.remote.extend(scope.labels.iter().map(|label| format!("({who}@{label})")));
        let locals =
            scope.variables[globals..].iter().filter(|local| local.length.is_none() && local.kind != Kind::Mtype);
        self.remote.extend(locals.map(|local| format!("({who}:{})", local.name)));
    }

    /// A condition that is not part of a larger one, but for `&&` and `||`. Spin reads `full(c)`
    /// and its like only there.
    pub(crate) fn question(&mut self, scope: &Scope, depth: usize) -> String {
        if !self.flavour.whole || scope.channels.is_empty() || !self.prng.chance(15) {
            return self.condition(scope, depth);
        }
        let state = self.channel_guard(scope).unwrap_or_else(|| "true".to_owned());
        match self.prng.below(3) {
            0 => state,
            1 => format!("({state} && {})", self.condition(scope, 0)),
            _ => format!("({} || {state})", self.condition(scope, 0)),
        }
    }

    /// A variable that is not part of the state. What it holds must not matter later: Spin would
    /// lose its way.
    pub(crate) fn hidden_declaration(&mut self) -> Lines {
        if self.flavour.hidden { vec![(0, "hidden byte h0, h1;".to_owned())] } else { Lines::new() }
    }

    /// `h0` is set, used and cleared in one step; `h1` is only written.
    pub(crate) fn hidden_use(&mut self, scope: &Scope, at: Place) -> Lines {
        if self.prng.chance(40) {
            return vec![(0, format!("h1 = {};", self.small_value(scope, Kind::Byte, 1)))];
        }
        let quiet = Scope { no_remote: true, ..scope.clone() };
        let (place, _) = self.target(scope);
        let lines = vec![
            (0, format!("h0 = {};", self.small_value(&quiet, Kind::Byte, 1))),
            (0, format!("{place} = (h0 + {}) % 3;", self.small_value(&quiet, Kind::Byte, 1))),
            (0, "h0 = 0;".to_owned()),
        ];
        if at.in_d_step {
            return lines;
        }
        let mut all = vec![(0, "d_step {".to_owned())];
        all.extend(indent(lines));
        all.push((0, "};".to_owned()));
        all
    }

    /// Messages that are structures, so that a loop can go over their channel.
    pub(crate) fn message_declarations(&mut self, scope: &mut Scope) -> Lines {
        if !self.flavour.messages {
            return Lines::new();
        }
        scope.variables.push(Variable::scalar("m0.e0", Kind::Byte));
        scope.variables.push(Variable::scalar("m0.e1", Kind::Bit));
        vec![
            (0, "typedef Message {".to_owned()),
            (1, "byte e0;".to_owned()),
            (1, "bit e1;".to_owned()),
            (0, "};".to_owned()),
            (0, "Message m0;".to_owned()),
            (0, format!("chan cm = [{}] of {{ Message }};", self.prng.between(1, 2))),
        ]
    }

    /// A loop over the messages of a channel: each is taken out and put back.
    pub(crate) fn for_messages(&mut self, scope: &mut Scope, at: Place) -> Lines {
        let mut lines = vec![(0, "for (m0 in cm) {".to_owned())];
        lines.extend(indent(self.sequence(scope, at.inside())));
        lines.push((0, "};".to_owned()));
        lines
    }

    /// What is done with messages that are structures, but for the loop.
    pub(crate) fn message_use(&mut self) -> String {
        self.one_of(&["cm!m0;", "cm!m0;", "cm!1,0;", "cm!m0.e0,1;", "cm?m0;", "cm?_,_;", "cm??1,_;", "cm?<m0>;"])
            .to_owned()
    }

    /// Channels that are sent around, to those who know `q`.
    pub(crate) fn mobile_declarations(&mut self) -> Lines {
        if self.flavour.mobile { vec![(0, "chan cc = [1] of { chan };".to_owned())] } else { Lines::new() }
    }

    /// A process's variable for channels, which names one from the beginning.
    pub(crate) fn mobile_local(&mut self, scope: &mut Scope) -> Lines {
        if !self.flavour.mobile {
            return Lines::new();
        }
        let bytes = scope.channels.iter().filter(|channel| channel.fields == [Kind::Byte] && channel.length.is_none());
        let names: Vec<String> = bytes.map(|channel| channel.name.clone()).collect();
        let Some(first) = self.prng.pick(&names).cloned() else { return Lines::new() };
        let name = format!("{}q", scope.prefix);
        scope.channels.push(super::scope::Channel {
            name: name.clone(),
            capacity: None,
            fields: vec![Kind::Byte],
            length: None,
        });
        scope.mobile = Some((name.clone(), first.clone()));
        vec![(0, format!("chan {name} = {first};"))]
    }

    /// A channel goes away, or another one comes.
    pub(crate) fn mobile_use(&mut self, scope: &Scope) -> String {
        let Some((name, first)) = scope.mobile.clone() else { return "skip;".to_owned() };
        match self.prng.below(5) {
            0 => format!("cc!{name};"),
            1 => format!("cc!{first};"),
            2 => format!("{name} = {first};"),
            3 => format!("cc?eval({name});"),
            _ => format!("cc?{name};"),
        }
    }
}
