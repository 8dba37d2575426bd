//! Every command that reads an archive, on every archive.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::trial::Json;
use crate::common::{mpiscope, process, Done};
use crate::{extrae, receives_missing, score_p, tau};

/// Writes an archive into a folder and returns its anchor.
type Write = fn(&Path) -> PathBuf;

/// The archives, by the tool that writes so.
pub const ARCHIVES: [(&str, Write); 4] = [
    ("score-p", score_p::write),
    ("tau", tau::write),
    ("extrae", extrae::write),
    ("receives-missing", receives_missing::write),
];

/// Commands that take an archive; options come after it.
const COMMANDS: [&str; 34] = [
    "info",
    "info --json",
    "info --clocks",
    "sync -o corrected",
    "sync -o corrected-json --json",
    "analyze",
    "analyze --json",
    "analyze --clock corrected",
    "analyze --causes",
    "profile",
    "profile --json --by callpath,location,host,communicator,size,matrix,host-matrix",
    "profile --clock corrected --by line",
    "whatif",
    "whatif --latency 0 --json",
    "refine",
    "refine --json",
    "refine --apply -o its.filter",
    "report -o report.html",
    "print",
    "print --json",
    "print --merged",
    "print --merged --json",
    "print --merged --memory 1M",
    "races",
    "races --json",
    "races --sarif races.sarif",
    "export --to parquet -o parquet",
    "export --to csv -o csv",
    "export --to perfetto -o trace.perfetto",
    "export --to speedscope -o trace.speedscope",
    "check",
    "check --json",
    "repair -o repaired",
    "pack -o packed",
];

/// Runs a command, `COMMAND OPTIONS`, on an archive in its own folder.
#[track_caller]
pub fn run(line: &str, archive: &Path) -> Done {
    let (command, options) = line.split_once(' ').unwrap_or((line, ""));
    let folder = archive.parent().unwrap();
    process::run(
        Command::new(mpiscope())
            .arg(command)
            .arg(archive.file_name().unwrap())
            .args(options.split_whitespace())
            .current_dir(folder),
    )
}

/// Returns what a command prints.
#[track_caller]
pub fn said(line: &str, archive: &Path) -> String {
    let done = run(line, archive);
    done.check(0, &[]);
    done.out
}

/// Returns the JSON that a command prints.
#[track_caller]
pub fn json(line: &str, archive: &Path) -> Json {
    Json(serde_json::from_str(&said(line, archive)).unwrap())
}

/// Returns the sentences that say what is not known: notes, warnings, `unknown`, `cannot be told`.
#[track_caller]
pub fn limits(line: &str, archive: &Path) -> String {
    let text = said(line, archive);
    // Long lines are broken, and go on two columns to the right.
    let text = text.replace("\n  ", " ");
    let is_one = |line: &&str| {
        let marks = ["note:", "warning:", "unknown:", "cannot be told"];
        marks.iter().any(|mark| line.contains(mark))
    };
    let lines: Vec<&str> = text.lines().filter(is_one).collect();
    lines.join("\n")
}

/// Expects that every command reads an archive, and does not fall over it.
#[track_caller]
pub fn check_all(tool: &str, archive: &Path) {
    for line in COMMANDS {
        let done = run(line, archive);
        done.check_calm();
        // 1: what `check` finds, and violations that a correction leaves.
        assert!(done.code <= 1, "{tool}, {line}: {done:#?}");
    }
}

#[test]
fn every_command_reads_every_archive() {
    for (tool, write) in ARCHIVES {
        let folder = tempfile::tempdir().unwrap();
        check_all(tool, &write(&folder.path().join("archive")));
    }
}

/// `scale` takes two archives at least, on different numbers of ranks.
#[test]
fn scale_reads_every_archive_beside_one_on_more_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let written = ARCHIVES.map(|(tool, write)| (tool, write(&folder.path().join(tool))));
    let (_, more) = written.iter().find(|(tool, _)| *tool == "tau").unwrap();
    for (tool, archive) in &written {
        let one = scale(&[archive]);
        one.check_calm();
        one.check(2, &["cannot tell how it scales: all runs are on"]);
        if archive == more {
            continue;
        }
        let found = scaled(&[archive, more]);
        let rows = found.get("rows").as_array().unwrap();
        let lost = rows.iter().map(|it| it["excess_ns"].as_i64().unwrap());
        let (lost, total) = (
            lost.sum::<i64>(),
            found.get("lost.total_ns").as_i64().unwrap(),
        );
        let rounded = rows.len() as i64;
        assert!((lost - total).abs() <= rounded, "{tool}: {lost} {total}");
    }
}

/// What is not told of waiting is a note, and communication is then not said to be without it.
#[test]
fn scale_says_what_is_not_told_of_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let few = receives_missing::write(&folder.path().join("few"));
    let more = tau::write(&folder.path().join("more"));
    let found = scaled(&[&few, &more]);
    assert_eq!(found.get("waiting_is_known"), false);
    let notes = found.get("notes").to_string();
    let said = "messages whose receives are missing: the archive has 20 sends and no receive";
    assert!(notes.contains(said), "{notes}");
    let verdict = found.get("verdict").to_string();
    assert!(!verdict.contains("without waiting"), "{verdict}");
}

/// `diff` takes two archives of as many ranks: copies of one have no differences.
#[test]
fn diff_reads_every_archive_beside_its_copy() {
    let folder = tempfile::tempdir().unwrap();
    for (tool, write) in ARCHIVES {
        let [a, b] = ["a", "b"].map(|it| write(&folder.path().join(format!("{tool}-{it}"))));
        let done = process::run(
            Command::new(mpiscope())
                .args(["diff", "--json"])
                .args([a, b]),
        );
        done.check(0, &[]);
        let found = Json(serde_json::from_str(&done.out).unwrap());
        let mut rows = found.get("rows").as_array().unwrap().iter();
        assert!(
            rows.all(|row| row["change_ns"] == 0.0),
            "{tool}: {:#}",
            found.0
        );
    }
}

fn scale(archives: &[&Path]) -> Done {
    let options = ["--anyway", "--json"];
    process::run(
        Command::new(mpiscope())
            .arg("scale")
            .args(archives)
            .args(options),
    )
}

#[track_caller]
fn scaled(archives: &[&Path]) -> Json {
    let done = scale(archives);
    done.check(0, &[]);
    Json(serde_json::from_str(&done.out).unwrap())
}
