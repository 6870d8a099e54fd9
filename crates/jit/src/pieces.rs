//! Large processes in pieces: a function takes Cranelift time that grows faster than the function,
//! so none grows without bound.
//!
//! The locations of a process number are cut into ranges, in the order in which they are stored,
//! each with one function; one more looks where the process is and calls the right one. A location
//! with very many edges is cut again: its functions are called one after the other. A process that
//! is small enough is one function, without a detour.

use ample_model::{Action, Edge, EdgeId, LocationId};
use ample_network::{InstanceId, Network, SlotPlace};
use ample_stdx::Stop;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, Value, types};
use cranelift_frontend::FunctionBuilder;

use crate::code::Code;
use crate::followed::followed;
use crate::not_compiled::NotCompiled;
use crate::sequence::in_one_go;
use crate::value::flags;

/// What a function is called with after a state and a place to write to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Third {
    /// Nothing.
    None,
    /// Bit 0: whether `timeout` holds. Bit 1, for some edges of a location: whether one before them
    /// was taken.
    Timeout,
    /// A message that is offered.
    Message,
    /// How many moves were made so far.
    Moves,
}

/// Set in the result of a part of a run if the process is at a location of another part.
pub(crate) const ELSEWHERE: u64 = 1 << 33;

/// The code of one location, or of some of its edges.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) instance: InstanceId,
    pub(crate) location: LocationId,
    pub(crate) edges: Vec<EdgeId>,
}

/// Locations that are stored one after the other.
#[derive(Debug, Default)]
pub(crate) struct Range {
    /// The first of them as it is stored; the first range begins with 0.
    pub(crate) first: i64,
    /// What their functions generate: one function, unless there is one location only.
    pub(crate) functions: Vec<Vec<Part>>,
}

/// Cuts parts, each with its weight and in the order in which their locations are stored, into
/// ranges of no more than `most`. There is at least one.
pub(crate) fn cut(parts: Vec<(Part, Vec<usize>)>, most: usize, stored: impl Fn(&Part) -> i64) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::new();
    let mut so_far = 0;
    for (part, weights) in parts {
        let weight: usize = weights.iter().sum();
        let first = stored(&part);
        let is_large = weight > most && weights.len() > 1;
        match ranges.last_mut() {
            Some(last) if so_far + weight <= most && !is_large => {
                if let Some(function) = last.functions.last_mut() {
                    function.push(part);
                }
            }
            _ => {
                let functions = if is_large { cut_location(&part, &weights, most) } else { vec![vec![part]] };
                ranges.push(Range { first, functions });
                so_far = if is_large { most } else { 0 };
            }
        }
        so_far += weight;
    }
    match ranges.first_mut() {
        Some(range) => range.first = 0,
        None => ranges.push(Range { first: 0, functions: vec![Vec::new()] }),
    }
    ranges
}

/// The edges of one location in several functions.
fn cut_location(part: &Part, weights: &[usize], most: usize) -> Vec<Vec<Part>> {
    let mut functions: Vec<Vec<Part>> = Vec::new();
    let mut so_far = most;
    for (edge, weight) in part.edges.iter().zip(weights) {
        if so_far + weight > most {
            functions.push(vec![Part { edges: Vec::new(), ..*part }]);
            so_far = 0;
        }
        so_far += weight;
        if let Some(part) = functions.last_mut().and_then(|parts| parts.last_mut()) {
            part.edges.push(*edge);
        }
    }
    functions
}

impl Code {
    /// The locations of some instances where there is code, with the weight of each of their edges.
    /// The edges of an escape stay together, with all others of their location, and so do those of
    /// a process that must be deterministic.
    pub(crate) fn parts(&self, network: &Network<'_>, instances: &[InstanceId]) -> Vec<(Part, Vec<usize>)> {
        let mut parts = Vec::new();
        for &instance in instances {
            let template = network.template(instance);
            for (location, place) in template.locations.iter_enumerated().skip(1) {
                if place.edges.is_empty() || !self.starts[instance].contains(location) {
                    continue;
                }
                let weights = place.edges.iter().map(|id| self.weight(network, instance, *id)).collect();
                let edges = place.edges.clone();
                let part = Part { instance, location, edges };
                parts.push((part, self.inseparable(template, &place.edges, weights)));
            }
        }
        parts
    }

    /// How much code a network needs, counted in edges.
    pub(crate) fn size(&self, network: &Network<'_>) -> usize {
        let instances: Vec<InstanceId> = network.instances.ids().collect();
        self.parts(network, &instances).iter().flat_map(|(_, weights)| weights).sum()
    }

    /// The weights of edges, as one if they must stay together.
    pub(crate) fn inseparable(
        &self,
        template: &ample_model::Template,
        edges: &[EdgeId],
        weights: Vec<usize>,
    ) -> Vec<usize> {
        match template.deterministic || edges.iter().any(|id| template.edges[*id].escape.is_some()) {
            true => vec![weights.iter().sum()],
            false => weights,
        }
    }

    /// The locations where an instance takes messages at a rendezvous, with the weight of each of
    /// the edges that do.
    pub(crate) fn receiving_parts(&self, network: &Network<'_>, instance: InstanceId) -> Vec<(Part, Vec<usize>)> {
        let template = network.template(instance);
        let is_start = |(location, _): &&(LocationId, Vec<EdgeId>)| self.starts[instance].contains(*location);
        let receiving = self.handshakes.receiving[instance].iter().filter(is_start);
        receiving
            .map(|(location, edges)| {
                let weights = edges.iter().map(|id| self.weight(network, instance, *id)).collect();
                let part = Part { instance, location: *location, edges: edges.clone() };
                (part, self.inseparable(template, edges, weights))
            })
            .collect()
    }

    /// The locations from which some instances can run on inside an atomic sequence, each as a
    /// whole.
    pub(crate) fn followed_parts(&self, network: &Network<'_>, instances: &[InstanceId]) -> Vec<(Part, Vec<usize>)> {
        let of_instance = |instance: &InstanceId| {
            let template = network.template(*instance);
            let part = |location: LocationId| {
                let edges = template.locations[location].edges.clone();
                let weight = edges.len();
                (Part { instance: *instance, location, edges }, vec![weight])
            };
            followed(network, self, *instance).iter().map(part).collect::<Vec<_>>()
        };
        instances.iter().flat_map(of_instance).collect()
    }

    /// How much code an edge needs, counted in edges.
    fn weight(&self, network: &Network<'_>, instance: InstanceId, id: EdgeId) -> usize {
        let template = network.template(instance);
        let edge = &template.edges[id];
        let of_step = |edge: &Edge| match &edge.action {
            Action::DeterministicStep(entry) => self.inside(network, instance, *entry).len(),
            _ => 0,
        };
        let in_one_go = in_one_go(network, self.locations_are_read, instance, edge);
        let chain: usize = in_one_go.iter().map(|id| 1 + of_step(&template.edges[*id])).sum();
        let partners = if self.handshakes.is_shared { 1 } else { self.handshakes.partners(network, instance, id) };
        1 + chain + of_step(edge) + partners
    }
}

/// Generates a function that calls those of the range in which a process is.
pub(crate) fn dispatch(
    builder: &mut FunctionBuilder<'_>,
    place: SlotPlace,
    ranges: &[(i64, Vec<FuncRef>)],
    third: Third,
) {
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let mut parameters = builder.block_params(entry).to_vec();
    let again = builder.create_block();
    if third == Third::Moves {
        // The process may go from range to range, and the number of moves grows.
        let none = builder.ins().iconst(types::I64, 0);
        builder.append_block_param(again, types::I64);
        builder.ins().jump(again, &[none.into()]);
        builder.switch_to_block(again);
        parameters.push(builder.block_params(again)[0]);
    }
    let location = match place.width {
        1 => builder.ins().uload8(types::I32, flags(), parameters[0], place.offset as i32),
        2 => builder.ins().uload16(types::I32, flags(), parameters[0], place.offset as i32),
        _ => builder.ins().load(types::I32, flags(), parameters[0], place.offset as i32),
    };
    let dispatch = Dispatch { location, parameters, third, again };
    dispatch.choose(builder, ranges);
}

struct Dispatch {
    location: Value,
    parameters: Vec<Value>,
    third: Third,
    again: Block,
}

impl Dispatch {
    /// Halves the ranges until one is left.
    fn choose(&self, builder: &mut FunctionBuilder<'_>, ranges: &[(i64, Vec<FuncRef>)]) {
        let (before, after) = ranges.split_at(ranges.len() / 2);
        match (before, after) {
            ([], [(_, functions)]) => self.call(builder, functions),
            ([], _) => {
                builder.ins().return_(&[self.parameters[1]]);
            }
            (_, [(first, _), ..]) => {
                let [low, high] = [(); 2].map(|()| builder.create_block());
                let is_before = builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, self.location, *first);
                builder.ins().brif(is_before, low, &[], high, &[]);
                builder.switch_to_block(low);
                self.choose(builder, before);
                builder.switch_to_block(high);
                self.choose(builder, after);
            }
            (_, []) => self.choose(builder, before),
        }
    }

    /// Calls functions one after the other, as long as the interpreter need not look.
    fn call(&self, builder: &mut FunctionBuilder<'_>, functions: &[FuncRef]) {
        let mut parameters = self.parameters.clone();
        for (number, function) in functions.iter().enumerate() {
            let call = builder.ins().call(*function, &parameters);
            let result = builder.inst_results(call)[0];
            if self.third == Third::Moves {
                return self.go_on(builder, result);
            }
            if number + 1 < functions.len() {
                let (failed, next) = (builder.create_block(), builder.create_block());
                builder.ins().brif(result, next, &[], failed, &[]);
                builder.switch_to_block(failed);
                builder.ins().return_(&[result]);
                builder.switch_to_block(next);
            }
            parameters[1] = result;
            if self.third == Third::Timeout {
                let moved = builder.ins().icmp(IntCC::NotEqual, result, self.parameters[1]);
                let moved = builder.ins().uextend(types::I32, moved);
                let moved = builder.ins().ishl_imm_u(moved, 1);
                parameters[2] = builder.ins().bor(self.parameters[2], moved);
            }
        }
        builder.ins().return_(&[parameters[1]]);
    }

    /// Returns the result of a run, unless it goes on in another range.
    fn go_on(&self, builder: &mut FunctionBuilder<'_>, result: Value) {
        let done = builder.create_block();
        let high = builder.ins().ushr_imm_u(result, 32);
        let is_elsewhere = builder.ins().icmp_imm_s(IntCC::Equal, high, (ELSEWHERE >> 32) as i64);
        let low = builder.ins().band_imm_s(result, i64::from(u32::MAX));
        builder.ins().brif(is_elsewhere, self.again, &[low.into()], done, &[]);
        builder.switch_to_block(done);
        builder.ins().return_(&[result]);
    }
}

/// An error if generating code is to be given up.
pub(crate) fn check(stop: &Stop) -> Result<(), NotCompiled> {
    stop.check().map_err(|why| NotCompiled(format!("{why} before its machine code was finished")))
}

#[cfg(test)]
mod tests {
    use ample_stdx::TypedId;

    use super::*;

    /// The first location of each range, and how many edges each of its functions has.
    fn ranges(locations: &[usize], most: usize) -> Vec<(i64, Vec<usize>)> {
        let part = |(number, edges): (usize, &usize)| {
            let (location, edges) = (LocationId::from_index(number + 1), 0..*edges);
            (
                Part {
                    instance: InstanceId::default(),
                    location,
                    edges: edges.clone().map(EdgeId::from_index).collect(),
                },
                vec![1; edges.len()],
            )
        };
        let ranges = cut(locations.iter().enumerate().map(part).collect(), most, |part| part.location.index() as i64);
        let sizes = |parts: &Vec<Part>| parts.iter().map(|part| part.edges.len()).sum();
        ranges.iter().map(|range| (range.first, range.functions.iter().map(sizes).collect())).collect()
    }

    #[test]
    fn a_small_process_is_one_function() {
        assert_eq!(ranges(&[1, 2, 3], 6), [(0, vec![6])]);
        assert_eq!(ranges(&[], 6), [(0, vec![0])]);
    }

    #[test]
    fn a_process_of_very_many_statements_is_cut_into_functions_of_bounded_size() {
        assert_eq!(ranges(&[1; 7], 3), [(0, vec![3]), (4, vec![3]), (7, vec![1])]);
        let sizes: Vec<usize> = ranges(&[1; 40_000], 2000).into_iter().flat_map(|(_, sizes)| sizes).collect();
        assert_eq!(sizes, [2000; 20]);
    }

    #[test]
    fn a_location_with_very_many_edges_is_cut_again() {
        assert_eq!(ranges(&[1, 7, 1, 1], 3), [(0, vec![1]), (2, vec![3, 3, 1]), (3, vec![2])]);
    }
}
