//! Programs that read and write OTF2 and that we did not write.

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../../../tests/missing.rs"]
mod missing;

pub use missing::missing;

/// Runs a command; `None`, with a remark, if there is none on this machine.
pub fn run(command: &mut Command) -> Option<String> {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            missing(&format!("cannot run {command:?}: {error}"));
            return None;
        }
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {stderr}");
    assert_eq!(stderr, "", "{command:?} complains");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// A Python that has the `otf2` package: from MPISCOPE_ORACLE_PYTHON, or from
/// `target/oracle`, where `make setup` puts it.
pub fn python() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = match std::env::var_os("MPISCOPE_ORACLE_PYTHON") {
        Some(path) => path.into(),
        None => workspace.join("target/oracle/bin/python"),
    };
    if !python.exists() {
        missing(&format!(
            "no Python with otf2 at {}, nor in MPISCOPE_ORACLE_PYTHON",
            python.display()
        ));
        return None;
    }
    Some(python)
}

/// Runs a Python script of this directory.
pub fn script(name: &str, arguments: &[&str]) -> Option<String> {
    script_by(&python()?, name, arguments)
}

/// Runs it by another Python.
pub fn script_by(python: &Path, name: &str, arguments: &[&str]) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/oracle")
        .join(name);
    run(Command::new(python).arg(script).args(arguments))
}
