//! Who interrupts a command that writes finds what was there before, or what is complete: never
//! anything half-written.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use common::{mpiscope, process};
use mpiscope_run::buffer::Writer;
use mpiscope_run::directory;
use mpiscope_run::process::{line, Communicator, Definition, Identity, Members, Region};
use mpiscope_run::record::{Fact, Record};
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::ticks::Triple;
use rustix::process::{kill_process, Pid, Signal};

/// Every command that writes what exists by itself, and what that is.
const COMMANDS: [(&str, &str); 11] = [
    ("sync big.mpiscope --force", "big.mpiscope/corrected"),
    ("sync big.mpiscope/traces.otf2 -o synced --force", "synced"),
    ("export big.mpiscope --to csv -o csv --force", "csv"),
    (
        "export big.mpiscope --to parquet -o parquet --force",
        "parquet",
    ),
    (
        "export big.mpiscope --to perfetto -o perfetto --force",
        "perfetto",
    ),
    (
        "export big.mpiscope --to speedscope -o speedscope --force",
        "speedscope",
    ),
    ("pack big.mpiscope -o packed --force", "packed"),
    ("unpack whole -o unpacked --force", "unpacked"),
    (
        "simulate halo -n 8 --iterations N -o made.mpiscope --force",
        "made.mpiscope",
    ),
    ("repair broken/traces.otf2 -o mended --force", "mended"),
    ("repair big.mpiscope -o copied --force", "copied"),
];

/// When to interrupt.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// As soon as anything is written.
    Begin,
    /// When half of it is.
    Half,
    /// When it has come to its place, so that little but the command's end is left.
    End,
}

struct Place(tempfile::TempDir);

impl Place {
    /// With a run that takes a while, a packed one, and an archive that is to be mended.
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.done("simulate halo -n 8 --iterations N -o big.mpiscope");
        place.done("pack big.mpiscope -o whole");
        place.done("unpack whole -o broken");
        let anchor = place.path("broken/traces.otf2");
        let mut bytes = fs::read(&anchor).unwrap();
        // The number of locations.
        bytes[30] += 1;
        fs::write(anchor, bytes).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    #[track_caller]
    fn done(&self, line: &str) {
        let line = with_iterations(line);
        let mut command = Command::new(mpiscope());
        let done = process::run(command.args(line.split(' ')).current_dir(&self.0));
        done.check(0, &[]);
    }

    /// Starts a command, waits for the moment, and interrupts it.
    fn interrupt(&self, line: &str, target: &Path, moment: Moment, signal: Signal) -> ExitStatus {
        let line = with_iterations(line);
        let folder = target.parent().unwrap();
        let known = entries(folder);
        let half = match moment {
            Moment::Begin | Moment::End => 0,
            Moment::Half => size(target) / 2,
        };
        // A suite that runs in the background may ignore signals, and what it starts does, too.
        let mut command = Command::new("env");
        command
            .arg("--default-signal=INT,TERM")
            .arg(mpiscope())
            .args(line.split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir(&self.0);
        let mut child = command.spawn().unwrap();
        let is_aside = |bytes| {
            let all = entries(folder);
            let new: Vec<&PathBuf> = all.difference(&known).collect();
            let there: u64 = new.iter().map(|path| size(path)).sum();
            !new.is_empty() && there >= bytes
        };
        while !is_aside(half) && is_running(&mut child) {
            std::thread::sleep(Duration::from_millis(1));
        }
        // What follows is short: nobody sleeps.
        while matches!(moment, Moment::End) && is_aside(0) && is_running(&mut child) {}
        // It has not been waited for, so that its number is nobody else's.
        kill_process(Pid::from_child(&child), signal).unwrap();
        // Who asks again finds no other end.
        while matches!(moment, Moment::Half) && is_running(&mut child) {
            kill_process(Pid::from_child(&child), signal).unwrap();
            std::thread::sleep(Duration::from_millis(1));
        }
        child.wait().unwrap()
    }
}

/// Says how long runs are: as long as a release build takes a second for each, or, with a slow
/// build, as MPISCOPE_TEST_ITERATIONS says.
fn with_iterations(line: &str) -> String {
    let iterations = std::env::var("MPISCOPE_TEST_ITERATIONS");
    line.replace(
        "ations N",
        &format!("ations {}", iterations.as_deref().unwrap_or("3000")),
    )
}

/// Whether a child has not ended; it is not waited for.
fn is_running(child: &mut Child) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let state = stat.rsplit_once(") ").unwrap().1;
    !state.starts_with('Z')
}

fn entries(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Returns all files of a path, with their bytes; those that go away meanwhile are none.
fn files(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if path.is_dir() {
        return entries(path).iter().flat_map(|path| files(path)).collect();
    }
    let bytes = fs::read(path).ok();
    bytes
        .map(|bytes| (path.to_owned(), bytes))
        .into_iter()
        .collect()
}

fn size(path: &Path) -> u64 {
    match path.is_dir() {
        true => entries(path).iter().map(|path| size(path)).sum(),
        false => path.symlink_metadata().map_or(0, |it| it.len()),
    }
}

fn names(files: &[(PathBuf, Vec<u8>)]) -> Vec<&Path> {
    files.iter().map(|(path, _)| path.as_path()).collect()
}

/// The other files of a run change with what is done in it.
fn around(place: &Place) -> [BTreeSet<PathBuf>; 2] {
    [
        entries(place.0.path()),
        entries(&place.path("big.mpiscope")),
    ]
}

#[test]
fn what_was_not_there_is_not_there() {
    let place = Place::new();
    for (line, name) in COMMANDS {
        for signal in [Signal::INT, Signal::TERM] {
            let before = around(&place);
            let target = place.path(name);
            let status = place.interrupt(line, &target, Moment::Begin, signal);
            // One that was done before the signal came has kept what it made.
            match status.success() {
                true => drop(fs::remove_dir_all(&target).or_else(|_| fs::remove_file(&target))),
                false => assert_eq!(around(&place), before, "{line} {signal:?} {status}"),
            }
        }
    }
}

#[test]
fn what_was_there_is_there_or_the_whole_of_the_new() {
    let place = Place::new();
    for (line, name) in COMMANDS {
        place.done(line);
        let target = place.path(name);
        for signal in [Signal::INT, Signal::TERM] {
            for moment in [Moment::Begin, Moment::Half, Moment::End] {
                let (before, old) = (around(&place), files(&target));
                place.interrupt(line, &target, moment, signal);
                let now = files(&target);
                let what = format!("{line} {signal:?} {moment:?}");
                assert_eq!(around(&place), before, "{what}");
                assert_eq!(names(&now), names(&old), "{what}");
                let is_old = now == old;
                let is_whole = || size(&target) > 0 && is_read(&place, name);
                assert!(is_old || is_whole(), "{what}");
            }
        }
        drop(fs::remove_dir_all(&target).or_else(|_| fs::remove_file(&target)));
    }
}

/// Whether what a command made is whole, as far as others of ours can tell.
fn is_read(place: &Place, name: &str) -> bool {
    let line = match name {
        "csv" | "parquet" | "perfetto" | "speedscope" => return true,
        "packed" => "info packed".to_owned(),
        "big.mpiscope/corrected" => "check big.mpiscope/corrected".to_owned(),
        name => format!("check {name}"),
    };
    let mut command = Command::new(mpiscope());
    let done = process::run(command.args(line.split(' ')).current_dir(&place.0));
    done.code == 0
}

/// Ticks, nanoseconds here, at which a run begins.
const START: u64 = 1_000_000;
/// Calls of each rank.
const CALLS: u64 = 15_000;

/// Makes a run that died, of 4 ranks, with its buffers in it.
fn dead(run: &Path) {
    use std::sync::atomic::Ordering::Relaxed;
    let kept = directory::buffers(run);
    fs::create_dir_all(&kept).unwrap();
    RunInfo::default().write(run).unwrap();
    for rank in 0..4 {
        let name = format!("node1-{}-{}-0.buffer", 100 + rank, 1000 + rank);
        let mut writer = Writer::create(&kept, &name, run, 1 << 20, None).unwrap();
        writer.header().rank.store(rank, Relaxed);
        for definition in of_rank(rank) {
            writer.shared().define(&line(&definition));
        }
        for call in 0..CALLS {
            let at = START + call * 100;
            let (region, site) = (1, 0);
            writer.push(Record::new(at, Fact::Enter { region, site }));
            writer.push(Record::new(at + 50, Fact::Leave { region }));
        }
    }
}

fn of_rank(rank: u32) -> Vec<Definition> {
    let triple = |ticks| {
        Definition::Triple(Triple {
            ticks,
            monotonic: ticks,
            realtime: 1_700_000_000_000_000_000 + ticks,
        })
    };
    vec![
        Definition::Identity(Identity {
            rank,
            world_size: 4,
            pid: 100 + rank,
            host: "node1".into(),
            boot_id: "b".into(),
            program: "heat".into(),
            ..Identity::default()
        }),
        Definition::Region(Region {
            id: 1,
            name: "MPI_Wtime".into(),
            role: 1,
            user: false,
        }),
        Definition::Communicator(Communicator {
            name: "MPI_COMM_WORLD".into(),
            identity: 1,
            members: Members::new(&[0, 1, 2, 3]),
            ..Communicator::default()
        }),
        triple(START),
        triple(START + 10_000_000),
    ]
}

#[test]
fn a_recovery_that_is_interrupted_can_be_begun_again() {
    let place = Place(tempfile::tempdir().unwrap());
    for signal in [Signal::INT, Signal::TERM] {
        let run = place.path("heat.mpiscope");
        dead(&run);
        let before = entries(&run);
        let target = run.join("traces.otf2");
        let line = "recover heat.mpiscope";
        let status = place.interrupt(line, &target, Moment::Begin, signal);
        if !status.success() {
            assert_eq!(entries(&run), before, "{signal:?} {status}");
            place.done(line);
        }
        place.done("info heat.mpiscope");
        fs::remove_dir_all(&run).unwrap();
    }
}
