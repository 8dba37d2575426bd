//! What is read and written does not depend on how many threads do it.

mod common;

use std::fs;
use std::path::Path;

use common::written::Written;
use expect_test::expect;
use mpiscope_archive::trace::read_trace;
use mpiscope_archive::write::write_trace;
use mpiscope_model::Trace;
use mpiscope_simulate::parameters::{Parameters, Program};
use mpiscope_simulate::simulate;
use otf2::Event;

/// Returns what `run` makes on so many threads.
fn on<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(run)
}

/// An archive whose locations name what nobody defined, each in its own order.
fn incomplete() -> Written {
    (0..40u32).fold(Written::default(), |written, location| {
        (0..30u32).fold(written, |written, event| {
            let number = 100 + (event * 7 + location * 11) % 40;
            let event = match event % 3 {
                0 => Event::Enter { region: number },
                1 => Event::CommCreate {
                    communicator: number,
                },
                _ => Event::RmaWinCreate { win: number },
            };
            written.event(location.into(), 10, event)
        })
    })
}

#[test]
fn what_nobody_defined_is_numbered_as_if_locations_came_one_by_one() {
    let serial = on(1, || incomplete().trace());
    let names = |trace: &Trace| {
        let definitions = &trace.definitions;
        let regions = definitions.regions.iter().map(|it| it.name.clone());
        let windows = definitions.windows.iter().map(|it| it.name.clone());
        regions.take(12).chain(windows.take(3)).collect::<Vec<_>>()
    };
    expect![[r#"
        [
            "undefined region 100",
            "undefined region 121",
            "undefined region 102",
            "undefined region 123",
            "undefined region 104",
            "undefined region 125",
            "undefined region 106",
            "undefined region 127",
            "undefined region 108",
            "undefined region 129",
            "undefined region 111",
            "undefined region 132",
            "undefined window 114",
            "undefined window 135",
            "undefined window 116",
        ]
    "#]]
    .assert_debug_eq(&names(&serial));
    for threads in [2, 8] {
        assert_eq!(on(threads, || incomplete().trace()), serial);
    }
}

/// Two long locations of all kinds of events: each a few files' chunks.
fn long(run: &Path) {
    let parameters = Parameters {
        ranks: 2,
        hosts: 2,
        program: Program::Mix,
        iterations: 4000,
        ..Parameters::default()
    };
    let simulated = simulate(&parameters).unwrap();
    write_trace(&simulated.trace, run, &[]).unwrap();
}

#[test]
fn a_long_location_is_the_same_whether_one_thread_reads_it_or_many() {
    let run = tempfile::tempdir().unwrap();
    long(run.path());
    let read = |threads| on(threads, || read_trace(run.path()).unwrap());
    let serial = read(1);
    let file = run.path().join("traces/0.evt");
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.len() > 3 << 18, "{} bytes are no chunks", bytes.len());
    assert_eq!(read(2), serial);
    assert_eq!(read(3), serial);

    // A chunk that begins with what it cannot know, one that is damaged, an end too early.
    let spoilt = |at: usize, with: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        fs::write(&file, bytes).unwrap();
        let serial = read(1);
        assert_eq!(read(3), serial, "at {at}");
        serial
    };
    let second = 1 << 18;
    let damaged = spoilt(second + 5000, &[4; 16]);
    assert!(damaged.locations[0].truncated.is_some());
    let last_of_first = bytes[..second].iter().rposition(|&byte| byte != 0).unwrap();
    let ended = spoilt(last_of_first + 1, &[2]);
    let events = |trace: &Trace| trace.locations[0].events.len();
    assert!(events(&ended) < events(&serial));
    spoilt(second + 10, &[0; 8]);

    fs::write(&file, &bytes[..2 * second + 777]).unwrap();
    assert_eq!(read(3), read(1));
}
