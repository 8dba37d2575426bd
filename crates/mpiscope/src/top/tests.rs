//! What is shown of a run at a moment.

use expect_test::{expect, Expect};
use mpiscope_archive::model::statistics as model;
use mpiscope_run::process::{Identity, Members};
use mpiscope_run::statistics::{Activity, Group, Process, Thread, ALL, ANY};
use mpiscope_run::ticks::Triple;
use ratatui::backend::TestBackend;
use ratatui::Terminal;

use super::keys::Choice;
use super::*;

const SECOND: u64 = 1_000_000_000;
const SEND: u16 = 1;
const BARRIER: u16 = 2;

/// A rank that has been in a call for some seconds, ten after its start.
fn process(rank: u32, ranks: u32, doing: Option<(u16, u32, u64)>) -> Process {
    let at = |seconds: u64| Triple {
        ticks: seconds * SECOND,
        monotonic: seconds * SECOND,
        realtime: seconds * SECOND,
    };
    let (region, peer, since) = doing.map_or((None, 0, 0), |(r, peer, s)| (Some(r), peer, s));
    let members: Vec<u32> = (0..ranks).collect();
    Process {
        identity: Identity {
            rank,
            world_size: ranks,
            host: "n1".into(),
            pid: 7,
            ..Identity::default()
        },
        regions: vec![(SEND, "MPI_Send".into()), (BARRIER, "MPI_Barrier".into())],
        groups: vec![Group {
            id: 0,
            members: Members::new(&members),
            remote: None,
        }],
        threads: vec![Thread {
            span: [at(100), at(110)],
            now: Activity {
                region,
                peer,
                since: (110 - since) * SECOND,
                ..Activity::default()
            },
            ..Thread::default()
        }],
        ..Process::default()
    }
}

/// A run of ranks that are each in a call, all of them alive, or dead.
fn loaded(doing: &[Option<(u16, u32, u64)>], live: bool) -> Loaded {
    let ranks = doing.len() as u32;
    let statement = model::Statement {
        kind: model::Kind::Communication,
        name: "MPI_Send".into(),
        file: "ring.c".into(),
        line: 12,
        end: 12,
        timed: true,
        ..model::Statement::default()
    };
    let record = |rank| model::Record {
        rank,
        figures: model::Figures {
            calls: 4,
            bytes: 4096,
            time: 2 * SECOND,
            ..Default::default()
        },
        ..model::Record::default()
    };
    let rank = |rank| model::Process {
        rank,
        started: 100 * SECOND,
        duration: 10 * SECOND,
        thread_time: 10 * SECOND,
        calls: 4,
        mpi: 2 * SECOND,
        ..model::Process::default()
    };
    Loaded {
        processes: (0..)
            .zip(doing)
            .map(|(rank, doing)| process(rank, ranks, *doing))
            .collect(),
        statistics: model::Statistics {
            statements: vec![statement],
            records: (0..ranks).map(record).collect(),
            ranks: (0..ranks).map(rank).collect(),
        },
        live: if live {
            (0..ranks).collect()
        } else {
            Vec::new()
        },
        inside: (0..ranks).map(|rank| (rank, "ring.c:12".into())).collect(),
        ..Loaded::default()
    }
}

fn seen(doing: &[Option<(u16, u32, u64)>], live: bool) -> View {
    view::view("ring.mpiscope", &loaded(doing, live), 110 * SECOND, None)
}

#[track_caller]
fn check(view: &View, expected: Expect) {
    expected.assert_eq(&(rows::text(view) + "\n"));
}

#[test]
fn each_rank_stands_where_it_is() {
    let doing = [None, Some((SEND, 0, 3)), Some((SEND, ANY, 2))];
    check(
        &seen(&doing, true),
        expect![[r#"
        ring.mpiscope: 3 ranks running, observed for 10 s
        MPI 36.7 % of the time, imbalance of the rest 20.8 %, 1.2 calls/s, 1.2 KiB/s
          rank    state            in         at  for  waits for   MPI  waiting  calls/s  bytes/s
          0     running  its own code                             20 %        -      0.4    410 B
          1     running      MPI_Send  ring.c:12  3 s     rank 0  50 %        -      0.4    410 B
          2     running      MPI_Send  ring.c:12  2 s    anybody  40 %        -      0.4    410 B
          statement         at   now  in all  time  imbalance  calls  calls/s  inside
          MPI_Send   ring.c:12  20 %    20 %   6 s        0 %     12      1.2       2
    "#]],
    );
}

/// Adds a thread that is in a call, or outside of MPI after one.
fn with_thread(loaded: &mut Loaded, rank: usize, doing: Option<(u16, u32, u64)>) {
    let ranks = loaded.processes.len() as u32;
    let mut thread = process(0, ranks, doing).threads.remove(0);
    thread.now.calls = 1;
    loaded.processes[rank].threads.push(thread);
}

#[test]
fn every_thread_of_a_rank_is_shown() {
    let doing = [None, Some((SEND, 0, 3))];
    let mut loaded = loaded(&doing, true);
    with_thread(&mut loaded, 0, Some((SEND, 1, 4)));
    with_thread(&mut loaded, 1, Some((BARRIER, ALL, 2)));
    let view = view::view("ring.mpiscope", &loaded, 110 * SECOND, None);
    let names = |rank: usize| rows::rank(&view.ranks[rank])[2].clone();
    assert_eq!([names(0), names(1)], ["MPI_Send", "MPI_Send +1"]);
    assert_eq!(rows::threads(&view, 0), Vec::<String>::new());
    expect![[r#"
        thread 0 in MPI_Send at ring.c:12 for 3 s, waits for rank 0
        thread 1 in MPI_Barrier for 2 s, waits for rank 0"#]]
    .assert_eq(&rows::threads(&view, 1).join("\n"));
}

#[test]
fn a_rank_goes_on_while_one_of_its_threads_can() {
    let circle = [Some((SEND, 1, 3)), Some((SEND, 0, 3)), None];
    let cycle = |more: &[Option<(u16, u32, u64)>]| {
        let mut loaded = loaded(&circle, true);
        more.iter()
            .for_each(|doing| with_thread(&mut loaded, 1, *doing));
        view::view("ring.mpiscope", &loaded, 110 * SECOND, None).cycle
    };
    assert_eq!(cycle(&[]), [0, 1]);
    assert_eq!(cycle(&[Some((SEND, 0, 3))]), [0, 1]);
    // It waits for one that works, has only just begun to wait, or is outside of MPI.
    for doing in [Some((SEND, 2, 3)), Some((SEND, 0, 0)), None] {
        assert!(cycle(&[doing]).is_empty(), "{doing:?}");
    }
}

#[test]
fn ranks_that_wait_for_each_other_are_said() {
    let doing = [
        Some((SEND, 1, 3)),
        Some((BARRIER, ALL, 2)),
        Some((BARRIER, ALL, 2)),
    ];
    check(
        &seen(&doing, true),
        expect![[r#"
            ring.mpiscope: 3 ranks running, observed for 10 s
            MPI 43.3 % of the time, imbalance of the rest 5.56 %, 1.2 calls/s, 1.2 KiB/s
            these ranks wait for each other: rank 0 (MPI_Send ring.c:12) -> rank 1 (MPI_Barrier ring.c:12) -> rank 0
              rank    state           in         at  for  waits for   MPI  waiting  calls/s  bytes/s
              0     running     MPI_Send  ring.c:12  3 s     rank 1  50 %        -      0.4    410 B
              1     running  MPI_Barrier  ring.c:12  2 s     rank 0  40 %        -      0.4    410 B
              2     running  MPI_Barrier  ring.c:12  2 s     rank 0  40 %        -      0.4    410 B
              statement         at   now  in all  time  imbalance  calls  calls/s  inside
              MPI_Send   ring.c:12  20 %    20 %   6 s        0 %     12      1.2       1
        "#]],
    );
}

#[test]
fn who_waits_only_for_a_moment_is_in_no_cycle() {
    let doing = [Some((SEND, 1, 0)), Some((SEND, 0, 5))];
    assert_eq!(seen(&doing, true).cycle, [0; 0]);
    let doing = [Some((SEND, 1, 1)), Some((SEND, 0, 5))];
    assert_eq!(seen(&doing, true).cycle, [0, 1]);
}

#[test]
fn of_a_run_that_was_killed_it_is_known_where_it_was() {
    check(
        &seen(&[None, Some((SEND, 0, 3))], false),
        expect![[r#"
        ring.mpiscope: 2 ranks ended without MPI_Finalize, observed for 10 s
        MPI 35 % of the time, imbalance of the rest 18.8 %, 0.8 calls/s, 819 B/s
          rank  state        in         at  for  waits for   MPI  waiting  calls/s  bytes/s
          0      died                                       20 %        -      0.4    410 B
          1      died  MPI_Send  ring.c:12  3 s     rank 0  50 %        -      0.4    410 B
          statement         at   now  in all  time  imbalance  calls  calls/s  inside
          MPI_Send   ring.c:12  20 %    20 %   4 s        0 %      8      0.8       1
    "#]],
    );
}

#[test]
fn a_rank_that_was_killed_waited_as_long_as_the_others_know() {
    let mut dead = loaded(&[Some((SEND, 1, 0)), Some((SEND, 0, 5))], false);
    let cycle = |dead: &Loaded| view::view("ring.mpiscope", dead, 0, None).cycle;
    assert_eq!(cycle(&dead), [0; 0]);
    dead.processes[1].threads[0].span[1].ticks += 2 * SECOND;
    assert_eq!(cycle(&dead), [0, 1]);
}

#[test]
fn the_json_is_what_the_book_says() {
    let json = serde_json::to_value(seen(&[None], true)).unwrap();
    crate::testing::has_documented_keys(&json, "`mpiscope top --once --json");
}

#[test]
fn rates_are_those_since_the_look_before() {
    let before = seen(&[None, None], true);
    let mut later = loaded(&[None, None], true);
    later.statistics.ranks[0].calls += 30;
    later.statistics.records[0].figures.bytes += 2048;
    later.statistics.records[0].figures.time += SECOND;
    let view = view::view("ring.mpiscope", &later, 112 * SECOND, Some(&before));
    assert_eq!(
        (view.calls_per_second, view.bytes_per_second),
        (15.0, 1024.0)
    );
    assert_eq!(view.statements[0].recent_share, 0.25);
}

#[test]
fn metrics_are_openmetrics_text() {
    let text = metrics::text(&seen(&[None], true));
    let types = text.lines().filter(|line| line.starts_with("# TYPE"));
    assert_eq!(types.count(), 7);
    assert!(text.ends_with("# EOF\n"));
    let mut samples = text.lines().filter(|line| !line.starts_with('#'));
    assert!(samples.all(|line| {
        let value = line
            .rsplit_once("} ")
            .map(|(_, value)| value.parse::<f64>());
        line.starts_with("mpiscope_") && line.contains("{run=\"") && matches!(value, Some(Ok(_)))
    }));
}

#[test]
fn the_screen_has_head_table_and_keys() {
    let view = seen(&[None, Some((SEND, 0, 3))], true);
    let listing = rows::ranks(&view.ranks, Some(6));
    let mut terminal = Terminal::new(TestBackend::new(120, 9)).unwrap();
    let choice = Choice {
        column: Some(6),
        paused: true,
        ..Choice::default()
    };
    let draw = |frame: &mut ratatui::Frame| screen::draw(frame, &view, None, &listing, &choice);
    terminal.draw(draw).unwrap();
    let shown = terminal.backend().to_string();
    expect![[r#"
        "ring.mpiscope: 2 ranks running, observed for 10 s                                                                       "
        "MPI 35 % of the time, imbalance of the rest 18.8 %, 0.8 calls/s, 819 B/s                                                "
        "ranks (paused)                                                                                                          "
        "rank   state     in             at          for   waits for   MPI*   waiting   calls/s   bytes/s                        "
        "1      running   MPI_Send       ring.c:12   3 s   rank 0      50 %   -         0.4       410 B                          "
        "0      running   its own code                                 20 %   -         0.4       410 B                          "
        "                                                                                                                        "
        "                                                                                                                        "
        "arrows select  Enter more  Esc back  Tab ranks/statements  s sort  p pause  ? help  q quit                              "
    "#]].assert_eq(&shown);
}
