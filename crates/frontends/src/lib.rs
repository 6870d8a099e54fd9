//! The registry of front ends: which one reads a file is decided by its ending. Nothing else names
//! a language.
//!
//! Formulas and claims beside a model are read here, once for all languages (`outer.rs`).

mod outer;

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use ample_model::{Expr, Model};
use ample_property::{Lowered, Property};
pub use ample_source::{ClaimText, FormulaText, InputRange};
use ample_source::{Diagnostic, Diagnostics, DiskLoader, FileLoader, LoadError, Request, SourceMap};
use ample_stdx::suggest;

/// A front end: its name, that of its language, the endings of its files, and how it reads one.
struct Frontend {
    name: &'static str,
    language: &'static str,
    endings: &'static [&'static str],
    /// Whether its language has inputs, whose ranges can be given from outside.
    has_inputs: bool,
    read: Read,
}

/// Turns a text into a model and its properties, which are to be used only if the diagnostics have
/// no errors.
type Read = fn(Request<'_>, &mut SourceMap, &mut Diagnostics) -> Option<Lowered>;

const FRONTENDS: &[Frontend] = &[
    Frontend {
        name: "promela",
        language: "Promela",
        endings: &["pml", "prm", "promela"],
        has_inputs: false,
        read: |request, sources, diagnostics| {
            ample_frontend_promela::parse(request, sources, diagnostics).map(|text| outer::read(text, &request))
        },
    },
    Frontend {
        name: "dve",
        language: "DVE",
        endings: &["dve", "mdve"],
        has_inputs: false,
        read: |request, sources, diagnostics| {
            ample_frontend_dve::parse(request, sources, diagnostics).map(|text| outer::read(text, &request))
        },
    },
    Frontend {
        name: "gcl",
        language: "guarded commands",
        endings: &["gcl"],
        has_inputs: true,
        read: |request, sources, diagnostics| {
            ample_frontend_gcl::parse(request, sources, diagnostics).map(|text| outer::read(text, &request))
        },
    },
];

/// How to read a model.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The name of a front end, instead of what the file's ending says.
    pub language: Option<String>,
    /// Macros defined before the text, with their values.
    pub defines: Vec<(String, String)>,
    /// Ranges of inputs.
    pub inputs: Vec<InputRange>,
    /// Formulas about the model, in the dialect of the command line. Each becomes a property, after
    /// those of the model and in this order.
    pub formulas: Vec<FormulaText>,
    /// Claims about the model. Each becomes a property, after the formulas and in this order.
    pub claims: Vec<ClaimText>,
    /// The names of the properties that will be asked for: some may stand in files beside the
    /// model.
    pub wanted: Vec<String>,
    /// Expressions about the model whose values are asked for.
    pub values: Vec<String>,
}

/// A model that was read.
#[derive(Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Its named properties.
    pub properties: Vec<Property>,
    /// The expressions whose values are asked for.
    pub values: Vec<Expr>,
    /// The texts that its spans point into.
    pub sources: SourceMap,
    /// What looked odd.
    pub warnings: Vec<Diagnostic>,
    /// The files that were read: that of the model, those that it includes or that stand beside it,
    /// and those of the claims.
    pub files: Vec<PathBuf>,
}

/// Why there is no model.
#[derive(Debug)]
pub struct LoadFailure {
    /// What is wrong, at least one error.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that their spans point into.
    pub sources: SourceMap,
}

/// The names of the front ends.
pub fn languages() -> impl Iterator<Item = &'static str> {
    FRONTENDS.iter().map(|frontend| frontend.name)
}

/// The languages with the endings of their files, for people: "Promela (.pml, .prm, .promela), DVE
/// (.dve, .mdve) or guarded commands (.gcl)".
pub fn languages_and_endings() -> String {
    let language = |frontend: &Frontend| format!("{} ({})", frontend.language, frontend.dotted_endings().join(", "));
    let mut languages: Vec<String> = FRONTENDS.iter().map(language).collect();
    let last = languages.pop().unwrap_or_default();
    if languages.is_empty() { last } else { format!("{} or {last}", languages.join(", ")) }
}

impl Frontend {
    fn dotted_endings(&self) -> Vec<String> {
        self.endings.iter().map(|ending| format!(".{ending}")).collect()
    }

    fn read(&self, request: Request<'_>, sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Option<Lowered> {
        if let Some(input) = request.inputs.first().filter(|_| !self.has_inputs) {
            let message = format!("--input {}: {} has no inputs", input.name, self.language);
            diagnostics.push(Diagnostic::error(None, message).help("leave --input out"));
        }
        let read = (self.read)(request, sources, diagnostics);
        read.filter(|_| !diagnostics.has_errors())
    }
}

/// Reads what is requested; the language is decided by the ending, else it is the first one. `None`
/// if the diagnostics have errors.
pub fn read_request(request: Request<'_>, sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Option<Lowered> {
    by_ending(request.root).unwrap_or(&FRONTENDS[0]).read(request, sources, diagnostics)
}

/// Reads a model from a file.
pub fn load_file(path: &Path, options: &LoadOptions) -> Result<Loaded, Box<LoadFailure>> {
    let frontend = choose(path, options)?;
    let mut diagnostics = Diagnostics::new();
    let text = DiskLoader
        .load(path)
        .or_else(|error| without_bad_bytes(path, error, &mut diagnostics))
        .map_err(|error| failure(Diagnostic::error(None, format!("cannot read {}: {error}", path.display()))))?;
    read(frontend, path, text, options, diagnostics)
}

/// A text that is not UTF-8 often has its odd bytes in comments only, where they do not matter.
/// Elsewhere the front end stumbles over what stands in their place.
fn without_bad_bytes(path: &Path, error: LoadError, diagnostics: &mut Diagnostics) -> Result<String, LoadError> {
    let LoadError::NotUtf8 { .. } = error else { return Err(error) };
    let bytes = std::fs::read(path).map_err(|error| LoadError::System(error.to_string()))?;
    diagnostics.push(
        Diagnostic::warning(None, format!("{}: {error}", path.display()))
            .help("bytes that are not UTF-8 are ignored in comments; save the file as UTF-8 to be safe"),
    );
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads a model from a text. Without a language it is decided by the ending of the name, else it
/// is the first one.
pub fn load_text(name: &str, text: String, options: &LoadOptions) -> Result<Loaded, Box<LoadFailure>> {
    let path = Path::new(name);
    let frontend = match &options.language {
        Some(_) => choose(path, options)?,
        None => by_ending(path).unwrap_or(&FRONTENDS[0]),
    };
    read(frontend, path, text, options, Diagnostics::new())
}

fn read(
    frontend: &Frontend,
    path: &Path,
    text: String,
    options: &LoadOptions,
    mut diagnostics: Diagnostics,
) -> Result<Loaded, Box<LoadFailure>> {
    let mut sources = SourceMap::default();
    let loader = RecordingLoader::default();
    let request = Request {
        root: path,
        text: &text,
        loader: &loader,
        defines: &options.defines,
        inputs: &options.inputs,
        formulas: &options.formulas,
        claims: &options.claims,
        wanted: &options.wanted,
        values: &options.values,
    };
    match frontend.read(request, &mut sources, &mut diagnostics) {
        Some(Lowered { model, properties, values }) => {
            let mut files = loader.files.into_inner();
            files.insert(0, path.to_owned());
            files.extend(options.claims.iter().map(|claim| claim.path.clone()));
            Ok(Loaded { model, properties, values, sources, warnings: in_order(diagnostics), files })
        }
        None => Err(Box::new(LoadFailure { diagnostics: in_order(diagnostics), sources })),
    }
}

/// Reads from the file system, and remembers what was read.
#[derive(Debug, Default)]
struct RecordingLoader {
    files: RefCell<Vec<PathBuf>>,
}

impl FileLoader for RecordingLoader {
    fn load(&self, path: &Path) -> Result<String, LoadError> {
        let text = DiskLoader.load(path)?;
        self.files.borrow_mut().push(path.to_owned());
        Ok(text)
    }
}

/// Diagnostics in the order of the text, as a reader goes through it.
fn in_order(diagnostics: Diagnostics) -> Vec<Diagnostic> {
    let mut diagnostics = diagnostics.into_vec();
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| (label.span.file, label.span.start)));
    diagnostics
}

fn choose(path: &Path, options: &LoadOptions) -> Result<&'static Frontend, Box<LoadFailure>> {
    let Some(language) = &options.language else {
        return by_ending(path).ok_or_else(|| {
            let endings: Vec<String> = FRONTENDS.iter().flat_map(Frontend::dotted_endings).collect();
            let message = format!("cannot tell the language of {} by its ending", path.display());
            failure(
                Diagnostic::error(None, message)
                    .note(format!("known endings: {}", endings.join(" ")))
                    .help("name the language with --lang"),
            )
        });
    };
    FRONTENDS.iter().find(|frontend| frontend.name == language).ok_or_else(|| {
        let mut diagnostic = Diagnostic::error(None, format!("unknown language `{language}`"));
        if let Some(near) = suggest(language, languages()) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        failure(diagnostic.note(format!("known languages: {}", languages().collect::<Vec<_>>().join(", "))))
    })
}

fn by_ending(path: &Path) -> Option<&'static Frontend> {
    let ending = path.extension()?.to_str()?;
    FRONTENDS.iter().find(|frontend| frontend.endings.contains(&ending))
}

fn failure(diagnostic: Diagnostic) -> Box<LoadFailure> {
    Box::new(LoadFailure { diagnostics: vec![diagnostic], sources: SourceMap::default() })
}
