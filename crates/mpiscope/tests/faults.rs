//! Wrong clocks on purpose: correction finds them, mends them, and can be
//! measured against the truth.
#![forbid(unsafe_code)]

mod common;

use common::{digest, matrix, Trial};

/// Some of 4 ranks get wrong clocks; when a step happens is counted from the
/// beginning of MPI_Init, so one of three should fall into the run. The clocks are wrong by much more than the
/// some milliseconds to which MPICH's ranks can be compared where they spin and
/// outnumber the cores: else the correction would have nothing to go by.
const FAULTS: [&str; 4] = [
    "1:offset=35ms;3:offset=-20ms",
    "1:offset=-30ms,drift=2000ppm;3:offset=20ms,drift=-3000ppm",
    "1:offset=30ms,wander=300us/400ms;3:offset=-20ms,wander=200us/150ms",
    "1:step=40ms@20ms;2:step=20ms@100ms;3:step=10ms@300ms",
];

#[track_caller]
fn check(fault: &str) {
    for case in matrix::cases(&FAULTS, fault, &[4]) {
        let Some(trial) = Trial::new(case, "examples/heat.c") else {
            continue;
        };
        let trial = trial
            .arguments(&[64, case.mpi.patience])
            .with("MPISCOPE_CLOCK_FAULT", fault);
        let run = trial.traced();
        run.done.check(0, &[]);
        let info = run.json("info --json");
        assert!(
            info.figure("violations.measured.reversed") > 0,
            "{:#}",
            info.0
        );
        assert_eq!(info.figure("violations.corrected.reversed"), 0);
        assert_eq!(info.figure("violations.corrected.clock_condition"), 0);
        run.check_archives();

        let measured = || -> Vec<_> {
            let is_measured =
                |path: &std::path::Path| !path.starts_with(run.path.join("corrected"));
            let files = digest(&run.path).into_iter();
            files
                .filter(|(path, _)| is_measured(path) && !path.ends_with("run.json"))
                .collect()
        };
        let before = measured();
        let truth = run.json("sync --truth --force --json");
        assert_eq!(measured(), before);
        run.check_archives();
        let [raw, mended] =
            ["measured", "corrected"].map(|what| format!("truth.{what}.message_duration"));
        assert!(truth.figure(&format!("{mended}.count")) > 0);
        let [raw, mended] = [raw, mended].map(|of| truth.measure(&format!("{of}.mean_ns")));
        assert!(
            mended <= raw,
            "off by {raw} ns before correction, {mended} after"
        );
    }
}

#[test]
fn clocks_with_an_offset_are_corrected() {
    check(FAULTS[0]);
}

#[test]
fn clocks_that_drift_are_corrected() {
    check(FAULTS[1]);
}

#[test]
fn clocks_that_wander_are_corrected() {
    check(FAULTS[2]);
}

#[test]
fn clocks_that_step_are_corrected() {
    check(FAULTS[3]);
}

#[test]
fn a_fault_that_cannot_be_read_is_refused_before_the_launch() {
    for (fault, word) in [
        ("1:offset=fast", "fast"),
        ("1:speed=3", "speed"),
        ("x:drift=1ppm", "rank"),
    ] {
        let Some(case) = matrix::all(&[2]).pop() else {
            return;
        };
        let Some(trial) = Trial::new(case, "tests/mpi/exits.c") else {
            return;
        };
        let run = trial.with("MPISCOPE_CLOCK_FAULT", fault).traced();
        run.done
            .check(2, &["MPISCOPE_CLOCK_FAULT", word, "expected"]);
        assert_eq!(run.done.out, "", "the program was started");
        assert!(!run.path.exists());
    }
}

#[test]
fn a_run_without_faults_has_no_known_truth() {
    let Some(case) = matrix::all(&[2]).pop() else {
        return;
    };
    let Some(trial) = Trial::new(case, "tests/mpi/exits.c") else {
        return;
    };
    let run = trial.traced();
    run.mpiscope("sync --truth --json")
        .check(2, &["no known truth", "MPISCOPE_CLOCK_FAULT"]);
}
