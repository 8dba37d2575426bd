//! The page and its report on every archive: whatever a tool leaves out, each question has an
//! answer, and what cannot be told is said.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::commands::{json, said, ARCHIVES};
use crate::common::trial::Json;
use crate::common::view::{answers, View};

/// Events of a row that are asked for.
const EVENTS: u64 = 60;
/// Bins of a tile.
const BINS: f64 = 256.0;

/// A run that is shown, and what is said of it.
struct Shown {
    view: View,
    run: Value,
}

impl Shown {
    #[track_caller]
    fn start(archive: &Path) -> Shown {
        let folder = archive.parent().unwrap();
        let name = archive.file_name().unwrap().to_str().unwrap();
        let view = View::start(folder, &format!("view --no-cache {name}"));
        let run = view.json("/api/meta")["runs"][0].clone();
        Shown { view, run }
    }

    fn rows(&self) -> &[Value] {
        self.run["rows"].as_array().unwrap()
    }

    /// Returns rows that have events of their own, with their numbers.
    fn leaves(&self) -> impl Iterator<Item = (u64, &Value)> {
        let rows = self.rows();
        let above: BTreeSet<u64> = rows.iter().filter_map(|it| it["parent"].as_u64()).collect();
        (0..).zip(rows).filter(move |(at, _)| !above.contains(at))
    }

    fn clocks(&self) -> Vec<&str> {
        let clocks = self.run["clocks"].as_array().unwrap();
        clocks.iter().map(|clock| clock.as_str().unwrap()).collect()
    }

    fn best(&self) -> &str {
        self.run["clock"].as_str().unwrap()
    }

    /// Returns the sentences on what is missing.
    fn notes(&self) -> Vec<String> {
        let notes = self.run["notes"].as_array().unwrap();
        let notes = notes.iter().map(|note| note.as_str().unwrap().to_owned());
        notes.collect()
    }

    /// Returns what a clock is asked for, and answered: an answer, or that there is none.
    #[track_caller]
    fn ask(&self, clock: &str, question: &str, statuses: &[u16]) -> (u16, Vec<u8>) {
        let path = format!("/api/run/0/{clock}/{question}");
        let (status, body) = self.view.get(&path, &self.view.token);
        let text = String::from_utf8_lossy(&body);
        assert!(statuses.contains(&status), "{path}: {status} {text}");
        (status, body)
    }

    #[track_caller]
    fn json(&self, question: &str) -> Value {
        self.view.json(&format!("/api/run/0/{question}"))
    }
}

/// Rows have all events of the archive, each once.
#[track_caller]
fn check_rows(shown: &Shown, info: &Json) {
    let rows = shown.rows();
    assert!(!rows.is_empty());
    let leaves = shown.leaves();
    let events: u64 = leaves.map(|(_, row)| row["events"].as_u64().unwrap()).sum();
    assert_eq!(events, info.figure("events"), "{rows:#?}");
    assert_eq!(shown.run["events"], events);
    assert_eq!(
        shown.run["messages"],
        *info.get("messages.point_to_point"),
        "{:#}",
        info.0
    );
    assert!(!shown.run["verdict"].as_array().unwrap().is_empty());
}

/// Each level has its first and its last tile, by each clock.
#[track_caller]
fn check_tiles(shown: &Shown) {
    let levels = shown.run["levels"].as_array().unwrap();
    for clock in shown.clocks() {
        let length = shown.run["spans"][clock]["length"].as_f64().unwrap();
        for (level, it) in levels.iter().enumerate() {
            let last = (length / (BINS * it["bin"].as_f64().unwrap())) as u64;
            for tile in BTreeSet::from([0, last]) {
                for (number, kind) in (1u32..).zip(["shares", "spans", "messages", "collectives"]) {
                    let block = if number <= 2 { "/0" } else { "" };
                    let question = format!("{kind}/{level}/{tile}{block}");
                    let (_, body) = shown.ask(clock, &question, &[200]);
                    let head = [1u32.to_le_bytes(), number.to_le_bytes()].concat();
                    assert!(body.starts_with(&head), "{clock}, {question}");
                }
            }
        }
    }
}

/// Each event stands in a call of which all is told, or in none.
#[track_caller]
fn check_events(shown: &Shown) {
    let mut calls = 0;
    for (at, row) in shown.leaves() {
        let count = row["events"].as_u64().unwrap().min(EVENTS);
        for event in 0..count {
            for clock in shown.clocks() {
                let question = format!("event/{at}/{event}");
                let (status, body) = shown.ask(clock, &question, &[200, 404]);
                match status {
                    200 => calls += 1,
                    _ => {
                        let text = String::from_utf8_lossy(&body);
                        assert!(
                            text.contains("stands in none"),
                            "{clock}, {question}: {text}"
                        );
                    }
                }
            }
        }
    }
    assert!(calls > 0);
}

/// What was found stands somewhere, and that place has a time and can be looked at.
#[track_caller]
fn check_findings(shown: &Shown) {
    let found = shown.json("findings?limit=1000");
    for finding in found["findings"].as_array().unwrap() {
        assert_ne!(finding["text"], "");
        for place in finding["places"].as_array().unwrap() {
            let (row, event) = (&place["row"], &place["event"]);
            let times = format!("times?events={row}:{event}");
            for clock in shown.clocks() {
                shown.ask(clock, &times, &[200]);
                shown.ask(clock, &format!("event/{row}/{event}"), &[200, 404]);
            }
        }
    }
}

/// Sums, searches and iterations have answers.
#[track_caller]
fn check_sums(shown: &Shown) {
    for clock in shown.clocks() {
        let summary = shown.json(&format!("{clock}/summary"));
        let [from, to] = ["from", "to"].map(|it| summary[it].as_u64().unwrap());
        let classes = summary["classes"].as_array().unwrap();
        let sum: u64 = classes.iter().map(|it| it.as_u64().unwrap()).sum();
        let rows = summary["balance"].as_array().unwrap().len() as u64;
        assert_eq!(sum, rows * (to - from), "{clock}: {summary:#}");
        shown.json(&format!("{clock}/iterations"));
        let found = shown.json(&format!("{clock}/search?text=&from=0&direction=next"));
        assert!(found["total"].as_u64() > Some(0), "{found:#}");
        shown.ask(clock, "at?row=0&time=0", &[200, 404]);
    }
}

/// What `info` says is not told, the page says, too.
#[track_caller]
fn check_notes(shown: &Shown, info: &Json) {
    let notes = shown.notes();
    let told = info.get("notes").as_array().unwrap();
    let told = told.iter().map(|note| note.as_str().unwrap());
    // What `info` means by its own words.
    for note in told.filter(|note| !note.contains("what is said of measured")) {
        assert!(notes.iter().any(|it| it == note), "no {note} in {notes:#?}");
    }
}

/// A report says of the run what the page says.
#[track_caller]
fn check_report(shown: &Shown, held: &BTreeMap<String, Vec<u8>>) {
    let meta: Value = serde_json::from_slice(&held["meta"]).unwrap();
    let said = &meta["runs"][0];
    for key in ["verdict", "rows", "clocks", "events", "reversed"] {
        assert_eq!(said[key], shown.run[key], "{key}");
    }
    // And a sentence on what a report names.
    let notes = said["notes"].as_array().unwrap();
    let of_page = shown.run["notes"].as_array().unwrap();
    assert!(notes.starts_with(of_page), "{notes:#?}, {of_page:#?}");
    let tile = format!("run/0/{}/spans/", shown.best());
    assert!(held.keys().any(|it| it.starts_with(&tile)));
}

/// Expects that an archive is shown without an error, and honestly; returns what is noted.
#[track_caller]
pub fn check(archive: &Path) -> Vec<String> {
    // Tests run one command at a time, and the server is one.
    let info = json("info --json", archive);
    let analyzed = json("analyze --json", archive);
    said("report --force -o view.html", archive);
    let held = answers(&archive.with_file_name("view.html"));
    let shown = Shown::start(archive);
    // Of other tools' times nobody knows whether they were corrected, but by offsets that they hold.
    let clock = analyzed.get("clock").as_str().unwrap_or("measured");
    assert_eq!(shown.best(), clock);
    check_rows(&shown, &info);
    check_tiles(&shown);
    check_events(&shown);
    check_findings(&shown);
    check_sums(&shown);
    check_notes(&shown, &info);
    check_report(&shown, &held);
    let notes = shown.notes();
    shown.view.end();
    notes
}

/// Corrects an archive, and returns the anchor of what that makes.
#[track_caller]
pub fn corrected(archive: &Path) -> PathBuf {
    json("sync --force -o shown --json", archive);
    archive.with_file_name("shown").join("traces.otf2")
}

#[test]
fn every_archive_is_shown_as_it_is_and_corrected() {
    for (tool, write) in ARCHIVES {
        println!("{tool}");
        let folder = tempfile::tempdir().unwrap();
        let archive = write(&folder.path().join("archive"));
        check(&archive);
        check(&corrected(&archive));
    }
}
