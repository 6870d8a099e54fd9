//! Permutations of states by the names of variables.

use ample_interpret::State;
use ample_model::{Frame, SlotId, Template};
use ample_network::Packed;
use ample_stdx::TypedId;
use ample_transition::Pid;

/// What the permutations of a model's processes change.
#[derive(Copy, Clone, Debug, Default)]
pub struct Names {
    /// The templates whose processes are permuted; those at the same place among them go together.
    pub templates: &'static [&'static str],
    /// Arrays with an element for each process, also in structures; `[]` stands for any index.
    pub arrays: &'static [&'static str],
    /// Variables, global or local, that hold the place of a process among its like.
    pub places: &'static [&'static str],
    /// The fields of channels that do.
    pub fields: &'static [(&'static str, usize)],
}

/// `m[2].to[1]` as `m[].to[]` and its indices.
pub fn split(name: &str) -> (String, Vec<usize>) {
    let (mut bare, mut indices) = (String::new(), Vec::new());
    for (number, part) in name.split('[').enumerate() {
        match part.split_once(']') {
            Some((index, rest)) if number > 0 => {
                indices.push(index.parse().expect("an index is a number"));
                bare.push_str("[]");
                bare.push_str(rest);
            }
            _ => bare.push_str(part),
        }
    }
    (bare, indices)
}

/// The name of the variable that takes the place of one.
fn renamed(names: &Names, name: &str, permutation: &[usize]) -> String {
    let (bare, indices) = split(name);
    if !names.arrays.contains(&bare.as_str()) {
        return name.to_owned();
    }
    let mut parts = bare.split("[]");
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for (index, rest) in indices.iter().zip(parts) {
        renamed.push_str(&format!("[{}]{rest}", permutation[*index]));
    }
    renamed
}

fn place_after(is_place: bool, value: i64, permutation: &[usize]) -> i64 {
    match usize::try_from(value) {
        Ok(place) if is_place && place < permutation.len() => permutation[place] as i64,
        _ => value,
    }
}

fn slot_named(frame: &Frame, name: &str) -> usize {
    let found = frame.slots.iter_enumerated().find(|(_, slot)| slot.name == name);
    SlotId::index(found.unwrap_or_else(|| panic!("no variable {name}")).0)
}

/// The variables of a frame after a permutation; those that never change stay.
fn variables(
    frame: &Frame,
    names: &Names,
    values: &[i64],
    target: &[i64],
    parameters: usize,
    permutation: &[usize],
) -> Vec<i64> {
    let mut after = target.to_vec();
    for (slot, variable) in frame.slots.iter_enumerated() {
        let is_channel = variable.scalar == ample_model::Scalar::Channel;
        if SlotId::index(slot) < parameters || is_channel {
            continue;
        }
        let is_place = names.places.contains(&split(&variable.name).0.as_str());
        let to = slot_named(frame, &renamed(names, &variable.name, permutation));
        after[to] = place_after(is_place, values[SlotId::index(slot)], permutation);
    }
    after
}

/// The state after a permutation of the places of processes among their like.
pub fn permuted(packed: &Packed<'_>, names: &Names, state: &State, permutation: &[usize]) -> State {
    let model = packed.interpreter.model();
    let template = |pid: usize| -> &Template { &model.templates[state.processes[pid].template] };
    let like = |pid: usize| (0..state.processes.len()).filter(move |other| template(*other).name == template(pid).name);
    // Where each process comes from.
    let source = |pid: usize| {
        if !names.templates.contains(&template(pid).name.as_str()) {
            return pid;
        }
        let place = like(pid).position(|other| other == pid).expect("it is like itself");
        let from = permutation.iter().position(|to| *to == place).expect("a permutation");
        like(pid).nth(from).expect("there are as many")
    };
    let mut after = State::default();
    let globals = variables(&model.globals, names, state.globals(), state.globals(), 0, permutation);
    after.restart(|all| all.extend(globals));
    for pid in 0..state.processes.len() {
        let from = source(pid);
        let process = &state.processes[from];
        let frame = &template(pid).frame;
        let (values, target) = (state.locals(from as Pid), state.locals(pid as Pid));
        let locals = variables(frame, names, values, target, template(pid).parameters, permutation);
        after.add_process(process.template, process.location, process.priority, |all| all.extend(locals));
    }
    // The channel that takes the place of another is named by the same variable, renamed.
    let slots =
        || model.globals.slots.iter_enumerated().filter(|(_, slot)| slot.scalar == ample_model::Scalar::Channel);
    let number = |slot: usize| state.globals()[slot] as usize - 1;
    for (position, channel) in state.channels.iter().enumerate() {
        let from = slots()
            .find(|(_, slot)| number(slot_named(&model.globals, &renamed(names, &slot.name, permutation))) == position);
        let from = from.map_or(position, |(slot, _)| number(SlotId::index(slot)));
        let kind = &model.channels[channel.kind];
        let bare = split(&kind.name).0;
        let is_place = |field: usize| names.fields.contains(&(bare.as_str(), field));
        let messages: Vec<i64> = state
            .messages(from)
            .flat_map(|message| {
                message
                    .iter()
                    .enumerate()
                    .map(|(field, value)| place_after(is_place(field), *value, permutation))
                    .collect::<Vec<_>>()
            })
            .collect();
        let length = state.messages(from).len();
        after.add_channel(channel.kind, kind.fields.len(), length, |all| all.extend(messages));
    }
    after
}

/// All permutations of so many places.
pub fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let longer = |shorter: Vec<usize>| {
        (0..count).map(move |at| {
            let mut longer = shorter.clone();
            longer.insert(at, count - 1);
            longer
        })
    };
    permutations(count - 1).into_iter().flat_map(longer).collect()
}

/// The rotations of so many places.
pub fn rotations(count: usize) -> Vec<Vec<usize>> {
    (0..count).map(|by| (0..count).map(|at| (at + by) % count).collect()).collect()
}
