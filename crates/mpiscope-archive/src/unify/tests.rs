use super::names::same_file;
use super::*;
use mpiscope_run::process::{Identity, Members, Module};
use mpiscope_run::statistics::{Amount, Entry, Group, Key, Side};

const MAIN: u64 = 0x1000;

/// A process of two, whose program lies at `start`, with entries.
fn process(rank: u32, start: u64, entries: &[(Key, u64)]) -> Process {
    let row = |(key, time): &(Key, u64)| {
        let entry = Entry::default();
        entry.begin(*key);
        entry.add(Amount {
            calls: 1,
            time: *time,
            intrusion: 1,
            ..Amount::default()
        });
        entry.read().unwrap()
    };
    Process {
        identity: Identity {
            rank,
            ..Identity::default()
        },
        modules: vec![Module {
            start,
            end: start + 0x1000,
            bias: start,
            path: "/bin/heat".into(),
            build_id: "aa".into(),
            interpreted: None,
        }],
        regions: vec![(1, "MPI_Send".into())],
        groups: vec![Group {
            id: 0,
            members: Members::new(&[1, 0]),
            remote: None,
        }],
        units: vec![(100, "hash".into())],
        threads: vec![Thread {
            rows: entries.iter().map(row).collect(),
            ..Thread::default()
        }],
        ..Process::default()
    }
}

/// main in lines 1 to 9, in it a loop, in that a call and a send.
fn structures() -> Structures {
    let statement = |kind, name: &str, line, end, parent| Statement {
        kind,
        name: name.into(),
        file: "src/heat.c".into(),
        line,
        end,
        parent,
        timed: true,
        ..Statement::default()
    };
    let statements = vec![
        statement(model::Kind::Procedure, "main", 1, 9, None),
        statement(model::Kind::Loop, "for", 2, 8, Some(0)),
        statement(model::Kind::Call, "work", 3, 3, Some(1)),
        statement(model::Kind::Communication, "MPI_Send", 4, 5, Some(1)),
    ];
    HashMap::from([("hash".into(), statements)])
}

/// Offsets below 0x100 are lines of heat.c.
fn name(site: &mut CallSite) -> Vec<CallSite> {
    site.function = Some("main".into());
    if site.offset < 0x100 {
        site.file = Some("/home/me/src/heat.c".into());
        site.line = Some(site.offset as u32);
    }
    Vec::new()
}

fn check(processes: &[Process], expected: expect_test::Expect) {
    let all = unify(processes, &structures(), name);
    let line = |record: &Record| {
        let statement = &all.statements[record.statement];
        let around = statement.parent.map(|parent| &all.statements[parent]);
        format!(
            "{} {} {} in {} by {:?} {:?} {}",
            record.rank,
            statement.name,
            statement.place(),
            around.map_or("-".into(), |s| format!("{} {}", s.name, s.place())),
            record.caller.map(|caller| all.statements[caller].place()),
            record.peer,
            record.figures.time
        )
    };
    let lines: Vec<String> = all.records.iter().map(line).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_call_is_the_statement_of_its_line_wherever_the_program_was_loaded() {
    let send = |start: u64, line: u64| Key::call(1, Side::Sent, start + line, 0, 0);
    check(
        &[
            process(0, MAIN, &[(send(MAIN, 5), 10), (send(MAIN, 7), 20)]),
            process(
                1,
                0x7000,
                &[(send(0x7000, 4), 30), (send(0x7000, 0x200), 40)],
            ),
        ],
        expect_test::expect![[r#"
            0 MPI_Send heat.c:4-5 in for heat.c:2-8 by None Rank(1) 9
            0 MPI_Send heat.c:7 in for heat.c:2-8 by None Rank(1) 19
            1 MPI_Send heat.c:4-5 in for heat.c:2-8 by None Rank(1) 29
            1 MPI_Send heat+0x200 in main heat by None Rank(1) 39"#]],
    );
}

#[test]
fn procedures_and_loops_are_those_of_their_structure() {
    let probed = |kind, number, caller| Key::statement(kind, number, caller);
    check(
        &[
            process(
                0,
                MAIN,
                &[
                    (probed(Kind::Procedure, 100, NO_STATEMENT), 10),
                    (probed(Kind::Loop, 101, NO_STATEMENT), 9),
                    (probed(Kind::Procedure, 100, 102), 8),
                    (probed(Kind::Procedure, 7, NO_STATEMENT), 5),
                ],
            ),
            process(1, MAIN, &[(probed(Kind::Loop, 101, NO_STATEMENT), 7)]),
        ],
        expect_test::expect![[r#"
            0 main heat.c:1-9 in - by None None 9
            0 for heat.c:2-8 in main heat.c:1-9 by None None 8
            0 main heat.c:1-9 in - by Some("heat.c:3") None 7
            0 statement 7 unknown source  in - by None None 4
            1 for heat.c:2-8 in main heat.c:1-9 by None None 6"#]],
    );
}

#[test]
fn constants_in_place_of_a_peer_keep_their_meaning() {
    let with = |peer| Key::call(1, Side::Collective, MAIN + 4, peer, 0);
    let keys = [OTHERS, NOBODY, ALL, ANY, 5].map(|peer| (with(peer), 2));
    let all = unify(&[process(0, MAIN, &keys)], &structures(), name);
    let peers: Vec<Peer> = all.records.iter().map(|record| record.peer).collect();
    assert_eq!(
        peers,
        [
            Peer::Others,
            Peer::None,
            Peer::All(2),
            Peer::Any,
            Peer::None
        ]
    );
    assert_eq!((all.ranks[0].calls, all.ranks[0].mpi), (5, 5));
}

#[test]
fn a_file_is_told_from_another_of_its_name() {
    assert!(same_file("heat.c", "/home/me/heat.c") && same_file("./a/heat.c", "x/a/heat.c"));
    assert!(!same_file("a/heat.c", "b/heat.c"));
}

#[test]
fn a_procedure_that_began_before_mpi_is_not_longer_than_the_program() {
    let mut process = process(0, MAIN, &[]);
    let thread = &mut process.threads[0];
    thread.span[0].ticks = 500;
    thread.span[1].ticks = 1000;
    let started = |process: &Process| about(process, 1.0).thread_time;
    assert_eq!(started(&process), 500);
    process.threads[0].began = Some(300);
    assert_eq!(started(&process), 700);
    process.threads[0].began = Some(600);
    assert_eq!(started(&process), 500);
}

#[test]
fn only_what_begins_mpi_was_before_the_table() {
    let of = |name: &str| {
        let key = Key::call(1, Side::None, MAIN, 0, 0);
        let mut process = process(0, MAIN, &[(key, 300)]);
        process.regions = vec![(1, name.into())];
        before(&process, &process.threads[0])
    };
    assert_eq!(["MPI_Init", "MPI_Init_thread"].map(of), [300, 300]);
    assert_eq!(["MPI_Initialized", "MPI_Send"].map(of), [0, 0]);
}
