//! What an automaton does with a letter, looked up instead of computed.
//!
//! A product asks for each of its states. The answer depends on the state of the automaton and on
//! the propositions in the labels there; where these are few, there is a table.

use ample_property::{Automaton, Edge, Letter, Marks, StateId};
use ample_stdx::TypedId;

/// A step of the automaton.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub target: StateId,
    /// What it contributes to acceptance, as bits.
    pub marks: u64,
}

/// The steps of an automaton, by state and letter.
pub(crate) struct Steps {
    /// All steps, those of a state together. A step that another makes needless comes after that
    /// one.
    steps: Vec<Step>,
    /// The edges that they are made from, in the same order.
    edges: Vec<Edge>,
    rows: Vec<Row>,
    /// Where in `chosen` the answers begin; each ends where the next begins.
    cells: Vec<u32>,
    /// Numbers of steps.
    chosen: Vec<u32>,
}

/// What is known of a state of the automaton.
struct Row {
    /// Its steps.
    first: usize,
    end: usize,
    /// The cells, if there is a table.
    table: Option<Table>,
}

#[derive(Copy, Clone)]
struct Table {
    /// The propositions that count.
    support: Letter,
    /// The cell of the letter in which none of them is true.
    first_cell: usize,
}

/// There is a table for a state if no more labels than this have to be evaluated to make it.
const MOST_EVALUATIONS: usize = 1 << 12;
/// A table has no more than two to this power cells.
const MOST_SUPPORT: u32 = 10;

/// The steps that can be taken.
pub(crate) struct Choice<'s> {
    steps: &'s [Step],
    numbers: &'s [u32],
}

impl<'s> Choice<'s> {
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = Step> + Clone + use<'s> {
        let steps = self.steps;
        self.numbers.iter().map(move |&number| steps[number as usize])
    }
}

impl Steps {
    pub fn of(automaton: &Automaton) -> Steps {
        let mut all =
            Steps { steps: Vec::new(), edges: Vec::new(), rows: Vec::new(), cells: Vec::new(), chosen: Vec::new() };
        for state in automaton.states() {
            all.add(automaton, state);
        }
        all.cells.push(all.chosen.len() as u32);
        all
    }

    fn add(&mut self, automaton: &Automaton, state: StateId) {
        let mut edges = automaton.edges[state].clone();
        edges.sort_by_key(|edge| (edge.target, std::cmp::Reverse(edge.marks.iter().count())));
        let first = self.steps.len();
        self.steps.extend(edges.iter().map(|edge| Step { target: edge.target, marks: bits(edge.marks) }));
        let support = edges.iter().fold(0, |support, edge| support | automaton.labels.support(edge.label));
        let is_small = support.count_ones() <= MOST_SUPPORT && edges.len() << support.count_ones() <= MOST_EVALUATIONS;
        self.edges.append(&mut edges);
        let table = is_small.then_some(Table { support, first_cell: self.cells.len() });
        self.rows.push(Row { first, end: self.steps.len(), table });
        if let Some(Table { support, .. }) = table {
            let mut chosen = Vec::new();
            for cell in 0..1usize << support.count_ones() {
                self.compute(automaton, state, spread(cell, support), &mut chosen);
                self.cells.push(self.chosen.len() as u32);
                self.chosen.append(&mut chosen);
            }
        }
    }

    /// The steps that can be taken in a state with a letter, if there is a table for the state.
    #[inline]
    pub fn look_up(&self, state: StateId, letter: Letter) -> Option<Choice<'_>> {
        let Table { support, first_cell } = self.rows[state.index()].table?;
        let cell = first_cell + gather(letter, support);
        let numbers = &self.chosen[self.cells[cell] as usize..self.cells[cell + 1] as usize];
        Some(Choice { steps: &self.steps, numbers })
    }

    /// The same without a table. `memory` is for the answer.
    #[cold]
    pub fn read<'s>(
        &'s self,
        automaton: &Automaton,
        state: StateId,
        letter: Letter,
        memory: &'s mut Vec<u32>,
    ) -> Choice<'s> {
        memory.clear();
        self.compute(automaton, state, letter, memory);
        Choice { steps: &self.steps, numbers: memory }
    }

    /// Appends the numbers of the steps that the labels allow, without those that contribute
    /// nothing that another step to the same state does not.
    fn compute(&self, automaton: &Automaton, state: StateId, letter: Letter, chosen: &mut Vec<u32>) {
        let Row { first, end, .. } = self.rows[state.index()];
        for number in first..end {
            let step = self.steps[number];
            let makes_needless = |other: &u32| {
                let other = self.steps[*other as usize];
                other.target == step.target && step.marks & !other.marks == 0
            };
            if automaton.labels.value(self.edges[number].label, letter) && !chosen.iter().any(makes_needless) {
                chosen.push(number as u32);
            }
        }
    }
}

/// Marks as bits.
pub(crate) fn bits(marks: Marks) -> u64 {
    marks.iter().fold(0, |bits, mark| bits | 1 << mark)
}

/// The bits of the letter that are in the support, one beside the other.
fn gather(letter: Letter, mut support: Letter) -> usize {
    let mut cell = 0;
    let mut place = 0;
    while support != 0 {
        cell |= ((letter >> support.trailing_zeros() & 1) as usize) << place;
        place += 1;
        support &= support - 1;
    }
    cell
}

/// The opposite of [`gather`].
fn spread(cell: usize, mut support: Letter) -> Letter {
    let mut letter = 0;
    let mut place = 0;
    while support != 0 {
        letter |= (cell as Letter >> place & 1) << support.trailing_zeros();
        place += 1;
        support &= support - 1;
    }
    letter
}

#[cfg(test)]
mod tests {
    use ample_property::{parse_ltl, translate};
    use ample_source::Span;

    use super::*;

    /// Compares what is read with what the automaton itself says, for all letters of `bits`
    /// propositions.
    fn check(formula: &str, bits_used: u32, has_table: bool) {
        let (formula, _) = parse_ltl(formula, Span::default()).unwrap();
        let translated = translate(&formula).unwrap();
        for automaton in [&translated.tgba, &translated.ba] {
            let steps = Steps::of(automaton);
            assert_eq!(steps.rows.iter().all(|row| row.table.is_some()), has_table);
            let mut memory = Vec::new();
            for state in automaton.states() {
                for letter in 0..1 << bits_used {
                    let read: Vec<Step> = steps.read(automaton, state, letter, &mut memory).iter().collect();
                    let looked_up = steps.look_up(state, letter).map(|choice| choice.iter().collect::<Vec<Step>>());
                    assert!(looked_up.is_none_or(|looked_up| looked_up == read));
                    let all: Vec<Step> = automaton
                        .successors(state, letter)
                        .map(|(marks, target)| Step { target, marks: bits(marks) })
                        .collect();
                    let covers = |list: &[Step], step: &Step| {
                        list.iter().any(|other| other.target == step.target && step.marks & !other.marks == 0)
                    };
                    assert!(all.iter().all(|step| covers(&read, step)), "{state:?} {letter}");
                    assert!(read.iter().all(|step| all.contains(step)), "{state:?} {letter}");
                    let others = |number: usize| [&read[..number], &read[number + 1..]].concat();
                    assert!((0..read.len()).all(|number| !covers(&others(number), &read[number])));
                }
            }
        }
    }

    #[test]
    fn what_is_read_is_what_the_automaton_says() {
        check("G(a -> F b) & (c U d | G F e)", 5, true);
        check("G F a & G F b & G F c & F G d", 4, true);
        check("true", 1, true);
        let wide: Vec<String> = (0..12).map(|number| format!("p{number}")).collect();
        check(&format!("G F ({})", wide.join(" & ")), 12, false);
    }

    #[test]
    fn gathering_and_spreading_are_opposite() {
        let support: Letter = 0b1010_0110_0001;
        for cell in 0..1 << support.count_ones() {
            let letter = spread(cell, support);
            assert_eq!((gather(letter, support), letter & !support), (cell, 0));
            assert_eq!(gather(letter | !support, support), cell);
        }
    }
}
