//! What the user must know although we keep silent in their program: a line on
//! standard error, once, and the same in the run directory, where `mpiscope
//! trace` finds it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use mpiscope_run::system::without_size_signal;

use super::host::host_name;

static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
static RUN: OnceLock<PathBuf> = OnceLock::new();

/// Has notices kept in this run from now on.
pub fn keep_in(run: &Path) {
    let _ = RUN.set(run.to_owned());
}

/// Tells the user; the same sentence is told once a process.
pub fn tell(message: &str) {
    let run = RUN
        .get()
        .cloned()
        .or_else(|| std::env::var_os("MPISCOPE_RUN").map(Into::into));
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if told.iter().any(|m| m == message) {
        return;
    }
    told.push(message.to_owned());
    // Where files may not grow, neither the program's standard error nor ours may end it.
    without_size_signal(|| {
        let kept = run.is_some_and(|run| append(&run, message).is_ok());
        if !kept {
            let _ = writeln!(std::io::stderr(), "mpiscope: {message}");
        }
    });
}

fn append(run: &Path, message: &str) -> std::io::Result<()> {
    let directory = run.join("notices");
    std::fs::create_dir_all(&directory)?;
    let name = format!("{}-{}.txt", host_name(), std::process::id());
    let mut file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(directory.join(name))?;
    writeln!(file, "{message}")
}
