//! The stack of files: entering and leaving them, and reading their tokens.

use std::path::{Path, PathBuf};

use ample_source::{Diagnostic, FileId, LoadError, MAX_FILE_BYTES, Span};

use super::frames::FileFrame;
use super::preprocessor::Preprocessor;
use super::token::PpToken;
use crate::lexer::{self, Lexed, Lexeme, RawToken};

/// How deeply files may include each other.
const MAX_INCLUDE_DEPTH: usize = 64;

/// How many files may be included: files that include others twice are an exponential.
const MAX_INCLUDES: usize = 10_000;

impl Preprocessor<'_> {
    /// Enters the model itself, under the definitions of the command line.
    pub(super) fn enter_root(&mut self, path: PathBuf, text: String, defines: &[(String, String)]) {
        if text.len() > MAX_FILE_BYTES {
            self.halt(Diagnostic::error(None, LoadError::TooLarge.to_string()));
            return;
        }
        self.included_bytes = text.len();
        let length = text.len() as u32;
        let file = self.map.add_file(path.display().to_string(), text);
        self.end = Span::new(file, length, length);
        self.enter(file, path);
        if !defines.is_empty() {
            // Definitions from outside are text too, so that messages about them have something to
            // show.
            let lines: String = defines.iter().map(|(name, value)| define_line(name, value)).collect();
            let file = self.map.add_file("<command line>", lines);
            self.enter(file, PathBuf::from("<command line>"));
        }
    }

    fn enter(&mut self, file: FileId, path: PathBuf) {
        let lexed = lexer::lex(&self.map.file(file).text);
        self.report_comments(&lexed, Span::new(file, 0, 0));
        self.files.push(FileFrame {
            file,
            path,
            tokens: lexed.tokens,
            next: 0,
            at_line_start: true,
            conditionals: Vec::new(),
        });
    }

    /// Reports the comments of the text that begins at `place` which have no end, and the ends
    /// which have no comment.
    pub(super) fn report_comments(&mut self, lexed: &Lexed, place: Span) {
        let span = |start: u32| Span { start: place.start + start, end: place.start + start + 2, ..place };
        if let Some(start) = lexed.unterminated_comment {
            let error = Diagnostic::error(span(start), "this comment is never closed");
            self.diagnostics.push(error.help("close it with `*/`"));
        }
        for start in &lexed.stray_comment_ends {
            let warning = Diagnostic::warning(span(*start), "this `*/` closes no comment");
            self.diagnostics.push(warning.note("it is left out, as Spin does; comments do not nest"));
        }
    }

    /// Enters the file that the directive at `span` includes as `name`.
    pub(super) fn include(&mut self, name: &str, span: Span) {
        if self.files.len() > MAX_INCLUDE_DEPTH || self.include_count >= MAX_INCLUDES {
            self.refuse_include(name, span);
            return;
        }
        let base = self.files.last().map(|frame| directory(&frame.path)).unwrap_or_default();
        let beside = base.join(name);
        let mut found = (self.loader.load(&beside), beside);
        if found.0 == Err(LoadError::NotFound) && !base.as_os_str().is_empty() {
            found = (self.loader.load(name.as_ref()), PathBuf::from(name));
        }
        let (result, path) = found;
        match result {
            Ok(text) if self.included_bytes.saturating_add(text.len()) > MAX_FILE_BYTES => {
                self.halt(Diagnostic::error(span, "the included files are too large in all"));
            }
            Ok(text) => {
                self.included_bytes += text.len();
                self.include_count += 1;
                let file = self.map.add_included_file(path.display().to_string(), text, span);
                self.enter(file, path);
            }
            Err(error) => {
                let message = format!("cannot include `{name}`: {error}");
                let error = Diagnostic::error(span, message);
                let error = match base.as_os_str().is_empty() {
                    true => error,
                    false => error.note(format!("looked in `{}`, then for the path as given", base.display())),
                };
                self.diagnostics.push(error);
            }
        }
    }

    fn refuse_include(&mut self, name: &str, span: Span) {
        let message = if self.include_count >= MAX_INCLUDES {
            format!("more than {MAX_INCLUDES} files are included")
        } else {
            format!("includes are nested more than {MAX_INCLUDE_DEPTH} deep")
        };
        let current = self.files.last().map(|frame| frame.path.clone());
        let occurrences = self.files.iter().filter(|frame| Some(&frame.path) == current.as_ref()).count();
        let error = Diagnostic::error(span, message);
        self.halt(match occurrences > 1 {
            true => error.label(format!("`{name}` includes itself, directly or through others")),
            false => error,
        });
    }

    /// The next token of the files, directives obeyed. At the end of each file comes one
    /// [`Lexeme::EndOfFile`], so that a macro call cannot go on behind it.
    pub(super) fn read_file(&mut self) -> PpToken {
        loop {
            let Some(frame) = self.files.last_mut() else { return self.end_of_file() };
            let Some(&raw) = frame.tokens.get(frame.next) else {
                self.leave_file();
                return self.end_of_file();
            };
            frame.next += 1;
            let fresh = std::mem::replace(&mut frame.at_line_start, raw.lexeme == Lexeme::Newline);
            match raw.lexeme {
                Lexeme::Newline => {}
                Lexeme::Hash if fresh => self.directive(raw),
                _ if frame.is_skipping() => {}
                _ => return PpToken { fresh, ..self.intern(raw) },
            }
            if self.halted {
                return self.end_of_file();
            }
        }
    }

    fn leave_file(&mut self) {
        let Some(frame) = self.files.pop() else { return };
        for conditional in frame.conditionals {
            self.diagnostics.push(
                Diagnostic::error(conditional.opened, "this conditional is never closed")
                    .help("close it with `#endif`"),
            );
        }
    }

    /// The rest of the line, which is then behind us; its line end is not.
    pub(super) fn rest_of_line(&mut self) -> Vec<PpToken> {
        let mut line = Vec::new();
        while let Some(raw) = self.peek_on_line() {
            line.push(self.intern(raw));
            self.step();
        }
        line
    }

    /// The next raw token of the file, unless the line ends.
    pub(super) fn peek_on_line(&self) -> Option<RawToken> {
        let frame = self.files.last()?;
        frame.tokens.get(frame.next).copied().filter(|raw| raw.lexeme != Lexeme::Newline)
    }

    pub(super) fn step(&mut self) {
        if let Some(frame) = self.files.last_mut() {
            frame.next += 1;
        }
    }

    pub(super) fn is_skipping(&self) -> bool {
        self.files.last().is_some_and(FileFrame::is_skipping)
    }

    pub(super) fn span_of(&self, raw: RawToken) -> Span {
        let file = self.files.last().map_or_else(FileId::default, |frame| frame.file);
        Span::new(file, raw.start, raw.end)
    }

    pub(super) fn intern(&mut self, raw: RawToken) -> PpToken {
        self.intern_at(raw, self.span_of(raw))
    }

    pub(super) fn intern_at(&mut self, raw: RawToken, span: Span) -> PpToken {
        PpToken {
            lexeme: raw.lexeme,
            text: self.interner.intern(self.map.text(span)),
            span,
            line: raw.line,
            spaced: raw.spaced,
            fresh: false,
            painted: false,
        }
    }
}

fn define_line(name: &str, value: &str) -> String {
    format!("#define {name} {value}").replace(['\n', '\r'], " ") + "\n"
}

/// The directory of the file at `path`, for its includes.
fn directory(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}
