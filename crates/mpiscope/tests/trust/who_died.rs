//! A run that died did not say who died, of what, and where all the others stood.

use std::time::Duration;

use rustix::process::Signal;

use crate::common::matrix::{self, Case};
use crate::common::process;
use crate::common::trial::Run;
use crate::common::{mpiscope, Trial};

const SOURCE: &str = "tests/mpi/endings.c";

/// How rank 1 ends, and what is said of it.
const ENDS: [(&str, &str); 5] = [
    ("segv", "rank 1 ended by signal 11 (SIGSEGV), in its own code, after MPI_Sendrecv at endings.c:16"),
    ("assert", "rank 1 ended by signal 6 (SIGABRT), in its own code, after MPI_Sendrecv at endings.c:16"),
    ("exit", "rank 1 ended by exit with code 7, in its own code, after MPI_Sendrecv at endings.c:16"),
    ("abort", "rank 1 ended by MPI_Abort with code 5 at endings.c:27"),
    ("kill", "rank 1 ended from outside, or by _exit, in its own code, after MPI_Sendrecv at endings.c:16"),
];

/// Whether MPICH's launcher may return this code, bare or not, when rank 1 ends like this.
///
/// It kills the other ranks and returns the bits of what became of one or more ranks: which ones is
/// a race (bare, 6 or 15 after an abort, 7 or 9 after exit 7).
fn mpich_returns(end: &str, code: i32) -> bool {
    let own = match end {
        "segv" => 11,
        "assert" => 6,
        "exit" => 7,
        "abort" => 5,
        _ => 9,
    };
    let killed = [0, 9, 15];
    killed
        .iter()
        .any(|bits| [own | bits, 9 | bits].contains(&code))
}

/// Traces a program whose rank 1 ends like this.
fn check_end(case: Case, end: &str, said: &str) {
    let Some(trial) = Trial::new(case, SOURCE) else {
        return;
    };
    let bare = trial.arguments(&[end]);
    let code = bare.untraced().code;
    let run = bare.traced();
    let raced = |code: i32| case.mpi.name == "MPICH" && mpich_returns(end, code);
    let same = run.done.code == code || (raced(code) && raced(run.done.code));
    assert!(same, "{code} bare: {:#?}", run.done);
    let errors = &run.done.errors;
    assert!(errors.contains(&format!("mpiscope: {said}")), "{errors}");
    assert!(errors.contains("in MPI_Recv at endings.c:32"), "{errors}");
    assert!(errors.contains("next: mpiscope races"), "{errors}");
    for command in ["info", "analyze"] {
        let report = run.mpiscope(command).out;
        assert!(report.contains(said), "{command}: {report}");
        let end = run.json(&format!("{command} --json"));
        let ranks = end.get("end.ranks").as_array().unwrap();
        assert_eq!(ranks.len(), case.ranks as usize, "{ranks:#?}");
        let dead = ranks.iter().find(|it| it["rank"] == 1).unwrap();
        assert_eq!(
            dead["ended"].is_null(),
            said.contains("from outside"),
            "{dead:#}"
        );
    }
}

#[test]
fn a_run_says_who_died_of_what_and_where_the_others_stood() {
    let names = ENDS.map(|(end, _)| end);
    for (end, said) in ENDS {
        for case in matrix::cases(&names, end, &[2, 3]) {
            check_end(case, end, said);
        }
    }
}

/// Lets a program hang for a while, and ends it by its launcher.
fn hung(trial: Trial, command: &str) -> Run {
    let mut line = trial.command(mpiscope());
    line.args([command, "-o", "run", "--"])
        .args(trial.line(&[]));
    let running = process::start(&mut line);
    std::thread::sleep(Duration::from_secs(6));
    running.signal(Signal::INT);
    trial.ended(running.wait())
}

#[test]
fn a_hung_run_says_where_each_rank_stood_and_for_how_long() {
    for case in matrix::cases(&["trace", "monitor"], "trace", &[2]) {
        let Some(trial) = Trial::new(case, SOURCE) else {
            return;
        };
        let run = hung(trial.arguments(&["hang"]), "trace");
        let errors = &run.done.errors;
        let barrier =
            "rank 0 ended from outside, or by _exit, in MPI_Barrier at endings.c:31, for ";
        assert!(errors.contains(barrier), "{errors}");
        let end = run.json("info --json");
        let stood = |rank: usize| end.figure(&format!("end.ranks.{rank}.for_ns"));
        assert!(
            stood(0) > 900_000_000 && stood(1) > 900_000_000,
            "{:#}",
            end.0
        );
    }
}

#[test]
fn statistics_of_a_hung_run_count_the_calls_that_never_returned() {
    for case in matrix::cases(&["trace", "monitor"], "monitor", &[2]) {
        let Some(trial) = Trial::new(case, SOURCE) else {
            return;
        };
        let run = hung(trial.arguments(&["hang"]), "monitor");
        let report = run.mpiscope("stats").out;
        let line = |text: &str| report.lines().any(|line| line.contains(text));
        assert!(
            line("rank 0 ended in MPI_Barrier at endings.c:31; the "),
            "{report}"
        );
        assert!(line("MPI_Recv endings.c:32 "), "{report}");
        let json = run.json("stats --json");
        let ranks = json.get("ranks").as_array().unwrap().clone();
        let of = |rank: &serde_json::Value, name: &str| rank[name].as_u64().unwrap() as f64;
        for rank in ranks {
            let share = of(&rank, "mpi_ns") / of(&rank, "thread_time_ns");
            assert!(share > 0.9, "only {share} of the time in MPI: {report}");
        }
    }
}
