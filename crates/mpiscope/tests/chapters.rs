//! What MPI can do, chapter by chapter of the standard: small programs that print their own verdict,
//! each bare, traced, recorded, replayed and monitored.
//!
//! `tests/mpi/chapters/README.md` says what a program's first line tells of its archive. `make
//! test` runs a dozen, drawn by the seed; MPISCOPE_TEST_CHAPTERS names others by parts of their
//! names, and MPISCOPE_TEST_ALL=1 runs all under each MPI.
#![forbid(unsafe_code)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::Command;

use common::matrix::{self, Random};
use common::toolkit::{Program, Toolkit, TOOLKITS};
use common::trial::{check_archive, Json};
use common::{inapplicable, mpiscope, oracle, process, say, workspace, Done};
use mpi_abi::FUNCTIONS;
use serde_json::Value;
use tempfile::TempDir;

/// Programs that an MPI does not run as the standard says, and why.
const UNABLE: &[(&str, &str, &str)] = &[
    ("environment/own_handler.c", "MPICH 5.0", HANDLED),
    (
        "objects/handles.c",
        "Intel MPI 2021.18, standard ABI",
        "its library lacks the conversions that its mpi.h declares",
    ),
    (
        "objects/handles.c",
        "MPICH 5.0, standard ABI",
        "its mpi.h has no MPI_Fint",
    ),
    (
        "one_sided/atomics.c",
        "Open MPI 4.1",
        "it dies in its own shared memory, bare too",
    ),
    ("one_sided/rejected.c", "MPICH 5.0", HANDLED),
    (
        "one_sided/requests.c",
        "MPICH 4.0",
        "what is put with a request does not always arrive, bare too",
    ),
    (
        "partitioned/beside_messages.c",
        "Open MPI 5.0",
        "a message beside the parts is taken for one of them, bare too",
    ),
    ("partitioned/both_ways.c", "MPICH", TESTALL),
    ("partitioned/both_ways.c", "Intel MPI", TESTALL),
    ("partitioned/nobody.c", "MPICH", NOBODY),
    ("partitioned/nobody.c", "Intel MPI", NOBODY),
    (
        "point_to_point/freed_communicator.c",
        "Intel MPI",
        "it dies of the communicator that is freed, bare too",
    ),
    (
        "point_to_point/null_communicator.c",
        "Open MPI",
        "its errors on MPI_COMM_NULL end the program",
    ),
    ("processes/accept.c", "Intel MPI", DIES),
    ("processes/accept.c", "MPICH 4.0", NO_PORTS),
    (
        "processes/accept.c",
        "MPICH 5.0",
        "its MPI_Open_port finds no space at times, bare too",
    ),
    ("processes/join.c", "Intel MPI", DIES),
    ("processes/join.c", "MPICH 4.0", NO_PORTS),
    ("processes/session_before.c", "Intel MPI", BEFORE),
    ("processes/session_before.c", "MPICH 5.0", BEFORE),
    ("processes/session_open.c", "Intel MPI", BEFORE),
    ("processes/spawn.c", "Intel MPI", DIES),
    ("processes/spawn.c", "MPICH 4.0", NO_SPAWN),
    ("processes/spawn.f90", "Intel MPI", DIES),
    ("processes/spawn.f90", "MPICH 4.0", NO_SPAWN),
    ("processes/spawn_info.c", "Intel MPI", DIES),
    ("processes/spawn_info.c", "MPICH 4.0", NO_SPAWN),
    ("processes/spawn_multiple.c", "Intel MPI", DIES),
    (
        "processes/spawn_multiple.c",
        "MPICH 4.0",
        "its MPI_Comm_spawn_multiple fails",
    ),
];

const HANDLED: &str = "a call whose error its own handler was told returns MPI_SUCCESS, bare too";
const TESTALL: &str = "its MPI_Testall of parts fails, bare too";
const NOBODY: &str = "it dies of parts for MPI_PROC_NULL, bare too";
const BEFORE: &str =
    "it fails or hangs in an MPI_Init that one process has a session before, bare too";
const DIES: &str = "it dies of a second world, bare too";
const NO_SPAWN: &str = "its MPI_Comm_spawn fails";
const NO_PORTS: &str = "Debian's has no ports, as it is built with UCX";

#[test]
fn open_mpi_4() {
    check(&TOOLKITS[0], 4);
}

#[test]
fn open_mpi_5() {
    check(&TOOLKITS[1], 1);
}

#[test]
fn mpich_4() {
    check(&TOOLKITS[2], 4);
}

#[test]
fn mpich_5() {
    check(&TOOLKITS[3], 1);
}

#[test]
fn mpich_5_by_the_standard_abi() {
    check(&TOOLKITS[4], 1);
}

#[test]
fn intel_mpi() {
    check(&TOOLKITS[5], 1);
}

#[test]
fn intel_mpi_by_the_standard_abi() {
    check(&TOOLKITS[6], 1);
}

/// Each chapter has a folder, and each program says what it does and what its archive holds.
#[test]
fn programs_say_what_they_do() {
    let programs = programs();
    let mut chapters: BTreeMap<&str, u32> = BTreeMap::new();
    for program in &programs {
        let (chapter, _) = program.name.split_once('/').unwrap();
        *chapters.entry(chapter).or_default() += 1;
        let lines = program.text.lines().count();
        assert!(lines <= 70, "{} has {lines} lines", program.name);
        assert!(
            program.text.starts_with("/* ") || program.text.starts_with("! "),
            "{}",
            program.name
        );
    }
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for (chapter, number) in chapters {
        let row = format!("| `{chapter}` | {number} | ");
        assert!(readme.contains(&row), "no row {row:?} in the README");
    }
    for (name, ..) in UNABLE {
        assert!(programs.iter().any(|it| it.name == *name), "{name}");
    }
}

/// Runs programs under an MPI: so many, or as the environment says; tells of all that is wrong.
#[track_caller]
fn check(toolkit: &'static Toolkit, sample: usize) {
    let Some(header) = toolkit.header() else {
        return;
    };
    let mut wrong = Vec::new();
    for chapter in chosen(toolkit, sample) {
        let what = format!("{} under {}", chapter.name, toolkit.name);
        if let Some(why) = chapter.why_not(toolkit, &header) {
            inapplicable(&format!("{what}: {why}"));
            continue;
        }
        let Some(program) = chapter.built(toolkit) else {
            continue;
        };
        if catch_unwind(AssertUnwindSafe(|| Runs::of(&chapter, program).check())).is_err() {
            wrong.push(what);
        }
    }
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
}

/// Returns the programs that are to be run: what an MPI lacks is not drawn in place of others.
fn chosen(toolkit: &Toolkit, sample: usize) -> Vec<Chapter> {
    let mut programs = programs();
    if let Ok(names) = std::env::var("MPISCOPE_TEST_CHAPTERS") {
        programs.retain(|it| names.split(',').any(|name| it.name.contains(name)));
        return programs;
    }
    if std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1") {
        return programs;
    }
    let place = TOOLKITS.iter().position(|it| it.name == toolkit.name);
    let mut random = Random::new(matrix::seed() + 1000 * place.unwrap_or(0) as u64);
    let draw = |_| programs.swap_remove(random.below(programs.len()));
    (0..sample).map(draw).collect()
}

fn folder() -> PathBuf {
    workspace().join("tests/mpi/chapters")
}

/// A program, as its source tells of it.
struct Chapter {
    /// `CHAPTER/PROGRAM.c`.
    name: String,
    source: PathBuf,
    text: String,
}

/// Returns all programs, in the order of their names.
fn programs() -> Vec<Chapter> {
    let entries = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .collect::<Vec<_>>()
    };
    let chapters = entries(&folder()).into_iter().filter(|it| it.is_dir());
    let sources = chapters.flat_map(|chapter| entries(&chapter));
    let program = |source: PathBuf| Chapter {
        name: source.strip_prefix(folder()).unwrap().display().to_string(),
        text: std::fs::read_to_string(&source).unwrap(),
        source,
    };
    let mut programs: Vec<_> = sources.map(program).collect();
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    programs
}

impl Chapter {
    /// Returns a figure of the first line: `messages 3`.
    fn figure(&self, name: &str) -> Option<u64> {
        let words: Vec<_> = self.first().split([' ', ',']).collect();
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse().ok()
    }

    fn first(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }

    /// The language among those of the toolkit.
    fn language(&self) -> usize {
        match self.name.ends_with(".c") {
            true => 0,
            false if self.text.contains("use mpi_f08") => 4,
            false => 3,
        }
    }

    /// Returns why an MPI cannot run it, if it cannot: a function that its `mpi.h` has not.
    fn why_not(&self, toolkit: &Toolkit, header: &str) -> Option<String> {
        let unable = UNABLE
            .iter()
            .find(|(name, mpi, _)| *name == self.name && toolkit.name.starts_with(mpi));
        if let Some((.., why)) = unable {
            return Some((*why).to_owned());
        }
        if let Some(why) = toolkit.absence(self.language()) {
            return Some(why.to_owned());
        }
        let mut names = self
            .text
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let lacks = names.find(|name| {
            FUNCTIONS.iter().any(|function| function.name == *name) && !has_word(header, name)
        });
        lacks.map(|name| format!("it has no {name}"))
    }

    /// Whether it makes an intercommunicator, of which PyPI's otf2 3.2 reads no archive, whoever
    /// wrote it.
    fn is_between_groups(&self) -> bool {
        const MAKERS: [&str; 4] = ["Intercomm_create", "Comm_accept", "Comm_spawn", "Comm_join"];
        MAKERS.iter().any(|maker| self.text.contains(maker))
    }

    #[track_caller]
    fn built(&self, toolkit: &'static Toolkit) -> Option<Program> {
        let name = format!("chapters-{}", self.name.replace(['/', '.'], "-"));
        let source = self.source.canonicalize().unwrap();
        toolkit.other_program(self.language(), &name, &source)
    }
}

/// Returns the rules that `check` finds broken, each once.
fn rules(check: &Json) -> BTreeSet<&str> {
    fn list<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
        value[name].as_array().into_iter().flatten()
    }
    let findings = list(&check.0, "archives").flat_map(|it| list(it, "findings"));
    findings.filter_map(|it| it["rule"].as_str()).collect()
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

/// A program's runs in one folder.
struct Runs<'a> {
    chapter: &'a Chapter,
    program: Program,
    folder: TempDir,
}

impl Runs<'_> {
    fn of(chapter: &Chapter, program: Program) -> Runs<'_> {
        Runs {
            chapter,
            program,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// Runs it in every way, and looks at what was left.
    #[track_caller]
    fn check(mut self) {
        let look = || {
            let bare = self.run(&[]);
            if let Some(why) = bare
                .out
                .lines()
                .find_map(|line| line.strip_prefix("cannot: "))
            {
                let what = format!("{} under {}", self.chapter.name, self.program.toolkit.name);
                return inapplicable(&format!("{what}: {why}"));
            }
            self.is_right("bare", &bare, 0);
            self.is_right("traced", &self.run(&["trace", "-o", "traced"]), 0);
            self.archive_is_right();
            if self.chapter.text.contains("Comm_spawn") {
                self.json(&["info"], "traced-spawned.mpiscope");
            }
            if self.chapter.name.contains("session") {
                // A replay counts calls from another moment on than the trace has them.
                let replayed = self.run(&["replay", "traced"]);
                self.is_right("the trace replayed", &replayed, 0);
                replayed.check(0, &["replayed as recorded"]);
            }
            self.is_right("recorded", &self.run(&["record", "-o", "recorded"]), 0);
            let replayed = self.run(&["replay", "recorded"]);
            self.is_right("replayed", &replayed, 0);
            replayed.check(0, &["replayed as recorded"]);
            self.is_right("monitored", &self.run(&["monitor", "-o", "monitored"]), 0);
            self.json(&["stats"], "monitored");
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(look)) {
            self.folder.disable_cleanup(true);
            let what = format!("{} under {}", self.chapter.name, self.program.toolkit.name);
            let left = self.folder.path().display();
            say(&format!("wrong: {what}; what it left: {left}"));
            std::panic::resume_unwind(panic);
        }
    }

    fn run(&self, words: &[&str]) -> Done {
        let command = || self.program.observed(self.folder.path(), words);
        let done = process::run_surely(&mut command());
        match self.program.toolkit.divides_by_zero(&done) {
            true => process::run(&mut command()),
            false => done,
        }
    }

    /// Expects that every process found everything right. Launchers may mix their lines.
    #[track_caller]
    fn is_right(&self, how: &str, done: &Done, code: i32) {
        let processes = self.chapter.figure("processes").unwrap_or(2);
        let said: String = done.out.split_whitespace().collect();
        assert_eq!(said, "ok".repeat(processes as usize), "{how}: {done:#?}");
        assert_eq!(done.code, code, "{how}: {done:#?}");
        done.check_calm();
    }

    #[track_caller]
    fn archive_is_right(&self) {
        let unmatched = self.chapter.figure("unmatched").unwrap_or(0);
        let check = self.json(&["check"], "traced");
        match self.chapter.first().contains("without MPI_Init") {
            // What Scalasca asks for such a program does not do.
            true => assert_eq!(
                rules(&check),
                BTreeSet::from(["finalize-missing", "init-missing"])
            ),
            false => assert_eq!(check.get("clean"), unmatched == 0, "{:#}", check.0),
        }
        let info = self.json(&["info"], "traced");
        let mut expected = vec![
            ("events_lost", 0),
            ("messages.unmatched_sends", unmatched),
            ("messages.unmatched_receives", 0),
            // All processes read one clock.
            ("violations.measured.reversed", 0),
            ("violations.corrected.reversed", 0),
            ("violations.corrected.clock_condition", 0),
        ];
        let messages = self.chapter.figure("messages");
        expected.extend(messages.map(|messages| ("messages.point_to_point", messages)));
        for (name, figure) in expected {
            assert_eq!(info.figure(name), figure, "{name} in {:#}", info.0);
        }
        for archive in ["traced/traces.otf2", "traced/corrected/traces.otf2"] {
            let anchor = self.folder.path().join(archive);
            match self.chapter.is_between_groups() {
                true => drop(oracle::print(&anchor)),
                false => drop(check_archive(&anchor)),
            }
        }
    }

    /// Returns what a command says in JSON.
    #[track_caller]
    fn json(&self, command: &[&str], run: &str) -> Json {
        let mut line = Command::new(mpiscope());
        let path = self.folder.path().join(run);
        let done = process::run(line.args(command).arg("--json").arg(path));
        assert!([0, 1].contains(&done.code), "{command:?}: {done:#?}");
        Json(serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:#?}")))
    }
}
