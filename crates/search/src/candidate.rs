//! Candidates of a reduction: choosing them, counting them, logging which one was taken.

use ample_transition::{Candidate, Reduction, SuccessorBuffer, Tally};

/// Writes the candidate of this number, and true. If the expander has no such candidate, writes all
/// transitions, and false.
pub(crate) fn choose(
    reduction: &Reduction<'_>,
    state: &[u8],
    buffer: &SuccessorBuffer,
    number: usize,
    candidate: &mut Candidate,
) -> bool {
    if reduction.expander.candidate(state, buffer, number, candidate) {
        return true;
    }
    candidate.choose_all(buffer.len());
    false
}

/// What these transitions count for if no others are taken. Those that end in a fault count for
/// nothing.
pub(crate) fn tally_of(buffer: &SuccessorBuffer, chosen: &[usize]) -> Tally {
    let taken = chosen.iter().filter_map(|&number| buffer.get(number)).filter(|successor| successor.state.is_some());
    let mut tally = buffer.no_tally();
    tally.left_out += (buffer.len() - chosen.len()) as u64;
    taken.for_each(|successor| tally.add(&successor));
    tally
}

/// Tells the log which candidate was taken in a state. The first one is not told of: it is what who
/// reads the log expects.
pub(crate) fn log_choice(reduction: &Reduction<'_>, state: &[u8], number: usize) {
    if let Some(log) = reduction.log.filter(|_| number > 0) {
        log.settled(state, number);
    }
}
