//! What was found, for people.

use ample_network::facts::{Facts, InstanceId, instance_name};
use ample_network::{Interval, Network};

use super::backward::Detail;
use super::boring::{Interesting, interesting};
use super::doomed::{Doom, doom};
use super::entry::LooksFor;
use super::region::{Region, nowhere};
use crate::NotHere;
use crate::canonizers::cells::Names;

/// So many regions are named.
const MOST_NAMED: usize = 4;

/// What is known, before a search, of what lies ahead of states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foresights {
    /// From where an error can be reached: all else is boring.
    pub boring: Vec<String>,
    /// Why no state is known to be boring.
    pub not_boring: Vec<String>,
    /// From where an error is reached for certain.
    pub doomed: Vec<String>,
    /// Why of no state that is known.
    pub not_doomed: Vec<String>,
}

impl Foresights {
    /// Of a network, for a question.
    pub fn of(network: &Network<'_>, facts: &Facts, looks_for: &LooksFor<'_>) -> Foresights {
        let names = Names::new(network, facts);
        let mut found = Foresights::default();
        match interesting(&names, looks_for) {
            Ok(Interesting { regions, detail, limit }) => {
                found.boring.push(alive(&names, &regions, detail));
                let most = limit.map(|limit| limit.most);
                found.boring.extend(most.map(|most| {
                    format!("something can go wrong only while the measure of progress is at most {most}")
                }));
            }
            Err(NotHere(why)) => found.not_boring.push(why),
        }
        match doom(&names, facts, looks_for) {
            Ok(Doom { rounds, ends }) => {
                for (rank, round) in rounds.iter().enumerate().skip(1) {
                    let where_to = regions_named(&names, round);
                    found.doomed.push(format!("an error is reached within {}: {where_to}", steps(rank)));
                }
                if ends.is_some() {
                    found.doomed.push(
                        "every run ends once no process can go round any more, and then some process is where it must not end"
                            .to_owned(),
                    );
                }
            }
            Err(NotHere(why)) => found.not_doomed.push(why),
        }
        found
    }
}

fn steps(count: usize) -> String {
    if count == 1 { "1 step".to_owned() } else { format!("{count} steps") }
}

fn alive(names: &Names<'_>, regions: &[Region], detail: Detail) -> String {
    if regions.is_empty() {
        return "nothing that is looked for can happen anywhere".to_owned();
    }
    let how = match detail {
        Detail::Data => "",
        Detail::Control => " (data forgotten)",
        Detail::Process => " (data and other processes forgotten)",
    };
    format!("something can go wrong only{how} from {}", regions_named(names, regions))
}

fn regions_named(names: &Names<'_>, regions: &[Region]) -> String {
    let mut named: Vec<String> = regions.iter().take(MOST_NAMED).map(|region| region_named(names, region)).collect();
    if regions.len() > MOST_NAMED {
        named.push(format!("{} more", regions.len() - MOST_NAMED));
    }
    named.join("; or ")
}

fn region_named(names: &Names<'_>, region: &Region) -> String {
    let at = region.at.keys().filter_map(|process| place_named(names, region, *process));
    let within = region.within.iter().map(|(cell, interval)| {
        let (name, Interval { low, high }) = (names.name(*cell), *interval);
        let (least, most) = names.cells.list[*cell].scalar.bounds();
        match () {
            () if low == high => format!("{name} = {low}"),
            () if low == least => format!("{name} <= {high}"),
            () if high == most => format!("{name} >= {low}"),
            () => format!("{low} <= {name} <= {high}"),
        }
    });
    let all: Vec<String> = at.chain(within).collect();
    if all.is_empty() { "everywhere".to_owned() } else { all.join(" and ") }
}

/// Where a process is, by the statements that stand there.
fn place_named(names: &Names<'_>, region: &Region, process: InstanceId) -> Option<String> {
    let template = names.network.template(process);
    let at = &region.at[&process];
    let reachable = crate::control::reachable(template);
    if reachable.is_subset(at) {
        return None;
    }
    let process = instance_name(names.network, process);
    let mut before: Vec<&str> = Vec::new();
    for location in at.iter().filter(|location| *location != nowhere() && reachable.contains(*location)) {
        let first = template.locations[location].edges.first().map(|id| template.edges[*id].text.as_str());
        let label = template.locations[location].labels.first().map(String::as_str);
        before.extend(label.or(first).filter(|text| !before.contains(text)));
    }
    let more = before.len().saturating_sub(MOST_NAMED);
    before.truncate(MOST_NAMED);
    let list = before.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
    let others = if more > 0 { format!(" or {more} more") } else { String::new() };
    Some(format!("{process} at {list}{others}"))
}
