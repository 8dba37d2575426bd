//! Wrong clocks on purpose: correction finds them, mends them, and can be
//! measured against the truth.
#![forbid(unsafe_code)]

mod common;

use common::{digest, matrix, say, Case, Trial};

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
            let is_known_of =
                |path: &std::path::Path| path.ends_with("run.json") || path.ends_with("info.json");
            let files = digest(&run.path).into_iter();
            files
                .filter(|(path, _)| is_measured(path) && !is_known_of(path))
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

/// Runs among which one is looked for whose measurements were left in peace.
const TRIES: usize = 3;

/// Traces a program whose clock wanders; returns how far off times are by lines between offsets
/// measured so often, in ns.
fn error_by_lines(case: Case, interval: &str) -> Option<f64> {
    let run = Trial::new(case, "tests/mpi/paced.c")?
        .arguments(&[800, 4000])
        .with("MPISCOPE_CLOCK_FAULT", "1:offset=5ms,wander=500us/4s")
        .with("MPISCOPE_OFFSET_INTERVAL", interval)
        .traced();
    run.done.check(0, &[]);
    run.check_archives();
    let truth = run.json("sync --truth --presync linear --force --json");
    Some(truth.measure("truth.interpolated.message_duration.mean_ns"))
}

/// With offsets at both ends alone, interpolation knows nothing of the wander.
/// Busy cores may spoil a measurement, or a few, and seldom most of them.
#[test]
fn offsets_measured_while_the_run_lasts_follow_a_clock_that_wanders() {
    for case in matrix::all(&[2]) {
        let Some(at_both_ends) = error_by_lines(case, "0") else {
            continue;
        };
        let follows = (0..TRIES).any(|_| {
            let often = error_by_lines(case, "0.2").unwrap_or(f64::INFINITY);
            say(&format!(
                "{}: off by {at_both_ends:.0} ns with offsets at both ends, {often:.0} ns with more",
                case.mpi.name
            ));
            4.0 * often < at_both_ends
        });
        assert!(follows, "{}", case.mpi.name);
    }
}

/// One clock needs no measuring, whatever is asked for; nor can threads that
/// call MPI as they like agree on when.
#[test]
fn offsets_are_measured_again_only_where_there_is_something_to_measure() {
    for case in matrix::all(&[2]) {
        for (program, fault, times) in [
            ("tests/mpi/paced.c", "", None),
            ("tests/mpi/paced.c", "1:offset=5ms", Some(true)),
            ("tests/mpi/threads.c", "1:offset=5ms", Some(false)),
        ] {
            let Some(trial) = Trial::new(case, program) else {
                continue;
            };
            let trial = trial
                .with("MPISCOPE_CLOCK_FAULT", fault)
                .with("MPISCOPE_OFFSET_INTERVAL", "0.001");
            let untraced = trial.untraced();
            let run = trial.traced();
            run.done.check(0, &[]);
            assert_eq!(run.done.out, untraced.out);
            let clocks = run.facts().get("clocks").as_array().unwrap().clone();
            let offsets = clocks
                .get(1)
                .map(|clock| clock["offsets"].as_array().unwrap().len());
            assert_eq!(
                offsets.map(|n| n > 2),
                times,
                "{program} {fault}: {offsets:?}"
            );
        }
    }
}

#[test]
fn an_interval_that_cannot_be_read_records_nothing() {
    let Some(trial) =
        (matrix::all(&[2]).pop()).and_then(|case| Trial::new(case, "tests/mpi/exits.c"))
    else {
        return;
    };
    let run = trial.with("MPISCOPE_OFFSET_INTERVAL", "often").traced();
    run.done
        .check(7, &["MPISCOPE_OFFSET_INTERVAL=often", "expected"]);
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
