//! The names of an archive's files.

use std::path::{Path, PathBuf};

pub(crate) fn anchor(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.otf2"))
}

pub(crate) fn definitions(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.def"))
}

pub(crate) fn markers(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.marker"))
}

pub(crate) fn events(dir: &Path, name: &str, location: u64) -> PathBuf {
    dir.join(name).join(format!("{location}.evt"))
}

pub(crate) fn local_definitions(dir: &Path, name: &str, location: u64) -> PathBuf {
    dir.join(name).join(format!("{location}.def"))
}

pub(crate) fn snapshots(dir: &Path, name: &str, location: u64) -> PathBuf {
    dir.join(name).join(format!("{location}.snap"))
}

pub(crate) fn thumbnail(dir: &Path, name: &str, number: u32) -> PathBuf {
    dir.join(format!("{name}.{number}.thumb"))
}
