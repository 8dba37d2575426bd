//! What the user must know although we keep silent in his program: a line on
//! standard error, once, and the same in the run directory, where `mpiscope
//! trace` finds it.

use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use mpiscope_run::system::without_size_signal;

use crate::session;

static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Tells the user; the same sentence is told once a process.
pub fn tell(message: &str) {
    let run = session::get()
        .map(|s| s.run.clone())
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
    let name = format!("{}-{}.txt", session::host_name(), std::process::id());
    let mut file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(directory.join(name))?;
    writeln!(file, "{message}")
}
