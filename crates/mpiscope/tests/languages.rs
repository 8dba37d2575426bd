//! Every MPI with every language: one program, bare, traced, recorded, replayed and monitored.
//! The table in the book (`compatibility.md`) says of each what these runs show.
//!
//! `make test` runs one language under each MPI, drawn by the seed, or the one that
//! MPISCOPE_TEST_LANGUAGE names; with MPISCOPE_TEST_ALL=1 all are run. UPDATE_EXPECT=1 writes what
//! was found into the book.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

use common::matrix::{self, Random};
use common::toolkit::{Program, Toolkit, LANGUAGES, TOOLKITS};
use common::trial::{check_archive, Json};
use common::{mpiscope, process, say, workspace, Done};
use tempfile::TempDir;

/// How often each of the two ranks makes each call, by `tests/mpi/languages/README.md`.
const CALLS: [(&str, [u64; 2]); 17] = [
    ("MPI_Send", [1, 5]),
    ("MPI_Recv", [9, 1]),
    ("MPI_Irecv", [3, 3]),
    ("MPI_Isend", [7, 3]),
    ("MPI_Waitall", [5, 4]),
    ("MPI_Wait", [2, 2]),
    ("MPI_Recv_init", [1, 1]),
    ("MPI_Send_init", [1, 1]),
    ("MPI_Startall", [3, 3]),
    ("MPI_Request_free", [2, 2]),
    ("MPI_Allreduce", [1, 1]),
    ("MPI_Bcast", [1, 1]),
    ("MPI_Comm_split", [1, 1]),
    ("MPI_Sendrecv", [1, 1]),
    ("MPI_Comm_free", [1, 1]),
    ("MPI_Barrier", [1, 1]),
    ("MPI_Reduce", [1, 1]),
];
const MESSAGES: u64 = 24;
const BYTES: u64 = 112;
/// What they carry, if every value, source, tag and count is right.
const RESULT: &str = "result 8000";
/// Receives that asked for any source or tag, and took a message: blocking ones, and others.
const WILDCARDS: u64 = 9 + 4;
/// Bytes that both ranks send, and receive, in collective operations, as `read_archive.py` counts
/// them.
const OPERATIONS: [(&str, u64); 6] = [
    ("allreduce_sent", 16),
    ("allreduce_received", 16),
    ("bcast_sent", 8),
    ("bcast_received", 8),
    ("reduce_sent", 8),
    ("reduce_received", 8),
];

#[test]
fn open_mpi_4() {
    check(&TOOLKITS[0]);
}

#[test]
fn open_mpi_5() {
    check(&TOOLKITS[1]);
}

#[test]
fn mpich_4() {
    check(&TOOLKITS[2]);
}

#[test]
fn mpich_5() {
    check(&TOOLKITS[3]);
}

#[test]
fn mpich_5_by_the_standard_abi() {
    check(&TOOLKITS[4]);
}

#[test]
fn intel_mpi() {
    check(&TOOLKITS[5]);
}

#[test]
fn intel_mpi_by_the_standard_abi() {
    check(&TOOLKITS[6]);
}

/// Compares what runs under an MPI show with what the book says of it.
#[track_caller]
fn check(toolkit: &'static Toolkit) {
    for language in chosen(toolkit) {
        let Some(program) = toolkit.program(language) else {
            continue;
        };
        let shown = Runs::of(program).row();
        says(toolkit, language, &shown);
    }
    for language in 0..LANGUAGES.len() {
        if let Some(why) = toolkit.absence(language) {
            says(
                toolkit,
                language,
                &format!("{}{why} |", "– | ".repeat(COLUMNS.len())),
            );
        }
    }
}

/// Returns the languages that are to be run under an MPI: all, or one, another one under each.
fn chosen(toolkit: &Toolkit) -> Vec<usize> {
    let index = TOOLKITS
        .iter()
        .position(|other| other.name == toolkit.name)
        .unwrap();
    let first = Random::new(matrix::seed()).below(LANGUAGES.len()) + index;
    let all = (0..LANGUAGES.len()).map(|k| (first + k) % LANGUAGES.len());
    let there = all.filter(|&language| toolkit.absence(language).is_none());
    if let Ok(name) = std::env::var("MPISCOPE_TEST_LANGUAGE") {
        return there.filter(|&k| LANGUAGES[k].name == name).collect();
    }
    let everything = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    there
        .take(if everything { LANGUAGES.len() } else { 1 })
        .collect()
}

/// A program's runs in one folder.
struct Runs {
    folder: TempDir,
    program: Program,
    bare: Done,
    traced: Done,
    recorded: Done,
    replayed: Done,
    monitored: Done,
}

/// What a column of the table is about; a panic is its "no".
type Column = (&'static str, fn(&Runs));

const COLUMNS: [Column; 6] = [
    ("results unchanged", Runs::results_are_unchanged),
    ("traced", Runs::calls_are_in_the_trace),
    ("archive complete", Runs::archive_is_complete),
    ("recorded, replayed", Runs::replay_takes_the_recorded_order),
    ("monitored", Runs::statistics_count_the_calls),
    ("lines", Runs::lines_are_those_of_the_calls),
];

impl Runs {
    fn of(program: Program) -> Runs {
        let folder = tempfile::tempdir().unwrap();
        let run = |words: &[&str], late: &str| {
            let command = || {
                let mut command = program.observed(folder.path(), words);
                command.env("LATE", late);
                command
            };
            surely(program.toolkit, command)
        };
        let bare = run(&[], "1");
        let traced = run(&["trace", "--force", "-o", "traced"], "1");
        let recorded = run(&["record", "--force", "-o", "recorded"], "1");
        // The other rank is late, and the messages come in another order by themselves.
        let replayed = run(&["replay", "recorded"], "0");
        let monitored = run(&["monitor", "--force", "-o", "monitored"], "1");
        Runs {
            folder,
            program,
            bare,
            traced,
            recorded,
            replayed,
            monitored,
        }
    }

    /// Returns the cells of the table, and says what is wrong.
    fn row(self) -> String {
        let what = format!(
            "{} {}",
            self.program.toolkit.name, self.program.language.name
        );
        let cells =
            COLUMNS.map(
                |(name, look)| match catch_unwind(AssertUnwindSafe(|| look(&self))) {
                    Ok(()) if name == "lines" && self.is_rust() => "most",
                    Ok(()) if name == "lines" && self.leaves_lines_out() => "most",
                    Ok(()) => "yes",
                    Err(_) => {
                        say(&format!("{what}: not {name}"));
                        "no"
                    }
                },
            );
        if cells.contains(&"no") {
            say(&format!("what it left: {}", self.folder.keep().display()));
        }
        format!("{} | |", cells.join(" | "))
    }

    fn is_rust(&self) -> bool {
        self.program.language.name == "Rust"
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns what a command says in JSON.
    #[track_caller]
    fn json(&self, command: &[&str], run: &str) -> Json {
        let mut line = Command::new(mpiscope());
        let done = process::run(line.args(command).arg("--json").arg(self.path(run)));
        done.check(0, &[]);
        Json(serde_json::from_str(&done.out).unwrap())
    }

    fn results_are_unchanged(&self) {
        let result = |done: &Done| {
            let lines = done.out.lines().filter(|line| !line.starts_with("order "));
            (done.code, lines.collect::<Vec<_>>().join("\n"))
        };
        assert_eq!(
            result(&self.bare),
            (0, RESULT.to_owned()),
            "{:#?}",
            self.bare
        );
        for done in [
            &self.traced,
            &self.recorded,
            &self.replayed,
            &self.monitored,
        ] {
            assert_eq!(result(done), result(&self.bare), "{done:#?}");
            assert_eq!(sorted(order(done)), "00001111", "{done:#?}");
            done.check_calm();
        }
    }

    fn calls_are_in_the_trace(&self) {
        let info = self.json(&["info"], "traced");
        let (name, version) = self.program.toolkit.library;
        assert_eq!(info.text("mpi.name"), name);
        assert!(
            info.text("mpi.version").starts_with(version),
            "{:#}",
            info.0
        );
        assert_eq!(info.figure("events_lost"), 0);
        let Some(facts) = check_archive(&self.path("traced/traces.otf2")) else {
            return;
        };
        for rank in [0, 1] {
            let entered = by_call(
                facts.entered[&rank]
                    .iter()
                    .map(|(name, times)| (&name[..], *times)),
            );
            for (name, times) in CALLS {
                let entered = entered.get(name).copied().unwrap_or(0);
                assert_eq!(entered, times[rank as usize], "{name} on rank {rank}");
            }
        }
    }

    fn archive_is_complete(&self) {
        assert_eq!(self.json(&["check"], "traced").get("clean"), true);
        let info = self.json(&["info"], "traced");
        for (name, figure) in [
            ("messages.point_to_point", MESSAGES),
            ("messages.unmatched_sends", 0),
            ("messages.unmatched_receives", 0),
            ("violations.corrected.reversed", 0),
        ] {
            assert_eq!(info.figure(name), figure, "{name} in {:#}", info.0);
        }
        for archive in ["traced/traces.otf2", "traced/corrected/traces.otf2"] {
            let Some(facts) = check_archive(&self.path(archive)) else {
                return;
            };
            let figures = [
                facts.messages,
                facts.received,
                facts.pairs,
                facts.bytes,
                facts.received_bytes,
            ];
            assert_eq!(figures, [MESSAGES, MESSAGES, MESSAGES, BYTES, BYTES]);
            assert_eq!(facts.with_attribute("MPISCOPE::WILDCARD"), WILDCARDS);
            for (name, bytes) in OPERATIONS {
                assert_eq!(facts.figure(name), bytes, "{name}");
            }
        }
    }

    fn replay_takes_the_recorded_order(&self) {
        self.replayed
            .check(0, &["replayed as recorded: 13 choices"]);
        assert_eq!(order(&self.replayed), order(&self.recorded));
    }

    fn statistics_count_the_calls(&self) {
        let stats = self.json(&["stats"], "monitored");
        let statements = stats.get("statements").as_array().unwrap();
        let calls = statements.iter().map(|one| {
            let name = one["name"].as_str().unwrap_or_default();
            (name, one["calls"].as_u64().unwrap())
        });
        let calls = by_call(calls);
        for (name, times) in CALLS {
            let counted = calls.get(name).copied().unwrap_or(0);
            assert_eq!(counted, times.iter().sum::<u64>(), "{name} in {calls:?}");
        }
        let messages = stats.get("messages").as_array().unwrap();
        let sum = |key: &str| {
            messages
                .iter()
                .map(|one| one[key].as_u64().unwrap())
                .sum::<u64>()
        };
        assert_eq!((sum("messages"), sum("bytes")), (MESSAGES, BYTES));
    }

    /// Of Rust's calls some stand in functions of rsmpi that are not copied into the program's.
    fn lines_are_those_of_the_calls(&self) {
        let source = workspace()
            .join("tests/mpi/languages")
            .join(self.program.language.source);
        let text = std::fs::read_to_string(&source).unwrap().to_lowercase();
        let lines: Vec<_> = text.lines().collect();
        let (mut told, mut in_rsmpi) = (0, 0);
        for statement in self.statements() {
            let name = without_size(statement["name"].as_str().unwrap_or_default());
            let file = statement["file"].as_str().unwrap_or_default();
            if self.is_rust() && file.contains("/mpi-0.8.2/src/") {
                in_rsmpi += 1;
                continue;
            }
            assert_eq!(
                PathBuf::from(file).file_name(),
                source.file_name(),
                "{statement:#}"
            );
            let Some(line) = statement["line"].as_u64() else {
                assert!(self.is_fortran(), "{statement:#}");
                continue;
            };
            told += 1;
            let line = line as usize;
            // Compilers may take a statement's first line or its last; Python's is the call's.
            let (statement, wanted) = match self.program.language.name {
                "Python" => (&lines[line - 1..line], method(name)),
                _ => (&lines[line - 3..line], name.to_lowercase()),
            };
            let by_rsmpi = RSMPI
                .iter()
                .filter(|(call, _)| self.is_rust() && *call == name);
            let mut spelled: Vec<&str> = by_rsmpi.map(|(_, method)| *method).collect();
            spelled.push(&wanted);
            let has = |line: &&str| spelled.iter().any(|word| line.contains(word));
            assert!(
                statement.iter().any(has),
                "{name} at {line}: {statement:#?}"
            );
        }
        assert!(
            told >= 6 && told > 2 * in_rsmpi,
            "{in_rsmpi}: {:#?}",
            self.statements()
        );
    }

    /// Returns what statistics say of the statements that make the calls of [`CALLS`].
    #[track_caller]
    fn statements(&self) -> Vec<serde_json::Value> {
        let stats = self.json(&["stats"], "monitored");
        let statements = stats.get("statements").as_array().unwrap().iter();
        let counts = |one: &&serde_json::Value| {
            let name = without_size(one["name"].as_str().unwrap_or_default());
            CALLS.iter().any(|(call, _)| *call == name)
        };
        statements.filter(counts).cloned().collect()
    }

    /// Whether some calls have no line: gfortran gives those that only pass variables none of
    /// their own, and where two follow each other nothing tells which is which.
    fn leaves_lines_out(&self) -> bool {
        self.statements().iter().any(|one| one["line"].is_null())
    }

    fn is_fortran(&self) -> bool {
        let source = self.program.language.source;
        source.ends_with(".f") || source.ends_with(".f90")
    }
}

/// Runs a command, once more each time that it ends within libmpi by no fault of ours.
fn surely(toolkit: &Toolkit, command: impl Fn() -> Command) -> Done {
    const TRIES: usize = 4;
    for _ in 1..TRIES {
        let done = process::run_surely(&mut command());
        if !toolkit.divides_by_zero(&done) {
            return done;
        }
        say("repeated: Intel MPI ended by SIGFPE, as it does bare");
    }
    process::run(&mut command())
}

/// Returns from whom rank 0 received what raced.
#[track_caller]
fn order(done: &Done) -> &str {
    let line = done
        .out
        .lines()
        .find_map(|line| line.strip_prefix("order "));
    line.unwrap_or_else(|| panic!("no order in {done:#?}"))
}

fn sorted(text: &str) -> String {
    let mut letters: Vec<_> = text.chars().collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// Returns how often each function was called, of whichever size its counts were.
fn by_call<'a>(calls: impl Iterator<Item = (&'a str, u64)>) -> BTreeMap<&'a str, u64> {
    let mut sums = BTreeMap::new();
    for (name, times) in calls {
        *sums.entry(without_size(name)).or_insert(0) += times;
    }
    sums
}

fn without_size(function: &str) -> &str {
    function.strip_suffix("_c").unwrap_or(function)
}

/// Expects that the book says this of an MPI and a language, or writes it there.
#[track_caller]
fn says(toolkit: &Toolkit, language: usize, shown: &str) {
    static PAGE: Mutex<()> = Mutex::new(());
    let guard = PAGE.lock();
    let path = workspace().join("book/src/compatibility.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let begin = format!("| {} | {} | ", toolkit.name, LANGUAGES[language].name);
    let said = page.lines().find_map(|line| line.strip_prefix(&begin[..]));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let said = said.unwrap_or_else(|| panic!("no row {begin:?} in {}", path.display()));
        let (old, new) = (format!("{begin}{said}\n"), format!("{begin}{shown}\n"));
        std::fs::write(&path, page.replace(&old, &new)).unwrap();
        return;
    }
    drop(guard);
    assert_eq!(
        said,
        Some(shown),
        "{begin} in {}; UPDATE_EXPECT=1 writes it",
        path.display()
    );
}

/// The table has a row for each MPI and language, and its figure is theirs.
#[test]
fn the_table_is_whole() {
    let page = std::fs::read_to_string(workspace().join("book/src/compatibility.md")).unwrap();
    let columns = COLUMNS.map(|(name, _)| name).join(" | ");
    assert!(
        page.contains(&format!("| MPI | language | {columns} | why not |\n")),
        "{columns}"
    );
    let mut there = 0;
    for toolkit in &TOOLKITS {
        for (index, language) in LANGUAGES.iter().enumerate() {
            let begin = format!("| {} | {} | ", toolkit.name, language.name);
            assert_eq!(page.matches(&begin).count(), 1, "{begin}");
            there += usize::from(toolkit.absence(index).is_none());
        }
    }
    let figure = format!("**{there} of {}**", TOOLKITS.len() * LANGUAGES.len());
    assert!(page.contains(&figure), "{figure}");
}

/// What rsmpi calls functions.
const RSMPI: [(&str, &str); 12] = [
    ("MPI_Send", ".send_with_tag("),
    ("MPI_Recv", ".receive"),
    ("MPI_Irecv", ".immediate_receive"),
    ("MPI_Isend", ".immediate_send"),
    ("MPI_Waitall", ".wait_all("),
    ("MPI_Wait", ".wait_without_status("),
    ("MPI_Bcast", ".broadcast_into("),
    ("MPI_Comm_split", ".split_by_color"),
    ("MPI_Barrier", ".barrier("),
    ("MPI_Sendrecv", "::send_receive"),
    ("MPI_Reduce", ".reduce_into"),
    // Where the communicator goes out of scope.
    ("MPI_Comm_free", "}"),
];

/// Returns what mpi4py calls a function, in small letters.
fn method(name: &str) -> String {
    let name = name.trim_start_matches("MPI_");
    let of_object = ["Comm_", "Request_"]
        .iter()
        .find_map(|it| name.strip_prefix(it));
    format!(".{}(", of_object.unwrap_or(name).to_lowercase())
}
