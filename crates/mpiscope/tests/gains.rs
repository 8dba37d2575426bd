//! Programs of `tests/mpi/whatif`, really run as they are and really mended: `mpiscope analyze` of the
//! first names the change that was made, and what it gains is what the second run shows.
//!
//! They sleep in place of computing, and say how long their rounds took, as how long MPI takes to begin
//! is another matter. What else a busy machine adds only some tries have.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::process::Command;

use common::trial::{Json, Run};
use common::{found, process, workspace, Case, Mpi, Trial};
use serde_json::Value;

/// A program, and what mends it.
struct Plant {
    program: &'static str,
    /// The argument that makes the change.
    mended: &'static str,
    /// The loss that it mends, by its kind.
    kind: &'static str,
    /// The change as one types it; `@` and a mark in it for a line.
    options: &'static [&'static str],
}

const FUNCTION: Plant = Plant {
    program: "slow_function",
    mended: "fast",
    kind: "uneven_computation",
    options: &["--scale=solve=0.5"],
};

const BARRIER: Plant = Plant {
    program: "needless",
    mended: "without",
    kind: "barrier",
    options: &[
        "--no-wait=MPI_Barrier@NEEDLESS",
        "--scale=MPI_Barrier@NEEDLESS=0",
    ],
};

const BALANCE: Plant = Plant {
    program: "uneven",
    mended: "even",
    kind: "uneven_computation",
    options: &["--balance=MPI_Allreduce@MEET..MPI_Allreduce@MEET"],
};

/// By how much of the gain that was measured another one may be wrong.
const MARGIN: f64 = 0.25;

/// Pairs of runs of which the best counts.
const TRIES: usize = 3;

impl Plant {
    /// Returns the program's file.
    fn source(&self) -> String {
        format!("tests/mpi/whatif/{}.c", self.program)
    }

    /// Returns the change with lines for marks.
    fn options(&self) -> Vec<String> {
        let text = fs::read_to_string(workspace().join(self.source())).unwrap();
        let mut options: Vec<String> = self.options.iter().map(ToString::to_string).collect();
        for (number, line) in (1..).zip(text.lines()) {
            let mark = line
                .split_once("/* ")
                .and_then(|(_, it)| it.strip_suffix(" */"));
            let Some(mark) = mark else { continue };
            let place = format!("@{}.c:{number}", self.program);
            for option in &mut options {
                *option = option.replace(&format!("@{mark}"), &place);
            }
        }
        options
    }

    /// Runs it traced, instrumented by the compiler as functions are to have names.
    fn traced(&self, mpi: &'static Mpi, arguments: &[&str]) -> Run {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join(self.program);
        let mut compile = Command::new(mpi.command("mpicc"));
        compile.args(["-g", "-O0", "-o"]).arg(&program);
        if self.program == FUNCTION.program {
            compile.arg("-finstrument-functions");
        }
        process::run(compile.arg(workspace().join(self.source()))).check(0, &[]);
        let trial = Trial::of(Case { mpi, ranks: 2 }, program).arguments(arguments);
        let run = trial.traced();
        run.done.check(0, &[]);
        run
    }
}

/// Returns how long the rounds of a run took, in seconds.
#[track_caller]
fn rounds(run: &Run) -> f64 {
    let said = run
        .done
        .out
        .lines()
        .find_map(|it| it.strip_prefix("rounds "));
    said.unwrap_or_else(|| panic!("{}", run.done.out))
        .trim()
        .parse()
        .unwrap()
}

/// What was predicted and measured of one pair of runs.
struct Try {
    loss: Value,
    predicted: f64,
    measured: f64,
    told: String,
}

impl Try {
    fn of(plant: &Plant, mpi: &'static Mpi) -> Try {
        let before = plant.traced(mpi, &[]);
        let after = plant.traced(mpi, &[plant.mended]);
        let analysis = before.json("analyze --json");
        let loss = analysis.get("verdict")["losses"][0].clone();
        same_as_whatif(&before, &loss["mending"]);
        let text = before.mpiscope("analyze");
        text.check(0, &[]);
        Try {
            predicted: loss["mending"]["gain_ns"].as_f64().unwrap_or(0.0) / 1e9,
            measured: rounds(&before) - rounds(&after),
            loss,
            told: text.out,
        }
    }

    /// Returns which part of the gain is wrong; all of it if something else was named.
    fn error(&self, plant: &Plant) -> f64 {
        let is_named = self.loss["kind"] == plant.kind
            && self.loss["mending"]["options"] == Value::from(plant.options());
        match is_named {
            true => (self.predicted / self.measured - 1.0).abs(),
            false => f64::INFINITY,
        }
    }
}

/// Expects `whatif` to say the same of a change.
#[track_caller]
fn same_as_whatif(run: &Run, mending: &Value) {
    let Some(options) = mending["options"].as_array() else {
        return;
    };
    let options: Vec<&str> = options.iter().filter_map(Value::as_str).collect();
    let json: Json = run.json(&format!("whatif --json {}", options.join(" ")));
    assert_eq!(
        *json.get("predicted_ns"),
        mending["predicted_ns"],
        "{mending:#}"
    );
}

#[track_caller]
fn check(plant: &Plant) {
    for &mpi in found() {
        let mut tries: Vec<Try> = Vec::new();
        while tries.len() < TRIES && !tries.iter().any(|it| it.error(plant) <= MARGIN) {
            tries.push(Try::of(plant, mpi));
            let it = &tries[tries.len() - 1];
            common::say(&format!(
                "{} under {}: {:.3} s predicted, {:.3} s measured",
                plant.program, mpi.name, it.predicted, it.measured
            ));
        }
        let best = tries
            .iter()
            .min_by(|a, b| a.error(plant).total_cmp(&b.error(plant)));
        let best = best.unwrap();
        assert!(
            best.error(plant) <= MARGIN,
            "{} under {}: {:.3} s predicted, {:.3} s measured, {:?} expected: {:#}",
            plant.program,
            mpi.name,
            best.predicted,
            best.measured,
            plant.options(),
            best.loss
        );
        assert!(
            best.told.contains("mending it would gain "),
            "{}",
            best.told
        );
    }
}

#[test]
fn a_function_in_half_the_time_gains_what_is_told() {
    check(&FUNCTION);
}

#[test]
fn a_needless_barrier_left_out_gains_what_is_told() {
    check(&BARRIER);
}

#[test]
fn balanced_work_gains_what_is_told() {
    check(&BALANCE);
}
