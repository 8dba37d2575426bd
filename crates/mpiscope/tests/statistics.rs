//! What `mpiscope sync` says of a simulated run, and leaves beside it.

use std::path::Path;
use std::process::Command;

use mpiscope_archive::uncertainty::Uncertainty;
use serde_json::Value;

fn mpiscope(arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mpiscope"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// A run of 16 ranks on 4 hosts, in the middle of 20 minutes.
fn simulated() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let line = "simulate partial -n 16 --hosts 4 --iterations 40 -o a.mpiscope";
    mpiscope(&line.split(' ').collect::<Vec<_>>(), folder.path());
    folder
}

fn sync(folder: &Path, options: &str) -> Value {
    let line = format!("sync --json --force {options} a.mpiscope");
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut facts: Value = serde_json::from_str(&mpiscope(&words, folder)).unwrap();
    // What is no property of the result.
    for name in ["seconds", "peak_memory_bytes"] {
        facts[name] = Value::Null;
    }
    facts
}

#[test]
fn classes_and_pairs_of_hosts_are_counted_apart() {
    let folder = simulated();
    let facts = sync(folder.path(), "--presync linear --pairs all");
    let statistics = &facts["statistics"];
    let measured = &statistics["measured"];
    let count = |class: &str| measured[class]["messages"].as_u64().unwrap();
    assert_eq!(count("all"), facts["messages"]["logical"].as_u64().unwrap());
    assert_eq!(count("same_clock") + count("far"), count("all"));
    assert_eq!(
        measured["all"]["reversed"]["count"],
        facts["violations"]["measured"]["reversed"]
    );
    assert_eq!(measured["same_clock"]["reversed"]["count"], 0);
    assert_eq!(statistics["corrected"]["all"]["too_early"]["count"], 0);
    assert_eq!(statistics["place"], "host");
    let pairs = statistics["pairs"].as_array().unwrap();
    let of_pairs = pairs
        .iter()
        .map(|it| it["measured"]["messages"].as_u64().unwrap());
    assert_eq!(
        of_pairs.sum::<u64>(),
        statistics["found"]["of"].as_u64().unwrap()
    );
    // What the logical clock found, moved and distorted, by class and by pair.
    let found = |part: &Value| part["found"]["count"].as_u64().unwrap();
    let received = &statistics["received"];
    let all = statistics["found"]["count"].as_u64().unwrap();
    assert!(all > 0);
    assert_eq!(
        found(&received["same_clock"]) + found(&received["far"]),
        all
    );
    let of_pairs = pairs.iter().map(|it| found(&it["received"]));
    assert_eq!(of_pairs.sum::<u64>(), all);
    assert!(received["far"]["moved"]["share"].as_f64() > Some(0.1));
    assert!(received["far"]["intervals"]["grown"]["worst_ns"].as_i64() > Some(0));
    assert_eq!(
        received["all"]["worst_ns"]
            .as_i64()
            .max(facts["max_displacement_ns"].as_i64()),
        facts["max_displacement_ns"].as_i64()
    );
    assert!(statistics["intervals"]["logical_clock"]["grown"]["count"].as_u64() > Some(0));
}

#[test]
fn info_checks_by_what_the_correction_was_told() {
    let folder = simulated();
    let facts = sync(
        folder.path(),
        "--assume init --lmin far=900ns --lmin node0:node1=1500ns",
    );
    assert_eq!(facts["assume"], serde_json::json!(["init"]));
    assert_eq!(facts["latency"]["far"]["ns"], 900);
    let line = ["info", "--json", "a.mpiscope"];
    let info: Value = serde_json::from_str(&mpiscope(&line, folder.path())).unwrap();
    assert_eq!(info["latency"], facts["latency"]);
    let [ours, theirs] = [&info, &facts].map(|it| &it["violations"]["corrected"]);
    assert_eq!(ours, theirs);
    let [ours, theirs] = [&info, &facts].map(|it| &it["messages"]["logical"]);
    assert_eq!(ours, theirs);
    let text = mpiscope(&["info", "a.mpiscope"], folder.path());
    assert!(
        text.contains("1.5 µs (as configured) between node0 and node1"),
        "{text}"
    );
}

#[test]
fn a_host_that_no_trace_has_is_refused() {
    let folder = simulated();
    let output = Command::new(env!("CARGO_BIN_EXE_mpiscope"))
        .args(["sync", "--lmin", "node0:node9=1us", "a.mpiscope"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("no host is called node9"), "{stderr}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = simulated();
    let one = sync(folder.path(), "--presync linear --threads 1");
    let file = |name: &str| std::fs::read(folder.path().join("a.mpiscope/corrected").join(name));
    let events = file("traces/3.evt").unwrap();
    let two = sync(folder.path(), "--presync linear --threads 2");
    assert_eq!(one, two);
    assert_eq!(file("traces/3.evt").unwrap(), events);
}

#[test]
fn half_widths_lie_beside_the_corrected_archive() {
    let folder = simulated();
    let facts = sync(folder.path(), "");
    assert!(facts["uncertainty"]["median_ns"].as_i64() > Some(0));
    let kept = Uncertainty::read(&folder.path().join("a.mpiscope/corrected"));
    let kept = kept.unwrap().unwrap();
    assert_eq!(kept.clocks.len(), 16);
    assert!(kept
        .windows
        .iter()
        .all(|window| window.to_master_ns.len() == 4 && window.interval_ns.len() == 4));
    let info = mpiscope(&["info", "a.mpiscope"], folder.path());
    assert!(info.contains("clocks are right to within"), "{info}");
}

#[test]
fn clocks_are_drawn_to_order() {
    let folder = simulated();
    let facts = sync(
        folder.path(),
        "--plot clocks.svg --control paper --delta 1ns --lmin 1us",
    );
    assert_eq!(
        (&facts["control"], &facts["delta_ns"]),
        (&"paper".into(), &1.into())
    );
    let svg = std::fs::read_to_string(folder.path().join("clocks.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("node3"));
}
