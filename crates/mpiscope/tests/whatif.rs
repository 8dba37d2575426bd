//! The programs of `tests/mpi/whatif`, really run as they are and with what their comments say
//! changed: what `mpiscope whatif` says of each. How close its figures are is measured elsewhere
//! (`bench/whatif.py`): here a busy machine may disturb them as it likes.
#![forbid(unsafe_code)]

mod common;

use std::fs;

use common::documented::has_documented_keys;
use common::trial::{Json, Run};
use common::{found, workspace, Case, Trial};

/// Returns the line that a comment in a program marks.
fn marked(program: &str, mark: &str) -> usize {
    let text = fs::read_to_string(workspace().join("tests/mpi/whatif").join(program)).unwrap();
    let mark = format!("/* {mark} */");
    text.lines().position(|line| line.contains(&mark)).unwrap() + 1
}

/// Runs a program traced, under each MPI.
fn traced(program: &str, arguments: &[&str]) -> Vec<Run> {
    let source = format!("tests/mpi/whatif/{program}");
    let trial = |mpi: &&'static common::Mpi| Trial::new(Case { mpi, ranks: 2 }, &source);
    let trials = found().iter().filter_map(trial);
    let run = |trial: Trial| {
        let trial = trial.arguments(arguments);
        let done = trial.run_trace(&[]);
        let run = trial.ended(done);
        run.done.check(0, &[]);
        run
    };
    trials.map(run).collect()
}

fn whatif(run: &Run, options: &str) -> Json {
    let json = run.json(&format!("whatif --json {options}"));
    assert_eq!(*json.get("unchanged_ns"), *json.get("measured_ns"));
    assert_eq!(json.get("unchanged_error_ns"), 0);
    assert_eq!(json.get("left_out")["unmatched"], 0, "{:#}", json.0);
    assert_eq!(json.get("left_out")["circles"], 0, "{:#}", json.0);
    json
}

#[test]
fn an_uneven_program_gains_by_balance_and_a_slower_one_loses() {
    for run in traced("uneven.c", &[]) {
        let balanced = whatif(&run, "--balance");
        let measured = balanced.figure("measured_ns");
        assert!(
            balanced.figure("predicted_ns") < measured,
            "{:#}",
            balanced.0
        );
        let rank = |key: &str| balanced.figure(&format!("by_rank.1.{key}"));
        assert!(
            rank("predicted_waiting_ns") < rank("waiting_ns"),
            "{:#}",
            balanced.0
        );
        assert_eq!(balanced.get("is_slower"), false, "{:#}", balanced.0);
        let slower = whatif(&run, "--scale computation=2 --rank 0");
        assert!(slower.figure("predicted_ns") > measured, "{:#}", slower.0);
        assert_eq!(slower.get("is_slower"), true, "{:#}", slower.0);
        assert_eq!(slower.get("warnings").as_array().unwrap().len(), 1);
        let meet = format!("MPI_Allreduce@uneven.c:{}", marked("uneven.c", "MEET"));
        let faster = whatif(
            &run,
            &format!("--scale {meet}..{meet}=0.5 --no-wait {meet}"),
        );
        assert!(faster.figure("predicted_ns") < measured, "{:#}", faster.0);
    }
    for run in traced("uneven.c", &["even"]) {
        whatif(&run, "--balance");
    }
}

#[test]
fn what_is_handed_on_sooner_is_had_sooner() {
    let [begin, send, receive] = ["BEGIN", "SEND", "RECEIVE"].map(|it| marked("handed_on.c", it));
    let computation = format!("MPI_Barrier@handed_on.c:{begin}..MPI_Send@handed_on.c:{send}");
    for run in traced("handed_on.c", &[]) {
        let json = whatif(&run, &format!("--scale {computation}=0.25"));
        let [measured, predicted] = ["measured_ns", "predicted_ns"].map(|it| json.figure(it));
        assert!(predicted < measured, "{:#}", json.0);
        let waiting = ["waiting_ns", "predicted_waiting_ns"];
        let [before, after] = waiting.map(|it| json.figure(&format!("by_rank.1.{it}")));
        assert!(after < before, "{:#}", json.0);

        let table = whatif(&run, "");
        let options: Vec<String> = table
            .get("mendings")
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["options"][0].as_str().unwrap().to_owned())
            .collect();
        let receive = format!("--no-wait=MPI_Recv@handed_on.c:{receive}");
        for wanted in [&format!("--scale={computation}=0.5"), &receive] {
            assert!(
                options.iter().any(|it| it == wanted),
                "{wanted}: {options:?}"
            );
        }
    }
    for run in traced("handed_on.c", &["fast"]) {
        whatif(&run, "");
    }
}

#[test]
fn each_mending_that_is_named_is_what_its_options_do() {
    for run in traced("uneven.c", &[]) {
        let table = whatif(&run, "");
        let mendings = table.get("mendings").as_array().unwrap();
        assert!(mendings.len() > 3, "{:#}", table.0);
        let gains: Vec<i64> = mendings
            .iter()
            .map(|it| it["gain_ns"].as_i64().unwrap())
            .collect();
        assert!(gains.is_sorted_by(|a, b| a >= b), "{gains:?}");
        assert!(gains.iter().all(|gain| *gain > 0), "{gains:?}");
        assert!(table.get("is_slower").is_null());
        for mending in mendings {
            let options = mending["options"].as_array().unwrap();
            let options: Vec<&str> = options.iter().map(|it| it.as_str().unwrap()).collect();
            let alone = whatif(&run, &options.join(" "));
            assert_eq!(
                *alone.get("predicted_ns"),
                mending["predicted_ns"],
                "{options:?}"
            );
        }
        has_documented_keys(&table.0, "`mpiscope whatif --json RUN", "key | value");
        let fewer = whatif(&run, "--top 2");
        assert_eq!(*fewer.get("mendings"), *table.get("mendings"));
        let text = run.mpiscope(&format!("whatif --top {}", mendings.len()));
        assert!(!text.out.contains("… and "), "{}", text.out);
        let text = run.mpiscope("whatif --top 2");
        text.check(0, &[]);
        for part in [
            "in corrected time",
            "exactly as measured",
            "… and ",
            "taken for granted",
        ] {
            assert!(text.out.contains(part), "{part}: {}", text.out);
        }
    }
}

#[test]
fn what_is_not_there_is_refused_with_what_is() {
    let Some(run) = traced("uneven.c", &["even"]).into_iter().next() else {
        return;
    };
    for (options, said) in [
        ("--scale solve=0.5", "most time was in MPI_"),
        ("--scale solve=0.5", "between CALL and CALL"),
        ("--balance=solve", "there is nothing of that name"),
        ("--no-wait MPI_Bcast", "there is nothing of that name"),
        ("--scale computation=0.5 --rank 7", "--rank"),
        ("--rank 0", "--scale"),
        ("--scale computation", "WHAT=FACTOR"),
        ("--bandwidth 25", "25GB/s"),
        ("--latency=-1us", "a duration such as"),
        ("--latency 25", "25us is expected"),
    ] {
        let done = run.mpiscope(&format!("whatif {options}"));
        assert_eq!(done.code, 2, "{options}: {}", done.errors);
        assert!(done.errors.contains(said), "{options}: {}", done.errors);
    }
}
