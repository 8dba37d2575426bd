//! `mpiscope scale`: simulated runs, whose scaling is known, and a small program really run whose
//! serial part is planted.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::path::Path;

use common::documented::has_documented_keys;
use common::folder::{in_folder, json_of, of_sizes};
use common::trial::{Json, Run};
use common::xml::check_xml;
use common::{found, workspace, Case, Mpi, Trial};
use serde_json::Value;

/// Simulates a run in which each rank computes so long.
fn simulated(folder: &Path, name: &str, ranks: u32, seconds: f64, seed: u32) {
    simulated_on(1, folder, name, ranks, seconds, seed);
}

fn simulated_on(hosts: u32, folder: &Path, name: &str, ranks: u32, seconds: f64, seed: u32) {
    let line = format!(
        "simulate pairs -n {ranks} --hosts {hosts} --iterations 20 --imbalance 0.02 --seed {seed} \
         --seconds {seconds} -o {name}"
    );
    in_folder(folder, &line).check(0, &[]);
}

#[track_caller]
fn json(folder: &Path, words: &str) -> Json {
    json_of(folder, &format!("scale --json {words}"))
}

#[test]
fn the_same_work_on_more_ranks_is_strong_scaling() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (ranks, seconds) in [(8, 0.5), (2, 2.0), (4, 1.0)] {
        simulated(here, &format!("s{ranks}"), ranks, seconds, ranks);
    }
    simulated(here, "again", 8, 0.51, 99);
    let found = json(here, "s8 again s2 s4");
    assert_eq!(found.text("scaling"), "strong");
    assert_eq!(found.text("scaling_from"), "found");
    assert_eq!(of_sizes(&found, "ranks"), [2.0, 4.0, 8.0]);
    assert_eq!(of_sizes(&found, "ideal_speedup"), [1.0, 2.0, 4.0]);
    // Imbalance is 2 %, and messages take next to nothing.
    for efficiency in of_sizes(&found, "scaling_efficiency") {
        assert!((0.9..=1.05).contains(&efficiency), "{efficiency}");
    }
    for (product, of) in [
        ("global", ["parallel", "computation_scalability"]),
        ("parallel", ["load_balance", "communication"]),
        ("communication", ["serialization", "transfer"]),
    ] {
        let [a, b] = of.map(|it| of_sizes(&found, it));
        for (at, whole) in of_sizes(&found, product).iter().enumerate() {
            assert!(
                (whole - a[at] * b[at]).abs() < 1e-9,
                "{product} {:#}",
                found.0
            );
        }
    }
    let rows = found.get("rows").as_array().unwrap();
    let lost: i64 = rows
        .iter()
        .map(|it| it["excess_ns"].as_i64().unwrap())
        .sum();
    let total = found.get("lost.total_ns").as_i64().unwrap();
    assert!((lost - total).abs() <= rows.len() as i64, "{lost} {total}");
    assert_eq!(found.get("sizes")[2]["paths"].as_array().unwrap().len(), 2);
    assert!(rows.iter().all(|it| it["within_spread"].is_boolean()));

    let heading = "`mpiscope scale --json RUN";
    has_documented_keys(&found.0, heading, "key | value");
    has_documented_keys(&found.get("sizes")[0], heading, "key of a size | value");
    has_documented_keys(found.get("lost"), heading, "key of `lost` | value");
    has_documented_keys(&rows[0], heading, "key of a row | value");
    let cause = &found.get("causes")[0];
    has_documented_keys(cause, heading, "key of a cause | value");

    let other = json(here, "--reference 4 s8 s2 s4");
    assert_eq!(of_sizes(&other, "ideal_speedup"), [0.5, 1.0, 2.0]);
}

#[test]
fn work_that_grows_with_the_ranks_is_weak_if_somebody_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for ranks in [2, 4] {
        simulated(here, &format!("w{ranks}"), ranks, 1.0, ranks);
    }
    let assumed = json(here, "w2 w4");
    assert_eq!(assumed.text("scaling"), "strong");
    assert_eq!(assumed.text("scaling_from"), "assumed");
    let note = assumed.get("notes")[0].as_str().unwrap();
    assert!(note.contains("as in weak scaling"), "{note}");
    let weak = json(here, "--weak w2 w4");
    assert_eq!(weak.text("scaling_from"), "asked");
    assert!(
        of_sizes(&weak, "scaling_efficiency")[1] > 0.9,
        "{:#}",
        weak.0
    );
    assert!(
        of_sizes(&assumed, "scaling_efficiency")[1] < 0.6,
        "{:#}",
        assumed.0
    );
    let cannot = weak.get("rows")[0]["exponent"].is_null();
    assert!(cannot, "of two sizes no growth is told");

    let done = in_folder(here, "scale --weak w2 w4 --svg scale.svg");
    done.check(0, &[]);
    assert!(done.out.contains("cannot tell"), "{}", done.out);
    let svg = fs::read_to_string(here.join("scale.svg")).unwrap();
    check_xml(&svg);
    assert!(svg.contains("computation scalability"), "{svg}");
}

#[test]
fn clocks_that_nobody_corrected_leave_no_efficiencies() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    simulated(here, "one", 2, 2.0, 1);
    simulated_on(4, here, "four", 4, 1.0, 2);
    let found = json(here, "--strong one four");
    let note = found.get("notes")[0].as_str().unwrap();
    let said = "before the other side had come; `mpiscope sync four` corrects them";
    assert!(note.starts_with("four: ") && note.contains(said), "{note}");
    let sizes = found.get("sizes");
    assert!(sizes[0]["parallel"].is_number(), "{sizes:#}");
    for key in ["parallel", "global", "transfer", "computation_scalability"] {
        assert!(sizes[1][key].is_null(), "{key}: {sizes:#}");
    }
    in_folder(here, "sync four").check(0, &[]);
    let found = json(here, "--strong one four");
    assert!(
        found.get("sizes")[1]["parallel"].is_number(),
        "{:#}",
        found.0
    );
    let measured = json(here, "--strong --measured one four");
    assert!(measured.get("sizes")[1]["parallel"].is_null());
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    simulated(here, "a", 2, 1.0, 1);
    simulated(here, "b", 2, 1.0, 2);
    simulated(here, "c", 4, 1.0, 3);
    for (words, said) in [
        ("a", "all runs are on 2 ranks"),
        ("a b", "all runs are on 2 ranks"),
        ("a a", "named twice"),
        ("a c --reference 3", "they are on 2, 4"),
        ("a c --reference 4", "more than the 4 ranks"),
        ("a c --strong --weak", "--weak"),
        ("a nowhere", "nowhere"),
    ] {
        in_folder(here, &format!("scale {words}")).check(2, &[said]);
    }
    fs::create_dir(here.join("b/endings")).unwrap();
    fs::write(here.join("b/endings/1"), "signal 11 100").unwrap();
    in_folder(here, "scale b c --anyway").check(0, &[]);
    in_folder(here, "scale b c").check(2, &["b: the run has no end: rank 1 ended by signal 11"]);
    let events = here.join("a/traces/1.evt");
    let whole = fs::read(&events).unwrap();
    fs::write(&events, &whole[..whole.len() / 2]).unwrap();
    in_folder(here, "scale a c").check(3, &["1.evt", "--anyway"]);
    in_folder(here, "scale a c --anyway").check(3, &["1.evt"]);
    let damaged = in_folder(here, "scale a c --json");
    let damaged: Value = serde_json::from_str(&damaged.out).unwrap();
    assert!(damaged["damage"][0].is_string(), "{damaged:#}");
    fs::write(&events, whole).unwrap();
    in_folder(
        here,
        "simulate workers -n 8 --iterations 20 --hosts 1 -o other",
    )
    .check(0, &[]);
    // What is known of a run's end and program is in run.json.
    let change = |name: &str, key: &str, value: Value| {
        let path = here.join(name).join("run.json");
        let mut run: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        run[key] = value;
        fs::write(path, run.to_string()).unwrap();
    };
    change("c", "events_lost", 7.into());
    in_folder(here, "scale a c").check(2, &["7 events could not be kept", "--anyway"]);
    let anyway = in_folder(here, "scale a c --anyway");
    anyway.check(0, &[]);
    assert!(
        anyway.out.contains("note: c: the run is not complete"),
        "{}",
        anyway.out
    );
    in_folder(here, "scale a other").check(2, &["a is of pairs, and other of workers"]);
}

/// Runs the program traced on so many ranks, which share so many milliseconds.
fn amdahl(mpi: &'static Mpi, ranks: u32, shared: u32) -> Option<Run> {
    let trial = Trial::new(Case { mpi, ranks }, "tests/mpi/scale/amdahl.c")?;
    Some(trial.arguments(&[shared]).traced())
}

/// Expects that figures of strong scaling are what follows from the times beside them.
#[track_caller]
fn check_times(found: &Json) {
    let (ranks, times) = (of_sizes(found, "ranks"), of_sizes(found, "time_ns"));
    let core: Vec<f64> = ranks.iter().zip(&times).map(|(p, t)| p * t).collect();
    assert_eq!(of_sizes(found, "core_ns"), core);
    let efficiencies = of_sizes(found, "scaling_efficiency");
    for (at, efficiency) in efficiencies.iter().enumerate() {
        assert!(
            (efficiency - core[0] / core[at]).abs() < 1e-9,
            "{:#}",
            found.0
        );
        let lost = of_sizes(found, "lost_ns")[at];
        assert!((lost - (core[at] - core[0])).abs() < 1.0, "{:#}", found.0);
    }
    let worst = &found.get("rows")[0];
    let of = |key: &str| worst[key].as_f64().unwrap();
    let total = found.get("lost.total_ns").as_f64().unwrap();
    let share = of("excess_ns") / total * 100.0;
    assert!((of("share_percent") - share).abs() < 1e-9, "{worst:#}");
    let cause = &found.get("causes")[0];
    let waiting = cause["waiting_ns"].as_array().unwrap();
    let (first, last) = (waiting[0].as_i64(), waiting[waiting.len() - 1].as_i64());
    assert_eq!(
        cause["excess_ns"].as_i64(),
        Some(last.unwrap() - first.unwrap())
    );
    assert!(cause["rank_ns"].as_i64() <= last, "{cause:#}");
}

/// Returns the line that a comment in the program marks.
fn marked(mark: &str) -> usize {
    let text = fs::read_to_string(workspace().join("tests/mpi/scale/amdahl.c")).unwrap();
    let mark = format!("/* {mark} */");
    text.lines().position(|line| line.contains(&mark)).unwrap() + 1
}

#[test]
fn the_line_at_which_all_wait_for_a_serial_part_is_named() {
    for mpi in found() {
        // MPICH on more ranks than cores takes long for each message.
        let ranks: &[u32] = if mpi.name == "Open MPI" {
            &[1, 2, 4]
        } else {
            &[1, 2]
        };
        let runs: Option<Vec<Run>> = ranks.iter().map(|it| amdahl(mpi, *it, 100)).collect();
        let Some(runs) = runs else { continue };
        let (last, others) = runs.split_last().unwrap();
        let others: Vec<String> = others
            .iter()
            .map(|it| it.path.display().to_string())
            .collect();
        let found = last.json(&format!("scale --json {}", others.join(" ")));
        assert_eq!(found.text("scaling"), "strong", "{:#}", found.0);
        assert_eq!(found.text("scaling_from"), "found");
        let line = format!("MPI_Bcast@amdahl.c:{}", marked("BROADCAST"));
        let worst = &found.get("rows")[0];
        assert_eq!(worst["name"], format!("waiting in {line}"), "{:#}", found.0);
        assert_eq!(worst["line"], marked("BROADCAST"));
        assert!(worst["times_ideal"].is_null(), "{worst:#}");
        // What they wait for is the serial part, whose own core time stays the same.
        let cause = &found.get("causes")[0];
        let serial = format!("MPI_Barrier@amdahl.c:{}..{line}", marked("BARRIER"));
        assert_eq!(
            (&cause["name"], &cause["rank"]),
            (&serial.into(), &0.into())
        );
        let said = found.get("verdict").to_string();
        assert!(said.contains("waiting in MPI_Bcast at amdahl.c"), "{said}");
        // 50 of 150 ms are done by rank 0 alone: at most 3/4 on two ranks.
        for key in ["scaling_efficiency", "parallel"] {
            let efficiency = *of_sizes(&found, key).last().unwrap();
            assert!(efficiency < 0.9, "{key} {efficiency}");
        }
        check_times(&found);
        // With one rank nobody waits, so that two sizes are left at most.
        assert!(worst["exponent"].is_null(), "{worst:#}");
    }
}

#[test]
fn other_arguments_and_work_that_grows_with_the_ranks_are_weak_scaling() {
    for mpi in found() {
        let (Some(one), Some(two)) = (amdahl(mpi, 1, 200), amdahl(mpi, 2, 440)) else {
            continue;
        };
        let found = two.json(&format!("scale --json {}", one.path.display()));
        assert_eq!(found.text("scaling"), "weak", "{:#}", found.0);
        assert_eq!(found.text("scaling_from"), "found");
        let note = found.get("notes")[0].as_str().unwrap();
        assert!(note.contains("--strong for the other"), "{note}");
        let (times, efficiency) = (
            of_sizes(&found, "time_ns"),
            of_sizes(&found, "scaling_efficiency"),
        );
        assert!(
            (efficiency[1] - times[0] / times[1]).abs() < 1e-9,
            "{efficiency:?}"
        );
        // One of two ranks waits in each round while the other works alone.
        let line = format!("waiting in MPI_Bcast@amdahl.c:{}", marked("BROADCAST"));
        let mut rows = found.get("rows").as_array().unwrap().iter();
        let row = rows.find(|row| row["name"] == line);
        let row = row.unwrap_or_else(|| panic!("{:#}", found.0));
        assert_eq!(row["core_ns"][0], 0, "{row:#}");
        assert!(row["excess_ns"].as_i64() > Some(0), "{row:#}");
    }
}
