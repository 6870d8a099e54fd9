//! Where the texts of files come from.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The largest file that is read. Spans count bytes with 32 bits, and a larger model is a mistake.
pub const MAX_FILE_BYTES: usize = 256 * 1024 * 1024;

/// Why a file gives no text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such file.
    #[error("there is no such file")]
    NotFound,
    /// The file is not text.
    #[error("not UTF-8 text: a bad byte at offset {offset}, on line {line}")]
    NotUtf8 {
        /// The number of bytes before the bad one.
        offset: usize,
        /// The line of the bad byte, from 1.
        line: usize,
    },
    /// The file is larger than [`MAX_FILE_BYTES`].
    #[error("the file is larger than {} MiB", MAX_FILE_BYTES / (1024 * 1024))]
    TooLarge,
    /// The system's own words.
    #[error("{0}")]
    System(String),
}

/// Gives the text of files. Front ends touch no file themselves.
pub trait FileLoader {
    /// The text of the file at `path`.
    fn load(&self, path: &Path) -> Result<String, LoadError>;
}

/// Reads from the file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskLoader;

impl FileLoader for DiskLoader {
    fn load(&self, path: &Path) -> Result<String, LoadError> {
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => LoadError::NotFound,
            _ => LoadError::System(error.to_string()),
        })?;
        decode(bytes)
    }
}

/// Checks that the bytes of a model are text.
pub fn decode(bytes: Vec<u8>) -> Result<String, LoadError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(LoadError::TooLarge);
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let newlines = error.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count();
        LoadError::NotUtf8 { offset, line: newlines + 1 }
    })
}

/// Files that exist only here, for tests and for front ends without a disk.
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    files: BTreeMap<PathBuf, String>,
}

impl MemoryLoader {
    /// A loader that knows no file.
    pub fn new() -> MemoryLoader {
        MemoryLoader::default()
    }

    /// The same with one more file.
    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> MemoryLoader {
        self.files.insert(path.into(), text.into());
        self
    }
}

impl FileLoader for MemoryLoader {
    fn load(&self, path: &Path) -> Result<String, LoadError> {
        self.files.get(path).cloned().ok_or(LoadError::NotFound)
    }
}
