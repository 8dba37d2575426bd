//! What is read and written does not depend on how many threads do it.

mod common;

use common::written::Written;
use expect_test::expect;
use mpiscope_model::Trace;
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
