//! Threads that came and went took the memory of the machine with them.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use crate::common::trial::counted;
use crate::common::{matrix, mpiscope, process, Trial};

const THREADS: u64 = 400;
/// What the buffers of one process may take: the first thread's window as far as it is
/// reserved, with definitions, order and statistics, and the room of all others.
const OF_A_PROCESS: u64 = (20 << 20) + (64 << 20);

/// Returns how much the files of runs in shared memory take.
fn held(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => held(&entry.path()),
        Ok(data) => data.blocks() * 512,
        Err(_) => 0,
    };
    entries.map(bytes).sum()
}

fn held_by_run(run: &Path) -> u64 {
    let text = std::fs::read_to_string(run.join("run.json")).unwrap_or_default();
    let info: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let id = info["run_id"].as_str().unwrap_or("none");
    let folders = std::fs::read_dir("/dev/shm")
        .into_iter()
        .flatten()
        .flatten();
    let ours = folders.filter(|folder| folder.file_name().to_string_lossy().ends_with(id));
    ours.map(|folder| held(&folder.path())).sum()
}

#[test]
fn threads_one_after_the_other_hold_no_more_than_one() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/many_threads.c") else {
            return;
        };
        let trial = trial.arguments(&[THREADS, 1024]);
        for mode in ["trace", "record", "monitor"] {
            let name = format!("run-{mode}");
            let mut command = trial.command(mpiscope());
            command.args([mode, "-o", &name, "--"]);
            let mut running = process::start(command.args(trial.line(&[])));
            let mut peak = 0;
            while !running.ends_within(Duration::from_millis(20)) {
                peak = peak.max(held_by_run(&trial.path(&name)));
            }
            let done = running.wait();
            done.check(0, &[]);
            assert!(peak <= 2 * OF_A_PROCESS, "{mode}: {peak} bytes");
            let messages = counted(&done.out)["messages"];
            let read = |words: &[&str]| {
                let mut command = trial.command(mpiscope());
                let done = process::run(command.args(words).arg(&name).arg("--json"));
                done.check(0, &[]);
                serde_json::from_str::<serde_json::Value>(&done.out).unwrap()
            };
            match mode {
                "trace" => {
                    let info = read(&["info"]);
                    // Each thread is a location all the same, and nothing of it is lost.
                    assert_eq!(info["locations"], 2 * (THREADS + 1));
                    let all = format!("{messages} messages");
                    assert!(done.errors.contains(&all), "{done:#?}");
                    assert_eq!(info["events_lost"], 0);
                }
                "monitor" => {
                    let stats = read(&["stats"]).to_string();
                    assert!(stats.contains("one after the other"), "{stats}");
                }
                _ => {}
            }
        }
    }
}
