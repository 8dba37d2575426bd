//! Calls of Python programs are told with Python's file, line and function: the program says where
//! it calls from, and the archive and statistics say the same.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::python::{pythons, Python};
use common::{mpiscope, process, workspace, Done};
use serde_json::Value;
use tempfile::TempDir;

/// How often the program called from each place, by `FILE:LINE`.
type Places = BTreeMap<String, u64>;

/// More places than the agent tells apart.
const MOST: u64 = 4096;
/// Places that the program makes for that, and calls from places it has called from before.
const MADE: u64 = 5000;
const NESTED: u64 = 200;

struct Run {
    folder: TempDir,
    done: Done,
}

impl Run {
    /// Runs the program with a word under `mpiscope MODE`.
    fn of(python: &Python, mode: &str, word: &str, library: Option<&Path>) -> Run {
        let folder = tempfile::tempdir().unwrap();
        let program = workspace().join("tests/mpi/python_sites.py");
        let program = program.canonicalize().unwrap();
        let words = [program.to_str().unwrap(), word];
        let words = if word.is_empty() {
            &words[..1]
        } else {
            &words[..]
        };
        let mut command = python.command(folder.path(), &[mode], 2, words);
        if let Some(library) = library {
            command.env("C_LIBRARY", library);
        }
        let done = process::run(&mut command);
        Run { folder, done }
    }

    /// Returns what a command says of it.
    fn says(&self, words: &[&str]) -> String {
        let mut command = Command::new(mpiscope());
        let command = command.args(words).arg(self.folder.path().join("run"));
        let done = process::run(command);
        assert_eq!(done.code, 0, "{words:?}: {done:#?}");
        done.out
    }

    /// Returns places and functions that the first rank printed.
    fn printed(&self) -> (Places, Vec<String>) {
        let (mut places, mut functions) = (Places::new(), Vec::new());
        let printed = fs::read_to_string(self.folder.path().join("printed")).unwrap();
        for site in printed
            .lines()
            .filter_map(|line| line.strip_prefix("site "))
        {
            let (place, function) = site.split_once('\t').unwrap();
            *places.entry(place.to_owned()).or_default() += 1;
            functions.push(function.to_owned());
        }
        assert!(places.len() > 20, "{:#?}", self.done);
        (places, functions)
    }

    /// Returns from where the first rank called a function, as the trace says it.
    fn traced(&self, function: &str) -> Places {
        let mut places = Places::new();
        let text = self.says(&["print", "--json", "--rank", "0"]);
        let events = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let events: Vec<Value> = events.collect();
        let entered = (events.iter())
            .filter(|event| event["event"] == "enter" && event["region"] == function);
        for event in entered {
            let site = event["call_site"].as_str().unwrap_or_default();
            *places.entry(name(site)).or_default() += 1;
        }
        places
    }
}

/// The last part of a path.
fn name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

#[test]
fn lines_of_a_trace_are_those_that_the_program_prints() {
    let library = library();
    for python in pythons() {
        let run = Run::of(&python, "trace", "", library.as_deref());
        assert_eq!(run.done.code, 0, "{:#?}", run.done);
        assert_eq!(run.traced("MPI_Barrier"), run.printed().0, "{python:?}");
        // MPI was initialised by an import, of which the interpreter's own frames are no part.
        let import = run.traced("MPI_Init_thread");
        assert_eq!(
            import.into_keys().collect::<Vec<_>>(),
            [place_of("from mpi4py import MPI")]
        );
        if library.is_some() {
            let by_c = run.traced("MPI_Initialized");
            assert!(by_c.contains_key("from_c.c:7"), "{by_c:?}");
        }
    }
}

/// Returns a place of the program by its text.
fn place_of(text: &str) -> String {
    let source = std::fs::read_to_string(workspace().join("tests/mpi/python_sites.py")).unwrap();
    let line = source.lines().position(|line| line.trim() == text).unwrap() + 1;
    format!("python_sites.py:{line}")
}

/// Returns the library that calls MPI itself; nothing without a compiler.
fn library() -> Option<PathBuf> {
    if !common::is_command("cc") {
        common::missing("cc");
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let library = folder.join(format!("from_c-{}.so", std::process::id()));
    let source = workspace().join("tests/mpi/from_c.c");
    let mut command = Command::new("cc");
    command.args(["-g", "-shared", "-fPIC", "-Wl,-z,lazy", "-o"]);
    process::run(command.arg(&library).arg(source)).check(0, &[]);
    Some(library)
}

#[test]
fn lines_survive_the_death_of_the_program() {
    for python in pythons() {
        let run = Run::of(&python, "trace", "die", None);
        assert_ne!(run.done.code, 0, "{:#?}", run.done);
        assert_eq!(run.traced("MPI_Barrier"), run.printed().0, "{python:?}");
    }
}

#[test]
fn statistics_tell_lines_and_functions() {
    for python in pythons() {
        let run = Run::of(&python, "monitor", "", None);
        assert_eq!(run.done.code, 0, "{:#?}", run.done);
        let stats: Value = serde_json::from_str(&run.says(&["stats", "--json"])).unwrap();
        let statements = stats["statements"].as_array().unwrap();
        let mut counted = Places::new();
        for statement in statements {
            let text = |key: &str| statement[key].as_str().unwrap_or_default();
            if text("name") == "MPI_Barrier" {
                let place = format!("{}:{}", name(text("file")), statement["line"]);
                *counted.entry(place).or_default() += statement["calls"].as_u64().unwrap();
            }
        }
        let (printed, functions) = run.printed();
        // Both ranks do the same, and the first one printed.
        let of_both = printed.into_iter().map(|(place, calls)| (place, 2 * calls));
        assert_eq!(counted, of_both.collect(), "{python:?}");
        let children = stats["tree"]["children"].as_array().unwrap();
        let names = children.iter().map(|child| child["name"].as_str());
        let names: Vec<&str> = names.flatten().collect();
        for function in functions {
            assert!(
                names.contains(&function.as_str()),
                "{function} in {names:?}"
            );
        }
    }
}

#[test]
fn code_that_is_made_again_is_the_same_place() {
    let Some(python) = pythons().pop() else {
        return;
    };
    let run = Run::of(&python, "trace", "again", None);
    assert_eq!(run.done.code, 0, "{:#?}", run.done);
    assert_eq!(run.traced("MPI_Barrier"), run.printed().0);
    assert!(
        !run.done.errors.contains("without Python's"),
        "{:#?}",
        run.done
    );
}

#[test]
fn places_beyond_the_most_are_counted_and_said() {
    let Some(python) = pythons().pop() else {
        return;
    };
    let run = Run::of(&python, "trace", "many", None);
    assert_eq!(run.done.code, 0, "{:#?}", run.done);
    let mut traced = run.traced("MPI_Barrier");
    let (mut printed, _) = run.printed();
    // The code that is made there has one line, and so has its module where it is not told.
    let made = traced.remove("<string>:2").unwrap() - printed.remove("<string>:2").unwrap_or(0);
    let others = traced
        .keys()
        .find(|place| place.starts_with("MPI."))
        .cloned();
    let others = traced.remove(&others.unwrap()).unwrap();
    assert_eq!(traced, printed);
    assert_eq!(made + others, MADE, "all of these are in the trace");
    assert!(made < MOST && others > NESTED, "{made} {others}");
    let said = "are told with the function of the extension module that made them";
    assert!(run.done.errors.contains(said), "{:#?}", run.done);
    assert!(
        run.done
            .errors
            .contains(&format!("more than {MOST} places")),
        "{:#?}",
        run.done
    );
}
