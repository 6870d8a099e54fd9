//! From where what is looked for may happen, back to all states from which it can be reached.

use super::condition::Meaning;
use super::error::Danger;
use super::region::Region;
use super::step::Steps;

/// So many regions are kept with what they say of variables.
const MOST_REGIONS: usize = 192;
/// So many steps back are made with what is said of variables, and so many without.
const MOST_STEPS: usize = 8_000;
/// So many regions of a round are followed further when only a few rounds are made.
const MOST_OF_ROUND: usize = 48;

/// How much is said of the states from which something can be reached.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Where processes are, and between which numbers variables lie.
    Data,
    /// Where processes are: all data is forgotten.
    Control,
    /// Where single processes are.
    Process,
}

impl Detail {
    fn of(self, region: Region) -> Region {
        match self {
            Detail::Data => region,
            Detail::Control => region.without_data(),
            Detail::Process => region.of_one_process(),
        }
    }
}

/// All states from which one of the dangers can be reached, and some more, in as much detail as
/// there is room for.
pub(super) fn closure(steps: &Steps<'_>, dangers: &[Danger]) -> (Vec<Region>, Detail) {
    for detail in [Detail::Data, Detail::Control] {
        if let Some(regions) = closed(steps, dangers, detail) {
            return (regions, detail);
        }
    }
    (closed(steps, dangers, Detail::Process).unwrap_or_else(|| vec![Region::default()]), Detail::Process)
}

/// The same in this detail; `None` if there is no room.
fn closed(steps: &Steps<'_>, dangers: &[Danger], detail: Detail) -> Option<Vec<Region>> {
    let mut all = Regions::default();
    for danger in dangers {
        all.add(detail.of(danger.region.clone()), steps.meaning);
    }
    let mut made = 0;
    while let Some(region) = all.next() {
        steps.before(&region, |before| {
            made += 1;
            all.add(detail.of(before), steps.meaning);
        });
        let has_room = detail == Detail::Process || all.known.len() <= MOST_REGIONS && made <= MOST_STEPS;
        if !has_room {
            return None;
        }
    }
    Some(all.known)
}

/// Regions, none of which is inside another one.
#[derive(Default)]
struct Regions {
    known: Vec<Region>,
    /// Those of them that were not followed yet.
    open: Vec<Region>,
}

impl Regions {
    fn next(&mut self) -> Option<Region> {
        // What became part of a larger one is followed with that.
        while let Some(region) = self.open.pop() {
            if self.known.contains(&region) {
                return Some(region);
            }
        }
        None
    }

    fn add(&mut self, mut region: Region, meaning: Meaning<'_>) {
        loop {
            region = meaning.simplify(region);
            if self.known.iter().any(|known| known.contains(&region)) {
                return;
            }
            self.known.retain(|known| !region.contains(known));
            let joined = self.known.iter().enumerate().find_map(|(at, known)| Some((at, known.joined(&region)?)));
            match joined {
                Some((at, both)) => {
                    self.known.swap_remove(at);
                    region = both;
                }
                None => break,
            }
        }
        self.open.push(region.clone());
        self.known.push(region);
    }
}

/// The states from which one of the dangers can be reached within so many steps, as far as that is
/// known for certain of the region: a list for each number of steps, without what is in an earlier
/// one.
pub(super) fn rounds(steps: &Steps<'_>, dangers: &[Danger], count: usize) -> Vec<Vec<Region>> {
    let mut all: Vec<Vec<Region>> = Vec::new();
    let mut round: Vec<Region> = Vec::new();
    for danger in dangers.iter().filter(|danger| !danger.region.is_loose) {
        add_new(&all, &mut round, danger.region.clone());
    }
    while !round.is_empty() {
        round.truncate(MOST_OF_ROUND);
        all.push(std::mem::take(&mut round));
        if all.len() > count {
            break;
        }
        let last = all.len() - 1;
        for region in all[last].clone() {
            steps.before(&region, |before| {
                if !before.is_loose {
                    add_new(&all, &mut round, before);
                }
            });
        }
    }
    all
}

fn add_new(all: &[Vec<Region>], round: &mut Vec<Region>, region: Region) {
    if !all.iter().flatten().chain(&*round).any(|known| known.contains(&region)) {
        round.retain(|known| !region.contains(known));
        round.push(region);
    }
}
