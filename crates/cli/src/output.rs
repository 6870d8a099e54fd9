//! Standard output and standard error.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::atomic::{AtomicU8, Ordering};

use ample_report::{Colour, Look};
use anstream::{AutoStream, ColorChoice};

/// How wide a line may be where nobody knows.
const DEFAULT_WIDTH: usize = 100;
const LEAST_WIDTH: usize = 40;

/// What became of standard output.
static OUTPUT: AtomicU8 = AtomicU8::new(OPEN);
const OPEN: u8 = 0;
const CLOSED: u8 = 1;
const FAILED: u8 = 2;

/// Whether something could not be written although somebody wanted to read it.
pub fn has_failed() -> bool {
    OUTPUT.load(Ordering::Relaxed) == FAILED
}

/// Where the words go.
#[derive(Copy, Clone, Debug)]
pub struct Terminal {
    /// The user's choice about colours.
    pub color: ColorChoice,
    /// Standard output is for one JSON object only.
    pub json: bool,
}

impl Default for Terminal {
    fn default() -> Self {
        Terminal { color: ColorChoice::Never, json: false }
    }
}

impl Terminal {
    /// A terminal with the user's choice about colours.
    pub fn new(color: ColorChoice) -> Self {
        Terminal { color, json: false }
    }

    /// How text on standard output looks.
    pub fn look(&self) -> Look {
        let is_coloured = is_coloured(self.color, || AutoStream::choice(&io::stdout()));
        Look { width: width(), colour: if is_coloured { Colour::Yes } else { Colour::No } }
    }

    /// Whether text on standard error is coloured.
    pub fn error_colour(&self) -> bool {
        is_coloured(self.color, || AutoStream::choice(&io::stderr()))
    }

    /// Whether anybody still reads standard output.
    pub fn is_open(&self) -> bool {
        OUTPUT.load(Ordering::Relaxed) == OPEN
    }

    /// Writes to standard output. A reader that went away is no error; a disk that is full is, and
    /// is said.
    pub fn print(&self, text: &str) {
        self.write(|out| out.write_all(text.as_bytes()));
    }

    /// Writes to standard output what may be too long to be held as a text.
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        let mut out = BufWriter::new(io::stdout().lock());
        match write(&mut out).and_then(|()| out.flush()) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => OUTPUT.store(CLOSED, Ordering::Relaxed),
            // The first failure is said, the others would only repeat it.
            Err(error) => {
                if OUTPUT.swap(FAILED, Ordering::Relaxed) != FAILED {
                    self.complain(&format!("error: cannot write to standard output: {error}\n"));
                }
            }
        }
    }

    /// Writes to standard error. If that fails there is nobody left to tell.
    pub fn complain(&self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Text that goes where bytes go. The error of the bytes is kept.
pub struct TextWriter<'w> {
    out: &'w mut dyn Write,
    result: io::Result<()>,
}

impl<'w> TextWriter<'w> {
    /// Lets `write` write text to `out`.
    pub fn write(out: &'w mut dyn Write, write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> io::Result<()> {
        let mut writer = TextWriter { out, result: Ok(()) };
        let written = write(&mut writer);
        writer.result.and(written.map_err(io::Error::other))
    }
}

impl fmt::Write for TextWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.result = self.out.write_all(text.as_bytes());
        self.result.as_ref().map_or(Err(fmt::Error), |()| Ok(()))
    }
}

/// `auto` looks at the terminal, at `NO_COLOR` and at `TERM`.
fn is_coloured(color: ColorChoice, auto: impl Fn() -> ColorChoice) -> bool {
    let choice = if color == ColorChoice::Auto { auto() } else { color };
    !matches!(choice, ColorChoice::Never | ColorChoice::Auto)
}

/// How wide a line may be.
fn width() -> usize {
    let terminal = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    let columns = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    terminal.map(|(width, _)| usize::from(width.0)).or_else(columns).unwrap_or(DEFAULT_WIDTH).max(LEAST_WIDTH)
}
