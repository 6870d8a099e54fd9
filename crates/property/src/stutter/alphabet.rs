//! Letters as parts of the set of valuations.

use ample_stdx::{TypedId, typed_id};

use crate::automaton::Automaton;
use crate::bdd::{Bdd, Bdds};

typed_id! {
    /// Names a letter of an [`Alphabet`].
    pub(super) struct LetterId;
}

/// A partition of the valuations; each part counts as one letter. No label of the automaton divides
/// a part.
pub(super) struct Alphabet {
    /// The functions of the parts, in a table that begins with the automaton's functions.
    pub bdds: Bdds,
    letters: Vec<Bdd>,
}

/// More letters than can be handled.
const MOST_LETTERS: usize = 1_024;

impl Alphabet {
    /// Each valuation of the propositions is a letter. `None` if there are too many.
    pub(super) fn valuations(automaton: &Automaton) -> Option<Alphabet> {
        let mut bdds = automaton.labels.clone();
        let variables = (0..automaton.propositions as u32).map(|proposition| bdds.variable(proposition)).collect();
        Alphabet::refined(bdds, variables)
    }

    /// The valuations that no label tells apart are one letter. `None` if there are too many.
    pub(super) fn classes(automaton: &Automaton) -> Option<Alphabet> {
        let mut labels: Vec<Bdd> = automaton.edges.iter().flatten().map(|edge| edge.label).collect();
        labels.sort();
        labels.dedup();
        Alphabet::refined(automaton.labels.clone(), labels)
    }

    /// The coarsest partition that none of the functions divides.
    fn refined(mut bdds: Bdds, functions: Vec<Bdd>) -> Option<Alphabet> {
        let mut letters = vec![Bdd::TRUE];
        for function in functions {
            let mut finer = Vec::with_capacity(letters.len());
            for letter in letters {
                finer.extend([bdds.and(letter, function), bdds.minus(letter, function)]);
            }
            finer.retain(|&letter| letter != Bdd::FALSE);
            if finer.len() > MOST_LETTERS {
                return None;
            }
            letters = finer;
        }
        Some(Alphabet { bdds, letters })
    }

    pub(super) fn len(&self) -> usize {
        self.letters.len()
    }

    pub(super) fn function(&self, letter: LetterId) -> Bdd {
        self.letters[letter.index()]
    }

    /// The letters with their functions.
    pub(super) fn letters(&self) -> impl Iterator<Item = (LetterId, Bdd)> + '_ {
        self.letters.iter().enumerate().map(|(index, &f)| (LetterId::from_index(index), f))
    }
}
