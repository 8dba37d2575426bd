//! What dead runs held in shared memory was gone until the host restarted.

use rustix::process::Signal;

use crate::common::process::{kill, run};
use crate::common::ranks::{gone, start};
use crate::common::trial::Run;
use crate::common::{matrix, mpiscope, process, Case, Trial};

/// Leaves a run whose ranks and whose command were killed.
fn killed(case: Case) -> Option<Run> {
    let trial = Trial::new(case, "tests/mpi/die.c")?;
    let (running, ids) = start(&trial);
    std::thread::sleep(std::time::Duration::from_millis(200));
    running.signal(Signal::KILL);
    let died = trial.ended(running.wait());
    ids.into_iter().for_each(|id| {
        kill(id);
        gone(id);
    });
    Some(died)
}

fn doctor(options: &[&str]) -> process::Done {
    let mut command = std::process::Command::new(mpiscope());
    let done = run(command.arg("doctor").args(options).env("COLUMNS", "2000"));
    done.check(0, &[]);
    done
}

#[test]
fn what_a_dead_run_left_is_named_and_given_back() {
    for case in matrix::all(&[2]) {
        let Some(died) = killed(case) else { continue };
        let name = died.trial.path("run").display().to_string();
        // Other tests start runs, too, which give it back: only then it is named.
        let lies = !died.trial.path("run/buffers").exists();
        let told = doctor(&[]).out;
        let still = !died.trial.path("run/buffers").exists();
        assert!(!(lies && still) || told.contains(&name), "{told}");
        doctor(&["--reclaim"]);
        died.check_shared_memory();
        let done = died.mpiscope("recover");
        done.check(0, &["the archive holds what 2 ranks had committed"]);
        assert_eq!(died.json("info --json").figure("events_lost"), 0);
    }
}

#[test]
fn the_next_run_gives_back_what_a_dead_one_left() {
    for case in matrix::all(&[2]) {
        let Some(died) = killed(case) else { continue };
        let Some(trial) = Trial::new(case, "tests/mpi/sendrecv.c") else {
            continue;
        };
        let next = trial.traced();
        next.done.check(0, &[]);
        let kept = died.trial.path("run/buffers").exists();
        assert!(kept, "{:#?} {:#?}", next.done, died.done);
        died.check_shared_memory();
        died.mpiscope("recover").check(0, &[]);
    }
}
