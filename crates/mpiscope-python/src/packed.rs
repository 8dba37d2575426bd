//! Packed runs, as `mpiscope pack` makes them: to whoever reads them they are tar archives that
//! zstd has compressed.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::errors::Failure;

/// A run that was unpacked for us; it is removed with this.
#[derive(Debug)]
pub struct Unpacked {
    /// Where it is for as long.
    pub run: PathBuf,
    /// What did not come out, in a sentence.
    pub damage: Option<String>,
    _folder: TempDir,
}

/// Unpacks a run where temporary files go; nothing if the path is no file that zstd has compressed
/// (RFC 8878, §3.1.1).
pub fn unpacked(path: &Path) -> Result<Option<Unpacked>, Failure> {
    let mut begin = [0; 4];
    let packed = path.is_file()
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok())
        && begin == [0x28, 0xB5, 0x2F, 0xFD];
    if !packed {
        return Ok(None);
    }
    let shown = path.display();
    let unable = |error| Failure::Other(format!("{shown} cannot be unpacked: {error}"));
    let folder = tempfile::Builder::new().prefix("mpiscope-").tempdir();
    let folder = folder.map_err(unable)?;
    let stream = File::open(path).and_then(zstd::stream::read::Decoder::new);
    // Nothing is written outside of the folder, whatever the archive names.
    let done = stream.and_then(|stream| tar::Archive::new(stream).unpack(folder.path()));
    let first = fs::read_dir(folder.path()).and_then(|mut all| all.next().transpose());
    let run = match (first.map_err(unable)?, &done) {
        (Some(run), _) => run.path(),
        (None, Err(error)) => return Err(Failure::Other(format!("{shown} is damaged: {error}"))),
        (None, Ok(())) => return Err(Failure::Other(format!("{shown} holds no run"))),
    };
    let lost = |error| format!("{shown} is cut or damaged, and what follows is missing: {error}");
    Ok(Some(Unpacked {
        run,
        damage: done.err().map(lost),
        _folder: folder,
    }))
}
