//! `mpiscope recover`: the archive of a run that died, from its buffers.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Result};
use mpiscope_run::directory;
use mpiscope_run::run_info::{self, RunInfo};
use rustix::fs::{flock, FlockOperation};

use crate::cli::Recover;
use crate::finish::{self, Outcome};
use crate::launch::agent;
use crate::living;
use crate::{elsewhere, monitor, order, say, signals, stats};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Recover) -> Result<u8> {
    let run = &arguments.run;
    let shown = run.display();
    ensure!(run.is_dir(), "{shown}: no such run");
    let is_run = run.join(run_info::FILE).is_file() || directory::buffers(run).is_dir();
    ensure!(is_run, "{shown} is no run of mpiscope: it has no run.json");
    // A damaged run.json does not hinder recovery from buffers in the run.
    let run_id = RunInfo::read(run).unwrap_or_default().run_id;
    if let Some(process) = living::still_running(run, &run_id) {
        bail!("{shown}: the program still runs (process {process})");
    }
    let collected = order::tell_collected(run, &run_id);
    monitor::collect(run, &run_id);
    if stats::only(run) {
        say::aside(format!(
            "mpiscope: the run was monitored, not traced; next: mpiscope stats {shown}"
        ));
        return Ok(0);
    }
    let _turn = Turn::wait(run);
    match finish::complete(run, &run_id)? {
        Outcome::Nothing if collected => return Ok(0),
        Outcome::Complete => {
            let missing = RunInfo::read(run).unwrap_or_default().missing;
            say::aside(match missing.is_empty() {
                true => format!("mpiscope: {shown} is complete: nothing to recover"),
                false => format!(
                    "mpiscope: {shown} has all that was found until now; {}",
                    elsewhere::missing(run, &missing)
                ),
            });
            return Ok(0);
        }
        Outcome::Nothing => bail!("{shown}: {}", elsewhere::nothing(run)),
        Outcome::Recovered(recovered) => finish::tell_recovered(run, &recovered),
    }
    // Left by a `trace` that was killed; nobody loads it any more.
    let _ = fs::remove_dir_all(run.join(agent::FOLDER));
    finish::name_call_sites(run);
    let died = finish::tell_end(run, None);
    let code = finish::correct(run, true)?;
    finish::tell_next(run, died);
    Ok(code)
}

/// Held by the one `recover` that works on a run: on each host of a job there may be one, which
/// brings what its ranks left. It is a file, as network file systems lock no folders.
struct Turn {
    path: PathBuf,
    _locked: File,
}

impl Turn {
    /// Waits for it; where files cannot be made or locked nobody waits.
    fn wait(run: &Path) -> Option<Turn> {
        let path = run.join("recovering");
        loop {
            // A signal that comes meanwhile waits: who is ended by it leaves no file.
            let made = signals::make_fleeting(|| Ok((make(&path)?, path.clone())));
            let file = match made {
                Ok(file) => file,
                Err(error) if is_taken(&error) => match another(&path) {
                    Ok(Some(file)) => file,
                    Ok(None) => continue,
                    Err(_) => return None,
                },
                // Whoever cannot be told of signals is ended by them as ever.
                Err(_) => make(&path).ok()?,
            };
            return Some(Turn {
                path,
                _locked: file,
            });
        }
    }
}

/// Makes the file, locked.
fn make(path: &Path) -> io::Result<File> {
    let file = File::create_new(path)?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    Ok(file)
}

/// Whether the file is there already, or somebody else has locked what has just been made.
fn is_taken(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    matches!(
        kind,
        Some(io::ErrorKind::AlreadyExists | io::ErrorKind::WouldBlock)
    )
}

/// Waits for the file that another one has made; nothing if it is gone, as they have removed it.
fn another(path: &Path) -> io::Result<Option<File>> {
    let file = match File::options().write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    flock(&file, FlockOperation::LockExclusive)?;
    let locked = file.metadata()?;
    let is_there = fs::metadata(path)
        .is_ok_and(|there| (locked.dev(), locked.ino()) == (there.dev(), there.ino()));
    if is_there {
        let _ = signals::remove_when_ended(path);
    }
    Ok(is_there.then_some(file))
}

impl Drop for Turn {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        signals::keep(&self.path);
    }
}
