//! A corrected archive that keeps the measured events, and tells its times by clock offsets, is the
//! same to every reader as one with new time stamps.
#![forbid(unsafe_code)]

#[path = "../../../tests/missing.rs"]
mod missing;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use missing::missing;
use mpiscope_archive::check::check;
use mpiscope_archive::corrected::{is_corrected, write_correction, Corrected, Correction, Times};
use mpiscope_archive::progress::Progress;
use mpiscope_archive::trace::read_trace;
use mpiscope_archive::write::write_trace;
use mpiscope_model::{Duration, Timestamp, Trace};
use mpiscope_simulate::parameters::Program;
use mpiscope_simulate::{simulate, Parameters};

/// When clocks of 1970 show our times: more nanoseconds than floating point holds exactly.
const EPOCH: Duration = Duration(1_764_000_000_123_456_789);

/// An event after which the next follows at the same measured time.
const TOGETHER: usize = 10;

/// A run, and what its corrected times are.
struct Run {
    folder: tempfile::TempDir,
    trace: Trace,
    times: Vec<Vec<Timestamp>>,
}

impl Run {
    fn of(trace: &Trace, times: impl Fn(&Trace) -> Vec<Vec<Timestamp>>) -> Run {
        let folder = tempfile::tempdir().unwrap();
        write_trace(trace, folder.path(), &[]).unwrap();
        let trace = read_trace(folder.path()).unwrap();
        let times = times(&trace);
        Run {
            folder,
            trace,
            times,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn corrected(&self, name: &str, told: Times) -> Corrected {
        let properties = [("MPISCOPE::CORRECTED".to_owned(), "true".to_owned())];
        let correction = Correction {
            times: &self.times,
            properties: &properties,
            measured: Some((&self.trace, told)),
            knots: &[],
        };
        let (run, out) = (self.folder.path(), self.path(name));
        write_correction(run, &out, &correction, &Progress::default()).unwrap()
    }

    /// Writes both forms; returns them when they are one trace to us.
    #[track_caller]
    fn both(&self) -> [Corrected; 2] {
        let before = event_files(self.folder.path());
        let both = [
            self.corrected("kept", Times::ClockOffsets),
            self.corrected("rewritten", Times::Rewritten),
        ];
        let [kept, rewritten] = both.each_ref().map(|it| {
            assert!(is_corrected(&it.anchor).unwrap());
            read_trace(&it.anchor).unwrap()
        });
        let moved = |column: &Vec<Timestamp>| -> Vec<Timestamp> {
            column
                .iter()
                .map(|time| *time + Duration(both[0].shift))
                .collect()
        };
        assert_eq!(
            kept.times(),
            self.times.iter().map(moved).collect::<Vec<_>>()
        );
        assert!(kept == rewritten);
        assert_eq!(event_files(self.folder.path()), before, "measured");
        both
    }
}

/// Contents of the event files in an archive's folder.
fn event_files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder.join("traces")).unwrap();
    let paths = entries.map(|it| it.unwrap().path());
    let mut files: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|it| it == "evt"))
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// A program on four clocks that drift, and what they would have shown had they been right; all
/// `later`.
fn simulated(program: Program, seed: u64, later: Duration) -> Run {
    let parameters = Parameters {
        program,
        seed,
        ranks: 8,
        hosts: 4,
        iterations: 40,
        ..Parameters::default()
    };
    let made = simulate(&parameters).unwrap();
    let mut trace = made.trace.clone();
    for location in &mut trace.locations {
        let times = location.events.times().iter().map(|time| *time + later);
        let mut times: Vec<Timestamp> = times.collect();
        times[TOGETHER + 1] = times[TOGETHER];
        location.events.set_times(times);
    }
    Run::of(&trace, interpolated)
}

/// Maps in pieces of their own for each location, in floating point as a correction has them, and
/// some events that move on from there with all behind them.
fn interpolated(trace: &Trace) -> Vec<Vec<Timestamp>> {
    let column = |(number, times): (usize, Vec<Timestamp>)| {
        let begin = times.first().map_or(0, |time| time.0);
        let slope = (number as f64 - 3.0) * 2.34e-6;
        let moved = |(index, time): (usize, &Timestamp)| {
            let elapsed = time.0 - begin;
            let map = (slope * elapsed as f64 + (elapsed / 30_000_000) as f64 * 0.37).round();
            let jumps = (index / 500) as i64 * 700 * (number as i64 % 2);
            Timestamp(time.0 + 5_000 * number as i64 + map as i64 + jumps)
        };
        let mut moved: Vec<Timestamp> = times.iter().enumerate().map(moved).collect();
        // Events at one time stay together.
        for index in 1..times.len() {
            if times[index] == times[index - 1] {
                moved[index] = moved[index - 1];
            }
        }
        moved
    };
    trace.times().into_iter().enumerate().map(column).collect()
}

#[test]
fn measured_events_become_part_of_the_corrected_archive() {
    let run = simulated(Program::Mix, 1, Duration(0));
    let [kept, rewritten] = run.both();
    assert_eq!((kept.kept, kept.rewritten), (8, 0));
    assert_eq!(
        (rewritten.kept, rewritten.rewritten, rewritten.offsets),
        (0, 8, 0)
    );
    assert_eq!(kept.events, rewritten.events);
    assert!(kept.offsets > 16, "{kept:?}");
    let number = |name: &str| fs::metadata(run.path(name)).unwrap().ino();
    assert_eq!(number("traces/3.evt"), number("kept/traces/3.evt"));
    assert_ne!(number("traces/3.evt"), number("rewritten/traces/3.evt"));
}

#[test]
fn an_archive_in_another_place_has_files_of_its_own() {
    let mut run = simulated(Program::Pairs, 2, Duration(0));
    let elsewhere = tempfile::tempdir().unwrap();
    let properties = [("MPISCOPE::CORRECTED".to_owned(), "true".to_owned())];
    run.times = run.trace.times();
    let correction = Correction {
        times: &run.times,
        properties: &properties,
        measured: Some((&run.trace, Times::Auto)),
        knots: &[],
    };
    let (from, out) = (run.folder.path(), elsewhere.path());
    let written = write_correction(from, out, &correction, &Progress::default()).unwrap();
    // Nothing moved, so nothing is to be told.
    assert_eq!((written.kept, written.offsets), (8, 0));
    let event_file = out.join("traces/3.evt");
    assert_eq!(fs::metadata(&event_file).unwrap().nlink(), 1);
    assert_eq!(
        fs::read(event_file).unwrap(),
        fs::read(run.path("traces/3.evt")).unwrap()
    );
    assert!(read_trace(out).unwrap().times() == run.times);
}

#[test]
fn a_corrected_archive_is_replaced_and_the_measured_one_stays() {
    let run = simulated(Program::Halo, 3, Duration(0));
    let measured = event_files(run.folder.path());
    for told in [
        Times::ClockOffsets,
        Times::Rewritten,
        Times::Auto,
        Times::Rewritten,
    ] {
        run.corrected("corrected", told);
        assert_eq!(event_files(run.folder.path()), measured, "{told:?}");
    }
    run.corrected("corrected", Times::ClockOffsets);
    // A run whose archive is written again is no other's.
    let corrected = event_files(&run.path("corrected"));
    let empty = Trace::default();
    write_trace(&empty, run.folder.path(), &[]).unwrap();
    assert_eq!(event_files(&run.path("corrected")), corrected);
}

#[test]
fn it_does_not_matter_when_clocks_began() {
    for program in [Program::Mix, Program::Workers] {
        let [kept, _] = simulated(program, 4, EPOCH).both();
        assert_eq!(kept.rewritten, 0);
    }
}

#[test]
fn times_before_zero_move_all_others() {
    let mut run = simulated(Program::Collectives, 5, Duration(0));
    let first = run.times.iter().filter_map(|it| it.first()).min().copied();
    let back = first.unwrap() - Timestamp(-700);
    for time in run.times.iter_mut().flatten() {
        *time = Timestamp(time.0 - back.0);
    }
    let [kept, rewritten] = run.both();
    assert_eq!((kept.shift, rewritten.shift, kept.rewritten), (700, 700, 0));
}

/// Corrects what is drawn to what is drawn; returns how many locations were rewritten.
#[track_caller]
fn rewritten(measured: &str, corrected: &[&[i64]]) -> usize {
    let run = Run::of(&Trace::parse(measured).unwrap(), |_| {
        let column = |times: &&[i64]| times.iter().map(|&time| Timestamp(time)).collect();
        corrected.iter().map(column).collect()
    });
    let [kept, _] = run.both();
    assert_eq!(kept.kept + kept.rewritten, corrected.len());
    kept.rewritten
}

#[test]
fn only_a_location_that_needs_it_is_rewritten() {
    let measured = "0: 10 enter(a) 10 send>1 20 leave(a)
                    1: 5 enter(a) 9 recv<0 30 leave(a)
                    2: 7 enter(a) 7 leave(a)";
    assert_eq!(
        rewritten(measured, &[&[10, 10, 20], &[7, 12, 31], &[5, 5]]),
        0
    );
    // Two events at one time that are apart afterwards.
    assert_eq!(
        rewritten(measured, &[&[10, 11, 20], &[7, 12, 31], &[5, 5]]),
        1
    );
    assert_eq!(
        rewritten(measured, &[&[10, 11, 20], &[7, 12, 31], &[5, 6]]),
        2
    );
    // Where an event of its neighbour lies one tick beside it, there is room for a step.
    let neighbours = "0: 10 enter(a) 11 send>1 12 leave(a)";
    assert_eq!(rewritten(neighbours, &[&[10, 60_000, 60_000]]), 0);
}

#[test]
fn the_farther_times_move_the_more_offsets_it_takes_until_stamps_are_shorter() {
    let run = simulated(Program::Halo, 6, Duration(0));
    let mut zigzag = run.trace.times();
    for (index, time) in zigzag[3].iter_mut().enumerate() {
        time.0 += (index as i64 * 7919) % 13;
    }
    let mut run = Run {
        times: zigzag,
        ..run
    };
    for index in 1..run.times[3].len() {
        run.times[3][index] = run.times[3][index].max(run.times[3][index - 1]);
    }
    let automatic = run.corrected("corrected", Times::Auto);
    assert_eq!((automatic.kept, automatic.rewritten), (7, 1));
    assert!(read_trace(&automatic.anchor).unwrap().times() == run.times);
}

#[test]
fn nothing_is_found_against_such_an_archive() {
    let run = simulated(Program::Mix, 7, EPOCH);
    for written in run.both() {
        let found = check(&written.anchor).unwrap();
        assert!(found.findings.is_empty(), "{:?}", found.findings);
    }
}

fn quiet(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    assert_eq!(errors, "", "{command:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs whose times are early and late, the second with a location that must be rewritten; without
/// communicators between groups, which PyPI's `otf2` cannot read.
fn for_oracles() -> Vec<Run> {
    let mut mixed = simulated(Program::Workers, 8, EPOCH);
    let behind = &mut mixed.times[2][TOGETHER + 1..];
    behind.iter_mut().for_each(|time| time.0 += 1);
    vec![simulated(Program::Halo, 9, Duration(0)), mixed]
}

#[test]
fn otf2_print_tells_both_forms_alike() {
    if Command::new("otf2-print")
        .arg("--version")
        .output()
        .is_err()
    {
        return missing("no otf2-print");
    }
    for (number, run) in for_oracles().iter().enumerate() {
        let both = run.both();
        assert_eq!(both[0].rewritten, number, "of the second run one");
        let [kept, rewritten] = both.map(|written| {
            let text = quiet(Command::new("otf2-print").arg(&written.anchor));
            assert!(text.lines().count() as u64 > written.events);
            text
        });
        assert!(kept == rewritten);
    }
}

const TIMES: &str = r#"
import otf2, sys
with otf2.reader.open(sys.argv[1]) as trace:
    for location, event in trace.events:
        print(location.name, location.group.name, event.time, type(event).__name__)
"#;

fn python() -> Option<PathBuf> {
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/oracle/bin/python");
    let python = std::env::var_os("MPISCOPE_ORACLE_PYTHON").map_or(known, PathBuf::from);
    let works = Command::new(&python).args(["-c", "import otf2"]).output();
    let works = works.is_ok_and(|output| output.status.success());
    works.then_some(python)
}

#[test]
fn the_python_reader_finds_the_same_times() {
    let Some(python) = python() else {
        return missing("no Python with otf2 (MPISCOPE_ORACLE_PYTHON or target/oracle/bin/python)");
    };
    for run in for_oracles() {
        let [kept, rewritten] = run.both().map(|written| {
            let text = quiet(
                Command::new(&python)
                    .args(["-c", TIMES])
                    .arg(&written.anchor),
            );
            assert_eq!(text.lines().count() as u64, written.events);
            text
        });
        assert!(kept == rewritten);
    }
}
