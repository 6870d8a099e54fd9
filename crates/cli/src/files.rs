//! Writing files: never over what was read, and all of a file or nothing of it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use ample_frontends::Loaded;

/// The files that a command reads. None of them is written to.
#[derive(Debug, Default)]
pub struct Inputs {
    files: Vec<PathBuf>,
}

impl Inputs {
    /// All that was read for a model.
    pub fn of(loaded: &Loaded) -> Inputs {
        Inputs { files: loaded.files.clone() }
    }

    /// Why nothing may be written to `target`, if it is one of them by whatever name: through links
    /// or by another path.
    pub fn refuse(&self, target: &Path) -> Result<(), String> {
        if self.files.iter().any(|input| is_same(input, target)) {
            let name = target.display();
            return Err(format!("{name} is an input of this command and is not written over; name another file"));
        }
        Ok(())
    }
}

/// Whether both names lead to one file. A file that does not exist is none.
fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (fs::canonicalize(one), fs::canonicalize(other)) else { return false };
    one == other || is_hard_link(&one, &other)
}

#[cfg(unix)]
fn is_hard_link(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| fs::metadata(path).map(|data| (data.dev(), data.ino())).ok();
    identity(one).is_some_and(|one| identity(other) == Some(one))
}

/// Where the system gives files no numbers, a hard link cannot be told; renaming leaves the other
/// name as it was.
#[cfg(not(unix))]
fn is_hard_link(_: &Path, _: &Path) -> bool {
    false
}

/// Writes a file that is not one of the inputs. It is written beside its place and then renamed, so
/// that whoever reads it finds the old contents or the new ones, and a disk that is full costs
/// nothing. What is no plain file, such as a pipe, is written directly.
pub fn write(
    target: &Path,
    inputs: &Inputs,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    inputs.refuse(target)?;
    // A link stays one: what it leads to is replaced.
    let place = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
    let written = match fs::metadata(&place) {
        Ok(data) if !data.is_file() => fill(File::create(&place), contents),
        data => replace(&place, data.ok().map(|data| data.permissions()), contents),
    };
    written.map_err(|error| error.to_string())
}

fn replace(
    place: &Path,
    permissions: Option<fs::Permissions>,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let beside = beside(place);
    let written = fill(File::create_new(&beside), contents)
        .and_then(|()| permissions.map_or(Ok(()), |permissions| fs::set_permissions(&beside, permissions)))
        .and_then(|()| fs::rename(&beside, place));
    if written.is_err() {
        // It may not be there at all; then there is nothing to remove.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn fill(file: io::Result<File>, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file?);
    contents(&mut out)?;
    out.flush()
}

/// A name in the same folder that nobody else uses.
fn beside(place: &Path) -> PathBuf {
    let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    place.with_file_name(format!(".{name}.{}.part", std::process::id()))
}
