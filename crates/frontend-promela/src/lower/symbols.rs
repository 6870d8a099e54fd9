//! Names: types, variables, scopes, symbolic constants.

use std::collections::HashMap;
use std::sync::Arc;

use ample_model::{
    ChannelType, ChannelTypeId, Frame, MtypeId, MtypeSet, Scalar, Scope as Owner, Shown, Slot, SlotId, TemplateId,
};
use ample_source::{Diagnostic, Diagnostics, Span};
use ample_stdx::{IndexVec, TypedId, suggest, typed_id};

use crate::syntax::Name;

typed_id! {
    /// A block of a process in which names are declared; the first is the whole process.
    pub(crate) struct ScopeId;
}
typed_id! {
    /// A `typedef`.
    pub(crate) struct StructId;
}

/// The type of a variable without its array bound.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Scalar(Scalar, Shown),
    Struct(StructId),
}

/// A declared variable: where its slots begin and how they are arranged.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) ty: Type,
    /// The number of elements, if it is an array.
    pub(crate) length: Option<u32>,
    pub(crate) owner: Owner,
    pub(crate) first: SlotId,
    /// The kind of channel it was initialised with, for `for (m in channel)`.
    pub(crate) channel: Option<ChannelTypeId>,
    /// The value of a scalar initialised with a constant, for array bounds.
    pub(crate) constant: Option<i32>,
    /// When it was declared: it can be used only after.
    pub(crate) order: u32,
}

/// A field of a structure.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) ty: Type,
    pub(crate) length: Option<u32>,
    /// Its position in slots.
    pub(crate) offset: u32,
    pub(crate) init: FieldInit,
}

/// How a field starts, in every variable of the structure.
#[derive(Clone, Debug)]
pub(crate) enum FieldInit {
    Zero,
    Constant(i32),
    List(Vec<i32>),
    Channel(ChannelType),
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    pub(crate) name: Name,
    pub(crate) fields: Vec<Field>,
    /// How many slots it takes.
    pub(crate) size: u32,
}

/// A block in which names are declared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) parent: Option<ScopeId>,
    pub(crate) variables: Vec<Variable>,
}

/// A process: its scopes and its name.
#[derive(Debug, Default)]
pub(crate) struct ProcessScopes {
    pub(crate) scopes: IndexVec<ScopeId, Scope>,
}

/// Everything that has a name.
#[derive(Default)]
pub(crate) struct Symbols {
    pub(crate) structs: IndexVec<StructId, Struct>,
    pub(crate) struct_names: HashMap<Arc<str>, StructId>,
    pub(crate) mtypes: IndexVec<MtypeId, MtypeSet>,
    /// Each symbolic name with its value.
    pub(crate) constants: HashMap<Arc<str>, (i32, Span)>,
    pub(crate) globals: Vec<Variable>,
    pub(crate) templates: HashMap<Arc<str>, TemplateId>,
    /// The macros of the text, which are names to a reader.
    pub(crate) macros: Vec<Arc<str>>,
    /// The scopes of each process, known before any statement is looked at.
    pub(crate) processes: IndexVec<TemplateId, ProcessScopes>,
}

/// The largest number of slots that one frame may have.
pub(crate) const MAX_SLOTS: u32 = 1_000_000;

impl Symbols {
    /// The variable that a name means in a scope of a process, or outside of all.
    pub(crate) fn variable(&self, place: Option<(TemplateId, ScopeId)>, name: &str, order: u32) -> Option<&Variable> {
        if let Some((template, scope)) = place {
            let scopes = &self.processes[template].scopes;
            let mut scope = Some(scope);
            while let Some(id) = scope {
                let found = scopes[id].variables.iter().find(|v| &*v.name.text == name && v.order <= order);
                if found.is_some() {
                    return found;
                }
                scope = scopes[id].parent;
            }
        }
        self.globals.iter().find(|variable| &*variable.name.text == name && variable.order <= order)
    }

    /// A variable of a process looked at from outside: the first of that name, outer scopes first.
    pub(crate) fn remote_variable(&self, template: TemplateId, name: &str) -> Option<&Variable> {
        let scopes = &self.processes[template].scopes;
        scopes.iter().flat_map(|scope| &scope.variables).find(|variable| &*variable.name.text == name)
    }

    /// The name nearest to one that is not known.
    pub(crate) fn nearest(&self, place: Option<(TemplateId, ScopeId)>, name: &str) -> Option<String> {
        let locals = place.into_iter().flat_map(|(template, _)| self.processes[template].scopes.iter());
        let locals = locals.flat_map(|scope| scope.variables.iter());
        let variables = locals.chain(&self.globals).map(|variable| &*variable.name.text);
        let constants = self.constants.keys().chain(&self.macros).map(|name| &**name);
        let known = variables.chain(constants);
        let mut known: Vec<&str> = known.collect();
        known.sort_unstable();
        suggest(name, known).map(str::to_owned)
    }

    /// Adds symbolic names: the last of a list gets the lowest value, and later lists go on above.
    pub(crate) fn add_mtype(&mut self, kind: Option<&Name>, names: &[Name], diagnostics: &mut Diagnostics) {
        let id = self.mtype_set(kind.map(|kind| &*kind.text));
        for (position, name) in names.iter().enumerate() {
            let earlier =
                names[..position].iter().find(|earlier| earlier.text == name.text).map(|earlier| earlier.span);
            if let Some(other) = earlier.or(self.constants.get(&name.text).map(|known| known.1)) {
                diagnostics.push(
                    Diagnostic::error(name.span, format!("the symbolic name `{}` is declared twice", name.text))
                        .secondary(other, "first declared here"),
                );
            }
        }
        for name in names.iter().rev() {
            let set = &mut self.mtypes[id].names;
            set.push(name.text.to_string());
            self.constants.insert(name.text.clone(), (set.len() as i32, name.span));
            if set.len() == 256 {
                diagnostics.push(Diagnostic::error(name.span, "an mtype can have at most 255 names"));
            }
        }
    }

    /// The set with this name, made if there is none.
    pub(crate) fn mtype_set(&mut self, kind: Option<&str>) -> MtypeId {
        let found = self.mtypes.iter_enumerated().find(|(_, set)| set.name.as_deref() == kind).map(|(id, _)| id);
        found.unwrap_or_else(|| self.mtypes.push(MtypeSet { name: kind.map(str::to_owned), names: Vec::new() }))
    }

    /// How many slots a variable takes.
    pub(crate) fn size(&self, ty: Type, length: Option<u32>) -> u32 {
        let one = match ty {
            Type::Scalar(..) => 1,
            Type::Struct(id) => self.structs[id].size,
        };
        one.saturating_mul(length.unwrap_or(1))
    }

    /// Adds the slots of a variable to a frame; gives the first. `None` if the frame would become
    /// too large.
    pub(crate) fn add_slots(
        &self,
        frame: &mut Frame,
        name: &Name,
        ty: Type,
        length: Option<u32>,
        hidden: bool,
    ) -> Option<SlotId> {
        let size = self.size(ty, length);
        if (frame.slots.len() as u32).saturating_add(size) > MAX_SLOTS {
            return None;
        }
        let first = SlotId::from_index(frame.slots.len());
        if size == 0 {
            // Only after an error in a type: going through its elements could take for ever.
            return Some(first);
        }
        self.add_named_slots(frame, name.text.to_string(), ty, length, &|slot| slot.hidden = hidden, name.span);
        Some(first)
    }

    fn add_named_slots(
        &self,
        frame: &mut Frame,
        name: String,
        ty: Type,
        length: Option<u32>,
        finish: &dyn Fn(&mut Slot),
        span: Span,
    ) {
        if let Some(length) = length {
            for index in 0..length {
                // Spin keeps the elements of a bit array in bytes, so they are not truncated to a
                // bit.
                let element = match ty {
                    Type::Scalar(Scalar::Bit, shown) => Type::Scalar(Scalar::Byte, shown),
                    other => other,
                };
                self.add_named_slots(frame, format!("{name}[{index}]"), element, None, finish, span);
            }
            return;
        }
        match ty {
            Type::Scalar(scalar, shown) => {
                let mut slot = Slot { name, scalar, shown, hidden: false, span };
                finish(&mut slot);
                frame.slots.push(slot);
            }
            Type::Struct(id) => {
                for field in &self.structs[id].fields {
                    let name = format!("{name}.{}", field.name.text);
                    self.add_named_slots(frame, name, field.ty, field.length, finish, span);
                }
            }
        }
    }

    /// A field of a structure.
    pub(crate) fn field(&self, ty: Type, name: &str) -> Option<&Field> {
        let Type::Struct(id) = ty else { return None };
        self.structs[id].fields.iter().find(|field| &*field.name.text == name)
    }

    /// Whether a structure has an array somewhere inside.
    pub(crate) fn has_array(&self, ty: Type) -> bool {
        match ty {
            Type::Scalar(..) => false,
            Type::Struct(id) => {
                self.structs[id].fields.iter().any(|field| field.length.is_some() || self.has_array(field.ty))
            }
        }
    }

    /// The scalars of a type, in order: the fields of a message or the slots of a parameter.
    pub(crate) fn scalars(&self, ty: Type, length: Option<u32>) -> Vec<(Scalar, Shown)> {
        let one = match ty {
            Type::Scalar(scalar, shown) => vec![(scalar, shown)],
            Type::Struct(id) => {
                self.structs[id].fields.iter().flat_map(|field| self.scalars(field.ty, field.length)).collect()
            }
        };
        one.repeat(length.unwrap_or(1) as usize)
    }
}

/// The slot so many slots after another.
pub(super) fn slot_after(first: SlotId, offset: u32) -> SlotId {
    SlotId::from_index(first.index() + offset as usize)
}
