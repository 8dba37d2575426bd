//! An archive's files, as they are.

use std::fs;
use std::path::{Path, PathBuf};

use otf2::read::Archive;

use crate::Error;

/// Copies all files of an archive, its anchor last; returns the copy's anchor.
pub(super) fn all(archive: &Archive, anchor: &Path, out: &Path) -> Result<PathBuf, Error> {
    let (from, name) = (archive.directory(), archive.name());
    let inner = out.join(name);
    fs::create_dir_all(&inner).map_err(|e| Error::io(&inner, e))?;
    let folder = from.join(name);
    for entry in fs::read_dir(&folder).into_iter().flatten() {
        let path = entry.map_err(|e| Error::io(&folder, e))?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            file(&path, &inner.join(name))?;
        }
    }
    let thumbnails = (0..archive.anchor().thumbnails).map(|it| format!("{it}.thumb"));
    for ending in ["def".into(), "marker".into()]
        .into_iter()
        .chain(thumbnails)
    {
        let name = format!("{name}.{ending}");
        let path = from.join(&name);
        match path.is_file() {
            true => file(&path, &out.join(name))?,
            // Thumbnails are numbered without gaps; an anchor may announce any number.
            false if ending.ends_with("thumb") => break,
            false => {}
        }
    }
    let copied = out.join(format!("{name}.otf2"));
    file(anchor, &copied)?;
    Ok(copied)
}

fn file(from: &Path, to: &Path) -> Result<(), Error> {
    fs::copy(from, to).map_err(|e| Error::io(from, e))?;
    Ok(())
}
