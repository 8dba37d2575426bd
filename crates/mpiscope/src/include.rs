//! `mpiscope include`: the files by which a program tells of itself, for any compiler.
//!
//! They are a part of the command, so that they are there wherever it is, and are written to where
//! a compiler finds them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cli::Include;
use crate::say;

/// Where each lies below the directory, and what it holds.
const FILES: [(&str, &str); 5] = [
    ("mpiscope.h", include_str!("../include/mpiscope.h")),
    ("mpiscope.f90", include_str!("../include/mpiscope.f90")),
    ("mpe.h", include_str!("../include/mpe.h")),
    (
        "scorep/SCOREP_User.h",
        include_str!("../include/scorep/SCOREP_User.h"),
    ),
    (
        "nvtx3/nvToolsExt.h",
        include_str!("../include/nvtx3/nvToolsExt.h"),
    ),
];

/// Writes the files, and prints where they are.
pub fn run(arguments: &Include) -> Result<u8> {
    let directory = match &arguments.directory {
        Some(directory) => directory.clone(),
        None => own().context("there is no home directory to keep them in: name a directory")?,
    };
    for (name, text) in FILES {
        let file = directory.join(name);
        write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    say::report(directory.display().to_string())?;
    Ok(0)
}

/// Returns a directory of the user's for this version.
fn own() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").filter(|cache| cache.is_absolute());
    let cache = cache.or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(cache.join(concat!("mpiscope/include-", env!("CARGO_PKG_VERSION"))))
}

/// Writes a file in one step, as compilers may be reading it; one that is right is left alone, so
/// that nothing is built again.
fn write(file: &Path, text: &str) -> Result<()> {
    if fs::read(file).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(());
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)?;
    let mut aside = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut aside, text.as_bytes())?;
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    aside.as_file().set_permissions(permissions)?;
    aside.persist(file)?;
    Ok(())
}
