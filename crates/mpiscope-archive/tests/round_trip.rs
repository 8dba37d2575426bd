//! What was recorded is what is read: buffers to archive to trace, and the
//! same archive with other times.

mod common;

use common::{buffer, definitions, finalize, message, small_run, RECV, SEND, START};
use expect_test::expect;
use mpiscope_archive::corrected::write_corrected;
use mpiscope_archive::trace::read_trace;
use mpiscope_model::{Duration, Event, Timestamp, Trace};
use mpiscope_run::drain::write_locations;
use mpiscope_run::plan::Orders;
use mpiscope_run::process::Process;
use mpiscope_run::record::Fact;
use mpiscope_run::run_info::RunInfo;

fn small_trace() -> (tempfile::TempDir, Trace) {
    let run = tempfile::tempdir().unwrap();
    let buffers = small_run(run.path());
    finalize(run.path(), &buffers);
    let trace = read_trace(run.path()).unwrap();
    (run, trace)
}

fn side(m: &mpiscope_model::PointToPoint) -> String {
    let any = if m.any_source { "any " } else { "" };
    format!("{any}<{} tag {} bytes {}", m.peer, m.tag, m.bytes)
}

/// Draws a location: time since the start, and what happened.
fn draw(trace: &Trace, location: usize) -> String {
    let start = 1_700_000_000_000_000_000 + START as i64;
    let region = |id: &mpiscope_model::RegionId| &trace.definitions.regions[id.index()].name;
    let mut text = String::new();
    for (time, event) in trace.locations[location].events.iter() {
        let what = match &event {
            Event::Enter(id) => format!("enter {}", region(id)),
            Event::Leave(id) => format!("leave {}", region(id)),
            Event::MpiIrecv(m) => format!("irecv {}", side(m)),
            Event::MpiProbe(m) => format!("probe {}", side(m)),
            Event::MpiCollectiveEnd(c) => format!("{} on {}", c.op.name(), c.comm.0),
            other => format!("{other:?}"),
        };
        text += &format!("{} {what}\n", time.0 - start);
    }
    text
}

#[test]
fn events_come_back_with_times_of_their_own_clock() {
    let (_run, trace) = small_trace();
    expect![[r#"
        700 enter MPI_Init
        800 leave MPI_Init
        900 enter MPI_Probe
        1000 probe any <0 tag 6 bytes 0
        1100 leave MPI_Probe
        1200 enter MPI_Irecv
        1300 MpiIrecvRequest(RequestId(1))
        1400 leave MPI_Irecv
        1500 enter MPI_Wait
        1600 irecv any <0 tag 6 bytes 300
        1700 leave MPI_Wait
        1800 enter MPI_Comm_split
        2000 leave MPI_Comm_split
        2100 enter MPI_Allreduce
        2200 MpiCollectiveBegin
        2300 allreduce on 2
        2400 leave MPI_Allreduce
        2500 enter MPI_Barrier
        2600 MpiCollectiveBegin
        2700 barrier on 0
        2800 leave MPI_Barrier
        2900 enter MPI_Finalize
        3000 leave MPI_Finalize
    "#]]
    .assert_eq(&draw(&trace, 2));
}

#[test]
fn messages_and_collectives_find_each_other() {
    let (_run, trace) = small_trace();
    let matching = trace.matching();
    assert_eq!(matching.messages.len(), 2);
    assert_eq!(
        matching.unmatched_sends.len() + matching.unmatched_receives.len(),
        0
    );
    let complete: Vec<_> = matching
        .collectives
        .iter()
        .map(|c| {
            (
                c.op.name(),
                matching.members_of(c).len(),
                c.complete && c.consistent,
            )
        })
        .collect();
    // Two splits, and MPI_Init and MPI_Finalize, which are no records of their own.
    assert_eq!(complete.len(), 7);
    assert!(complete.contains(&("finalize", 3, true)));
    assert!(complete.contains(&("create_handle", 2, true)));
    assert!(complete.contains(&("barrier", 3, true)));
    assert!(complete.contains(&("allreduce", 2, true)));
    assert!(complete.contains(&("allreduce", 1, true)));
}

#[test]
fn the_faulty_rank_is_a_clock_domain_with_its_offsets() {
    let (_run, trace) = small_trace();
    let domains: Vec<Vec<u32>> = trace
        .clocks
        .iter()
        .map(|d| d.locations.iter().map(|l| l.0).collect())
        .collect();
    assert_eq!(domains, [vec![0, 1], vec![2]]);
    assert!(trace.clocks[0].measurements.is_empty());
    let offsets: Vec<_> = trace.clocks[1]
        .measurements
        .iter()
        .map(|m| (m.offset, m.half_width))
        .collect();
    assert_eq!(offsets, [(Duration(-700), Duration(10)); 2]);
}

#[test]
fn the_truth_lies_in_run_json() {
    let (run, trace) = small_trace();
    let truth = RunInfo::read(run.path()).unwrap().truth().unwrap();
    let begin = |location: usize| trace.locations[location].events.times()[0];
    assert_eq!(begin(2) - begin(0), Duration(700));
    assert_eq!(truth(2, begin(2).0), begin(0).0);
}

#[test]
fn a_corrected_archive_differs_in_times_alone() {
    let (run, trace) = small_trace();
    let before = std::fs::read(run.path().join("traces/2.evt")).unwrap();
    let mut times = trace.times();
    times[2].iter_mut().for_each(|t| *t += Duration(-700));
    let out = run.path().join("corrected");
    let note = [("MPISCOPE::CORRECTION".to_owned(), "test".to_owned())];
    let corrected = write_corrected(run.path(), &out, &times, &note).unwrap();
    assert_eq!(corrected.events, trace.event_count() as u64);

    let again = read_trace(&out).unwrap();
    assert_eq!(again.times(), times);
    assert_eq!(again.definitions, trace.definitions);
    assert!(again.clocks.iter().all(|d| d.measurements.is_empty()));
    for (a, b) in again.locations.iter().zip(&trace.locations) {
        assert!(a
            .events
            .iter()
            .map(|e| e.1)
            .eq(b.events.iter().map(|e| e.1)));
    }
    assert_eq!(
        std::fs::read(run.path().join("traces/2.evt")).unwrap(),
        before
    );
    let anchor = otf2::read::Archive::open(corrected.anchor).unwrap();
    assert!(anchor.anchor().properties.contains(&note[0]));
}

#[test]
fn the_measured_archive_is_never_written_over() {
    let (run, trace) = small_trace();
    let refused = write_corrected(run.path(), run.path(), &trace.times(), &[]).unwrap_err();
    assert!(
        refused.to_string().contains("measured archive"),
        "{refused}"
    );
    assert_eq!(read_trace(run.path()).unwrap(), trace);
}

#[test]
fn columns_that_do_not_belong_to_the_archive_are_refused() {
    let (run, trace) = small_trace();
    let out = run.path().join("corrected");
    let refused = |times: &[Vec<Timestamp>]| {
        let error = write_corrected(run.path(), &out, times, &[]).unwrap_err();
        assert!(!out.join("traces.otf2").exists());
        error.to_string()
    };
    let times = trace.times();
    assert!(refused(&times[1..]).contains("3 locations"));
    let mut short = times.clone();
    short[1].pop();
    assert!(refused(&short).contains("location 1 has more events"));
    let mut long = times.clone();
    long[1].push(Timestamp::MAX);
    assert!(refused(&long).contains("location 1 has fewer events"));
    let mut backwards = times.clone();
    backwards[1][3] = Timestamp(0);
    assert!(
        refused(&backwards).contains("location 1, event 4"),
        "{}",
        refused(&backwards)
    );
}

#[test]
fn times_before_zero_move_all_others() {
    let (run, trace) = small_trace();
    let mut times = trace.times();
    let first = times[0][0];
    for time in times.iter_mut().flatten() {
        *time = Timestamp(-50) + (*time - first);
    }
    let corrected = write_corrected(run.path(), &run.path().join("c"), &times, &[]).unwrap();
    assert_eq!(corrected.shift, 50);
    assert_eq!(
        read_trace(&corrected.anchor).unwrap().locations[0]
            .events
            .times()[0],
        Timestamp(0)
    );
}

/// Rank 0 with these facts, written by these orders alone.
fn written(
    facts: &[Fact],
    change: impl Fn(&mut Orders),
) -> (mpiscope_run::drain::Written, Vec<String>) {
    let run = tempfile::tempdir().unwrap();
    let buffers = [buffer(run.path(), 0, &definitions(0, 1), facts)];
    let (anchor, plan, _) = finalize(run.path(), &buffers);
    let mut orders = plan.orders[0].clone();
    change(&mut orders);
    let process = Process::collect(&buffers).0;
    let mut written = write_locations(run.path(), &process, &buffers, &orders).unwrap();
    let written = written.remove(0);
    let archive = otf2::read::Archive::open(anchor).unwrap();
    let events = archive.events(0).unwrap();
    let names = events
        .iter()
        .map(|e| e.unwrap().event.name().to_owned())
        .collect();
    (written, names)
}

#[test]
fn regions_open_at_death_are_left_at_the_last_event() {
    let facts = [
        Fact::Enter {
            region: SEND,
            site: 0,
        },
        Fact::Leave { region: SEND },
        Fact::Enter {
            region: RECV,
            site: 0,
        },
        Fact::Recv(message(0, 1, 1), None),
    ];
    let (closed, names) = written(&facts, |_| ());
    assert_eq!((closed.events, &names[4][..]), (5, "Leave"));
}

#[test]
fn what_otf2_has_no_field_for_is_an_attribute() {
    let run = tempfile::tempdir().unwrap();
    let mut stream = definitions(0, 1);
    stream.push(common::communicator(2, Some(0), "", 9, &[0]));
    stream.push(common::communicator(3, Some(0), "", 10, &[0]));
    let wildcard = mpiscope_run::record::Wildcard {
        source: false,
        tag: true,
    };
    let any_tag = mpiscope_run::record::Message {
        wildcard,
        ..message(0, 1, 1)
    };
    let facts = [
        Fact::Enter {
            region: RECV,
            site: 0,
        },
        Fact::Probe(any_tag, 9),
        Fact::Recv(any_tag, Some(9)),
        Fact::Leave { region: RECV },
        Fact::IrecvRequest {
            request: 1,
            message: Some(4),
            posted: None,
        },
        Fact::Irecv(message(0, 1, 1), 1),
        Fact::Enter {
            region: SEND,
            site: 0,
        },
        Fact::CommCreated { comm: 2 },
        Fact::CommCreated { comm: 3 },
        Fact::Leave { region: SEND },
    ];
    let (anchor, _, written) = finalize(run.path(), &[buffer(run.path(), 0, &stream, &facts)]);
    let archive = otf2::read::Archive::open(anchor).unwrap();
    let events = archive.events(0).unwrap();
    let drawn: String = events
        .iter()
        .map(|record| record.unwrap())
        .map(|r| {
            format!(
                "{} {:?}\n",
                r.event.name(),
                r.attributes.iter().collect::<Vec<_>>()
            )
        })
        .collect();
    expect![[r#"
        Enter []
        MpiProbe [(5, Uint8(2))]
        MpiRecv [(5, Uint8(2)), (2, Uint64(9))]
        Leave []
        MpiIrecvRequest [(2, Uint64(4))]
        MpiIrecv []
        Enter []
        Leave [(1, Comm(3))]
    "#]]
    .assert_eq(&drawn);
    assert_eq!(
        (written[0].events, written[0].skipped),
        (8, 1),
        "no call creates two"
    );
}

#[test]
fn what_the_archive_cannot_name_is_counted() {
    let facts = [
        Fact::Enter {
            region: SEND,
            site: 0,
        },
        Fact::Enter {
            region: 77,
            site: 0,
        },
        Fact::Send(message(0, 1, 1)),
        Fact::BufferFlush { stop: START },
        Fact::Leave { region: SEND },
    ];
    let (all, names) = written(&facts, |orders| orders.communicators.clear());
    assert_eq!(names, ["Enter", "BufferFlush", "Leave"]);
    assert_eq!((all.skipped, all.repaired), (2, 0));
}

#[test]
fn a_clock_that_runs_backwards_is_held_and_counted() {
    use mpiscope_run::record::Record;
    let run = tempfile::tempdir().unwrap();
    let mut writer = common::begin(run.path(), run.path(), 0, 0, &definitions(0, 1));
    for time in [300, 200, 250, 400] {
        writer.push(Record::new(
            START + time,
            Fact::Enter {
                region: SEND,
                site: 0,
            },
        ));
    }
    let stored = mpiscope_run::stored::Stored::open(writer.path(), run.path()).unwrap();
    let (_, _, written) = finalize(run.path(), &[stored]);
    assert_eq!(written[0].repaired, 2);
    let times = &read_trace(run.path()).unwrap().times()[0];
    let since: Vec<_> = times.iter().map(|t| (*t - times[0]).0).collect();
    assert_eq!(since[..4], [0, 0, 0, 100]);
}

#[test]
fn an_archive_cut_short_keeps_what_stands_before() {
    let (run, whole) = small_trace();
    let path = run.path().join("traces/0.evt");
    let bytes = std::fs::read(&path).unwrap();
    for end in (0..bytes.len()).step_by(7) {
        std::fs::write(&path, &bytes[..end]).unwrap();
        let cut = read_trace(run.path()).unwrap();
        let left = cut.locations[0].events.len();
        let whole = whole.locations[0].events.times();
        assert_eq!(cut.locations[0].events.times(), &whole[..left]);
        assert!(
            cut.locations[0].truncated.is_some() || left == whole.len(),
            "{end}"
        );
    }
}

#[test]
fn what_is_no_archive_is_named() {
    let empty = tempfile::tempdir().unwrap();
    let message = read_trace(empty.path()).unwrap_err().to_string();
    assert!(message.contains("holds no archive"), "{message}");
    std::fs::write(empty.path().join("run.json"), "{}").unwrap();
    let message = read_trace(empty.path()).unwrap_err().to_string();
    assert!(message.contains("mpiscope recover"), "{message}");
    let file = empty.path().join("x.otf2");
    std::fs::write(&file, "hello").unwrap();
    for path in [&file, empty.path()] {
        let message = read_trace(path).unwrap_err().to_string();
        assert!(message.contains("x.otf2 is no OTF2 archive"), "{message}");
    }
}
