//! Other readers of archives, and whether they take one without a word.

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../../../tests/missing.rs"]
mod missing;

use missing::missing;

/// A reader that is on this machine.
pub enum Reader {
    /// Debian's otf2-print.
    Print,
    /// A Python that has PyPI's otf2.
    Python(PathBuf),
}

/// Reads all definitions and events.
const SCRIPT: &str = "\
import sys, otf2
with otf2.reader.open(sys.argv[1]) as trace:
    trace.timer_resolution
    for _ in trace.events: pass
";

impl Reader {
    /// Returns otf2-print; nothing, with a word, without it.
    pub fn print() -> Option<Reader> {
        let version = Command::new("otf2-print").arg("--version").output();
        if version.is_err() {
            missing("no otf2-print");
            return None;
        }
        Some(Reader::Print)
    }

    /// Returns a Python; nothing, with a word, without it.
    pub fn python() -> Option<Reader> {
        let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/oracle/bin/python");
        let python = std::env::var_os("MPISCOPE_ORACLE_PYTHON").map_or(known, PathBuf::from);
        let works = Command::new(&python).args(["-c", "import otf2"]).output();
        if !works.is_ok_and(|output| output.status.success()) {
            missing("no Python with otf2 (MPISCOPE_ORACLE_PYTHON or target/oracle/bin/python)");
            return None;
        }
        Some(Reader::Python(python))
    }

    /// Returns what it complains of.
    pub fn complaints(&self, anchor: &Path) -> Option<String> {
        let mut command = match self {
            Reader::Print => Command::new("otf2-print"),
            Reader::Python(python) => {
                let mut command = Command::new(python);
                command.args(["-c", SCRIPT]);
                command
            }
        };
        let output = command.arg(anchor).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let quiet = output.status.success() && errors.is_empty();
        (!quiet).then_some(errors)
    }

    /// Whether it refuses to read on; what it only mentions does not count.
    pub fn refuses(&self, anchor: &Path) -> bool {
        let complaints = self.complaints(anchor);
        complaints.is_some_and(|it| match self {
            Reader::Print => true,
            Reader::Python(_) => it.contains("Traceback"),
        })
    }
}
