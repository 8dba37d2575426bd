//! Definitions of several processes become one archive's.

use expect_test::{expect, Expect};
use mpiscope_run::communicators::GroupKind;
use mpiscope_run::fault::Fault;
use mpiscope_run::plan::{plan, Orders, Plan};
use mpiscope_run::process::{
    Communicator, File, Identity, Members, Ping, Process, Region, Thread, Window,
};
use mpiscope_run::ticks::{Source, Triple};

/// A process on host `host`, with the predefined communicators 0 and 1.
fn process(rank: u32, world_size: u32, host: &str, clock_representative: u32) -> Process {
    let world: Vec<u32> = (0..world_size).collect();
    Process {
        identity: Identity {
            rank,
            world_size,
            pid: 100 + rank,
            host: host.into(),
            boot_id: host.into(),
            clock_representative,
            ..Identity::default()
        },
        communicators: vec![
            comm(0, None, "MPI_COMM_WORLD", 1, &world),
            comm(1, None, "MPI_COMM_SELF", 2, &[rank]),
        ],
        triples: vec![triple(1_000, 1_000), triple(9_000, 9_000)],
        ..Process::default()
    }
}

fn comm(id: u32, parent: Option<u32>, name: &str, identity: u64, members: &[u32]) -> Communicator {
    Communicator {
        id,
        parent,
        name: name.into(),
        identity,
        members: Members::new(members),
        remote: None,
        ..Communicator::default()
    }
}

fn triple(ticks: u64, monotonic: u64) -> Triple {
    Triple {
        ticks,
        monotonic,
        realtime: 1_000_000 + monotonic,
    }
}

fn world(size: u32) -> Vec<Process> {
    (0..size)
        .map(|rank| process(rank, size, "host", 0))
        .collect()
}

fn check(processes: &[Process], expected: Expect) {
    expected.assert_eq(&draw(&plan(processes).unwrap()));
}

fn draw(plan: &Plan) -> String {
    let mut lines = Vec::new();
    for (rank, process) in plan.processes.iter().enumerate() {
        let host = process.host.map_or("?", |h| &plan.hosts[h as usize]);
        let domain = process.domain.map_or("?".into(), |d| d.to_string());
        let threads = &process.threads;
        lines.push(format!(
            "rank {rank}: {host}, clock {domain}, threads {threads:?}"
        ));
    }
    for (id, comm) in plan.communicators.iter().enumerate() {
        let members = |group: u32| {
            let group = &plan.groups[group as usize];
            match group.kind {
                GroupKind::Alone => "each alone".into(),
                _ => format!("{:?}", group.members.iter().collect::<Vec<_>>()),
            }
        };
        let remote = comm
            .remote
            .map_or(String::new(), |r| format!(" | {}", members(r)));
        let parent = comm.parent.map_or(String::new(), |p| format!(" of {p}"));
        let (name, group) = (&comm.name, members(comm.group));
        lines.push(format!("comm {id} {name:?}{parent}: {group}{remote}"));
    }
    for orders in plan.orders.iter().filter(|o| !o.communicators.is_empty()) {
        let Orders {
            rank,
            communicators,
            ..
        } = orders;
        lines.push(format!("{rank} maps {communicators:?}"));
    }
    lines.extend(plan.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n") + "\n"
}

#[test]
fn a_split_makes_two_communicators_of_one_call() {
    let mut processes = world(4);
    for (rank, process) in processes.iter_mut().enumerate() {
        let colour = rank as u32 % 2;
        let split = comm(
            7,
            Some(0),
            "",
            50 + u64::from(colour),
            &[colour, colour + 2],
        );
        process.communicators.push(split);
    }
    check(
        &processes,
        expect![[r#"
            rank 0: host, clock 0, threads [0]
            rank 1: host, clock 0, threads [0]
            rank 2: host, clock 0, threads [0]
            rank 3: host, clock 0, threads [0]
            comm 0 "MPI_COMM_WORLD": [0, 1, 2, 3]
            comm 1 "MPI_COMM_SELF": each alone
            comm 2 "" of 0: [0, 2]
            comm 3 "" of 0: [1, 3]
            0 maps [(0, 0), (1, 1), (7, 2)]
            1 maps [(0, 0), (1, 1), (7, 3)]
            2 maps [(0, 0), (1, 1), (7, 2)]
            3 maps [(0, 0), (1, 1), (7, 3)]
        "#]],
    );
}

#[test]
fn two_duplicates_of_the_same_members_stay_two_and_the_name_may_come_from_any_rank() {
    let mut processes = world(2);
    for (rank, process) in processes.iter_mut().enumerate() {
        let name = if rank == 1 { "halo" } else { "" };
        process
            .communicators
            .push(comm(2, Some(0), "", 60, &[0, 1]));
        process
            .communicators
            .push(comm(5, Some(2), name, 61, &[0, 1]));
    }
    check(
        &processes,
        expect![[r#"
            rank 0: host, clock 0, threads [0]
            rank 1: host, clock 0, threads [0]
            comm 0 "MPI_COMM_WORLD": [0, 1]
            comm 1 "MPI_COMM_SELF": each alone
            comm 2 "" of 0: [0, 1]
            comm 3 "halo" of 2: [0, 1]
            0 maps [(0, 0), (1, 1), (2, 2), (5, 3)]
            1 maps [(0, 0), (1, 1), (2, 2), (5, 3)]
        "#]],
    );
}

#[test]
fn both_sides_of_an_intercommunicator_mean_the_same_one() {
    let mut processes = world(3);
    let sides = [[2].to_vec(), [0, 1].to_vec()];
    for (rank, process) in processes.iter_mut().enumerate() {
        let (own, other) = if rank == 2 { (0, 1) } else { (1, 0) };
        let mut inter = comm(4, Some(0), "", 70, &sides[own]);
        inter.remote = Some(Members::new(&sides[other]));
        process.communicators.push(inter);
    }
    check(
        &processes,
        expect![[r#"
            rank 0: host, clock 0, threads [0]
            rank 1: host, clock 0, threads [0]
            rank 2: host, clock 0, threads [0]
            comm 0 "MPI_COMM_WORLD": [0, 1, 2]
            comm 1 "MPI_COMM_SELF": each alone
            comm 2 "" of 0: [0, 1] | [2]
            0 maps [(0, 0), (1, 1), (4, 2)]
            1 maps [(0, 0), (1, 1), (4, 2)]
            2 maps [(0, 0), (1, 1), (4, 2)]
        "#]],
    );
}

#[test]
fn a_world_of_one_tells_world_from_self_and_strangers_are_left_out() {
    let mut processes = world(1);
    processes[0]
        .communicators
        .push(comm(3, None, "spawned", 80, &[0, 4_000_000]));
    processes[0]
        .communicators
        .push(comm(4, Some(3), "", 81, &[0]));
    check(
        &processes,
        expect![[r#"
            rank 0: host, clock 0, threads [0]
            comm 0 "MPI_COMM_WORLD": [0]
            comm 1 "MPI_COMM_SELF": each alone
            comm 2 "" of 0: [0]
            0 maps [(0, 0), (1, 1), (4, 2)]
            note: rank 0, communicator 3: it has members outside of MPI_COMM_WORLD; its events are left out
        "#]],
    );
}

#[test]
fn a_rank_that_left_nothing_keeps_its_place() {
    let mut processes = world(3);
    processes.remove(1);
    processes.reverse();
    check(
        &processes,
        expect![[r#"
            rank 0: host, clock 0, threads [0]
            rank 1: ?, clock ?, threads [0]
            rank 2: host, clock 0, threads [0]
            comm 0 "MPI_COMM_WORLD": [0, 1, 2]
            comm 1 "MPI_COMM_SELF": each alone
            0 maps [(0, 0), (1, 1)]
            2 maps [(0, 0), (1, 1)]
            note: 1 of 3 ranks left no events (the first is rank 1)
        "#]],
    );
}

#[test]
fn two_hosts_have_two_clocks_and_the_offset_comes_from_the_pings() {
    let ping = |sent, master| Ping {
        sent,
        master,
        received: sent + 10,
        rounds: 20,
    };
    let mut processes = [("a", 0), ("b", 1), ("b", 1), ("a", 0)]
        .iter()
        .zip(0..)
        .map(|(&(host, speaker), rank)| process(rank, 4, host, speaker))
        .collect::<Vec<_>>();
    processes[1].pings = vec![ping(1_000, 500), ping(8_000, 7_600)];
    let plan = plan(&processes).unwrap();
    let domains: Vec<&[u32]> = plan.domains.iter().map(|d| &d.ranks[..]).collect();
    assert_eq!(domains, [[0, 3], [1, 2]]);
    assert_eq!(plan.hosts, ["a", "b"]);
    // The middle of a ping is 5 after `sent`; ticks 0 are nanosecond 1 000 000.
    let offsets = &plan.orders[2].offsets;
    assert_eq!(offsets, &plan.orders[1].offsets);
    let found: Vec<_> = offsets
        .iter()
        .map(|o| (o.time, o.offset, o.half_width))
        .collect();
    assert_eq!(found, [(1_001_005, -505, 5.0), (1_008_005, -405, 5.0)]);
    assert!(plan.orders[3].offsets.is_empty(), "the master needs none");
}

#[test]
fn what_a_time_namespace_adds_makes_another_clock_of_one_kernels() {
    let mut processes = [0, 1, 1, 0]
        .iter()
        .zip(0..)
        .map(|(&speaker, rank)| process(rank, 4, "host", speaker))
        .collect::<Vec<_>>();
    // Time 500 later, by the same counter: taken for one clock, no rate would fit both.
    for rank in [1, 2] {
        processes[rank].identity.time_offset = 500;
        processes[rank].triples = vec![triple(1_500, 1_500), triple(9_500, 9_500)];
    }
    let ping = |sent| Ping {
        sent,
        master: sent - 495,
        received: sent + 10,
        rounds: 20,
    };
    processes[1].pings = vec![ping(2_000), ping(8_000)];
    let plan = plan(&processes).unwrap();
    let domains: Vec<&[u32]> = plan.domains.iter().map(|d| &d.ranks[..]).collect();
    assert_eq!(domains, [[0, 3], [1, 2]]);
    let offsets: Vec<_> = plan.orders[2].offsets.iter().map(|o| o.offset).collect();
    assert_eq!(offsets, [-500, -500]);
}

#[test]
fn a_faulty_rank_has_a_clock_of_its_own_on_the_counter_of_its_host() {
    let mut processes = world(3);
    processes[2].identity.clock_representative = 2;
    processes[2].identity.fault = Some(Fault {
        offset: 700.0,
        ..Fault::default()
    });
    // Its own readings would give another rate: one counter has one rate.
    for process in &mut processes {
        process.identity.source = Source::Tsc;
    }
    processes[2].triples = vec![triple(1_000, 1_000), triple(9_000, 9_100)];
    processes[2].pings = vec![Ping {
        sent: 2_000,
        master: 2_005,
        received: 2_010,
        rounds: 20,
    }];
    let plan = plan(&processes).unwrap();
    let clock = |rank: usize| plan.orders[rank].clock;
    assert_eq!(clock(2).map, clock(0).map);
    assert_eq!(
        clock(2).nanoseconds(5_000),
        clock(0).nanoseconds(5_000) + 700
    );
    // One offset alone would have no effect in OTF2: it is there twice.
    let found: Vec<_> = plan.orders[2]
        .offsets
        .iter()
        .map(|o| (o.time, o.offset))
        .collect();
    assert_eq!(found, [(1_002_705, -700), (1_009_700, -700)]);
}

#[test]
fn regions_that_occur_are_numbered_by_name() {
    let mut processes = world(2);
    for (process, names) in processes
        .iter_mut()
        .zip([["MPI_Send", "MPI_Init"], ["MPI_Init", "MPI_Wait"]])
    {
        process.regions = (3..)
            .zip(names)
            .map(|(id, name)| Region {
                id,
                name: name.into(),
                role: 1,
                user: false,
            })
            .collect();
    }
    let thread = |number, regions: &[u32]| Thread {
        number,
        regions: regions.to_vec(),
        ..Thread::default()
    };
    processes[0].threads = vec![thread(0, &[4]), thread(2, &[3, 99])];
    processes[1].threads = vec![thread(0, &[3])];
    let plan = plan(&processes).unwrap();
    let names: Vec<&str> = plan.regions.iter().map(|r| &r.name[..]).collect();
    assert_eq!(names, ["MPI_Init", "MPI_Send"]);
    assert_eq!(plan.orders[0].regions, [(3, 1), (4, 0)]);
    assert_eq!(plan.orders[1].regions, [(3, 0)]);
    assert_eq!(plan.processes[0].threads, [0, 2]);
}

#[test]
fn type_signatures_have_one_number_in_all_processes() {
    let mut processes = world(3);
    processes[0].signatures = vec![(1, 0xd0), (2, 0xa0)];
    processes[1].signatures = vec![(1, 0xa0), (4, 0)];
    processes[2].signatures = vec![(9, 0xb0)];
    let plan = plan(&processes).unwrap();
    let numbers: Vec<_> = plan.orders.iter().map(|it| &*it.signatures).collect();
    assert_eq!(numbers, [&[(1, 3), (2, 1)][..], &[(1, 1)], &[(9, 2)]]);
    assert_eq!(plan.signatures, [0xa0, 0xb0, 0xd0]);
}

#[test]
fn windows_are_the_same_by_communicator_and_number() {
    let window = |id, comm, number, name: &str| Window {
        id,
        comm,
        number,
        name: name.into(),
    };
    let mut processes = world(3);
    processes[0].windows = vec![window(0, 0, 0, ""), window(1, 1, 0, "own")];
    processes[1].windows = vec![window(0, 7, 0, "lost"), window(1, 0, 1, "")];
    processes[2].windows = vec![window(0, 0, 0, "halo"), window(1, 0, 1, "")];
    processes[0].groups = vec![(0, Members::new(&[1, 2])), (1, Members::new(&[9]))];
    processes[2].groups = vec![(5, Members::new(&[1, 2])), (6, Members::new(&[0, 1, 2]))];
    let plan = plan(&processes).unwrap();
    let names: Vec<_> = (plan.windows.iter())
        .map(|it| (it.name.as_str(), it.comm))
        .collect();
    assert_eq!(names, [("halo", 0), ("own", 1), ("", 0)]);
    let windows: Vec<_> = plan.orders.iter().map(|it| &*it.windows).collect();
    assert_eq!(
        windows,
        [&[(0, 0), (1, 1)][..], &[(1, 2)], &[(0, 0), (1, 2)]]
    );
    let [first, _, third] = [0, 1, 2].map(|rank| &*plan.orders[rank].groups);
    let [(0, group)] = first else {
        panic!("{first:?}")
    };
    assert_eq!(plan.groups[*group as usize].members, Members::new(&[1, 2]));
    // Of all members it is that of MPI_COMM_WORLD.
    assert_eq!(third, [(5, *group), (6, plan.communicators[0].group)]);
}

#[test]
fn openings_of_files_are_the_same_by_communicator_and_number() {
    let file = |id, comm, number, name| File {
        id,
        comm,
        number,
        name,
    };
    let names = |names: &[(u32, &str)]| names.iter().map(|&(id, it)| (id, it.into())).collect();
    let mut processes = world(3);
    processes[0].file_names = names(&[(0, "/b"), (1, "/own")]);
    processes[0].files = vec![file(0, 0, 0, 0), file(1, 1, 0, 1), file(2, 0, 3, 0)];
    processes[1].file_names = names(&[(0, "/own"), (1, "/b"), (2, "/a")]);
    processes[1].files = vec![file(0, 1, 0, 0), file(1, 0, 0, 1), file(2, 7, 0, 1)];
    processes[2].files = vec![file(5, 0, 0, 9)];
    let plan = plan(&processes).unwrap();
    assert_eq!(plan.files.names, ["/a", "/b", "/own"]);
    let handles: Vec<_> = (plan.files.handles.iter())
        .map(|it| (it.name, it.comm))
        .collect();
    // MPI_COMM_SELF is another for each.
    assert_eq!(handles, [(1, 0), (2, 1), (1, 0), (2, 1)]);
    let of = |rank: usize| &plan.orders[rank];
    assert_eq!(of(0).files, [(0, 0), (1, 1), (2, 2)]);
    assert_eq!(of(1).files, [(0, 3), (1, 0)]);
    assert_eq!(of(1).file_names, [(0, 2), (1, 1), (2, 0)]);
    assert_eq!(of(2).files, []);
}

#[test]
fn what_does_not_fit_together_is_said() {
    let message = |processes: &[Process]| plan(processes).unwrap_err();
    assert!(message(&[]).contains("no process"));
    assert!(message(&[Process::default()]).contains("a world of 0"));
    let twice = [process(0, 2, "a", 0), process(0, 2, "b", 0)];
    assert!(message(&twice).contains("both say they are rank 0"));
    let sizes = [process(0, 2, "a", 0), process(1, 3, "a", 0)];
    assert!(message(&sizes).contains("rank 1 sees 3"));
    assert!(message(&[process(5, 2, "a", 0)]).contains("rank 5 in a world of 2"));
}

#[test]
fn clocks_that_were_never_compared_are_named() {
    let mut processes = world(2);
    processes[1].identity.clock_representative = 1;
    let plan = plan(&processes).unwrap();
    assert!(
        plan.notes[0].contains("the clock of rank 1 was never compared"),
        "{:?}",
        plan.notes
    );
}
