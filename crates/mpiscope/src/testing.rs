//! For tests: programs compiled on the spot.

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../tests/common/documented.rs"]
mod documented;
#[path = "../../../tests/missing.rs"]
mod missing;

pub use missing::missing;

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
        missing(&format!("no {compiler}"));
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler}: {errors}");
    Some(Compiled {
        path: folder.path().join("compiled"),
        _folder: folder,
    })
}

/// Returns the Python that `make setup` has given packages to check us against.
#[cfg(feature = "parquet")]
pub fn oracle_python() -> Command {
    let given = std::env::var_os("MPISCOPE_ORACLE_PYTHON").map(PathBuf::from);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/oracle/bin/python");
    Command::new(given.unwrap_or(own))
}

/// Returns the root of the workspace.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Expects in an object just the keys that the first table of a part of the book's page on JSON
/// names.
#[track_caller]
pub fn has_documented_keys(object: &serde_json::Value, heading: &str) {
    documented::has_documented_keys(object, heading, "key | value");
}
