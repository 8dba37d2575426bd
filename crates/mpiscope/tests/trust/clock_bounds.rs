//! "Clocks are right to within 15.8 µs at worst", where 125 µs was true.

use std::path::Path;
use std::process::Command;

use mpiscope_archive::uncertainty::Uncertainty;

use crate::common::matrix::{all, seed, Random};
use crate::common::trial::Json;
use crate::common::{mpiscope, process, say, Trial};

/// Checks what is said of a run whose truth is known: a bound holds and is no
/// wider than ten times what a hundredth of errors exceed, or it is unknown, also in words.
fn check(run: &Path, options: &str) {
    let sync = |more: &str| {
        let mut command = Command::new(mpiscope());
        let options = format!("sync --truth {options} {more}");
        let done = process::run(command.args(options.split_whitespace()).arg(run));
        done.check(0, &[]);
        done.out
    };
    let facts = Json(serde_json::from_str(&sync("--json")).unwrap());
    let [count, p99] =
        ["count", "p99_ns"].map(|name| facts.figure(&format!("truth.half_widths.errors.{name}")));
    let [known, within, widest] = ["known", "within", "widest_ns"]
        .map(|name| facts.figure(&format!("truth.half_widths.bound.{name}")));
    assert!(count > 0);
    assert!(within * 100 >= known * 99, "{within} of {known}, {options}");
    let printed = facts.get("uncertainty.worst_ns").as_u64();
    let width = printed.unwrap_or(0).max(widest);
    assert!(
        width <= 10 * p99.max(1),
        "{width} ns, errors {p99} ns, {options}"
    );

    let text = sync("");
    let line = text.lines().find(|line| line.starts_with("uncertainty"));
    let line = line.unwrap_or_else(|| panic!("{text}"));
    match printed {
        Some(_) => assert!(line.contains(" at worst, against the first"), "{line}"),
        None => assert!(line.contains("unknown"), "{line}"),
    }
}

#[test]
fn a_bound_that_is_printed_holds_or_is_said_to_be_unknown() {
    for case in all(&[2, 4]) {
        let Some(trial) = Trial::new(case, "examples/heat.c") else {
            continue;
        };
        let mut random = Random::new(seed());
        let wander = 5 + random.below(56);
        let period = 300 + random.below(2700);
        let fault = format!("1:offset=350us,drift=20ppm,wander={wander}us/{period}ms");
        say(&format!("{} ranks, {fault}", case.ranks));
        let trial = trial.arguments(&[256, 100]);
        let run = trial.with("MPISCOPE_CLOCK_FAULT", &fault).traced();
        for mode in ["linear", "fit"] {
            check(&run.path, &format!("--presync {mode}"));
        }
    }
}

#[test]
fn of_what_no_message_tells_the_file_and_the_text_say_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("a.mpiscope");
    let done = |words: &str| {
        let mut command = Command::new(mpiscope());
        let done = process::run(command.args(words.split_whitespace()).arg(&run));
        done.check(0, &[]);
        done.out
    };
    let drawn = seed();
    done(&format!(
        "simulate halo -n 8 --hosts 4 --seconds 2 --silent 3 --seed {drawn} --output"
    ));
    let text = done("sync");
    assert!(text.contains("the worst is unknown"), "{text}");
    let kept = Uncertainty::read(&run.join("corrected")).unwrap().unwrap();
    let silent = |widths: &[Option<i64>]| widths[3].is_none();
    assert!(kept
        .windows
        .iter()
        .all(|window| silent(&window.to_master_ns)));
    assert!(kept
        .windows
        .iter()
        .all(|window| window.interval_ns.len() == 4));
}
