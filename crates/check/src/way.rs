//! A way to ask a question, as parts by name: the options that it stands for, and the flags that
//! ask for it.
//!
//! `auto`, `audit` and `advise` speak of plans in this form, so that a user can repeat what they
//! have tried.

use ample_guarantee::{Part, PartKind};

use crate::options::{Choice, Options, Pick, Reduce, Under};

/// A way to ask a question. What is not named is left to the plan, but no reduction is used that is
/// not named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// What a list of reductions names, apart from partial order reduction.
    pub reductions: Vec<&'static Part>,
    /// What chooses among transitions; all are taken if nothing does.
    pub expander: Option<&'static Part>,
    /// When a choice may stand.
    pub condition: Option<&'static Part>,
    /// The under-approximation loop.
    pub under: Option<Under>,
    /// An order, or how infinite runs are looked for.
    pub algorithm: Option<&'static Part>,
    /// How states are remembered.
    pub store: Option<&'static Part>,
    /// How many threads search.
    pub threads: Option<usize>,
}

/// How a partial order reduction is named in a list of reductions.
const POR: &str = "por";

impl Way {
    /// The same with one more part, in the place that its kind has. What can be there once only is
    /// replaced.
    #[must_use]
    pub fn with(&self, part: &'static Part) -> Way {
        let mut way = self.clone();
        match part.kind {
            PartKind::Expander => way.expander = Some(part),
            PartKind::CycleCondition => way.condition = Some(part),
            PartKind::Under => {
                way.under = Some(Under { name: part.name.to_owned(), pick: Pick::default(), begin: None });
            }
            PartKind::Order | PartKind::Emptiness => way.algorithm = Some(part),
            PartKind::Store => way.store = Some(part),
            _ if way.reductions.contains(&part) => {}
            _ => way.reductions.push(part),
        }
        way
    }

    /// The options that it stands for, with what they say of the rest.
    pub fn options(&self, options: Options) -> Options {
        let named = |part: Option<&Part>| part.map_or(Choice::Auto, |part| Choice::Named(part.name.to_owned()));
        let is_emptiness = self.algorithm.is_some_and(|part| part.kind == PartKind::Emptiness);
        let names: Vec<String> = self.list().map(str::to_owned).collect();
        Options {
            order: named(self.algorithm.filter(|_| !is_emptiness)),
            emptiness: named(self.algorithm.filter(|_| is_emptiness)),
            store: named(self.store),
            threads: self.threads,
            reduce: if names.is_empty() { self.reduce_nothing() } else { Reduce::List(names) },
            por: named(self.expander),
            cycle_condition: named(self.condition),
            under: self.under.clone(),
            ..options
        }
    }

    /// A loop chooses its own reduction, if it has one.
    fn reduce_nothing(&self) -> Reduce {
        if self.under.is_some() { Reduce::Auto } else { Reduce::None }
    }

    fn list(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.reductions.iter().map(|part| part.name).chain(self.expander.map(|_| POR))
    }

    /// What asks for it on the command line of `ample check`.
    pub fn flags(&self) -> String {
        let options = self.options(Options::default());
        let mut flags = match &options.reduce {
            Reduce::List(names) => vec![format!("--reduce {}", names.join(","))],
            Reduce::None => vec!["--reduce none".to_owned()],
            Reduce::Auto => Vec::new(),
        };
        if let Some(under) = &self.under {
            flags.push(format!("--under {}", under.name));
        }
        let named = [
            ("por", &options.por),
            ("proviso", &options.cycle_condition),
            ("order", &options.order),
            ("emptiness", &options.emptiness),
            ("store", &options.store),
        ];
        for (flag, choice) in named {
            if let Choice::Named(name) = choice {
                flags.push(format!("--{flag} {name}"));
            }
        }
        if let Some(Under { pick: Pick::Random { seed }, .. }) = &self.under {
            flags.push(format!("--pick random --seed {seed}"));
        }
        if let Some(begin) = self.under.as_ref().and_then(|under| under.begin) {
            flags.push(format!("--begin {}", begin.name()));
        }
        flags.extend(self.threads.map(|threads| format!("--threads {threads}")));
        flags.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use ample_reduction::{DEAD, MERGE, STATIC, STICKY};

    use super::*;

    #[test]
    fn flags_ask_for_what_the_options_say() {
        assert_eq!(Way::default().flags(), "--reduce none");
        assert_eq!(Way::default().options(Options::default()).reduce, Reduce::None);
        let way = Way::default().with(&DEAD).with(&STATIC).with(&MERGE).with(&DEAD).with(&STICKY);
        let way = way.with(&ample_search::DFS).with(&ample_store::TREE);
        assert_eq!(way.flags(), "--reduce dead,merge,por --por static --proviso sticky --order dfs --store tree");
        let options = way.options(Options::default());
        assert_eq!(options.reduce, Reduce::parse("dead,merge,por"));
        assert_eq!((options.por, options.order), (Choice::parse("static"), Choice::parse("dfs")));
        let runs = Way { threads: Some(2), ..Way::default() }.with(&ample_search::NDFS);
        assert_eq!(runs.flags(), "--reduce none --emptiness ndfs --threads 2");
    }
}
