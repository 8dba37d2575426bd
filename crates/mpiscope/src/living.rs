//! Whether a run is still being made: by a process of its program, or by a command of ours.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{bail, Result};
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::stored::{self, Stored};
use mpiscope_run::{directory, shared_memory, statistics};

/// Returns a process that still writes to a buffer of the run.
pub fn still_running(run: &Path, run_id: &str) -> Option<u32> {
    let places = directory::places(run, run_id);
    let buffers = places.iter().flat_map(|place| stored::list(place));
    let buffers = buffers.filter_map(|path| {
        let pid = Stored::open(&path, run).ok()?.pid;
        Some((path, pid))
    });
    let writes = |(path, pid): (PathBuf, u32)| {
        let maps = fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
        maps.contains(&*path.to_string_lossy()).then_some(pid)
    };
    let tables = places.iter().flat_map(|place| statistics::writers(place));
    let all = buffers.chain(tables);
    all.filter_map(writes).min()
}

/// Ranks that are being killed may outlive their launcher by a moment.
pub fn wait_for_writers(run: &Path, run_id: &str) {
    for _ in 0..50 {
        if still_running(run, run_id).is_none() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Refuses to replace a run that is still being made: the files of two would be mixed.
pub fn refuse(run: &Path) -> Result<()> {
    let shown = run.display();
    // Of a damaged run.json, the folder tells.
    let run_id = RunInfo::read(run).unwrap_or_default().run_id;
    if let Some(process) = still_running(run, &run_id) {
        bail!(
            "{shown}: the program still runs (process {process}), so it is not replaced; wait \
             until it ends or end it (kill {process}), or give another name"
        );
    }
    if shared_memory::is_alive(run, &run_id) {
        let process = holder(run, &run_id).map(|pid| format!(" by process {pid}"));
        bail!(
            "{shown}: it is still being made{}, so it is not replaced; wait until that ends or \
             end it, or give another name",
            process.unwrap_or_default()
        );
    }
    Ok(())
}

/// Returns another process that has the run's directory open, as our commands do, or a file of its
/// folder in memory mapped, as those of its program.
fn holder(run: &Path, run_id: &str) -> Option<u32> {
    let run = run.canonicalize().ok()?;
    let folder = format!("{}/", shared_memory::folder(run_id).display());
    let names = fs::read_dir("/proc").ok()?.flatten();
    let processes = names.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let works = |pid: &u32| {
        let open = fs::read_dir(format!("/proc/{pid}/fd"));
        let mut open = open.into_iter().flatten().flatten();
        open.any(|entry| fs::read_link(entry.path()).is_ok_and(|file| file == run))
    };
    let records = |pid: &u32| {
        let maps = fs::read_to_string(format!("/proc/{pid}/maps"));
        maps.is_ok_and(|maps| maps.contains(&folder))
    };
    let mut others = processes.filter(|pid| *pid != std::process::id());
    others.find(|pid| works(pid) || records(pid))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_run_on_which_a_command_works_is_not_replaced() {
        let run = tempfile::tempdir().unwrap();
        refuse(run.path()).unwrap();
        let at_work = shared_memory::at_work(run.path());
        let error = refuse(run.path()).unwrap_err().to_string();
        assert!(error.contains("it is still being made"), "{error}");
        drop(at_work);
        // A program that another test starts just now holds the lock, too, until it is executed.
        let begun = Instant::now();
        while refuse(run.path()).is_err() && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(1));
        }
        refuse(run.path()).unwrap();
    }
}
