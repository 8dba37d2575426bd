//! Reports of a run made here: two ranks, one source with probes.

use std::path::{Path, PathBuf};

use expect_test::{expect, Expect};
use mpiscope_analysis::statistics::tree;
use mpiscope_run::process::{line_of, Identity, Members, Module};
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::statistics::{self as records, Amount, Group, Key, Kind, Note, Side, Table};
use mpiscope_run::ticks::Triple;

use super::*;
use crate::cli::{ByWhat, SourceLine};

/// main in lines 10 to 40 calls work in a loop and after it; work sends.
const STRUCTURE: &str = r#"{"version": 1, "file": "heat.c", "directory": "/src", "language": "C",
    "compiled": "00", "left_alone": [], "statements": [
    {"kind": "procedure", "line": 10, "end": 40, "parent": null, "name": "main", "probe": true},
    {"kind": "loop", "line": 12, "end": 30, "parent": 0, "name": "for", "probe": true},
    {"kind": "call", "line": 14, "end": 14, "parent": 1, "name": "work", "probe": true},
    {"kind": "call", "line": 35, "end": 35, "parent": 0, "name": "work", "probe": true},
    {"kind": "procedure", "line": 50, "end": 60, "parent": null, "name": "work", "probe": true}]}"#;
const MODULE: u64 = 0x1000;

/// Writes the statistics of a rank into a run.
fn write_rank(run: &Path, rank: u32, rows: &[(Key, Amount)]) {
    let name = format!("{rank}.statistics");
    let path = run.join(&name);
    let start = Triple {
        ticks: 1000,
        ..Triple::default()
    };
    let mut table = Table::create(run, &name, run, 100, start, None).unwrap();
    let identity = Identity {
        rank,
        world_size: 2,
        host: "n1".into(),
        ..Identity::default()
    };
    let module = Module {
        start: MODULE,
        end: MODULE + 0x1000,
        bias: MODULE,
        path: "/no/such/heat".into(),
        build_id: "aa".into(),
        interpreted: None,
    };
    for note in [
        Note::Identity(Box::new(identity)),
        Note::Module(module),
        Note::Region {
            id: 1,
            name: "MPI_Send".into(),
        },
        Note::Region {
            id: 2,
            name: "MPI_Allreduce".into(),
        },
        Note::Group(Group {
            id: 0,
            members: Members::new(&[0, 1]),
            remote: None,
        }),
        Note::Unit {
            base: 100,
            structure: "h".into(),
        },
    ] {
        assert!(table.notes().note(&line_of(&note)));
    }
    for (key, amount) in rows {
        let number = table.allocate(1).unwrap();
        let entry = table.entry(number).unwrap();
        entry.begin(*key);
        assert!(entry.add_message(*amount));
    }
    table.publish();
    let header = table.header();
    header.renew_triple(Triple {
        ticks: 1_001_000,
        monotonic: 1_000_000,
        realtime: 1_000_000,
    });
    header
        .finished
        .store(1, std::sync::atomic::Ordering::Release);
    records::keep(run, std::slice::from_ref(&path)).unwrap();
    std::fs::remove_file(path).unwrap();
}

fn amount(calls: u64, time: u64, messages: u64, bytes: u64) -> Amount {
    Amount {
        calls,
        messages,
        bytes,
        time: time + 10,
        intrusion: 10,
    }
}

/// Makes a run of two ranks.
fn run(folder: &Path) -> PathBuf {
    let run = folder.join("heat.mpiscope");
    std::fs::create_dir_all(records::structures(&run)).unwrap();
    std::fs::write(records::structures(&run).join("h.json"), STRUCTURE).unwrap();
    RunInfo {
        program: "heat".into(),
        ..RunInfo::default()
    }
    .write(&run)
    .unwrap();
    let probed = |kind, number: u32, caller| Key::statement(kind, 100 + number, caller);
    let called = |region, side, offset, peer| Key::call(region, side, MODULE + offset, peer, 0);
    for (rank, factor) in [(0, 1), (1, 2)] {
        let rows = [
            (
                probed(Kind::Procedure, 0, u32::MAX),
                amount(1, 400_000 * factor, 0, 0),
            ),
            (
                probed(Kind::Loop, 1, u32::MAX),
                amount(1, 300_000 * factor, 50, 0),
            ),
            (
                probed(Kind::Procedure, 4, 102),
                amount(50, 200_000 * factor, 0, 0),
            ),
            (
                probed(Kind::Procedure, 4, 103),
                amount(1, 20_000 * factor, 0, 0),
            ),
            (
                called(1, Side::Sent, 0x20, 1 - rank),
                amount(51, 60_000 * factor, 51, 51 * 1024),
            ),
            (
                called(2, Side::Collective, 0x40, records::ALL),
                amount(7, 5_000, 7, 56),
            ),
        ];
        write_rank(&run, rank, &rows);
    }
    run
}

pub fn loaded(folder: &Path) -> Loaded {
    load::load(&run(folder)).unwrap()
}

#[track_caller]
fn check(text: impl FnOnce(&Loaded) -> String, expected: Expect) {
    let folder = tempfile::tempdir().unwrap();
    let loaded = loaded(folder.path());
    expected.assert_eq(&(text(&loaded) + "\n"));
}

#[test]
fn the_tree_of_the_program_has_most_time_first() {
    check(
        |all| {
            let head = text::head(Path::new("heat.mpiscope"), all);
            head + "\n" + &text::tree(&all.statistics, &tree(&all.statistics))
        },
        expect![[r#"
            heat.mpiscope: 2 ranks on 1 host, observed for 1 ms, finished
            communication: 190 µs, 9.5 % of the time of all threads; waiting is not told apart from transfer
            observation: 0 ns, 0 % of the time, taken off everywhere below
            note: /no/such/heat is not there any more: its lines are not known
                                                                                           time  share    imbalance  waiting  calls    bytes
              program                                                                      2 ms  100 %
                main heat.c:10-40                                                        1.2 ms   60 %  25 % rank 1               2
                  for heat.c:12-30, 100 iterations                                       900 µs   45 %  25 % rank 1               2
                    work heat.c:50-60, called at heat.c:14 (below: for all its callers)  600 µs   30 %  25 % rank 1             100
                  work heat.c:50-60, called at heat.c:35 (its body: see there)            60 µs    3 %  25 % rank 1               2
                (no symbol) heat                                                         190 µs  9.5 %  24 % rank 1
                  MPI_Send heat+0x20                                                     180 µs    9 %  25 % rank 1        -    102  102 KiB
                  MPI_Allreduce heat+0x40                                                 10 µs  0.5 %                     -     14    112 B
             note: of functions without probes (`mpiscope cc`) only the time in MPI is known
        "#]],
    );
}

#[test]
fn records_are_added_up() {
    let all = [
        ByWhat::Statement,
        ByWhat::Peer,
        ByWhat::Procedure,
        ByWhat::Loop,
        ByWhat::Rank,
    ];
    check(
        |loaded| {
            all.map(|by| format!("{by:?}\n{}", listing::by(&loaded.statistics, by)))
                .join("\n")
        },
        expect![[r#"
            Statement
              communication statement    time  share    imbalance  waiting  longest  calls  messages    bytes
              MPI_Send heat+0x20       180 µs    9 %  25 % rank 1            120 µs    102       102  102 KiB
              MPI_Allreduce heat+0x40   10 µs  0.5 %                        5.01 µs     14        14    112 B
            Peer
              with              time  share    imbalance  waiting  longest  calls  messages   bytes
              rank 0          120 µs    6 %  50 % rank 1            120 µs     51        51  51 KiB
              rank 1           60 µs    3 %  50 % rank 0             60 µs     51        51  51 KiB
              all of 2 ranks   10 µs  0.5 %                        5.01 µs     14        14   112 B
            Procedure
              procedure, and who calls it               time  share    imbalance  waiting  longest  calls     bytes
              main heat.c:10-40                       1.2 ms   60 %  25 % rank 1            800 µs      2
              work heat.c:50-60, called at heat.c:14  600 µs   30 %  25 % rank 1            400 µs    100
              work heat.c:50-60, called at heat.c:35   60 µs    3 %  25 % rank 1             40 µs      2
            Loop
              loop                time  share    imbalance  waiting  longest  calls  iterations  bytes
              for heat.c:12-30  900 µs   45 %  25 % rank 1            600 µs      2         100
            Rank
              communication of    time   share  imbalance  waiting  longest  calls  messages     bytes
              rank 1            125 µs  6.25 %                       120 µs     58        58  51.1 KiB
              rank 0             65 µs  3.25 %                        60 µs     58        58  51.1 KiB
        "#]],
    );
}

#[test]
fn who_sent_to_whom_and_how_much() {
    check(
        |all| {
            let sizes = listing::messages(&all.statistics, |_| true);
            format!("{}\n{sizes}", listing::matrix(&all.statistics, 16))
        },
        expect![[r#"
            bytes sent, from rank (rows) to rank
                      0       1
              0       .  51 KiB
              1  51 KiB       .
            messages sent
                  0   1
              0   .  51
              1  51   .
            MPI_Send heat+0x20
                 bytes             messages  share
                 32 KiB to 64 KiB         2  100 %  ########################################
            MPI_Allreduce heat+0x40
                 bytes     messages  share
                 32 to 63         2  100 %  ########################################
        "#]],
    );
}

#[test]
fn a_line_tells_what_was_counted_there() {
    let place = |line| SourceLine {
        file: "heat.c".into(),
        line,
    };
    check(
        |all| {
            let lines = [14, 50, 12, 99].map(|line| {
                let text = one::text(&all.statistics, &place(line));
                text.unwrap_or_else(|error| format!("error: {error}"))
            });
            lines.join("\n\n")
        },
        expect![[r#"
            work heat.c:14
              procedure, and who calls it               time  share    imbalance  waiting  longest  calls     bytes
              work heat.c:50-60, called at heat.c:14  600 µs   30 %  25 % rank 1            400 µs    100

            work heat.c:50-60
              procedure, and who calls it               time  share    imbalance  waiting  longest  calls     bytes
              work heat.c:50-60, called at heat.c:14  600 µs   30 %  25 % rank 1            400 µs    100
              work heat.c:50-60, called at heat.c:35   60 µs    3 %  25 % rank 1             40 µs      2

            for heat.c:12-30
              loop                time  share    imbalance  waiting  longest  calls  iterations  bytes
              for heat.c:12-30  900 µs   45 %  25 % rank 1            600 µs      2         100
                                                                                       time   share    imbalance  waiting  calls  bytes
              for heat.c:12-30, 100 iterations                                       900 µs   100 %  25 % rank 1               2
                work heat.c:50-60, called at heat.c:14 (below: for all its callers)  600 µs  66.7 %  25 % rank 1             100

            error: nothing was counted at heat.c:99: `mpiscope stats` lists what was
        "#]],
    );
}

#[test]
fn the_json_holds_the_same() {
    check(
        |all| {
            let facts = serde_json::to_value(facts::facts(Path::new("a"), all)).unwrap();
            crate::testing::has_documented_keys(&facts, "`mpiscope stats --json");
            let main = &facts["tree"]["children"][0];
            let work = &main["children"][0]["children"][0];
            format!(
                "{}\n{} {} {}\n{}",
                main["place"], work["called_at"], work["time_ns"], work["body"], facts["messages"]
            )
        },
        expect![[r#"
            "heat.c:10-40"
            "heat.c:14" 600000 "of all callers"
            [{"bytes":52224,"from":0,"messages":51,"to":1},{"bytes":52224,"from":1,"messages":51,"to":0}]
        "#]],
    );
}

#[test]
fn the_flame_graph_is_as_wide_as_the_program_took() {
    let folder = tempfile::tempdir().unwrap();
    let all = loaded(folder.path()).statistics;
    let picture = flame::svg(&all, &tree(&all));
    assert!(
        picture.contains("x=\"0.00\" y=\"0\" width=\"1200.00\""),
        "{picture}"
    );
    assert!(
        picture.contains("<title>work heat.c:50-60, called at heat.c:14"),
        "{picture}"
    );
    let profile = speedscope::profile(&all, &tree(&all), Path::new("a"));
    assert_eq!(profile["profiles"][0]["endValue"], 2_000_000);
}

#[test]
fn a_rank_that_is_damaged_is_said_and_the_others_read() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    std::fs::write(records::path(&run, 1), b"nonsense").unwrap();
    let loaded = load::load(&run).unwrap();
    assert_eq!((loaded.statistics.ranks.len(), loaded.damage.len()), (1, 1));
    assert!(
        loaded.damage[0].contains("1.statistics"),
        "{:?}",
        loaded.damage
    );
    std::fs::write(records::path(&run, 0), b"nonsense").unwrap();
    assert_eq!(crate::exit::of(&load::load(&run).err().unwrap()), DAMAGED);
}

#[test]
fn a_run_without_statistics_says_how_to_get_them() {
    let folder = tempfile::tempdir().unwrap();
    RunInfo::default().write(folder.path()).unwrap();
    let error = load::load(folder.path()).err().unwrap().to_string();
    assert!(error.contains("mpiscope monitor"), "{error}");
}
