//! `mpiscope scale` of runs of different sizes of the problem: simulated runs, whose growth is known,
//! and a small program really run that has a line of time N and one of N·N.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::path::Path;

use common::documented::has_documented_keys;
use common::folder::{in_folder, json_of, of_sizes};
use common::trial::{Json, Run};
use common::xml::check_xml;
use common::{found, workspace, Case, Mpi, Trial};

/// Simulates a run in which each rank computes so long.
fn simulated(folder: &Path, name: &str, ranks: u32, seconds: f64) {
    let line = format!(
        "simulate pairs -n {ranks} --hosts 1 --iterations 20 --imbalance 0.02 --seed 7 --seconds \
         {seconds} -o {name}"
    );
    in_folder(folder, &line).check(0, &[]);
}

#[track_caller]
fn scaled(folder: &Path, words: &str) -> Json {
    json_of(folder, &format!("scale --json {words}"))
}

#[test]
fn sizes_that_somebody_says_tell_how_the_program_grows() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (name, seconds) in [("a", 0.5), ("b", 2.0), ("c", 8.0), ("again", 8.1)] {
        simulated(here, name, 2, seconds);
    }
    let found = scaled(here, "--sizes 40,10,20,40 again a b c");
    assert_eq!(found.text("scaling"), "sizes");
    assert_eq!(found.text("sizes_from"), "asked");
    assert_eq!(of_sizes(&found, "size"), [10.0, 20.0, 40.0]);
    assert_eq!(found.get("sizes")[2]["paths"].as_array().unwrap().len(), 2);
    // Twice the size takes four times as long.
    let exponent = found.get("exponent").as_f64().unwrap();
    assert!((1.8..2.2).contains(&exponent), "{exponent}");
    let rows = found.get("rows").as_array().unwrap();
    let excess = rows.iter().map(|it| it["excess_ns"].as_i64().unwrap());
    assert!(excess.sum::<i64>().abs() <= rows.len() as i64);
    assert!(rows.iter().all(|it| it["within_spread"].is_boolean()));
    for at in 0..3 {
        let shares = rows
            .iter()
            .map(|it| it["share_percent"][at].as_f64().unwrap());
        assert!((shares.sum::<f64>() - 100.0).abs() < 1e-6);
    }
    let heading = "`mpiscope scale --json --sizes";
    has_documented_keys(&found.0, heading, "key | value");
    has_documented_keys(&found.get("sizes")[0], heading, "key of a size | value");
    has_documented_keys(&rows[0], heading, "key of a row | value");

    let two = in_folder(here, "scale --sizes 1,2 a b --svg two.svg");
    two.check(0, &[]);
    for said in [
        "cannot be told of two sizes",
        "which lines grow faster than all else cannot be told",
    ] {
        assert!(two.out.contains(said), "{}", two.out);
    }
    check_xml(&fs::read_to_string(here.join("two.svg")).unwrap());
}

#[test]
fn of_ranks_and_sizes_that_both_differ_sizes_tell_the_kind_or_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    simulated(here, "a", 2, 1.0);
    simulated(here, "b", 4, 1.0);
    simulated(here, "same", 2, 1.0);
    let weak = scaled(here, "--sizes 100,200 a b");
    assert_eq!(
        (weak.text("scaling"), weak.text("scaling_from")),
        ("weak", "asked")
    );
    let strong = scaled(here, "--sizes 100,100 a b");
    assert_eq!(
        (strong.text("scaling"), strong.text("scaling_from")),
        ("strong", "asked")
    );
    for (words, said) in [
        ("--sizes 100,300 a b", "cannot be told apart"),
        ("--sizes 100,200 --strong a b", "--sizes tell weak scaling"),
        ("--sizes 100 a b", "--sizes names 1 for 2 runs"),
        ("--sizes 100,0 a b", "a number above 0"),
        ("--sizes 100,inf a b", "a number above 0"),
        ("--sizes 100,100 a same", "all runs are of size 100"),
        (
            "--sizes 100,200 --weak a same",
            "on the same number of ranks",
        ),
        (
            "--sizes 100,200 --reference 2 a same",
            "on the same number of ranks",
        ),
        ("a same", "--sizes names these"),
    ] {
        in_folder(here, &format!("scale {words}")).check(2, &[said]);
    }
}

/// Runs the program traced with a problem of this size.
fn grown(mpi: &'static Mpi, size: u32) -> Option<Run> {
    let trial = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/scale/sizes.c")?;
    Some(trial.arguments(&[size]).traced())
}

/// Returns a call and the line that a comment in the program marks.
fn at(call: &str, mark: &str) -> String {
    let text = fs::read_to_string(workspace().join("tests/mpi/scale/sizes.c")).unwrap();
    let mark = format!("/* {mark} */");
    let line = text.lines().position(|line| line.contains(&mark)).unwrap() + 1;
    format!("{call}@sizes.c:{line}")
}

#[test]
fn the_line_that_grows_with_the_square_is_named() {
    for mpi in found() {
        let runs: Option<Vec<Run>> = [1, 2, 4, 8].iter().map(|it| grown(mpi, *it)).collect();
        let Some(runs) = runs else { continue };
        let (last, others) = runs.split_last().unwrap();
        let others: Vec<String> = others
            .iter()
            .map(|it| it.path.display().to_string())
            .collect();
        let line = format!("scale --json {}", others.join(" "));
        let found = last.json(&line);
        assert_eq!(found.text("sizes_from"), "arguments", "{:#}", found.0);
        assert_eq!(of_sizes(&found, "size"), [1.0, 2.0, 4.0, 8.0]);
        let note = found.get("notes").to_string();
        assert!(
            note.contains("the size is word 1 behind the program"),
            "{note}"
        );
        let [barrier, sum] = [
            at("MPI_Barrier", "LINEAR"),
            at("MPI_Allreduce", "QUADRATIC"),
        ];
        let rows = found.get("rows").as_array().unwrap();
        let square = &rows[0];
        assert_eq!(square["name"], format!("{barrier}..{sum}"), "{:#}", found.0);
        let exponent = square["exponent"].as_f64().unwrap();
        assert!((1.5..2.5).contains(&exponent), "{square:#}");
        assert_eq!(square["outgrows"], true, "{square:#}");
        // 10 · N² is more than 60 · N beyond 6.
        assert_eq!(square["half_from"], 8.0, "{square:#}");
        let linear = rows
            .iter()
            .find(|it| it["name"] == format!("{sum}..{barrier}"));
        let linear = linear.unwrap_or_else(|| panic!("{:#}", found.0));
        assert_eq!(linear["outgrows"], false, "{linear:#}");
        let said = found.get("verdict")[1].as_str().unwrap();
        assert!(
            said.contains("computation between MPI_Barrier at sizes.c"),
            "{said}"
        );
        // The last run stands last in the line. Another unit changes no power.
        let told = last.json(&line.replace("--json", "--json --sizes 10,20,40,80"));
        let exponents = [&told, &found].map(|it| it.get("exponent").as_f64().unwrap());
        assert!((exponents[0] - exponents[1]).abs() < 1e-9, "{exponents:?}");
    }
}
