//! Archives of the kinds of events that our agent does not write (yet): each
//! test writes one by hand, and reads it back as the picture it should be.

mod common;

use common::written::{read_back, Attributes, Written};
use expect_test::expect;
use mpiscope_model::fixture::location_line;
use mpiscope_model::LocationIndex;
use otf2::{
    CartPeriodicity, CollectiveOp, CommFlag, Definition, Event, GroupFlag, GroupType, LockType,
    MeasurementMode, Paradigm, RegionFlag, RegionRole, RmaSyncLevel, RmaSyncType, RmaWinFlag,
    Value,
};

fn send(receiver: u32) -> Event {
    Event::MpiSend {
        receiver,
        communicator: 0,
        msg_tag: 0,
        msg_length: 8,
    }
}

fn receive(sender: u32) -> Event {
    Event::MpiRecv {
        sender,
        communicator: 0,
        msg_tag: 0,
        msg_length: 8,
    }
}

#[test]
fn pauses_and_places_in_channels_are_read() {
    let on_off = |measurement_mode| Event::MeasurementOnOff { measurement_mode };
    let place = |number| Attributes::from([("MPISCOPE::SEQUENCE", Value::Uint64(number))]);
    read_back(
        Written::default()
            .event(0, 10, send(1))
            .event(0, 20, on_off(MeasurementMode::OFF))
            .event(0, 30, on_off(MeasurementMode::ON))
            .noted(0, 40, place(7), send(1))
            .noted(1, 50, place(7), receive(0)),
        expect![[r#"
            0: 10 send>1(bytes=8) 20 off 30 on 40 send>1(bytes=8,seq=7)
            1: 50 recv<0(bytes=8,seq=7)
        "#]],
    );
}

fn enter(region: u32) -> Event {
    Event::Enter { region }
}

fn leave(region: u32) -> Event {
    Event::Leave { region }
}

fn region(id: u32, role: RegionRole, paradigm: Paradigm) -> impl FnOnce(u32) -> Definition {
    move |name| Definition::Region {
        id,
        name,
        description: name,
        source_file: name,
        begin_line_number: 0,
        end_line_number: 0,
        canonical_name: name,
        region_role: role,
        paradigm,
        region_flags: RegionFlag::NONE,
    }
}

fn mpi(id: u32) -> impl FnOnce(u32) -> Definition {
    region(id, RegionRole::FUNCTION, Paradigm::MPI)
}

fn collective_end(op: CollectiveOp) -> Event {
    Event::MpiCollectiveEnd {
        collective_op: op,
        communicator: 0,
        root: otf2::ROOT_NONE,
        size_sent: 1,
        size_received: 1,
    }
}

fn completion(op: CollectiveOp, request_id: u64) -> Event {
    Event::NonBlockingCollectiveComplete {
        collective_op: op,
        communicator: 0,
        root: otf2::ROOT_NONE,
        size_sent: 1,
        size_received: 1,
        request_id,
    }
}

fn request(request_id: u64) -> Event {
    Event::NonBlockingCollectiveRequest { request_id }
}

#[test]
fn nonblocking_collectives_are_read() {
    let persistent = Attributes::from([("MPISCOPE::PERSISTENT", Value::Uint64(2))]);
    read_back(
        Written::default()
            .event(0, 10, request(1))
            .noted(0, 20, persistent, request(2))
            .event(0, 30, completion(CollectiveOp::BARRIER, 2))
            .event(0, 40, completion(CollectiveOp::ALLREDUCE, 1)),
        expect![[r#"
            0: 10 icollective#1 20 icollective#2 !persistent(2) 30 ibarrier#2(sent=1,received=1) 40 iallreduce#1
        "#]],
    );
}

#[test]
fn neighbourhood_operations_are_told_by_their_region_and_their_grid() {
    let dimension = |id, size, cart_periodicity| {
        move |name| Definition::CartDimension {
            id,
            name,
            size,
            cart_periodicity,
        }
    };
    let place = |rank, x, y| {
        move |_| Definition::CartCoordinate {
            cart_topology: 0,
            rank,
            coordinates: vec![x, y],
        }
    };
    let grid = |name| Definition::CartTopology {
        id: 0,
        name,
        communicator: 0,
        cart_dimensions: vec![5, 6],
    };
    let mut written = Written::default()
        .define("MPI_Neighbor_alltoall", mpi(0))
        .define("MPI_Ineighbor_allgather", mpi(1))
        .define("MPI_Alltoall", mpi(2))
        .define("x", dimension(5, 3, CartPeriodicity::TRUE))
        .define("y", dimension(6, 2, CartPeriodicity::FALSE))
        .define("grid", grid)
        .event(0, 10, enter(0))
        .event(0, 11, Event::MpiCollectiveBegin)
        .event(0, 12, collective_end(CollectiveOp::ALLTOALL))
        .event(0, 13, leave(0))
        .event(0, 14, enter(1))
        .event(0, 15, request(1))
        .event(0, 16, leave(1))
        .event(0, 17, enter(2))
        .event(0, 18, Event::MpiCollectiveBegin)
        .event(0, 19, collective_end(CollectiveOp::ALLTOALL))
        .event(0, 20, completion(CollectiveOp::ALLGATHER, 1));
    for rank in 0..6 {
        written = written.define("", place(rank, rank / 2, rank % 2));
        written = written.event(rank.into(), 30, send(0));
    }
    let trace = written.trace();
    assert_eq!(
        trace.definitions.communicators[0].destinations,
        Some(vec![
            vec![4, 2, 1],
            vec![5, 3, 0],
            vec![0, 4, 3],
            vec![1, 5, 2],
            vec![2, 0, 5],
            vec![3, 1, 4]
        ])
    );
    let line = location_line(&trace, LocationIndex(0), &trace.times()[0]);
    expect!["0: 10 enter(MPI_Neighbor_alltoall) 11 neighbor_alltoall{ 12 } 13 leave(MPI_Neighbor_alltoall) 14 enter(MPI_Ineighbor_allgather) 15 icollective#1 16 leave(MPI_Ineighbor_allgather) 17 enter(MPI_Alltoall) 18 alltoall{ 19 } 20 ineighbor_allgather#1 30 send>0(bytes=8)"]
        .assert_eq(&line);
}

#[test]
fn created_communicators_are_read() {
    let created = Attributes::from([("MPISCOPE::COMM_CREATED", Value::Comm(1))]);
    let comm = |name| Definition::Comm {
        id: 1,
        name,
        group: 1,
        parent: 0,
        flags: CommFlag::NONE,
    };
    read_back(
        Written::default()
            .define("MPI_Comm_dup", mpi(0))
            .define("copy", comm)
            .event(0, 10, enter(0))
            .noted(0, 20, created, leave(0))
            .event(0, 30, Event::CommCreate { communicator: 1 }),
        expect![[r#"
            comm copy: 0
            0: 10 enter(MPI_Comm_dup) 20 leave(MPI_Comm_dup) !created(copy) 30 comm_create(copy)
        "#]],
    );
}

#[test]
fn what_someone_noted_is_read() {
    let note = |name, value| Attributes::from([(name, value)]);
    let number = Value::Uint64(7);
    read_back(
        Written::default()
            .noted(
                0,
                10,
                note("MPISCOPE::SYNCHRONOUS", Value::Uint8(1)),
                send(0),
            )
            .event(0, 20, Event::MpiCollectiveBegin)
            .noted(
                0,
                30,
                note("MPISCOPE::DENSE", Value::Uint8(1)),
                collective_end(CollectiveOp::ALLTOALLV),
            )
            .noted(0, 40, note("MPISCOPE::SIGNAL", number), send(0))
            .noted(0, 50, note("MPISCOPE::AWAIT", number), receive(0)),
        expect![[r#"
            0: 10 send>0(bytes=8) !sync 20 alltoallv{ 30 } !dense 40 send>0(bytes=8) !signal(7) 50 recv<0(bytes=8) !await(7)
        "#]],
    );
}

/// A team of threads, which is a communicator of a group of OpenMP.
fn team(id: u32) -> impl FnOnce(u32) -> Definition {
    move |name| Definition::Comm {
        id,
        name,
        group: 99,
        parent: otf2::UNDEFINED,
        flags: CommFlag::NONE,
    }
}

#[test]
fn threads_are_read() {
    let model = Paradigm::OPENMP;
    let fork = Event::ThreadFork {
        model,
        number_of_requested_threads: 2,
    };
    let barrier = region(0, RegionRole::IMPLICIT_BARRIER, Paradigm::OPENMP);
    read_back(
        Written::default()
            .define("omp_ibarrier", barrier)
            .define("team", team(7))
            .event(0, 10, fork)
            .event(0, 11, Event::ThreadTeamBegin { thread_team: 7 })
            .event(0, 12, enter(0))
            .event(0, 13, leave(0))
            .event(0, 14, Event::ThreadTeamEnd { thread_team: 7 })
            .event(0, 15, Event::ThreadJoin { model })
            .event(1 << 32, 10, Event::ThreadTeamBegin { thread_team: 7 }),
        expect![[r#"
            0: 10 fork(2) 11 team_begin(team) 12 enter(omp_ibarrier) 13 leave(omp_ibarrier) 14 team_end(team) 15 join
            0.1: 10 team_begin(team)
        "#]],
    );
    let (thread_contingent, sequence_count) = (7, 3);
    read_back(
        Written::default()
            .define("all", team(7))
            .event(
                0,
                10,
                Event::ThreadCreate {
                    thread_contingent,
                    sequence_count,
                },
            )
            .event(
                0,
                20,
                Event::ThreadWait {
                    thread_contingent,
                    sequence_count,
                },
            )
            .event(
                1 << 32,
                30,
                Event::ThreadBegin {
                    thread_contingent,
                    sequence_count,
                },
            )
            .event(
                1 << 32,
                40,
                Event::ThreadEnd {
                    thread_contingent,
                    sequence_count,
                },
            ),
        expect![[r#"
            0: 10 thread_create(all,3) 20 thread_wait(all,3)
            0.1: 30 thread_begin(all,3) 40 thread_end(all,3)
        "#]],
    );
}

#[test]
fn locks_and_tasks_are_read() {
    let (lock_id, acquisition_order) = (5, 2);
    let model = Paradigm::PTHREAD;
    let (thread_team, creating_thread, generation_number) = (7, 1, 4);
    read_back(
        Written::default()
            .define("team", team(7))
            .event(
                0,
                10,
                Event::ThreadAcquireLock {
                    model,
                    lock_id,
                    acquisition_order,
                },
            )
            .event(
                0,
                20,
                Event::ThreadReleaseLock {
                    model,
                    lock_id,
                    acquisition_order,
                },
            )
            .event(
                0,
                30,
                Event::ThreadTaskCreate {
                    thread_team,
                    creating_thread,
                    generation_number,
                },
            )
            .event(
                0,
                40,
                Event::ThreadTaskSwitch {
                    thread_team,
                    creating_thread,
                    generation_number,
                },
            )
            .event(
                0,
                50,
                Event::ThreadTaskComplete {
                    thread_team,
                    creating_thread,
                    generation_number,
                },
            ),
        expect![[r#"
            0: 10 acquire(5,2,pthread) 20 release(5,2,pthread) 30 task_create(team,1,4) 40 task_switch(team,1,4) 50 task_complete(team,1,4)
        "#]],
    );
}

#[test]
fn records_of_openmp_before_otf2_1_2_are_read() {
    let (lock_id, acquisition_order) = (5, 2);
    let task_id = 4;
    let fork = Event::OmpFork {
        number_of_requested_threads: 2,
    };
    let trace = Written::default()
        .event(0, 10, fork)
        .event(
            0,
            20,
            Event::OmpAcquireLock {
                lock_id,
                acquisition_order,
            },
        )
        .event(
            0,
            30,
            Event::OmpReleaseLock {
                lock_id,
                acquisition_order,
            },
        )
        .event(0, 40, Event::OmpTaskCreate { task_id })
        .event(0, 50, Event::OmpTaskSwitch { task_id })
        .event(0, 60, Event::OmpTaskComplete { task_id })
        .event(0, 70, Event::OmpJoin)
        .trace();
    let line = location_line(&trace, LocationIndex(0), &trace.times()[0]);
    expect!["0: 10 fork(2) 20 acquire(5,2) 30 release(5,2) 40 task_create(undefined team 4294967295,0,4) 50 task_switch(undefined team 4294967295,0,4) 60 task_complete(undefined team 4294967295,0,4) 70 join"]
        .assert_eq(&line);
}

#[test]
fn windows_are_read() {
    let window = |name| Definition::RmaWin {
        id: 3,
        name,
        comm: 0,
        flags: RmaWinFlag::NONE,
    };
    let group = |name| Definition::Group {
        id: 4,
        name,
        members: vec![1, 2],
        group_type: GroupType::COMM_GROUP,
        paradigm: Paradigm::MPI,
        group_flags: GroupFlag::NONE,
    };
    let end = |sync_level, collective_op| Event::RmaCollectiveEnd {
        collective_op,
        sync_level,
        win: 3,
        root: otf2::ROOT_NONE,
        bytes_sent: 0,
        bytes_received: 0,
    };
    let group_sync = Event::RmaGroupSync {
        sync_level: RmaSyncLevel::PROCESS,
        win: 3,
        group: 4,
    };
    let (win, remote, lock_id, lock_type) = (3, 1, 9, LockType::SHARED);
    let turn = Attributes::from([("MPISCOPE::SEQUENCE", Value::Uint64(6))]);
    let notify = |sync_type| Event::RmaSync {
        win,
        remote,
        sync_type,
    };
    read_back(
        Written::default()
            .define("w", window)
            .define("g", group)
            .event(0, 10, Event::RmaCollectiveBegin)
            .event(0, 11, Event::RmaWinCreate { win })
            .event(
                0,
                12,
                end(RmaSyncLevel::PROCESS, CollectiveOp::CREATE_HANDLE),
            )
            .event(0, 13, Event::RmaCollectiveBegin)
            .event(0, 14, end(RmaSyncLevel::MEMORY, CollectiveOp::BARRIER))
            .event(0, 15, group_sync)
            .event(
                0,
                16,
                Event::RmaRequestLock {
                    win,
                    remote,
                    lock_id,
                    lock_type,
                },
            )
            .noted(
                0,
                17,
                turn,
                Event::RmaAcquireLock {
                    win,
                    remote,
                    lock_id,
                    lock_type,
                },
            )
            .event(
                0,
                18,
                Event::RmaTryLock {
                    win,
                    remote,
                    lock_id,
                    lock_type,
                },
            )
            .event(
                0,
                19,
                Event::RmaReleaseLock {
                    win,
                    remote,
                    lock_id,
                },
            )
            .event(0, 20, notify(RmaSyncType::NOTIFY_OUT))
            .event(0, 21, notify(RmaSyncType::NOTIFY_IN))
            .event(0, 22, Event::RmaWinDestroy { win })
            .event(1, 10, send(0))
            .event(2, 10, send(0)),
        expect![[r#"
            win w: world
            0: 10 win_begin 11 win_create(w) 12 win_end(w,create_handle,sync,sent=0,received=0) 13 win_begin 14 win_end(w,barrier) 15 group_sync(w,1&2) 16 lock_request(w,1,9,shared) 17 lock_acquire(w,1,9,shared) !seq(6) 18 lock_try(w,1,9,shared) 19 lock_release(w,1,9) 20 notify_out(w,1) 21 notify_in(w,1) 22 win_destroy(w)
            1: 10 send>0(bytes=8)
            2: 10 send>0(bytes=8)
        "#]],
    );
}

#[test]
fn what_a_matched_probe_found_is_received() {
    let probe = |sender, tag, message_id| Event::MpiProbe {
        sender,
        communicator: 0,
        tag,
        message_id,
    };
    let send = |receiver, msg_tag| Event::MpiSend {
        receiver,
        communicator: 0,
        msg_tag,
        msg_length: 8,
    };
    let post = |message_id, request_id| Event::MpiImrecvRequest {
        message_id,
        request_id,
    };
    let received = |message_id| Event::MpiMrecv {
        message_id,
        msg_length: 8,
    };
    let completed = |request_id| Event::MpiImrecv {
        request_id,
        msg_length: 8,
    };
    let any = Attributes::from([("MPISCOPE::WILDCARD", Value::Uint8(1))]);
    let archive = || {
        Written::default()
            .event(0, 10, send(1, 5))
            .event(0, 20, send(1, 6))
            .event(1, 30, probe(0, 6, 41))
            .noted(1, 35, any.clone(), probe(0, 5, 42))
            .event(1, 40, post(42, 7))
            .event(1, 50, received(41))
            .event(1, 60, completed(7))
            // Nobody here probed these, or somebody had them already.
            .event(1, 70, received(41))
            .event(1, 80, post(99, 8))
            .event(1, 90, completed(7))
    };
    let trace = archive().trace();
    let matching = trace.matching();
    assert_eq!(matching.messages.len(), 2, "{:?}", matching.messages);
    assert!(matching.unmatched_receives.is_empty());
    read_back(
        archive(),
        expect![[r#"
        0: 10 send>1(tag=5,bytes=8) 20 send>1(tag=6,bytes=8)
        1: 30 probe<0(tag=6) 35 probe<0(tag=5,any) 40 irecv#7 50 recv<0(tag=6,bytes=8) 60 wait<0#7(tag=5,bytes=8,any) 70 other(90) 80 other(91) 90 other(92)
    "#]],
    );
}

/// In our own archives receives name the message, and the probe took it.
#[test]
fn a_matched_probe_takes_its_message_whenever_that_is_received() {
    let probe = |message_id| Event::MpiProbe {
        sender: 0,
        communicator: 0,
        tag: 5,
        message_id,
    };
    let send = Event::MpiSend {
        receiver: 1,
        communicator: 0,
        msg_tag: 5,
        msg_length: 8,
    };
    let received = Event::MpiRecv {
        sender: 0,
        communicator: 0,
        msg_tag: 5,
        msg_length: 8,
    };
    let completed = Event::MpiIrecv {
        sender: 0,
        communicator: 0,
        msg_tag: 5,
        msg_length: 8,
        request_id: 3,
    };
    let of = |id| Attributes::from([("MPISCOPE::MESSAGE_ID", Value::Uint64(id))]);
    read_back(
        Written::default()
            .event(0, 10, send.clone())
            .event(0, 11, send.clone())
            .event(0, 12, send)
            .event(1, 30, probe(1))
            .event(1, 31, probe(2))
            .event(1, 32, probe(0))
            .event(1, 33, received.clone())
            .noted(1, 34, of(2), Event::MpiIrecvRequest { request_id: 3 })
            .noted(1, 35, of(1), received)
            .event(1, 36, completed),
        expect![[r#"
            0: 10 send>1(tag=5,bytes=8) 11 send>1(tag=5,bytes=8) 12 send>1(tag=5,bytes=8)
            1: 30 probe<0#1(tag=5) 31 probe<0#2(tag=5) 32 probe<0(tag=5) 33 recv<0(tag=5,bytes=8) 34 other(17) 35 recv<0#1(tag=5,bytes=8) 36 wait<0#2(tag=5,bytes=8)
        "#]],
    );
}
