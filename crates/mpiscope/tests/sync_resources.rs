//! `mpiscope sync` writes the same bytes whatever it is given to work with, and what reads a run says
//! the same.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{digest, mpiscope, process};
use serde_json::Value;

/// Runs `mpiscope` with a line's words; returns what it says of itself.
#[track_caller]
fn json(folder: &Path, line: &str) -> Value {
    let mut command = Command::new(mpiscope());
    command.args(line.split(' ')).current_dir(folder);
    let done = process::run(&mut command);
    done.check(0, &[]);
    serde_json::from_str(&done.out).unwrap()
}

/// The archive's files; an anchor has a number that is drawn anew each time.
fn files(archive: &Path) -> BTreeMap<PathBuf, u64> {
    let files = digest(archive).into_iter();
    let files = files.filter(|(path, _)| path.extension().is_none_or(|end| end != "otf2"));
    let inside = |path: PathBuf| path.strip_prefix(archive).unwrap().to_owned();
    files
        .map(|(path, content)| (inside(path), content))
        .collect()
}

#[test]
fn threads_and_memory_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let made = json(
        place,
        "simulate mix -n 48 --hosts 6 --iterations 400 --start 600 --json -o mix.mpiscope",
    );
    assert!(made["events"].as_u64().unwrap() > 300_000, "{made}");
    let corrected = |name: &str, options: &str| {
        let line = format!("sync mix.mpiscope -o {name} --json {options}");
        let peak = json(place, &line)["peak_memory_bytes"].as_u64().unwrap();
        eprintln!("{options}: {} MiB at most", peak >> 20);
        (files(&place.join(name)), peak)
    };
    let (alone, most) = corrected("alone", "--threads 1");
    assert!(alone.len() > 48, "{alone:?}");
    for threads in [2, 8] {
        let name = format!("on-{threads}");
        let (together, _) = corrected(&name, &format!("--threads {threads}"));
        assert_eq!(together, alone);
    }
    let (small, peak) = corrected("small", "--threads 2 --memory 16M");
    assert_eq!(small, alone);
    // How soon pages are dropped depends on how busy the machine is.
    assert!(
        peak < most + (64 << 20),
        "{peak} bytes, without budget {most}"
    );
}

#[test]
fn memory_changes_no_word() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let line = "simulate mix -n 48 --hosts 6 --iterations 400 --start 600 --json -o mix.mpiscope";
    let events = json(place, line)["events"].as_u64().unwrap();
    assert!(events > 300_000, "{events}");
    // What one has kept another would say without looking.
    for what in [
        "analyze --causes --no-cache --json mix.mpiscope",
        "races --no-cache --json mix.mpiscope",
        "info --clocks --json mix.mpiscope",
    ] {
        assert_eq!(
            json(place, &format!("{what} --memory 16M")),
            json(place, what),
            "{what}"
        );
    }
}
