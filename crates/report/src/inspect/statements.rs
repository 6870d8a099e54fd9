//! The facts, gathered statement by statement.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ample_model::{Action, Edge, EdgeId, LocationId, Template};
use ample_network::facts::{
    Facts, InstanceId, Object, ObjectId, Safety, Taken, Transition, TransitionId, channel_name, instance_name,
};
use ample_source::Span;
use ample_stdx::{BitSet, IndexVec};

use super::subject::InspectedModel;

/// A process with its statements.
pub(super) struct Process {
    pub(super) name: String,
    pub(super) statements: Vec<Statement>,
}

/// One statement of a process.
pub(super) struct Statement {
    /// `:line`, or `file:line` in an included file.
    pub(super) place: String,
    pub(super) text: String,
    /// What it touches, by how.
    pub(super) touches: Vec<(Touch, BTreeSet<String>)>,
    /// The statements of others that it does not commute with: process, and places.
    pub(super) depends_on: BTreeMap<String, Vec<String>>,
    /// Whether the process may go first from here.
    pub(super) safety: Safety,
    /// Why, or why not, in words.
    pub(super) why: String,
    /// Whether it is made at once with the step before it, if `merge` is asked for.
    pub(super) is_merged: bool,
    /// Whether it begins a loop that is one step, if `merge` is asked for.
    pub(super) is_loop: bool,
    /// Whether `slice` leaves it out, or a part of it, where only assertions are asked for.
    pub(super) is_sliced: bool,
}

/// How something is touched.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    Reads,
    Writes,
    SendsTo,
    ReceivesFrom,
    Tests,
    Creates,
    Meets,
    /// It is dead afterwards, so that `dead` resets it.
    Resets,
}

impl InspectedModel<'_> {
    /// Everything, process by process in the order of their numbers, statements in the order of the
    /// text.
    pub(super) fn processes(&self) -> Vec<Process> {
        let of_instance =
            |instance| Process { name: instance_name(self.network, instance), statements: self.statements(instance) };
        self.network.instances.ids().map(of_instance).collect()
    }

    pub(super) fn template(&self, instance: InstanceId) -> &Template {
        self.network.template(instance)
    }

    pub(super) fn edge(&self, taken: Taken) -> &Edge {
        &self.template(taken.instance).edges[taken.edge]
    }

    /// `:line` in the model's own file, `file:line` in an included one.
    pub(super) fn place(&self, span: Span) -> String {
        let location = self.sources.location(span);
        let main = self.sources.files().next().map(|(_, file)| file.name.as_str());
        let file = if main == Some(location.file) { "" } else { location.file };
        format!("{file}:{}", location.line)
    }

    /// The edges that begin a transition, those of one statement at one location together.
    fn statements(&self, instance: InstanceId) -> Vec<Statement> {
        let ranks = ranks(self.template(instance));
        let mut edges: BTreeMap<(usize, usize, String), Vec<Taken>> = BTreeMap::new();
        for id in self.facts.of_instance(instance).iter() {
            for taken in self.transition(id).identity.participants().filter(|taken| taken.instance == instance) {
                let edge = self.edge(taken);
                let line = self.sources.location(edge.span).line as usize;
                let rank = ranks.get(edge.source).copied().unwrap_or_default();
                let key = (line, rank, edge.text.clone());
                let same = edges.entry(key).or_default();
                if !same.contains(&taken) {
                    same.push(taken);
                }
            }
        }
        edges.into_values().filter_map(|taken| self.statement(instance, &taken)).collect()
    }

    /// A statement; `None` for one that only goes elsewhere and concerns nobody.
    fn statement(&self, instance: InstanceId, taken: &[Taken]) -> Option<Statement> {
        let edge = self.edge(*taken.first()?);
        let ids: Vec<TransitionId> = self.facts.at(instance, edge.source).to_vec();
        let is_own = |id: &TransitionId| self.transition(*id).identity.participants().any(|one| taken.contains(&one));
        let own: Vec<TransitionId> = ids.into_iter().filter(is_own).collect();
        let safety = self.facts.safety(instance, edge.source).clone();
        if matches!(edge.action, Action::Skip) && safety == Safety::Always {
            return None;
        }
        let template = self.network.instances[instance].template;
        Some(Statement {
            place: self.place(edge.span),
            text: words(edge),
            touches: self.touches(instance, taken, &own),
            depends_on: self.depends_on(instance, &own),
            why: self.why(&safety, &own),
            safety,
            is_merged: (self.is_passed)(template, edge.source),
            is_loop: taken.iter().any(|taken| (self.is_loop)(template, taken.edge)),
            is_sliced: self.is_sliced(instance, taken),
        })
    }

    fn is_sliced(&self, instance: InstanceId, taken: &[Taken]) -> bool {
        let template = self.network.instances[instance].template;
        self.sliced.is_ok_and(|sliced| taken.iter().any(|taken| sliced(template, taken.edge)))
    }

    pub(super) fn transition(&self, id: TransitionId) -> &Transition {
        &self.facts.transitions()[id]
    }

    fn touches(&self, instance: InstanceId, taken: &[Taken], own: &[TransitionId]) -> Vec<(Touch, BTreeSet<String>)> {
        let mut touches: BTreeMap<Touch, BTreeSet<String>> = BTreeMap::new();
        let template = self.network.instances[instance].template;
        let edges = taken.iter().flat_map(|taken| sequence(self.template(instance), taken.edge));
        for name in edges.flat_map(|edge| (self.dead)(template, edge)) {
            touches.entry(Touch::Resets).or_default().insert(name);
        }
        for transition in own.iter().map(|id| self.transition(*id)) {
            let partners = transition.identity.participants().filter(|taken| taken.instance != instance);
            for partner in partners {
                let name = instance_name(self.network, partner.instance);
                let meets = format!("{name} {}", self.place(self.edge(partner).span));
                touches.entry(Touch::Meets).or_default().insert(meets);
            }
            if transition.identity.partner.is_none() {
                self.add_touches(instance, transition, &mut touches);
            }
        }
        touches.into_iter().collect()
    }

    fn add_touches(&self, instance: InstanceId, one: &Transition, touches: &mut BTreeMap<Touch, BTreeSet<String>>) {
        let (reads, writes) = (one.reads(), one.writes());
        let ends = matches!(self.edge(one.identity.first).action, Action::End);
        let mut add = |touch: Touch, name: String| touches.entry(touch).or_default().insert(name);
        for object in reads.iter().chain(one.guard_reads().iter()).chain(writes.iter()) {
            match self.facts.objects().get(object) {
                Object::Head(channel) | Object::Tail(channel) | Object::Length(channel) => {
                    add(channel_touch(self.facts, channel, &writes), channel_name(self.network, channel));
                }
                // Where a process itself goes is no news, nor what goes with it when it ends.
                Object::At(of, _) if of == instance => {}
                Object::Local(of, _) if of == instance && ends => {}
                Object::PidPool if !one.creates().is_empty() => {}
                Object::Local(of, _) | Object::At(of, _) if one.creates().contains(of) => {
                    add(Touch::Creates, instance_name(self.network, of));
                }
                _ => {
                    let name = self.name(instance, object);
                    let is_read = reads.contains(object) || one.guard_reads().contains(object);
                    // That it must be the youngest goes without saying.
                    if is_read && !ends {
                        add(Touch::Reads, name.clone());
                    }
                    if writes.contains(object) {
                        add(Touch::Writes, name);
                    }
                }
            }
        }
    }

    /// The name of an object; a variable of the process itself goes without the name of the
    /// process.
    fn name(&self, instance: InstanceId, object: ObjectId) -> String {
        let name = self.facts.objects().name(self.network, object);
        let own = format!("{}:", instance_name(self.network, instance));
        name.strip_prefix(&own).map_or(name.clone(), str::to_owned)
    }

    fn depends_on(&self, instance: InstanceId, own: &[TransitionId]) -> BTreeMap<String, Vec<String>> {
        let mut others: BTreeSet<Taken> = BTreeSet::new();
        for id in own {
            for other in
                self.facts.conflicts(*id).iter().filter(|other| !self.facts.of_instance(instance).contains(*other))
            {
                others
                    .extend(self.transition(other).identity.participants().filter(|taken| taken.instance != instance));
            }
        }
        let mut lines: BTreeMap<InstanceId, BTreeSet<(usize, String)>> = BTreeMap::new();
        for other in others {
            let span = self.edge(other).span;
            let line = self.sources.location(span).line as usize;
            lines.entry(other.instance).or_default().insert((line, self.place(span)));
        }
        let places = |places: BTreeSet<(usize, String)>| places.into_iter().map(|(_, place)| place).collect();
        lines.into_iter().map(|(other, lines)| (instance_name(self.network, other), places(lines))).collect()
    }
}

/// A statement on one line; the first of an `atomic` sequence stands for what follows.
fn words(edge: &Edge) -> String {
    let text = edge.text.split_whitespace().collect::<Vec<_>>().join(" ");
    if edge.keeps_control { format!("atomic {{ {text} … }}") } else { text }
}

/// The order in which locations are come to: statements on one line are shown as they follow each
/// other.
fn ranks(template: &Template) -> IndexVec<LocationId, usize> {
    let mut ranks = IndexVec::from_elem(0, template.locations.len());
    let (mut open, mut next) = (VecDeque::from([template.entry]), 1);
    while let Some(location) = open.pop_front() {
        if ranks[location] == 0 {
            ranks[location] = next;
            next += 1;
            open.extend(template.locations[location].edges.iter().map(|edge| template.edges[*edge].target));
        }
    }
    ranks
}

/// How a transition that writes these objects uses a channel.
pub(super) fn channel_touch(
    facts: &Facts,
    channel: ample_network::facts::ChannelId,
    writes: &BitSet<ObjectId>,
) -> Touch {
    if writes.contains(facts.objects().id(Object::Tail(channel))) {
        Touch::SendsTo
    } else if writes.contains(facts.objects().id(Object::Head(channel))) {
        Touch::ReceivesFrom
    } else {
        Touch::Tests
    }
}

/// An edge and those that may be taken in the same transition after it.
fn sequence(template: &Template, first: EdgeId) -> Vec<EdgeId> {
    let mut edges = vec![first];
    let mut next = 0;
    while let Some(edge) = edges.get(next).map(|edge| &template.edges[*edge]) {
        next += 1;
        let inside = match edge.action {
            Action::DeterministicStep(inside) => Some(inside),
            _ => None,
        };
        let goes_on = edge.keeps_control || template.locations[edge.target].d_step.is_some();
        for location in inside.into_iter().chain(goes_on.then_some(edge.target)) {
            for edge in &template.locations[location].edges {
                if !edges.contains(edge) {
                    edges.push(*edge);
                }
            }
        }
    }
    edges
}
