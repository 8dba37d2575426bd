//! FORMATS.md has the number of every format as the sources have it, and what builds have written
//! in each number that is promised is read by the commands that users read it with.
//!
//! `tests/archives/make-samples` writes a folder of samples; none is ever written anew.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::folder::{in_folder, json_of};
use common::mpi::{self, OPEN_MPI};
use common::{mpiscope, process, workspace, Done};
use serde_json::json;
use tempfile::TempDir;

/// A source file, and the number in it.
type Numbers = BTreeMap<String, u32>;

#[test]
fn the_table_has_the_number_of_every_format() {
    let mut actual = Numbers::new();
    numbers(&workspace().join("crates"), &mut actual);
    assert!(actual.len() > 10, "{actual:?}");
    assert_eq!(documented(), actual);
}

fn documented() -> Numbers {
    let text = fs::read_to_string(workspace().join("FORMATS.md")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, _, _, number, source, ..] = cells[..] else {
            return None;
        };
        let source = source.trim_matches('`');
        Some((source.to_owned(), number.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

/// Collects what sources declare as `const VERSION: u32 = 1;` or by the two other names.
fn numbers(folder: &Path, found: &mut Numbers) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("tests") {
            numbers(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let source = path
                .strip_prefix(workspace())
                .unwrap()
                .display()
                .to_string();
            found.extend(text.lines().find_map(number).map(|number| (source, number)));
        }
    }
}

fn number(line: &str) -> Option<u32> {
    let (_, declared) = line.split_once("const ")?;
    let (name, value) = declared.split_once(": u32 = ")?;
    let is_format = ["VERSION", "FORMAT", "INTERFACE"].contains(&name);
    value
        .trim_end_matches(';')
        .parse()
        .ok()
        .filter(|_| is_format)
}

/// Where a sample of a format is: its source, the folder and file of the sample, and of a packed run
/// the file in it.
const SAMPLES: [(&str, &str, &str); 10] = [
    (
        "crates/mpiscope-run/src/run_info.rs",
        "samples-1/traced.tar.zst",
        "run.json",
    ),
    (
        "crates/mpiscope-run/src/order/file.rs",
        "samples-1/traced.tar.zst",
        "order/0.order",
    ),
    (
        "crates/mpiscope-run/src/payload/file.rs",
        "samples-1/payload.tar.zst",
        "payload/0.payload",
    ),
    (
        "crates/mpiscope-run/src/statistics/file.rs",
        "samples-1/monitored.tar.zst",
        "stats/0.statistics",
    ),
    (
        "crates/mpiscope-model/src/structure.rs",
        "samples-1/work.o",
        "",
    ),
    (
        "crates/mpiscope-archive/src/uncertainty.rs",
        "samples-1/shifted.tar.zst",
        "corrected/uncertainty.json",
    ),
    (
        "crates/mpiscope/src/shifts.rs",
        "samples-1/shifted.tar.zst",
        "shifts.json",
    ),
    (
        "crates/mpiscope/src/explore/state.rs",
        "samples-1/traced.tar.zst",
        "explore/state.json",
    ),
    (
        "crates/mpiscope/src/packed/index.rs",
        "samples-1/traced.tar.zst",
        "",
    ),
    (
        "crates/mpiscope/src/diff/baseline.rs",
        "samples-1/baseline.json",
        "",
    ),
];

fn sample(name: &str) -> PathBuf {
    workspace()
        .join("crates/mpiscope/tests/archives")
        .join(name)
}

/// Returns a folder in which the packed run of a sample lies as `run`.
#[track_caller]
fn unpacked(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = sample(name);
    let line = format!("unpack {} -o run", file.display());
    in_folder(folder.path(), &line).check(0, &[]);
    folder
}

/// Returns the number that a file has.
#[track_caller]
fn version(content: &[u8]) -> u32 {
    if content.starts_with(b"MPS") {
        return u32::from_le_bytes(content[8..12].try_into().unwrap());
    }
    let text = String::from_utf8_lossy(content);
    let keys = ["\"version\":", "\"format\":"];
    let key = keys.iter().find(|key| text.contains(**key)).unwrap();
    let (_, after) = text.split_once(key).unwrap();
    let digits = after.trim_start().chars();
    let digits: String = digits.take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// Returns the index at the end of a packed run: compressed, its length, eight bytes more.
fn index(packed: &[u8]) -> Vec<u8> {
    let (before, length) = packed[..packed.len() - 8].split_last_chunk().unwrap();
    let begin = before.len() - u64::from_le_bytes(*length) as usize;
    zstd::stream::decode_all(&before[begin..]).unwrap()
}

#[test]
fn every_promised_format_has_a_sample_of_its_number() {
    let text = fs::read_to_string(workspace().join("FORMATS.md")).unwrap();
    let (promised, _) = text.split_once("No promise").unwrap();
    let numbers = documented();
    let promised = numbers
        .iter()
        .filter(|(source, _)| promised.contains(*source));
    let mut found = Numbers::new();
    for (source, name, inside) in SAMPLES {
        let content = match inside {
            "" if name.ends_with(".zst") => index(&fs::read(sample(name)).unwrap()),
            "" => fs::read(sample(name)).unwrap(),
            file => fs::read(unpacked(name).path().join("run").join(file)).unwrap(),
        };
        let number = version(&content);
        let latest = found.entry(source.to_owned()).or_default();
        *latest = number.max(*latest);
    }
    let promised: Numbers = promised.map(|(a, b)| (a.clone(), *b)).collect();
    assert_eq!(found, promised, "see tests/archives/make-samples");
}

#[test]
fn a_traced_run_is_told_and_its_order_compared() {
    let folder = unpacked("samples-1/traced.tar.zst");
    let info = json_of(folder.path(), "info --json run");
    assert_eq!(*info.get("program"), "/tmp/mpiscope-samples/answers");
    assert_eq!(*info.get("mpi.name"), "Open MPI");
    assert_eq!(info.get("command")[4], "./answers");
    assert_eq!(
        (info.get("ranks"), info.get("events")),
        (&json!(3), &json!(36))
    );
    let order = in_folder(folder.path(), "diff --order run run");
    order.check(0, &[]);
    assert!(
        order.out.contains("in the same order: 2 choices"),
        "{}",
        order.out
    );
}

#[test]
fn corrected_times_have_their_uncertainty_and_rows_their_shifts() {
    let folder = unpacked("samples-1/shifted.tar.zst");
    let info = json_of(folder.path(), "info --json run");
    let shift = json!([{ "rank": 3, "location": 3, "ns": -50_000_000 }]);
    assert_eq!(*info.get("shifts.kept"), shift);
    let waits = || in_folder(folder.path(), "analyze --no-cache run").out;
    assert!(waits().contains("(\u{b1} "), "{}", waits());
    fs::remove_file(folder.path().join("run/corrected/uncertainty.json")).unwrap();
    assert!(!waits().contains("(\u{b1} "), "{}", waits());
}

#[test]
fn statistics_are_told() {
    let folder = unpacked("samples-1/monitored.tar.zst");
    let stats = in_folder(folder.path(), "stats run");
    stats.check(0, &[]);
    for words in [
        "2 ranks on 1 host",
        "finished",
        "for work.c:6-7",
        "MPI_Barrier",
    ] {
        assert!(stats.out.contains(words), "{}", stats.out);
    }
}

#[test]
fn a_baseline_is_compared_with() {
    let folder = tempfile::tempdir().unwrap();
    let runs = [1, 2, 3, 4, 5].map(|seed| {
        let line = format!("simulate pairs -n 4 --seconds 2.2 --seed {seed} -o b{seed}");
        in_folder(folder.path(), &line).check(0, &[]);
        format!("b{seed}")
    });
    let file = sample("samples-1/baseline.json");
    let sets = format!(
        "--baseline {} --candidate {}",
        file.display(),
        runs.join(" ")
    );
    let json = json_of(folder.path(), &format!("diff --json {sets}"));
    let rows = json.get("rows").as_array().unwrap();
    let time = rows.iter().find(|row| row["name"] == "time").unwrap();
    assert_eq!(time["judgement"], "slower", "{time}");
}

/// Has a file say that it is of a form that none has yet; returns the number.
fn of_the_future(file: &Path) -> u32 {
    let mut content = fs::read(file).unwrap();
    let number = version(&content);
    let future = number + 7;
    if content.starts_with(b"MPS") {
        content[8..12].copy_from_slice(&future.to_le_bytes());
    } else {
        let text = String::from_utf8(content).unwrap();
        let said = [format!(": {number}"), format!(":{number}")];
        let said = said.iter().find(|it| text.contains(*it)).unwrap();
        content = text.replacen(said, &format!(": {future}"), 1).into_bytes();
        assert_eq!(version(&content), future);
    }
    fs::write(file, content).unwrap();
    future
}

/// Which command reads a file of a sample, and how it ends where the file is of an unknown form: with
/// an error, or with all else and a note.
const READ_BY: [(&str, &str, &str, i32); 6] = [
    ("traced", "run.json", "info run", 3),
    ("traced", "order/0.order", "diff --order run run", 3),
    ("monitored", "stats/0.statistics", "stats run", 3),
    ("shifted", "corrected/uncertainty.json", "analyze run", 0),
    ("shifted", "shifts.json", "analyze run", 0),
    ("shifted", "shifts.json", "sync --force run", 2),
];

#[test]
fn forms_of_the_future_are_named_and_not_guessed() {
    let check = |done: Done, future: u32, code: i32| {
        let said = format!("{}{}", done.out, done.errors);
        assert_eq!(done.code, code, "{done:#?}");
        let number = format!("version {future}");
        assert!(
            said.contains(&number) && said.contains("reads"),
            "no `{number}`: {done:#?}"
        );
    };
    for (name, file, line, code) in READ_BY {
        let folder = unpacked(&format!("samples-1/{name}.tar.zst"));
        let future = of_the_future(&folder.path().join("run").join(file));
        check(in_folder(folder.path(), line), future, code);
    }
    let folder = unpacked("samples-1/traced.tar.zst");
    let baseline = folder.path().join("baseline.json");
    fs::copy(sample("samples-1/baseline.json"), &baseline).unwrap();
    let future = of_the_future(&baseline);
    let line = "diff --baseline baseline.json --candidate run";
    check(in_folder(folder.path(), line), future, 2);
}

/// Runs `mpiscope WORDS` where launchers may run as root.
fn launched(folder: &TempDir, words: &str) -> Done {
    let mut command = Command::new(mpiscope());
    for name in ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] {
        command.env(name, "1");
    }
    process::run(command.current_dir(folder).args(words.split(' ')))
}

/// What needs the program: the order that the agent follows, one rank's messages, races that were
/// forced, and the structure in an object file.
#[test]
fn programs_are_run_by_what_was_kept() {
    if !mpi::found().contains(&&OPEN_MPI) {
        return;
    }
    let Some(answers) = OPEN_MPI.compile("tests/mpi/races/any_order.c") else {
        return;
    };
    // The record is of a program of this name.
    let program = |folder: &TempDir| fs::copy(&answers, folder.path().join("answers")).unwrap();
    let launch = |ranks| OPEN_MPI.launch(ranks).join(" ");
    let traced = unpacked("samples-1/traced.tar.zst");
    program(&traced);
    let line = format!("replay --other-program run -- {} ./answers", launch(3));
    launched(&traced, &line).check(0, &["as recorded"]);
    let line = format!("explore --budget 0 run -- {} ./answers", launch(3));
    let forced = launched(&traced, &line);
    forced.check(0, &[]);
    assert!(
        forced.out.contains("1 alternative: 1 forced"),
        "{}",
        forced.out
    );
    let payload = unpacked("samples-1/payload.tar.zst");
    program(&payload);
    launched(&payload, "replay run --alone 0 -- ./answers").check(0, &["4 calls answered"]);

    let folder = tempfile::tempdir().unwrap();
    let mut link = Command::new(format!("mpicc.{}", OPEN_MPI.suffix));
    link.arg(sample("samples-1/work.o")).args(["-o", "work"]);
    process::run(link.current_dir(folder.path())).check(0, &[]);
    let line = format!("monitor -o run -- {} ./work", launch(2));
    launched(&folder, &line).check(0, &[]);
    let stats = in_folder(folder.path(), "stats run").out;
    for words in ["work work.c:4-8", "for work.c:6-7", "MPI_Barrier work.c:7"] {
        assert!(stats.contains(words), "{words}: {stats}");
    }
}
