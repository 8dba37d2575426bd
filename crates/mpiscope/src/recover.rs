//! `mpiscope recover`: the archive of a run that died, from its buffers.

use std::fs;

use anyhow::{bail, ensure, Result};
use mpiscope_run::directory;
use mpiscope_run::run_info::{self, RunInfo};

use crate::cli::Recover;
use crate::finish::{self, Outcome};
use crate::launch::agent;
use crate::{monitor, order, say, stats};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Recover) -> Result<u8> {
    let run = &arguments.run;
    let shown = run.display();
    ensure!(run.is_dir(), "{shown}: no such run");
    let is_run = run.join(run_info::FILE).is_file() || directory::buffers(run).is_dir();
    ensure!(is_run, "{shown} is no run of mpiscope: it has no run.json");
    // A damaged run.json does not hinder recovery from buffers in the run.
    let run_id = RunInfo::read(run).unwrap_or_default().run_id;
    if let Some(process) = finish::still_running(run, &run_id) {
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
    match finish::complete(run, &run_id)? {
        Outcome::Nothing if collected => return Ok(0),
        Outcome::Complete => {
            say::aside(format!("mpiscope: {shown} is complete: nothing to recover"));
            return Ok(0);
        }
        Outcome::Nothing => bail!(
            "{shown}: no buffers were found, neither in the run nor in this host's shared memory; \
             they are on the hosts where the ranks ran, until these restart"
        ),
        Outcome::Recovered(recovered) => finish::tell_recovered(&recovered),
    }
    // Left by a `trace` that was killed; nobody loads it any more.
    let _ = fs::remove_dir_all(run.join(agent::FOLDER));
    finish::name_call_sites(run);
    let died = finish::tell_end(run);
    let code = finish::correct(run, true)?;
    finish::tell_next(run, died);
    Ok(code)
}
