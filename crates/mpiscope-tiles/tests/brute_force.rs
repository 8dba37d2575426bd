//! Tiles hold what events say: everything is compared with a reading of all events that knows no
//! shortcuts, for drawn traces, sound and odd ones.

mod common;

use common::{brute, drawn, Cut, Drawn};
use mpiscope_model::{LocationIndex, Trace};
use mpiscope_tiles::messages::{Timed, Told};
use mpiscope_tiles::search::Search;
use mpiscope_tiles::summary::OfCalls;
use mpiscope_tiles::tile::BINS;
use mpiscope_tiles::{Class, Clocked, Run};
use proptest::prelude::*;

/// Looks at a trace by its own clock: as it is in memory, and as it is written down, read again,
/// and its events are read by block. The second clock is always that of the trace in memory.
fn with(trace: &Trace, look: impl Fn(Clocked, Clocked)) {
    let mut run = Run::new(trace.clone());
    run.add_clock("measured", None);
    let plain = run.clock("measured").unwrap();
    look(plain, plain);
    let mut empty = trace.clone();
    for location in &mut empty.locations {
        location.events = Default::default();
    }
    let source = Box::new(Cut(trace.clone()));
    let parts = run.parts();
    let part = |number: usize| parts.get(number).cloned();
    let kept = Run::of_parts(empty, parts.len(), part, source).unwrap();
    assert_eq!(kept.event_count(), run.event_count());
    look(kept.clock("measured").unwrap(), plain);
}

/// Some tiles of each level: the first, the last, and one between.
fn some_tiles(clock: &Clocked) -> Vec<mpiscope_tiles::Tile> {
    let of_level = |level: u32| {
        let width = (BINS as u128) << (2 * level);
        let last = (u128::from(clock.length()) / width) as u64;
        let mut tiles = vec![0, last / 2, last];
        tiles.dedup();
        let tile = move |index| clock.tile(level, index).unwrap();
        tiles.into_iter().map(tile)
    };
    (0..clock.levels()).flat_map(of_level).collect()
}

fn check_sums(trace: &Trace) {
    with(trace, |clock, plain| {
        let stretches = brute::stretches(&plain);
        for tile in some_tiles(&clock) {
            for row in 0..clock.run.rows.len() as u32 {
                let bins = clock.bins(row, tile);
                for (at, done) in bins.iter().enumerate() {
                    let bin = tile.edge(at)..tile.edge(at + 1);
                    let locations = &clock.run.rows.locations[row as usize];
                    let expected = brute::done(&stretches, locations, &bin);
                    let found: Vec<u128> = (done.classes().iter().chain([&done.waiting()]))
                        .map(|ns| u128::from(*ns))
                        .collect();
                    assert_eq!(found, expected, "row {row}, bin {bin:?}");
                }
            }
        }
    });
}

fn check_spans(trace: &Trace) {
    with(trace, |clock, plain| {
        let all = brute::spans(&plain);
        for tile in some_tiles(&clock) {
            let window = tile.window();
            let found = clock
                .spans(0..clock.run.rows.len() as u32, window.clone())
                .unwrap();
            let touches = |span: &&mpiscope_tiles::spans::Span| {
                span.begin < window.end && span.end >= window.start
            };
            let mut expected: Vec<_> = all.iter().filter(touches).copied().collect();
            expected.sort_by_key(|it| (it.row, it.depth, it.begin, it.event));
            assert_eq!(found.spans, expected, "{window:?}");
        }
    });
}

/// A message with the trace's own times.
fn timed(trace: &Trace, clock: &Clocked, message: mpiscope_model::Message) -> Timed {
    let time = |event| clock.view.times.since_start(trace.time(event));
    Timed {
        message,
        sent: time(message.send),
        received: time(message.receive),
    }
}

fn check_messages(trace: &Trace) {
    with(trace, |clock, _| {
        for tile in some_tiles(&clock) {
            let window = tile.window();
            let touches = |timed: &Timed| {
                let (begin, end) = timed.interval();
                begin < window.end && end >= window.start
            };
            let messages = trace.matching().messages.into_iter();
            let mut expected: Vec<_> = messages.map(|it| timed(trace, &clock, it)).collect();
            expected.retain(touches);
            expected.sort_by_key(|it| it.message);
            let Told::Each(mut found) = clock.messages(tile) else {
                panic!("few messages are told one by one");
            };
            found.sort_by_key(|it| it.message);
            assert_eq!(found, expected);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn sums_over_tiles_are_those_over_events(drawn in drawn()) {
        check_sums(&drawn.trace());
    }

    #[test]
    fn spans_are_those_of_the_events(drawn in drawn()) {
        check_spans(&drawn.trace());
    }

    #[test]
    fn messages_are_those_that_touch(drawn in drawn()) {
        check_messages(&drawn.trace());
    }
}

fn check_all(trace: &Trace) {
    check_sums(trace);
    check_spans(trace);
    check_messages(trace);
}

#[test]
fn odd_traces_are_looked_at_like_others() {
    let far = 1_000_000_000_000_000_000i64;
    for picture in [
        String::new(),
        "0: 7".into(),
        "0:\n1: 3 5\n2:".into(),
        format!("0: {far} enter(MPI_Send) {} send>0 {}", far + 5, far + 9),
        format!("0: {} enter(f)\n1: {}", i64::MIN, i64::MAX),
        "0: 1 leave(f) 2 leave(MPI_Send) 3 enter(f) 4".into(),
        "0: 1 enter(f) 2 enter(g) 3 enter(MPI_Recv) 9".into(),
        "0: 9 enter(MPI_Send) 4 send>1 5 leave(MPI_Send) 12\n1: 3 enter(MPI_Recv) 2 recv<0 1 leave(MPI_Recv)".into(),
        "0: 1 2 barrier{ 5 } 6 ?{ 7\n1: 1 3 barrier{ 5 } 9".into(),
        "0: 1 enter(MPI_Pcontrol) 2 off 9 on 10 leave(MPI_Pcontrol) 12 off 20".into(),
    ] {
        check_all(&Trace::parse(&picture).unwrap());
    }
}

#[test]
fn calls_that_are_never_left_are_open_to_the_end() {
    let deep = Drawn::deep(1000);
    check_all(&deep);
}

#[test]
fn a_simulated_run_waits_as_long_as_analyze_says() {
    let parameters = mpiscope_simulate::Parameters {
        ranks: 12,
        hosts: 1,
        iterations: 30,
        ..Default::default()
    };
    let trace = mpiscope_simulate::simulate(&parameters).unwrap().trace;
    let profile = mpiscope_analysis::profile::Profile::of(&trace, &trace.matching());
    with(&trace, |clock, _| {
        for (rank, sum) in profile.ranks.iter().enumerate() {
            let done = clock.total(clock.run.rows.of_location[rank]);
            assert_eq!(done.waiting() as i64, sum.waiting.0);
            assert_eq!(done.lived() as i64, sum.time.0);
            let mpi: u64 = done.classes()[1..6].iter().sum();
            assert_eq!(mpi as i64, sum.mpi.0);
        }
        // A folded host is the sum of its processes, whichever way it is made.
        let host = clock.run.rows.host[clock.run.rows.of_location[0] as usize];
        for tile in some_tiles(&clock) {
            let rows = clock.run.rows.of_location.iter();
            let apart: Vec<_> = rows.map(|row| clock.bins(*row, tile)).collect();
            for (bin, done) in clock.bins(host, tile).iter().enumerate() {
                for class in Class::ALL {
                    let sum: u64 = apart.iter().map(|bins| bins[bin].of(class)).sum();
                    if class != Class::Nothing {
                        assert_eq!(done.of(class), sum, "{class:?}, {tile:?}, {bin}");
                    }
                }
            }
        }
    });
}

#[test]
fn very_many_rows_take_no_time() {
    let mut trace = Trace::parse("0: 1 enter(MPI_Send) 5 leave(MPI_Send) 9").unwrap();
    let location = trace.locations[0].clone();
    trace.locations = (0..65_536u32)
        .map(|rank| mpiscope_model::Location {
            id: rank.into(),
            rank: mpiscope_model::Rank(rank),
            ..location.clone()
        })
        .collect();
    with(&trace, |clock, _| {
        let tile = clock.tile(clock.levels() - 1, 0).unwrap();
        let last = clock.run.rows.of_location[65_535];
        assert_eq!(clock.bins(last, tile)[3].of(Class::PointToPoint), 1);
        assert!(clock.shares(tile, last / 32).is_some());
        assert!(clock.shares(tile, last / 32 + 1).is_none());
        assert_eq!(clock.run.rows.locations[0], [LocationIndex(0)]);
    });
}

fn check_summary(trace: &Trace) {
    with(trace, |clock, plain| {
        let length = clock.length();
        for window in [
            0..length + 1,
            length / 3..length / 2 + 1,
            0..0,
            length..length + 5,
        ] {
            let found = clock.summary(window.clone(), &[]);
            let stretches = brute::stretches(&plain);
            let all: Vec<LocationIndex> = (0..trace.locations.len() as u32)
                .map(LocationIndex)
                .collect();
            let expected = brute::done(&stretches, &all, &window);
            assert_eq!(u128::from(found.done.waiting()), expected[9]);
            for (told, by_site) in [(&found.regions, false), (&found.sites, true)] {
                let (expected, tree) = brute::calls(&plain, &window, by_site);
                let calls =
                    |it: &OfCalls| ((it.region, it.site), it.calls, it.inclusive, it.exclusive);
                let mut told: Vec<brute::OfCalls> = told.iter().map(calls).collect();
                told.sort_unstable();
                assert_eq!(told, expected, "{window:?}");
                assert_eq!(found.tree.time, tree);
            }
            let begun = trace.matching().messages.into_iter().filter(|it| {
                let (begin, _) = timed(trace, &clock, *it).interval();
                window.contains(&begin)
            });
            let counted: u64 = found.traffic.pairs.values().map(|it| it.count).sum();
            assert_eq!(counted, begun.count() as u64);
            let sizes: u64 = found.traffic.sizes.iter().map(|it| it.count).sum();
            assert_eq!(sizes, counted);
        }
    });
}

fn check_search(trace: &Trace) {
    with(trace, |clock, plain| {
        let searches = [
            Search {
                text: Some("mpi_".into()),
                ..Search::default()
            },
            Search {
                text: Some("send at A.c:1".into()),
                ..Search::default()
            },
            Search {
                text: Some("b.c".into()),
                row: Some(0),
                ..Search::default()
            },
            Search {
                class: Some(Class::Computation),
                row: Some(0),
                ..Search::default()
            },
            Search {
                tag: Some(0),
                ..Search::default()
            },
        ];
        for search in searches {
            let all = brute::suiting(&plain, &search);
            for from in [0, clock.length() / 2, clock.length(), u64::MAX] {
                let next = all
                    .iter()
                    .filter(|it| it.time > from)
                    .min_by_key(|it| (it.time, it.event));
                assert_eq!(
                    clock.next(&search, from).as_ref(),
                    next,
                    "{search:?} after {from}"
                );
                let before = all
                    .iter()
                    .filter(|it| it.time < from)
                    .map(|it| it.time)
                    .max();
                assert_eq!(clock.previous(&search, from).map(|it| it.time), before);
            }
            if let Some(total) = clock.total_of(&search) {
                assert_eq!(total, all.len() as u64);
            }
        }
    });
}

fn check_calls(trace: &Trace) {
    with(trace, |clock, plain| {
        for span in brute::spans(&plain).into_iter().filter(|it| !it.is_off) {
            let location = clock.run.rows.list[span.row as usize].location.unwrap();
            let event = mpiscope_model::EventRef {
                location,
                index: span.event,
            };
            let call = clock.call(event).unwrap();
            assert_eq!(call.time, (span.begin, span.end));
            assert_eq!((call.depth, call.region), (span.depth, span.region));
            assert_eq!(call.end.is_some(), span.ended);
            // The end belongs to a call that ends there, this one or one around it.
            if let Some(end) = call.end {
                let ended = clock.call(mpiscope_model::EventRef {
                    index: end,
                    ..event
                });
                assert!(ended.is_none_or(|it| it.depth <= call.depth));
            }
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn a_window_is_summed_up_as_its_events_say(drawn in drawn()) {
        check_summary(&drawn.trace());
    }

    #[test]
    fn what_is_searched_is_found(drawn in drawn()) {
        check_search(&drawn.trace());
    }

    #[test]
    fn a_call_is_what_its_span_is(drawn in drawn()) {
        check_calls(&drawn.trace());
    }
}

/// Windows that have whole chunks of events.
#[test]
fn a_long_run_is_summed_up_likewise() {
    let parameters = mpiscope_simulate::Parameters {
        ranks: 4,
        hosts: 2,
        iterations: 150,
        ..Default::default()
    };
    let trace = mpiscope_simulate::simulate(&parameters).unwrap().trace;
    assert!(trace.locations[0].events.len() > 3 * 2048);
    check_summary(&trace);
}
