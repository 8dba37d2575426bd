//! `mpiscope repair`: what it says, where it writes, and what it refuses.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::trial::Json;
use common::{mpiscope, process, workspace, Done};

/// A folder with the archive that EZTrace wrote.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        let kept = workspace().join("crates/mpiscope/tests/archives/eztrace");
        copy(&kept, &place.path("eztrace"));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    #[track_caller]
    fn mpiscope(&self, line: &str) -> Done {
        let mut command = Command::new(mpiscope());
        process::run(command.args(line.split(' ')).current_dir(&self.0))
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

const ARCHIVE: &str = "eztrace/eztrace_log.otf2";

#[test]
fn what_was_mended_and_what_is_left_is_told() {
    let place = Place::new();
    let done = place.mpiscope(&format!("repair {ARCHIVE} -o clean"));
    done.check(0, &[]);
    for word in [
        "mended",
        "left",
        "first",
        "leave-without-enter",
        "cannot be mended",
    ] {
        assert!(done.out.contains(word), "{word}: {}", done.out);
    }
    // Whatever is left nobody can mend.
    let done = place.mpiscope("check --json clean");
    let json: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let findings = json["archives"][0]["findings"].as_array().unwrap();
    let rules: Vec<&str> = findings
        .iter()
        .map(|it| it["rule"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["init-missing", "finalize-missing"]);
}

#[test]
fn json_tells_the_same() {
    let place = Place::new();
    let done = place.mpiscope(&format!("repair --json {ARCHIVE} -o clean"));
    done.check(0, &[]);
    let json = Json(serde_json::from_str(&done.out).unwrap());
    assert_eq!(*json.get("copied"), false);
    assert_eq!(*json.get("events"), 1016);
    assert_eq!(*json.get("events_added"), 3);
    let rules = json.get("rules").as_array().unwrap();
    let of = |rule: &str| rules.iter().find(|it| it["rule"] == rule).unwrap();
    assert_eq!(of("event-count")["mended"], 4);
    assert_eq!(of("event-count")["why_left"], serde_json::Value::Null);
    assert_eq!(of("init-missing")["left"], 4);
}

#[test]
fn a_clean_archive_is_copied_and_that_is_said() {
    let place = Place::new();
    place
        .mpiscope("simulate halo -n 4 --iterations 20 -o halo.mpiscope")
        .check(0, &[]);
    let done = place.mpiscope("repair halo.mpiscope -o copy");
    done.check(0, &[]);
    assert!(done.out.contains("copied as it is"), "{}", done.out);
    let bytes = |folder: &str| fs::read(place.path(folder).join("traces/0.evt")).unwrap();
    assert_eq!(bytes("halo.mpiscope"), bytes("copy"));
}

#[test]
fn of_a_damaged_archive_what_could_be_read_is_in_the_copy() {
    let place = Place::new();
    let events = place.path("eztrace/eztrace_log/0.evt");
    let bytes = fs::read(&events).unwrap();
    fs::write(&events, &bytes[..bytes.len() / 2]).unwrap();
    let done = place.mpiscope(&format!("repair {ARCHIVE} -o clean"));
    done.check(3, &[]);
    assert!(done.out.contains("file-cut"), "{}", done.out);
    // Without definitions nothing tells what events mean.
    fs::remove_file(place.path("eztrace/eztrace_log.def")).unwrap();
    let names = place.names();
    place
        .mpiscope(&format!("repair {ARCHIVE} -o other"))
        .check(3, &["eztrace_log.def"]);
    assert_eq!(place.names(), names);
}

#[test]
fn nothing_is_overwritten_that_should_stay() {
    let place = Place::new();
    let refused = |line: &str, word: &str| place.mpiscope(line).check(2, &[word]).code;
    place
        .mpiscope(&format!("repair {ARCHIVE} -o clean"))
        .check(0, &[]);
    refused(&format!("repair {ARCHIVE} -o clean"), "--force");
    place
        .mpiscope(&format!("repair {ARCHIVE} -o clean --force"))
        .check(0, &[]);
    for out in ["eztrace", "."] {
        refused(&format!("repair {ARCHIVE} --force -o {out}"), "another");
    }
    fs::create_dir(place.path("thesis")).unwrap();
    fs::write(place.path("thesis/text"), "").unwrap();
    refused(&format!("repair {ARCHIVE} --force -o thesis"), "no archive");
    refused("repair nothing -o out", "nothing");
    refused(&format!("repair {ARCHIVE}"), "--output");
    assert_eq!(place.names(), ["clean", "eztrace", "thesis"]);
}
