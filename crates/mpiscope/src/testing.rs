//! For tests: programs compiled on the spot.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiled program or library, removed when dropped.
pub struct Compiled {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Compiled {
    /// Returns where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Compiles a C program; without the compiler, says so and returns nothing.
pub fn compile(compiler: &str, source: &str, flags: &[&str]) -> Option<Compiled> {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("source.c");
    std::fs::write(&file, source).unwrap();
    let output = Command::new(compiler)
        .arg(&file)
        .arg("-o")
        .arg(folder.path().join("compiled"))
        .args(flags)
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: {compiler} is not installed");
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler}: {errors}");
    Some(Compiled {
        path: folder.path().join("compiled"),
        _folder: folder,
    })
}
