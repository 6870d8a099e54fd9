//! Why a process may or may not go first, in words.

use ample_network::facts::{
    Condition, Conflict, Identity, Object, ObjectId, Obstacle, Safety, Taken, TransitionId, channel_name, instance_name,
};

use super::statements::{Touch, channel_touch};
use super::subject::InspectedModel;

impl Touch {
    /// As a verb.
    pub(super) fn word(self) -> &'static str {
        match self {
            Touch::Reads => "reads",
            Touch::Writes => "writes",
            Touch::SendsTo => "sends to",
            Touch::ReceivesFrom => "receives from",
            Touch::Tests => "tests",
            Touch::Creates => "creates",
            Touch::Meets => "meets",
            Touch::Resets => "dead after it",
        }
    }
}

impl InspectedModel<'_> {
    /// Why the process may go first or not, said of the statement with these transitions.
    pub(super) fn why(&self, safety: &Safety, own: &[TransitionId]) -> String {
        match safety {
            Safety::Always => String::new(),
            Safety::When(conditions) => {
                let all: Vec<String> = conditions.iter().map(|condition| self.condition(*condition, own)).collect();
                format!("while {}", all.join(" and "))
            }
            Safety::Never(obstacle) => self.obstacle(obstacle, own),
        }
    }

    fn condition(&self, condition: Condition, own: &[TransitionId]) -> String {
        match condition {
            Condition::NotEmpty(channel) => format!("{} holds a message", channel_name(self.network, channel)),
            Condition::NotFull(channel) => format!("{} has room", channel_name(self.network, channel)),
            Condition::Enabled(id) if own.contains(&id) => "it is enabled".to_owned(),
            Condition::Enabled(id) => format!("{} is enabled", self.quoted(self.transition(id).identity.first)),
        }
    }

    fn obstacle(&self, obstacle: &Obstacle, own: &[TransitionId]) -> String {
        let (id, identity) = (obstacle.transition, self.transition(obstacle.transition).identity);
        // The statement in the way may be another one of the same location.
        let who = match own.contains(&id) {
            true => String::new(),
            false => format!("its alternative {} ", self.quoted(identity.first)),
        };
        let what = match (obstacle.conflict, obstacle.other) {
            (Conflict::Everything, None) if self.transition(id).waits_for_timeout() => {
                "waits for all others".to_owned()
            }
            (Conflict::Everything, Some(other)) if !self.transition(id).depends_on_everything() => {
                format!("is followed by {}, which depends on everything", self.somebody(other, identity))
            }
            (Conflict::Everything, _) => "depends on everything".to_owned(),
            (Conflict::Process(met), _) => {
                format!("is, or may lead to, a rendezvous with {}", instance_name(self.network, met))
            }
            (Conflict::Shared(object), Some(other)) => {
                let (verb, name) = (self.verb(id, object), self.object(object));
                format!("{verb} {name}, which {} {}", self.somebody(other, identity), self.verb(other, object))
            }
            (Conflict::Shared(object), None) => format!("{} {}", self.verb(id, object), self.object(object)),
        };
        format!("{who}{what}")
    }

    /// A statement, with its place.
    fn quoted(&self, taken: Taken) -> String {
        let edge = self.edge(taken);
        format!("`{}` ({})", edge.text, self.place(edge.span))
    }

    /// Who makes a transition, and where: of two, the one that is not the first of the other.
    fn somebody(&self, id: TransitionId, not: Identity) -> String {
        let is_other = |taken: &Taken| not.participants().all(|one| one.instance != taken.instance);
        let identity = self.transition(id).identity;
        let taken = identity.participants().find(is_other).unwrap_or(identity.first);
        format!("{} ({})", instance_name(self.network, taken.instance), self.place(self.edge(taken).span))
    }

    fn object(&self, object: ObjectId) -> String {
        match self.facts.objects().get(object) {
            Object::Head(channel) | Object::Tail(channel) | Object::Length(channel) => {
                channel_name(self.network, channel)
            }
            _ => self.facts.objects().name(self.network, object),
        }
    }

    fn verb(&self, id: TransitionId, object: ObjectId) -> &'static str {
        let writes = self.transition(id).writes();
        match self.facts.objects().get(object) {
            Object::Head(channel) | Object::Tail(channel) | Object::Length(channel) => {
                channel_touch(self.facts, channel, &writes).word()
            }
            Object::At(..) | Object::PidPool | Object::Trace if writes.contains(object) => "changes",
            _ if writes.contains(object) => "writes",
            _ => "reads",
        }
    }
}
