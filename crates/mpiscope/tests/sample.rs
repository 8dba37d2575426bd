//! Samples of where threads compute: they are there, in the right functions, and the program does not
//! notice. What is compared is processor time, which does not hang on who else uses the machine.
#![forbid(unsafe_code)]

mod common;

use std::time::Duration;

use common::process::{kill, run};
use common::ranks::{gone, start_with};
use common::trial::{check_archive, Json, Run};
use common::{matrix, mpiscope, oracle, Case, Trial};
use mpiscope_analysis::nesting::Nesting;
use mpiscope_archive::model::{EventKind, Trace};
use mpiscope_archive::trace::read_trace;
use serde_json::Value;

const EACH_MS: &[&str] = &["--sample", "1ms"];

fn trial(case: Case, program: &str) -> Option<Trial> {
    Trial::new(case, &format!("tests/mpi/samples/{program}"))
}

/// Runs a program bare and with samples, and expects the same of it; and of the samples what holds for
/// all of them.
#[track_caller]
fn sampled(trial: Trial, options: &[&str]) -> (Run, Trace) {
    let untraced = trial.untraced();
    let run = trial.traced_with(options);
    run.done.check(untraced.code, &[]);
    assert_eq!(run.done.out, untraced.out);
    run.check_archives();
    run.check_shared_memory();
    run.mpiscope("check").check(0, &[]);
    let trace = read_trace(&run.corrected()).unwrap();
    holds_what_is_told(&run, &trace);
    (run, trace)
}

/// Expects as many samples as the run says it has, none of them within a call, and each with its
/// function.
#[track_caller]
fn holds_what_is_told(run: &Run, trace: &Trace) {
    let samples = trace.locations.iter().flat_map(|it| it.events.samples());
    let samples: Vec<_> = samples.map(|(_, sample)| *sample).collect();
    let periods: u64 = samples.iter().map(|it| u64::from(it.periods)).sum();
    let facts = run.facts();
    assert_eq!(facts.figure("samples.taken"), samples.len() as u64);
    assert_eq!(facts.figure("samples.periods"), periods);
    assert_eq!(facts.figure("samples.interval_ns"), 1_000_000);
    assert!(samples.len() > 20, "{:#}", facts.get("samples"));
    for location in &trace.locations {
        let (events, mut nesting) = (&location.events, Nesting::default());
        for index in 0..events.len() {
            nesting.step(events, index);
            let is_sample = events.kinds()[index] == EventKind::Sample;
            // The C library computes where it creates a thread.
            let in_call = nesting.open().any(|frame| {
                let region = &trace.definitions.regions[frame.region.index()];
                !region.name.starts_with("pthread_")
            });
            assert!(!is_sample || !in_call, "event {index}");
        }
    }
    let named = |site: u32| {
        trace.definitions.call_sites[site as usize]
            .function
            .is_some()
    };
    let count = samples.iter().filter(|it| named(it.site.0)).count();
    assert!(
        count * 10 > samples.len() * 9,
        "{count} of {} have names",
        samples.len()
    );
    let printed = oracle::printed(&run.measured(), "CALLING_CONTEXT_SAMPLE");
    assert!(printed.is_none_or(|lines| lines.len() == samples.len()));
}

/// Returns how many periods a function has in a report, and on which ranks.
fn periods(report: &Json, function: &str) -> (f64, usize) {
    let functions = report.get("computation.functions").as_array().unwrap();
    let of = |it: &&Value| it["function"] == function;
    functions.iter().find(of).map_or((0.0, 0), |it| {
        let ranks = it["by_rank"].as_array().unwrap().len();
        (it["periods"].as_f64().unwrap(), ranks)
    })
}

#[test]
fn functions_have_their_share_of_the_samples() {
    for case in matrix::all(&[2]) {
        let Some(trial) = trial(case, "hot.c") else {
            return;
        };
        let (run, _) = sampled(trial, EACH_MS);
        let report = run.json("analyze --json");
        let ((often, on), (seldom, _)) = (periods(&report, "often"), periods(&report, "seldom"));
        assert_eq!(on, 2);
        // Three times as long; of so few samples some more or less.
        assert!(
            often > 1.5 * seldom && often < 6.0 * seldom,
            "{often}, {seldom}"
        );
        let all = report.get("computation.periods").as_f64().unwrap();
        assert!(often + seldom > 0.8 * all, "{often}, {seldom} of {all}");
        let lines = report.get("computation.lines").as_array().unwrap();
        // The clock that the program reads is code of the kernel, which no file tells of.
        let is_told = |it: &Value| it["line"].is_u64() || it["module"] == "linux-vdso.so.1";
        assert!(lines.iter().all(is_told), "{lines:?}");

        let text = run.mpiscope("analyze").out;
        let first = text
            .lines()
            .skip_while(|line| !line.contains("where computation was"))
            .nth(2);
        assert!(
            first.is_some_and(|line| line.contains("often (compute.h)")),
            "{text}"
        );
        let printed = run.mpiscope("print").out;
        assert!(printed.contains("  sample            often at compute.h:"));
        let printed = run.mpiscope("print --json").out;
        assert!(printed
            .lines()
            .any(|line| line.contains("\"event\":\"sample\"")));
        assert!(run.mpiscope("info").out.contains("They are samples"));
        assert!(run
            .done
            .errors
            .contains("samples of where threads computed"));
    }
}

#[test]
fn threads_that_never_call_mpi_have_samples() {
    for case in matrix::all(&[2]) {
        let Some(trial) = trial(case, "hot.c") else {
            return;
        };
        let (_, trace) = sampled(trial.arguments(&["threads"]), EACH_MS);
        for rank in 0..2 {
            let mut threads = trace.locations.iter();
            let aside = |function: Option<&String>| function.is_some_and(|it| it == "aside");
            let found = threads.any(|location| {
                let sites = location
                    .events
                    .samples()
                    .iter()
                    .map(|(_, sample)| sample.site);
                let mut functions =
                    sites.map(|site| trace.definitions.call_sites[site.index()].function.as_ref());
                location.rank.0 == rank && location.thread > 0 && functions.any(aside)
            });
            assert!(found, "rank {rank}");
        }
    }
}

#[test]
fn a_program_keeps_its_own_timer_and_all_its_signals() {
    const PROGRAMS: [(&str, &str); 3] =
        [("hot.c", "timer"), ("signals.c", ""), ("signals.c", "user")];
    for (program, how) in PROGRAMS {
        for case in matrix::all(&[2]) {
            let Some(trial) = trial(case, program) else {
                return;
            };
            let (run, _) = sampled(trial.arguments(&[how]), EACH_MS);
            assert!(run.done.out.contains("passed"), "{}", run.done.out);
        }
    }
}

#[test]
fn nothing_is_noted_while_recording_is_off() {
    for case in matrix::cases(&["hot.c", "paused.c"], "paused.c", &[1, 2]) {
        let Some(trial) = trial(case, "paused.c") else {
            return;
        };
        let (run, trace) = sampled(trial, EACH_MS);
        for location in &trace.locations {
            let mut is_on = true;
            for kind in location.events.kinds() {
                is_on ^= *kind == EventKind::MeasurementOnOff;
                assert!(is_on || *kind != EventKind::Sample);
            }
        }
        assert_eq!(periods(&run.json("analyze --json"), "seldom").0, 0.0);
    }
}

#[test]
fn whoever_takes_the_signal_has_it_and_the_run_says_so() {
    for case in matrix::cases(&["hot.c", "takes.c"], "takes.c", &[1, 2]) {
        let Some(trial) = trial(case, "takes.c") else {
            return;
        };
        let ranks = trial.ranks;
        let run = trial.traced_with(EACH_MS);
        run.done.check(0, &["had taken the signal of the timers"]);
        assert!(run.done.out.contains("passed"));
        let gave_way = run.facts().get("samples.gave_way").clone();
        assert_eq!(gave_way.as_array().map(Vec::len), Some(ranks as usize));
        assert_eq!(periods(&run.json("analyze --json"), "seldom").0, 0.0);
    }
}

#[test]
fn who_is_killed_leaves_samples() {
    for case in matrix::cases(&["hot.c", "takes.c"], "hot.c", &[2]) {
        let Some(trial) = trial(case, "hot.c") else {
            return;
        };
        let trial = trial.arguments(&["for-ever"]);
        let (running, ids) = start_with(&trial, EACH_MS);
        std::thread::sleep(Duration::from_millis(1500));
        ids.iter().copied().for_each(kill);
        ids.iter().copied().for_each(gone);
        let run = trial.ended(running.wait());
        check_archive(&run.measured());
        assert!(run.facts().figure("samples.taken") > 0);
        assert!(periods(&run.json("analyze --json"), "often").0 > 0.0);
    }
}

#[test]
fn statistics_are_kept_beside_samples() {
    for case in matrix::cases(&["hot.c", "takes.c"], "takes.c", &[2]) {
        let Some(trial) = trial(case, "hot.c") else {
            return;
        };
        let options = [EACH_MS, &["--statistics"]].concat();
        sampled(trial.arguments(&["threads"]), &options);
    }
}

#[test]
fn without_the_option_there_are_none() {
    for case in matrix::cases(&["hot.c"], "hot.c", &[1, 2]) {
        let Some(trial) = trial(case, "hot.c") else {
            return;
        };
        let run = trial.traced();
        run.done.check(0, &[]);
        let trace = read_trace(&run.measured()).unwrap();
        assert!(trace
            .locations
            .iter()
            .all(|it| it.events.samples().is_empty()));
        assert!(run.facts().0.get("samples").is_none());
        assert_eq!(*run.json("analyze --json").get("computation"), Value::Null);
        assert!(!run
            .mpiscope("analyze")
            .out
            .contains("where computation was"));
    }
}

#[test]
fn a_period_is_a_duration_that_makes_sense() {
    for wrong in ["0", "1h", "1us", "11s", "-1ms", "often"] {
        let mut command = std::process::Command::new(mpiscope());
        let option = format!("--sample={wrong}");
        let done = run(command.args(["trace", &option, "--", "true"]));
        done.check(2, &["a duration from 10us to 10s is expected"]);
    }
}
