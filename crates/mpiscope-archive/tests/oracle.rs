//! Others read our archives: Debian's `otf2-print` and PyPI's `otf2` (the C
//! library behind both). Where one is missing, the test says so and passes.

mod common;
#[path = "../../../tests/missing.rs"]
mod missing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{begin, definitions, finalize, message, small_run, SEND, START};
use missing::missing;
use mpiscope_archive::corrected::write_corrected;
use mpiscope_archive::trace::read_trace;
use mpiscope_model::Duration;
use mpiscope_run::process::{Communicator, Definition, Members};
use mpiscope_run::record::{Fact, Message, Record};

/// What the small run does, by OTF2's names.
const EXPECTED: [(&str, u64); 11] = [
    ("Enter", 22),
    ("Leave", 22),
    ("MpiCollectiveBegin", 6),
    ("MpiCollectiveEnd", 6),
    ("MpiIrecv", 1),
    ("MpiIrecvRequest", 1),
    ("MpiIsend", 1),
    ("MpiIsendComplete", 1),
    ("MpiProbe", 1),
    ("MpiRecv", 1),
    ("MpiSend", 1),
];

/// The archive as measured and as corrected.
fn archives(run: &Path) -> [PathBuf; 2] {
    let (anchor, _, _) = finalize(run, &small_run(run));
    let trace = read_trace(run).unwrap();
    let mut times = trace.times();
    times[2].iter_mut().for_each(|t| *t += Duration(-700));
    let corrected = write_corrected(run, &run.join("corrected"), &times, &[]).unwrap();
    [anchor, corrected.anchor]
}

fn python() -> Option<PathBuf> {
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/oracle/bin/python");
    let python = std::env::var_os("MPISCOPE_ORACLE_PYTHON").map_or(known, PathBuf::from);
    let works = Command::new(&python).args(["-c", "import otf2"]).output();
    works
        .is_ok_and(|output| output.status.success())
        .then_some(python)
}

/// Runs a command; returns its output if it succeeded without a word on standard error.
fn quiet(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    assert_eq!(errors, "", "{command:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn otf2_print_reads_every_record_without_a_warning() {
    if Command::new("otf2-print")
        .arg("--version")
        .output()
        .is_err()
    {
        missing("no otf2-print");
        return;
    }
    let run = tempfile::tempdir().unwrap();
    for anchor in archives(run.path()) {
        for options in [&["-G", "-L", "0", "-C"][..], &["-A"], &[]] {
            let text = quiet(Command::new("otf2-print").args(options).arg(&anchor));
            let lower = text.to_lowercase();
            assert!(
                !lower.contains("warning") && !lower.contains("error"),
                "{text}"
            );
        }
        let events = quiet(Command::new("otf2-print").arg(&anchor));
        let count = |word: &str| {
            let first = |line: &&str| line.split_whitespace().next() == Some(word);
            events.lines().filter(first).count()
        };
        assert_eq!(count("ENTER"), 22, "{events}");
        assert_eq!(count("MPI_COLLECTIVE_END"), 6);
    }
}

/// A rank missing, a second thread, an intercommunicator, a name with odd letters.
#[test]
fn otf2_print_reads_an_unusual_run_without_a_warning() {
    if Command::new("otf2-print")
        .arg("--version")
        .output()
        .is_err()
    {
        missing("no otf2-print");
        return;
    }
    let run = tempfile::tempdir().unwrap();
    let run = run.path();
    let kept = mpiscope_run::directory::buffers(run);
    std::fs::create_dir_all(&kept).unwrap();
    for rank in [0, 2] {
        let mut stream = definitions(rank, 4);
        let (own, other) = if rank == 0 {
            ([0, 1], [2, 3])
        } else {
            ([2, 3], [0, 1])
        };
        stream.push(Definition::Communicator(Communicator {
            id: 2,
            parent: Some(0),
            name: "grün \0 \"zwei\"".into(),
            identity: 7,
            members: Members::new(&own),
            remote: Some(Members::new(&other)),
            ..Communicator::default()
        }));
        let mut main = begin(&kept, run, rank, 0, &stream);
        let mut second = begin(&kept, run, rank, 1, &[]);
        let across = Message {
            comm: 2,
            ..message(0, 3, 9)
        };
        main.push(Record::new(
            START,
            Fact::Enter {
                region: SEND,
                site: 0,
            },
        ));
        main.push(Record::new(START + 5, Fact::Send(across)));
        second.push(Record::new(START + 7, Fact::Recv(across, None)));
    }
    let recovered = mpiscope_run::recover::recover(run).unwrap();
    assert_eq!((&recovered.missing[..], recovered.events), (&[1, 3][..], 8));
    for options in [&["-G", "-L", "0", "-C"][..], &["-A"], &[]] {
        let text = quiet(
            Command::new("otf2-print")
                .args(options)
                .arg(&recovered.anchor),
        );
        let lower = text.to_lowercase();
        assert!(
            !lower.contains("warning") && !lower.contains("error"),
            "{text}"
        );
    }
    let trace = read_trace(run).unwrap();
    assert_eq!(
        trace.matching().messages.len(),
        2,
        "each side's first sends to the other's second thread"
    );
}

const COUNT: &str = r#"
import otf2, sys
with otf2.reader.open(sys.argv[1]) as trace:
    counts, times, wildcards, created = {}, {}, 0, []
    for location, event in trace.events:
        name = type(event).__name__
        counts[name] = counts.get(name, 0) + 1
        times.setdefault(location.group.name, event.time)
        for attribute, value in (event.attributes or {}).items():
            if attribute.name == "MPISCOPE::WILDCARD":
                wildcards += value
            if attribute.name == "MPISCOPE::COMM_CREATED":
                created.append(len(value.group.members))
    for name, count in counts.items():
        print(name, count)
    print("wildcards", wildcards)
    print("created", sum(created))
    print("begin", len(set(times.values())))
    print("locations", len(trace.definitions.locations))
    print("world", len(trace.definitions.comms[0].group.members))
"#;

#[test]
fn the_python_reader_counts_what_was_recorded() {
    let Some(python) = python() else {
        missing("no Python with otf2 (MPISCOPE_ORACLE_PYTHON or target/oracle/bin/python)");
        return;
    };
    let run = tempfile::tempdir().unwrap();
    for anchor in archives(run.path()) {
        let text = quiet(Command::new(&python).args(["-c", COUNT]).arg(&anchor));
        let counts: BTreeMap<&str, u64> = text
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(name, count)| (name, count.parse().unwrap()))
            .collect();
        for (name, count) in EXPECTED {
            assert_eq!(counts.get(name), Some(&count), "{name}\n{text}");
        }
        let facts = ["wildcards", "created", "begin", "locations", "world"].map(|f| counts[f]);
        // After correction all ranks begin at the same moment, in either archive.
        assert_eq!(facts, [3, 5, 1, 3, 3], "{text}");
        let events: u64 = EXPECTED.iter().map(|(_, count)| count).sum();
        assert_eq!(
            counts.values().sum::<u64>(),
            events + facts.iter().sum::<u64>(),
            "{text}"
        );
    }
}
