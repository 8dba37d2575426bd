//! What `analyze`, `races` and `explore` keep beside an archive changes nothing of what they say.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::mpiscope;
use common::process::{self, Done};

struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with a simulated run, which nobody has written to just now.
    fn with(simulated: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let line = format!("simulate {simulated} --hosts 3 --iterations 200 -o run");
        folder.mpiscope(&line).check(0, &[]);
        settle();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    #[track_caller]
    fn mpiscope(&self, line: &str) -> Done {
        let mut command = Command::new(mpiscope());
        command.args(line.split(' ')).current_dir(self.0.path());
        process::run(&mut command)
    }

    /// Returns what a command says; the same, whether it uses what is kept or not.
    #[track_caller]
    fn says(&self, line: &str) -> String {
        let anew = match line.split_once(" -- ") {
            Some((line, command)) => format!("{line} --no-cache -- {command}"),
            None => format!("{line} --no-cache"),
        };
        let anew = self.mpiscope(&anew);
        anew.check(0, &[]);
        for _ in 0..2 {
            let done = self.mpiscope(line);
            done.check(0, &[]);
            assert_eq!(done.out, anew.out, "{line}");
            assert_eq!(done.errors, anew.errors, "{line}");
        }
        anew.out
    }
}

fn settle() {
    std::thread::sleep(Duration::from_millis(200));
}

/// Returns how many bytes an archive has.
fn size(run: &Path) -> u64 {
    let events = fs::read_dir(run.join("traces")).unwrap();
    let events = events.map(|it| it.unwrap().path());
    let others = ["traces.otf2", "traces.def"].map(|name| run.join(name));
    let sizes = events
        .chain(others)
        .map(|path| fs::metadata(path).unwrap().len());
    sizes.sum()
}

#[test]
fn what_is_kept_says_the_same() {
    for program in ["halo", "pairs", "workers", "collectives", "mix"] {
        let folder = Folder::with(&format!("{program} -n 6"));
        folder.mpiscope("sync run").check(0, &[]);
        settle();
        let cache = folder.path("run/analysis.cache");
        assert!(!cache.exists());
        for line in [
            "analyze run",
            "analyze --json run",
            "analyze --top 2 run",
            "analyze run/traces.otf2",
            "analyze --clock measured run",
            "analyze --clock interpolated run/traces.otf2",
            "races run",
            "races --json run",
            "races --verbose run",
            "races --sarif - run",
            "races run/traces.otf2",
            "analyze run/corrected/traces.otf2",
            "explore --budget 0 run -- true",
            "explore --budget 0 --json run -- true",
            "explore --budget 0 run/traces.otf2 -- true",
        ] {
            folder.says(line);
        }
        let archive = size(&folder.path("run"));
        let kept = fs::metadata(&cache).unwrap().len();
        assert!(10 * kept <= archive, "{program}: {kept} of {archive}");
    }
}

#[test]
fn nothing_is_kept_if_nobody_wants_it() {
    let folder = Folder::with("mix -n 4");
    for line in [
        "analyze --no-cache run",
        "races --no-cache run",
        "explore --no-cache --budget 0 run -- true",
    ] {
        folder.mpiscope(line).check(0, &[]);
        assert!(!folder.path("run/analysis.cache").exists(), "{line}");
    }
}

#[test]
fn a_command_that_cannot_be_run_is_refused_whatever_is_kept() {
    for program in ["halo -n 4", FEW_RACES] {
        let folder = Folder::with(program);
        folder.says("explore --budget 0 run -- true");
        for line in ["explore run -- ./nope", "explore --budget 0 run -- ./nope"] {
            folder
                .mpiscope(line)
                .check(2, &["./nope: program not found"]);
        }
    }
}

/// A run in which few receives race, so that all that can be forced has room.
const FEW_RACES: &str = "workers -n 4";

#[test]
fn what_explore_finds_answers_races_and_explore_itself() {
    let folder = Folder::with(FEW_RACES);
    let cache = folder.path("run/analysis.cache");
    let forced = "explore --budget 0 --json run -- true";
    let races = folder.mpiscope("races --json --no-cache run");
    let first = folder.mpiscope(forced);
    first.check(0, &[]);
    let kept = fs::read(&cache).unwrap();
    let said: serde_json::Value = serde_json::from_str(&first.out).unwrap();
    assert!(said["alternatives"].as_u64() > Some(0), "{said:#}");
    // Whoever looks anew keeps that in front.
    let after = folder.mpiscope("races --json run");
    assert_eq!(after.out, races.out);
    assert_eq!(folder.mpiscope(forced).out, first.out);
    assert!(kept == fs::read(&cache).unwrap(), "somebody looked anew");
}

#[test]
fn what_was_kept_of_races_is_no_help_with_another_archive() {
    let folder = Folder::with(FEW_RACES);
    let cache = folder.path("run/analysis.cache");
    let forced = "explore --budget 0 --json run -- true";
    let before = folder.says(forced);
    folder
        .mpiscope("simulate workers -n 4 --hosts 3 --iterations 220 --force -o run")
        .check(0, &[]);
    settle();
    let other = folder.says(forced);
    assert_ne!(other, before);
    let good = fs::read(&cache).unwrap();
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 1;
    fs::write(&cache, damaged).unwrap();
    assert_eq!(folder.mpiscope(forced).out, other);
    assert!(good == fs::read(&cache).unwrap());
}

#[test]
fn what_was_kept_of_another_archive_is_not_said() {
    let folder = Folder::with("mix -n 4");
    let cache = folder.path("run/analysis.cache");
    let before = folder.says("analyze run");
    assert!(cache.exists());
    folder
        .mpiscope("simulate mix -n 4 --hosts 3 --iterations 220 --force -o run")
        .check(0, &[]);
    settle();
    assert_ne!(folder.says("analyze run"), before);
    // The same times as if it were the old run, all the same.
    folder.mpiscope("sync run").check(0, &[]);
    let kept = fs::read(&cache).unwrap();
    folder.mpiscope("analyze run").check(0, &[]);
    assert!(fs::read(&cache).map_or(true, |now| now != kept));
}

#[test]
fn damage_of_what_is_kept_is_no_error() {
    let folder = Folder::with("mix -n 4");
    let cache = folder.path("run/analysis.cache");
    folder.says("races run");
    let good = fs::read(&cache).unwrap();
    for (at, content) in [
        (0, good[..good.len() / 2].to_vec()),
        (1, b"of another tool".to_vec()),
        (2, Vec::new()),
        (3, [&good[..], b"more"].concat()),
    ] {
        fs::write(&cache, content).unwrap();
        folder.mpiscope("races run").check(0, &[]);
        folder.says("races run");
        assert_eq!(fs::read(&cache).unwrap().len(), good.len(), "{at}");
    }
}

#[test]
fn a_packed_run_has_none() {
    let folder = Folder::with("mix -n 4");
    let said = folder.says("races --json run");
    folder.mpiscope("pack run -o run.tar.zst").check(0, &[]);
    folder.mpiscope("unpack run.tar.zst -o back").check(0, &[]);
    assert!(folder.path("run/analysis.cache").exists());
    assert!(!folder.path("back/analysis.cache").exists());
    let packed = folder.says("races --json run.tar.zst");
    assert_eq!(packed.replace("run.tar.zst", "run"), said);
}

/// How many bytes commands keep of a run beside its archive.
fn kept(run: &Path) -> u64 {
    let files = ["analysis.cache", "view.cache"].map(|name| run.join(name));
    let sizes = files.iter().map(fs::metadata);
    sizes.map(|it| it.map_or(0, |it| it.len())).sum()
}

/// The smaller the archive, the fewer answers have room; all is said all the same.
#[test]
fn at_most_a_tenth_is_kept_of_archives_of_any_size() {
    let mut sizes = Vec::new();
    for iterations in [1, 5, 20, 100, 400] {
        let folder = Folder(tempfile::tempdir().unwrap());
        let line = format!("simulate pairs -n 4 --hosts 2 --iterations {iterations} -o run");
        folder.mpiscope(&line).check(0, &[]);
        settle();
        let run = folder.path("run");
        folder.mpiscope("report run -o report.html").check(0, &[]);
        for line in ["analyze --json run", "races --json run", "analyze run"] {
            folder.says(line);
        }
        let (archive, kept) = (size(&run), kept(&run));
        assert!(10 * kept <= archive, "{iterations}: {kept} of {archive}");
        sizes.push(kept);
    }
    assert!(sizes[0] < sizes[4], "{sizes:?}");
}
