//! The programs of `tests/mpi/files`: which files they open, and how many bytes they read and
//! write, are in the archive, as two readers see it that are not ours.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;

use common::oracle::{printed, Facts};
use common::trial::{counted, Run};
use common::{found, Case, Trial};

/// Runs a program of the folder under each MPI, bare and traced, and looks at all of it.
#[track_caller]
fn each(program: &str, look: impl Fn(&Run, Option<&Facts>)) {
    for &mpi in found() {
        let case = Case { mpi, ranks: 2 };
        let source = format!("tests/mpi/files/{program}");
        let Some(trial) = Trial::new(case, &source) else {
            continue;
        };
        let bare = trial.untraced();
        bare.check(0, &[]);
        assert!(bare.out.ends_with("right\n"), "{}: {}", mpi.name, bare.out);
        let trial = Trial::of(case, trial.program.clone());
        let run = trial.traced();
        run.done.check(0, &[]);
        assert_eq!(run.done.out, bare.out, "{}", mpi.name);
        run.check_shared_memory();
        let checked = run.mpiscope("check");
        checked.check(0, &[]);
        assert_eq!(checked.out.matches("nothing is against").count(), 2);
        let facts = run.check_archives();
        look(&run, facts.as_ref());
    }
}

/// Expects so many events of these kinds, and of no other on files but tests of requests.
#[track_caller]
fn holds(facts: Option<&Facts>, expected: &[(&str, u64)]) {
    let Some(facts) = facts else { return };
    let kinds = facts.kinds.iter();
    let of_files = kinds.filter(|(kind, _)| kind.starts_with("Io") && *kind != "IoOperationTest");
    let found: Vec<(&str, u64)> = of_files
        .map(|(kind, count)| (kind.as_str(), *count))
        .collect();
    assert_eq!(found, expected);
}

/// An operation on a file, as `otf2-print` shows it.
struct Operation {
    /// The line of its begin.
    begin: String,
    asked: u64,
    /// Nothing if it never completed.
    moved: Option<u64>,
}

impl Operation {
    fn is(&self, words: &[&str]) -> bool {
        words.iter().all(|word| self.begin.contains(word))
    }
}

/// Returns the operations of a run, found by process, handle and number; no number is given twice while
/// it is in use.
#[track_caller]
fn operations(run: &Run) -> Option<Vec<Operation>> {
    let lines = printed(&run.measured(), "IO_OPERATION_")?;
    let mut under_way: BTreeMap<[String; 3], Operation> = BTreeMap::new();
    let mut done = Vec::new();
    for line in &lines {
        // The thread that waits may be another than the one that began.
        let location: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        let key = [
            (location as u32).to_string(),
            after(line, "Handle: ", ">"),
            after(line, "Matching Id: ", ","),
        ];
        if line.starts_with("IO_OPERATION_BEGIN") {
            let operation = Operation {
                begin: line.clone(),
                asked: number(line, "Bytes Request: "),
                moved: None,
            };
            assert!(under_way.insert(key, operation).is_none(), "{line}");
        } else if line.starts_with("IO_OPERATION_COMPLETE") {
            let mut operation = under_way.remove(&key).expect(line);
            operation.moved = Some(number(line, "Bytes Result: "));
            done.push(operation);
        } else {
            assert!(under_way.contains_key(&key), "{line}");
        }
    }
    done.extend(under_way.into_values());
    Some(done)
}

fn after(line: &str, word: &str, end: &str) -> String {
    let rest = line.split_once(word).unwrap_or_else(|| panic!("{line}")).1;
    rest.split(end).next().unwrap().trim().to_owned()
}

fn number(line: &str, word: &str) -> u64 {
    let text = after(line, word, ",");
    text.parse().unwrap_or_else(|_| panic!("{word}{text}"))
}

/// Expects the bytes that the program has counted.
#[track_caller]
fn moves_what_is_counted(run: &Run, operations: &[Operation]) {
    let counted = counted(&run.done.out);
    for (mode, what) in [("Mode: READ", "read"), ("Mode: WRITE", "written")] {
        let of = operations.iter().filter(|it| it.is(&[mode]));
        let moved: u64 = of.filter_map(|it| it.moved).sum();
        assert_eq!(moved, counted[what], "{what}");
    }
    tells_what_is_counted(run, &counted);
}

/// Expects the same of `info`.
#[track_caller]
fn tells_what_is_counted(run: &Run, counted: &BTreeMap<String, u64>) {
    let info = run.json("info --json");
    for what in ["read", "written"] {
        let sum = info.figure(&format!("files.bytes_{what}"));
        assert_eq!(sum, counted[what], "{what}");
    }
    let each = info.get("files.each").as_array().unwrap().iter();
    assert_eq!(
        each.map(|it| it["unknown"].as_u64().unwrap()).sum::<u64>(),
        0
    );
}

#[test]
fn what_is_read_and_written_within_the_call_is_told() {
    each("blocking.c", |run, facts| {
        holds(
            facts,
            &[
                ("IoCreateHandle", 4),
                ("IoDeleteFile", 1),
                ("IoDestroyHandle", 4),
                ("IoOperationBegin", 28),
                ("IoOperationComplete", 28),
                ("IoSeek", 12),
            ],
        );
        let Some(operations) = operations(run) else {
            return;
        };
        moves_what_is_counted(run, &operations);
        let of = |words: &[&str]| operations.iter().filter(|it| it.is(words)).count();
        assert_eq!(of(&["FLUSH", "COLLECTIVE"]), 2);
        assert_eq!(of(&["Mode: WRITE", "COLLECTIVE"]), 6);
        assert_eq!(of(&["Mode: READ", "COLLECTIVE"]), 4);
        assert_eq!(of(&["NON_BLOCKING"]), 0);
        let short = |it: &&Operation| (it.asked, it.moved) == (64, Some(32));
        assert_eq!(operations.iter().filter(short).count(), 2);
        let info = run.json("info --json");
        let each = info.get("files.each").as_array().unwrap();
        let names = each.iter().map(|it| it["name"].as_str().unwrap());
        let data = run.trial.path("data").display().to_string();
        assert_eq!(names.clone().next(), Some(data.as_str()));
        assert_eq!(names.count(), 3);
        assert_eq!(
            (&each[0]["openings"], &each[0]["bytes_written"]),
            (&1.into(), &320.into())
        );
        let text = run.mpiscope("info").out;
        assert!(
            text.contains("3, 236 bytes read, 341 bytes written"),
            "{text}"
        );
    });
}

#[test]
fn what_goes_on_beyond_the_call_completes_where_it_is_waited_for() {
    each("requests.c", |run, facts| {
        holds(
            facts,
            &[
                ("IoCreateHandle", 2),
                ("IoDestroyHandle", 2),
                ("IoOperationBegin", 24),
                ("IoOperationComplete", 24),
                ("IoOperationIssued", 22),
                ("IoSeek", 6),
            ],
        );
        if let Some(facts) = facts {
            assert_eq!(facts.kinds.get("MpiRequestTest"), None);
        }
        let Some(operations) = operations(run) else {
            return;
        };
        moves_what_is_counted(run, &operations);
        let of = |words: &[&str]| operations.iter().filter(|it| it.is(words)).count();
        assert_eq!(of(&["NON_BLOCKING"]), 22);
        assert_eq!(of(&["NON_BLOCKING", "COLLECTIVE"]), 10);
    });
}

#[test]
fn fortran_does_the_same() {
    for program in ["files.f90", "f08.f90"] {
        each(program, |run, facts| {
            holds(
                facts,
                &[
                    ("IoCreateHandle", 2),
                    ("IoDeleteFile", 1),
                    ("IoDestroyHandle", 2),
                    ("IoOperationBegin", 14),
                    ("IoOperationComplete", 14),
                    ("IoOperationIssued", 4),
                    ("IoSeek", 2),
                ],
            );
            if let Some(operations) = operations(run) {
                moves_what_is_counted(run, &operations);
            }
        });
    }
}

/// What begins unseen has no end in the trace, what ends unseen no end either.
#[test]
fn what_happens_during_a_pause_is_not_told() {
    each("paused.c", |run, facts| {
        holds(
            facts,
            &[
                ("IoCreateHandle", 2),
                ("IoDestroyHandle", 4),
                ("IoOperationBegin", 6),
                ("IoOperationComplete", 4),
                ("IoOperationIssued", 2),
            ],
        );
        if let Some(operations) = operations(run) {
            moves_what_is_counted(run, &operations);
        }
    });
}

#[test]
fn threads_have_files_of_their_own_and_wait_for_each_other() {
    each("threads.c", |run, facts| {
        holds(
            facts,
            &[
                ("IoCreateHandle", 4),
                ("IoDestroyHandle", 4),
                ("IoOperationBegin", 66),
                ("IoOperationComplete", 66),
                ("IoOperationIssued", 2),
            ],
        );
        if let Some(operations) = operations(run) {
            moves_what_is_counted(run, &operations);
        }
    });
}

#[test]
fn what_a_killed_process_moved_is_told() {
    for &mpi in found() {
        let case = Case { mpi, ranks: 2 };
        let Some(trial) = Trial::new(case, "tests/mpi/files/killed.c") else {
            continue;
        };
        let run = trial.traced();
        run.done.check_calm();
        assert_ne!(run.done.code, 0, "{}", mpi.name);
        let info = run.json("info --json");
        assert_eq!(info.figure("files.bytes_written"), 128);
        assert_eq!(info.figure("files.bytes_read"), 64);
        // Nothing is against any rule but that it ended too early.
        let checked = run.mpiscope("check").out;
        let rules = checked.lines().filter(|line| line.contains("): "));
        assert_eq!(
            rules.filter(|it| !it.contains("finalize-missing")).count(),
            0,
            "{checked}"
        );
        run.check_archives();
        let Some(operations) = operations(&run) else {
            continue;
        };
        assert_eq!(operations.len(), 5);
        let open = operations.iter().filter(|it| it.moved.is_none());
        assert_eq!(open.map(|it| it.asked).collect::<Vec<_>>(), [8]);
    }
}
