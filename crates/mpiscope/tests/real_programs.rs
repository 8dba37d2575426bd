//! Programs that people run, small: what they compute is what they compute
//! untraced, nothing of their traces is lost, and wrong clocks are mended.
//!
//! Some need packages that are built for one MPI only; without them they are
//! skipped, with a word.
#![forbid(unsafe_code)]

mod common;

use std::path::PathBuf;

use common::compare::behaves_the_same;
use common::mpi::find;
use common::oracle;
use common::trial::{counted, Run};
use common::{matrix, workspace, Case, Trial};

/// No clock of any rank agrees with another.
const FAULT: &str = "1:offset=35ms,drift=20ppm;2:offset=-20ms,wander=300us/400ms;3:offset=9ms";

/// Runs a program untraced and traced under wrong clocks. `result` is what of
/// its output, or of what it leaves in its folder, may not differ.
#[track_caller]
fn check(trial: Trial, result: impl Fn(&Trial, &str) -> Vec<String>) {
    let untraced = trial.untraced();
    let expected = result(&trial, &untraced.out);
    assert!(!expected.is_empty(), "no result in {untraced:#?}");
    let run = trial.with("MPISCOPE_CLOCK_FAULT", FAULT).traced();
    run.done.check(untraced.code, &[]);
    assert_eq!(untraced.code, 0, "{untraced:#?}");
    assert_eq!(result(&run.trial, &run.done.out), expected);
    run.check_shared_memory();

    let info = run.json("info --json");
    for name in [
        "events_lost",
        "messages.unmatched_sends",
        "messages.unmatched_receives",
        "violations.corrected.reversed",
        "violations.corrected.clock_condition",
    ] {
        assert_eq!(info.figure(name), 0, "{name} in {:#}", info.0);
    }
    assert!(info.figure("violations.measured.reversed") > 0);
    print(&run);
}

/// Both archives are what libotf2 reads; so large, PyPI's reader would take minutes.
#[track_caller]
fn print(run: &Run) {
    oracle::print(&run.measured());
    oracle::print(&run.corrected());
}

/// Returns where a program or library is and the cases in which it can be run.
fn installed(file: Option<PathBuf>, what: &str) -> Vec<(PathBuf, Case)> {
    let Some(file) = file else {
        common::missing(what);
        return Vec::new();
    };
    let fits = |case: &Case| case.mpi.is_that_of(&file);
    let cases: Vec<_> = matrix::all(&[4]).into_iter().filter(fits).collect();
    if cases.is_empty() {
        common::inapplicable(&format!("{what}: built for no MPI that is here"));
    }
    cases.into_iter().map(|case| (file.clone(), case)).collect()
}

fn hypre() -> Option<PathBuf> {
    let multiarch = ["/usr/lib", "/usr/lib/x86_64-linux-gnu"];
    let mut places = multiarch
        .map(|folder| PathBuf::from(folder).join("libHYPRE.so"))
        .into_iter();
    places.find(|library| library.exists())
}

fn lines(out: &str, are: impl Fn(&str) -> bool) -> Vec<String> {
    out.lines()
        .filter(|line| are(line))
        .map(str::to_owned)
        .collect()
}

#[test]
fn multigrid_with_many_small_messages() {
    for (_, case) in installed(hypre(), "hypre's multigrid") {
        let Some(trial) = Trial::new(case, "bench/programs/smg.c") else {
            continue;
        };
        check(trial.arguments(&["0.05"]), |_, out| {
            lines(out, |line| line.contains("residual"))
        });
    }
}

#[test]
fn high_performance_challenge() {
    for (program, case) in installed(find("hpcc"), "hpcc") {
        let trial = Trial::of(case, program);
        let input =
            std::fs::read_to_string(workspace().join("bench/programs/hpccinf.txt")).unwrap();
        let input = input.replace("RANKS", &case.ranks.to_string());
        std::fs::write(trial.path("hpccinf.txt"), input).unwrap();
        check(trial, |trial, _| {
            let output = trial.path("hpccoutf.txt");
            let found = lines(&std::fs::read_to_string(&output).unwrap(), |line| {
                line == "Success=1"
            });
            std::fs::remove_file(output).unwrap();
            found
        });
    }
}

#[test]
fn molecules_move_alike() {
    for (program, case) in installed(find("lmp"), "LAMMPS") {
        let input = workspace()
            .join("bench/programs/melt.in")
            .canonicalize()
            .unwrap();
        let arguments = [
            "-in",
            input.to_str().unwrap(),
            "-log",
            "none",
            "-var",
            "steps",
            "100",
        ];
        check(Trial::of(case, program).arguments(&arguments), |_, out| {
            lines(out, |line| {
                line.split_whitespace().count() == 6 && line.trim().starts_with(char::is_numeric)
            })
        });
    }
}

/// Two models on disjoint ranks.
#[test]
fn coupled_models_are_traced_as_they_count() {
    for case in matrix::all(&[2, 3]) {
        let Some(trial) = Trial::new(case, "bench/programs/coupled.c") else {
            continue;
        };
        let (run, info) = behaves_the_same(trial.arguments(&[12, 5, 100]));
        assert_eq!(run.done.code, 0);
        // Beside those that the program counts, every rank splits the world and finalizes.
        let beside = 2 * info.figure("ranks");
        assert_eq!(
            info.figure("collective_calls"),
            counted(&run.done.out)["collectives"] + beside
        );
        print(&run);
    }
}
