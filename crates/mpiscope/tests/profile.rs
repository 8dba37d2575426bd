//! `mpiscope profile` of a program with regions of its own, under each MPI: its visits are those
//! that `otf2-print` counts, and its tables add up.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::process::Command;

use common::regions::compiled;
use common::trial::{Json, Run};
use common::{found, mpiscope, oracle, process, Case};

/// Runs the program traced, on two ranks, under each MPI.
fn each(check: impl Fn(&Run)) {
    for &mpi in found() {
        let case = Case { mpi, ranks: 2 };
        let Some((trial, _folder)) = compiled(case, "named.c", &[]) else {
            continue;
        };
        let run = trial.traced();
        run.done.check(0, &[]);
        check(&run);
    }
}

fn profile(run: &Run, options: &str) -> Json {
    let json = run.json(&format!("profile --json {options}"));
    for table in json.get("tables").as_array().unwrap() {
        let rows = table["rows"].as_array().unwrap();
        let times = rows.iter().map(|row| row["exclusive_ns"].as_i64().unwrap());
        let sum: i64 = times.sum();
        assert_eq!(*json.get("selected_ns"), sum, "{options}: {table:#}");
    }
    json
}

/// Returns a figure of each row of a table.
fn column(json: &Json, table: usize, figure: &str) -> BTreeMap<String, u64> {
    let rows = json.get("tables")[table]["rows"].as_array().unwrap();
    let row = |row: &serde_json::Value| {
        let name = row["name"].as_str().unwrap().to_owned();
        (name, row[figure].as_u64().unwrap())
    };
    rows.iter().map(row).collect()
}

/// Counts the visits of regions that otf2-print sees.
fn entered(run: &Run) -> Option<BTreeMap<String, u64>> {
    let lines = oracle::printed(&run.corrected(), "ENTER ")?;
    let mut entered = BTreeMap::new();
    for line in lines {
        let (_, name) = line.split_once("Region: \"").unwrap();
        let (name, _) = name.split_once("\" <").unwrap();
        *entered.entry(name.to_owned()).or_default() += 1;
    }
    Some(entered)
}

#[test]
fn visits_are_what_another_reader_counts() {
    each(|run| {
        let all = profile(
            run,
            "--by region,callpath,line,location,rank,host,communicator",
        );
        assert_eq!(all.get("selected_ns"), all.get("time_ns"));
        let mut visits = column(&all, 0, "visits");
        visits.retain(|_, visits| *visits > 0);
        if let Some(entered) = entered(run) {
            assert_eq!(visits, entered);
        }
        let paths = column(&all, 1, "visits");
        let path = "step / phase 1 / MPI_Barrier";
        assert_eq!(paths[path], 4, "{paths:?}");
        let world = column(&all, 6, "visits");
        assert!(world["MPI_COMM_WORLD"] >= 8, "{world:?}");
    });
}

#[test]
fn what_is_selected_is_told() {
    each(|run| {
        let step = profile(run, "--region step --by region,callpath");
        let visits = column(&step, 0, "visits");
        assert_eq!(visits["step"], 8, "{visits:?}");
        assert_eq!(visits["MPI_Barrier"], 8);
        assert!(!visits.contains_key("MPI_Init"));
        let both = column(&step, 0, "inclusive_ns")["step"];
        assert_eq!(*step.get("selected_ns"), both);
        let one = profile(run, "--region step --rank 1");
        assert_eq!(column(&one, 0, "visits")["step"], 4);
        let calls = profile(run, "--only collective --region step");
        let calls = column(&calls, 0, "visits");
        assert_eq!(calls, BTreeMap::from([("MPI_Barrier".to_owned(), 8)]));
        let parts = ["..1ms", "1ms.."].map(|part| profile(run, &format!("--between {part}")));
        let times = parts.map(|part| part.get("selected_ns").as_i64().unwrap());
        let all = profile(run, "");
        assert_eq!(*all.get("selected_ns"), times.iter().sum::<i64>());
    });
}

#[test]
fn that_nothing_is_selected_is_said() {
    each(|run| {
        let line = "profile --between 1000s..1001s --by region,callpath,size";
        let said = run.mpiscope(line).check(0, &[]).out.clone();
        let words = "nothing is selected: the last event is ";
        assert!(said.contains(words), "{said}");
        assert!(said.contains("region: nothing is selected"), "{said}");
        let json = profile(run, "--between 1000s..1001s");
        let notes = json.get("notes").to_string();
        assert!(notes.contains(words), "{notes}");
        let all = profile(run, "").get("notes").to_string();
        assert!(!all.contains("nothing is selected"), "{all}");
    });
}

#[test]
fn what_is_not_there_is_refused() {
    each(|run| {
        for (options, words) in [
            ("--region nowhere", "no such region"),
            ("--only nothing", "is expected"),
            ("--rank 7", "there are ranks"),
            ("--phase 999999", "--phase"),
            ("--by colour", "colour"),
            ("--between 5..3", "UNTIL"),
        ] {
            let done = run.mpiscope(&format!("profile {options}"));
            done.check(2, &[words]);
        }
    });
}

#[test]
fn iterations_share_the_time_out() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("halo");
    let simulate = ["simulate", "halo", "-n", "4", "--iterations", "60", "-o"];
    let mut simulated = Command::new(mpiscope());
    let done = process::run(simulated.args(simulate).arg(&run));
    done.check(0, &[]);
    let figures = |phase: &str| {
        let options = ["profile", "--json", "--by", "region", "--phase", phase];
        let done = process::run(Command::new(mpiscope()).args(options).arg(&run));
        done.check(0, &[]);
        let json = Json(serde_json::from_str(&done.out).unwrap());
        let visits: u64 = column(&json, 0, "visits").values().sum();
        (json.get("selected_ns").as_u64().unwrap(), visits)
    };
    let (first, rest, all) = (figures("first"), figures("2..3"), figures("1..3"));
    assert!(first.0 > 0 && first.1 > 0);
    assert_eq!((first.0 + rest.0, first.1 + rest.1), all);
}
