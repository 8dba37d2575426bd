//! A run that was killed becomes an archive of all it had committed.

mod common;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{begin, communicator, definitions, message, small_run, START};
use mpiscope_archive::trace::read_trace;
use mpiscope_model::EventKind;
use mpiscope_run::record::{Fact, Record};
use mpiscope_run::recover::recover;
use mpiscope_run::run_info::{RunInfo, State};
use mpiscope_run::stored::{self, Stored};
use mpiscope_run::{buffer, directory, shared_memory};

const RUN: &str = "MPISCOPE_TEST_RUN";
const ID: &str = "MPISCOPE_TEST_ID";

/// Not a test of its own: the process that is killed. Rank 0 and a thread of
/// it send messages for ever.
#[test]
fn a_program_that_never_ends() {
    let (Ok(run), Ok(id)) = (std::env::var(RUN), std::env::var(ID)) else {
        return;
    };
    let directory = shared_memory::folder(&id);
    std::fs::create_dir_all(&directory).unwrap();
    let run = Path::new(&run);
    let mut stream = definitions(0, 2);
    stream.push(communicator(2, Some(0), "halo", 9, &[0, 1]));
    let mut main = begin(&directory, run, 0, 0, &stream);
    let mut other = begin(&directory, run, 0, 1, &[]);
    for writer in [&main, &other] {
        writer
            .header()
            .pid
            .store(std::process::id(), std::sync::atomic::Ordering::Relaxed);
    }
    for time in (START..).step_by(4) {
        main.push(Record::new(
            time,
            Fact::Enter {
                region: common::SEND,
                site: 0,
            },
        ));
        main.push(Record::new(time + 1, Fact::Send(message(1, 7, 32))));
        main.push(Record::new(
            time + 2,
            Fact::Leave {
                region: common::SEND,
            },
        ));
        other.push(Record::new(
            time + 3,
            Fact::Enter {
                region: common::WAIT,
                site: 0,
            },
        ));
        other.push(Record::new(
            time + 3,
            Fact::Leave {
                region: common::WAIT,
            },
        ));
    }
}

fn start(run: &Path, id: &str) -> Child {
    RunInfo {
        run_id: id.into(),
        ..RunInfo::default()
    }
    .write(run)
    .unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_program_that_never_ends"])
        .env(RUN, run)
        .env(ID, id)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until both buffers hold at least `records`; more than 32768 spill.
fn wait_for(id: &str, run: &Path, records: u64) {
    let began = Instant::now();
    let enough = || {
        let buffers: Vec<Stored> = stored::list(&shared_memory::folder(id))
            .iter()
            .filter_map(|path| Stored::open(path, run).ok())
            .collect();
        buffers.len() == 2 && buffers.iter().all(|b| b.committed >= records)
    };
    while !enough() {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "the child writes nothing"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn what_was_committed_before_sigkill_is_in_the_archive() {
    for (trial, records) in [1, 1_000, 40_000, 100_000].into_iter().enumerate() {
        let run = tempfile::tempdir().unwrap();
        let id = format!("test-{}-{trial}", std::process::id());
        let mut child = start(run.path(), &id);
        wait_for(&id, run.path(), records);
        let living = recover(run.path()).unwrap_err().to_string();
        assert!(living.contains("still runs"), "{living}");
        child.kill().unwrap();
        child.wait().unwrap();

        let committed: u64 = stored::list(&shared_memory::folder(&id))
            .iter()
            .map(|path| Stored::open(path, run.path()).unwrap().committed)
            .sum();
        let recovered = recover(run.path()).unwrap();
        assert!(!shared_memory::folder(&id).exists(), "buffers have moved");
        // At most one region of each thread was open.
        assert!(
            (committed..=committed + 2).contains(&recovered.events),
            "{recovered:?}"
        );
        assert_eq!((recovered.ranks, &recovered.missing[..]), (1, &[1][..]));

        let trace = read_trace(run.path()).unwrap();
        assert_eq!(trace.event_count() as u64, recovered.events);
        let ranks: Vec<_> = trace
            .locations
            .iter()
            .map(|l| (l.rank.0, l.thread))
            .collect();
        assert_eq!(ranks, [(0, 0), (0, 1), (1, 0)]);
        for location in &trace.locations {
            let count = |kind| {
                location
                    .events
                    .kinds()
                    .iter()
                    .filter(|k| **k == kind)
                    .count()
            };
            assert_eq!(count(EventKind::Enter), count(EventKind::Leave));
            assert!(location.events.times().is_sorted());
        }
        assert_eq!(RunInfo::read(run.path()).unwrap().state, State::Recovered);
        assert_eq!(
            recover(run.path()).unwrap().events,
            recovered.events,
            "again"
        );
    }
}

fn kept(run: &Path) -> Vec<std::path::PathBuf> {
    let kept = directory::buffers(run);
    std::fs::create_dir_all(&kept).unwrap();
    for buffer in small_run(run) {
        std::fs::rename(&buffer.path, kept.join(buffer.path.file_name().unwrap())).unwrap();
    }
    stored::list(&kept)
}

#[test]
fn a_run_without_run_json_is_recovered_from_its_buffers() {
    let run = tempfile::tempdir().unwrap();
    kept(run.path());
    let recovered = recover(run.path()).unwrap();
    assert_eq!((recovered.ranks, recovered.lost), (3, 0));
    assert!(recovered.notes.iter().any(|note| note.contains("run.json")));
    let trace = read_trace(run.path()).unwrap();
    assert_eq!(trace.matching().messages.len(), 2);
}

#[test]
fn damaged_buffers_are_named_and_the_others_used() {
    let run = tempfile::tempdir().unwrap();
    let buffers = kept(run.path());
    std::fs::write(&buffers[1], "not a buffer").unwrap();
    let recovered = recover(run.path()).unwrap();
    assert_eq!(recovered.missing, [1]);
    assert!(
        recovered
            .notes
            .iter()
            .any(|note| note.contains("node1-101")),
        "{:?}",
        recovered.notes
    );
}

#[test]
fn a_spill_file_that_is_gone_is_named() {
    use std::os::unix::fs::FileExt;
    let run = tempfile::tempdir().unwrap();
    let buffers = kept(run.path());
    let file = std::fs::File::options()
        .write(true)
        .open(&buffers[0])
        .unwrap();
    let at = std::mem::offset_of!(buffer::Header, spilled) as u64;
    file.write_all_at(&3_u64.to_le_bytes(), at).unwrap();
    let recovered = recover(run.path()).unwrap();
    assert!(
        recovered.notes.iter().any(|note| note.contains(".spill")),
        "{:?}",
        recovered.notes
    );
}

#[test]
fn a_run_with_nothing_in_it_says_so() {
    let run = tempfile::tempdir().unwrap();
    RunInfo::default().write(run.path()).unwrap();
    let message = recover(run.path()).unwrap_err().to_string();
    assert!(message.contains("nothing to recover"), "{message}");
    let message = recover(&run.path().join("no")).unwrap_err().to_string();
    assert!(message.contains("run.json"), "{message}");
}
