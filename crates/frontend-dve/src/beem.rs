//! The properties of BEEM: a file `family.xml` beside `family.N.dve` describes them.
//!
//! They are asked for by name: `beem:K`. Their propositions have names; some are written in the
//! macro language, with the parameters of the instance and the definitions of the template.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ample_property::{Formula, OuterFormula, ParsedText, Unary};
use ample_source::{Diagnostic, FileLoader, Request};
use roxmltree::{Document, Node, ParsingOptions};

use crate::formula_file::separated;
use crate::macros::Expander;
use crate::syntax::Expr;
use crate::text::{Aliases, Text};

/// What a name begins with that stands for a property of BEEM.
const PREFIX: &str = "beem:";

/// The longest file that is read.
const MAX_BYTES: usize = 4 << 20;

/// Where the description is, and which instance is meant.
struct Family {
    folder: PathBuf,
    name: String,
    /// The number of the instance; none for a template.
    instance: Option<String>,
}

impl Family {
    /// From `family.N.dve`, `family.N.prop4.dve` or `family.mdve`.
    fn of(path: &Path) -> Option<Family> {
        let mut parts = path.file_name()?.to_str()?.split('.');
        let name = parts.next()?.to_owned();
        let instance = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Some(Family { folder, name, instance: instance.map(str::to_owned) })
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }
}

impl Text<'_> {
    /// The properties of BEEM that somebody asks for.
    pub(crate) fn beem(&mut self) -> Vec<OuterFormula<Expr>> {
        let request = self.request;
        let wanted: Vec<&str> = request.wanted.iter().filter_map(|name| name.strip_prefix(PREFIX)).collect();
        match Family::of(request.root) {
            Some(family) if !wanted.is_empty() => self.of_family(&family, &wanted).unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    fn of_family(&mut self, family: &Family, wanted: &[&str]) -> Option<Vec<OuterFormula<Expr>>> {
        let path = family.file("xml");
        let text = match self.request.loader.load(&path) {
            Ok(text) if text.len() <= MAX_BYTES => text,
            Ok(_) => return self.complain(&path, "the file is too long", None),
            Err(error) => {
                let help = "properties called beem:K stand in a file family.xml beside family.N.dve";
                return self.complain(&path, &error.to_string(), Some(help));
            }
        };
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        match Document::parse_with_options(&text, options) {
            Ok(document) => Some(self.described(&document, family, wanted)),
            Err(error) => self.complain(&path, &error.to_string(), None),
        }
    }

    /// Notes what is wrong; nothing was read.
    fn complain<T>(&mut self, path: &Path, what: &str, help: Option<&str>) -> Option<T> {
        let mut error = Diagnostic::error(None, format!("{}: {what}", path.display()));
        if let Some(help) = help {
            error = error.help(help);
        }
        self.diagnostics.push(error);
        None
    }

    fn described(&mut self, document: &Document<'_>, family: &Family, wanted: &[&str]) -> Vec<OuterFormula<Expr>> {
        let root = document.root_element();
        let path = family.file("xml");
        let properties: Vec<Node<'_, '_>> = children(root, "property").collect();
        let mut aliases = None;
        let mut formulas = Vec::new();
        for id in wanted {
            let Some(property) = properties.iter().find(|property| property.attribute("id") == Some(id)) else {
                let known: Vec<&str> = properties.iter().filter_map(|property| property.attribute("id")).collect();
                let known = format!("it has {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") });
                self.complain::<()>(&path, &format!("there is no property {id}"), Some(&known));
                continue;
            };
            let aliases = aliases.get_or_insert_with(|| self.propositions(root, family)).clone();
            formulas.extend(self.with_aliases(aliases, |text| text.described_formula(id, *property, &path)));
        }
        formulas
    }

    fn described_formula(&mut self, id: &str, property: Node<'_, '_>, path: &Path) -> Option<OuterFormula<Expr>> {
        let Some(formula) = text_of(property, "formula") else {
            return self.complain(path, &format!("property {id} has no formula"), None);
        };
        let text = separated(formula.trim(), &self.aliases);
        let span = self.sources.add_text(format!("{} property {id}", path.display()), &text);
        let named = self.formula(&format!("{PREFIX}{id}"), &text, span);
        match property.attribute("prop-type") {
            Some("LTL") => named,
            Some("reachability") => named.map(|goal| {
                // What can be reached is found as a violation of its never being reached.
                let never = Formula::Unary(Unary::Not, Box::new(goal.formula));
                OuterFormula { formula: Formula::Unary(Unary::Always, Box::new(never)), ..goal }
            }),
            other => {
                let kind = other.unwrap_or("none");
                self.complain(path, &format!("property {id} is of an unknown type: {kind}"), None)
            }
        }
    }

    /// The named propositions of the description, for the instance.
    fn propositions(&mut self, root: Node<'_, '_>, family: &Family) -> Aliases {
        let request = self.request;
        let mut aliases = self.aliases.clone();
        let mut expander = None;
        for proposition in children(root, "ap") {
            let (Some(name), Some(text)) = (text_of(proposition, "ap-name"), text_of(proposition, "ap-expression"))
            else {
                continue;
            };
            let expanded = if proposition.attribute("parametrized") == Some("yes") {
                let expander = expander.get_or_insert_with(|| expander_for(root, family, &request));
                match expander
                    .as_mut()
                    .map_err(|error| error.clone())
                    .and_then(|expander| expander.expand(text).map_err(|error| error.message))
                {
                    Ok(text) => text,
                    Err(error) => {
                        self.complain::<()>(&family.file("xml"), &format!("proposition `{name}`: {error}"), None);
                        continue;
                    }
                }
            } else {
                text.to_owned()
            };
            let place = format!("{} proposition {}", family.file("xml").display(), name.trim());
            let span = self.sources.add_text(place, &expanded);
            // Propositions do not know each other.
            if let Some(expr) = self.proposition(&expanded, span) {
                aliases.insert(Arc::from(name.trim()), expr);
            }
        }
        aliases
    }
}

/// What knows the parameters of the instance, and what the template defines if that is at hand.
fn expander_for(root: Node<'_, '_>, family: &Family, request: &Request<'_>) -> Result<Expander, String> {
    let mut defines = request.defines.to_vec();
    let instance = children(root, "instance").find(|node| node.attribute("id") == family.instance.as_deref());
    if let (Some(_), Some(parameters)) = (&family.instance, instance.and_then(|node| text_of(node, "parameters"))) {
        for parameter in parameters.split(',') {
            if let Some((name, value)) = parameter.split_once('=') {
                defines.push((name.trim().to_owned(), value.trim().to_owned()));
            }
        }
    }
    let mut expander = Expander::new(&defines).map_err(|error| error.message)?;
    if let Some(template) = template(family, request.loader) {
        expander.expand(&template).map_err(|error| format!("{}: {}", family.file("mdve").display(), error.message))?;
    }
    Ok(expander)
}

fn template(family: &Family, loader: &dyn FileLoader) -> Option<String> {
    loader.load(&family.file("mdve")).ok()
}

fn children<'a, 'i>(node: Node<'a, 'i>, tag: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.has_tag_name(tag))
}

fn text_of<'a>(node: Node<'a, '_>, tag: &'static str) -> Option<&'a str> {
    children(node, tag).next().and_then(|child| child.text())
}
