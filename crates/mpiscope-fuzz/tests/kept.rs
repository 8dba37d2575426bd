//! What a search found once is never found again.
#![forbid(unsafe_code)]

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use mpiscope_fuzz::{target, Target, TARGETS};

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kept")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Replays what was kept of a target; returns what went wrong.
fn replay(target: &Target) -> Vec<String> {
    let kept = entries(&kept().join(target.name));
    assert!(!kept.is_empty(), "{}: nothing is kept", target.name);
    let wrong = kept.into_iter().filter(|path| {
        let input = fs::read(path).unwrap();
        catch_unwind(|| target.run(&input)).is_err()
    });
    wrong.map(|path| path.display().to_string()).collect()
}

#[test]
fn nothing_that_was_kept_does_harm() {
    let wrong: Vec<String> = TARGETS.iter().flat_map(replay).collect();
    assert!(wrong.is_empty(), "replay of {wrong:#?}");
}

#[test]
fn what_is_kept_has_a_target() {
    for folder in entries(&kept()) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(target(name).is_some(), "{name}");
    }
}

/// The bound of memory is one: who asks for more is found.
#[test]
#[should_panic(expected = "bytes of memory")]
fn who_takes_too_much_memory_is_found() {
    let greedy = Target {
        name: "greedy",
        body: |_| drop(std::hint::black_box(vec![1u8; 512 << 20])),
        per_byte: 0,
    };
    greedy.run(&[]);
}
