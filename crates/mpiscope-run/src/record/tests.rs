use super::*;

const MESSAGE: Message = Message {
    peer: 7,
    comm: MAX_COMM,
    tag: u32::MAX,
    bytes: BYTES,
    wildcard: Wildcard {
        source: true,
        tag: false,
    },
    signature: MAX_SIGNATURE,
};

const BEGUN: Begun = Begun {
    comm: MAX_COMM,
    root: NO_ROOT,
    signature: MAX_SIGNATURE,
};

#[test]
fn every_fact_survives_packing() {
    let collective = Collective {
        op: 16,
        comm: 3,
        root: NO_ROOT,
        sent: BYTES,
        received: 1,
        signature: MAX_SIGNATURE,
        dense: false,
    };
    let dense = Collective {
        op: 9,
        dense: true,
        ..collective
    };
    for fact in [
        Fact::Enter {
            region: u32::MAX,
            site: u64::MAX,
        },
        Fact::Leave { region: 0 },
        Fact::EnterFunction {
            address: u64::MAX,
            site: 1,
        },
        Fact::LeaveFunction { address: u64::MAX },
        Fact::Sample {
            address: u64::MAX,
            periods: u32::MAX,
        },
        Fact::Metric {
            metric: u32::MAX,
            real: true,
            bits: u64::MAX,
        },
        Fact::Metric {
            metric: 0,
            real: false,
            bits: 1,
        },
        Fact::Polls(Polls {
            region: u16::MAX,
            site: u64::MAX,
            count: u32::MAX,
            ticks: u64::MAX,
            within: false,
        }),
        Fact::Polls(Polls {
            within: true,
            ..Polls::default()
        }),
        Fact::Send(MESSAGE),
        Fact::Isend(MESSAGE, u32::MAX),
        Fact::IsendComplete { request: 5 },
        Fact::IrecvRequest {
            request: 5,
            message: None,
            posted: None,
        },
        Fact::IrecvRequest {
            request: 5,
            message: Some(9),
            posted: None,
        },
        Fact::IrecvRequest {
            request: 5,
            message: None,
            posted: Some(MESSAGE),
        },
        Fact::Posted(MESSAGE),
        Fact::CollectiveRequest {
            request: 5,
            begun: BEGUN,
            persistent: None,
        },
        Fact::CollectiveRequest {
            request: 5,
            begun: BEGUN,
            persistent: Some(u32::MAX),
        },
        Fact::CollectiveCompletes { request: 5 },
        Fact::Recv(MESSAGE, None),
        Fact::Recv(MESSAGE, Some(9)),
        Fact::Irecv(MESSAGE, 1),
        Fact::RequestTest { request: 5 },
        Fact::RequestCancelled { request: 5 },
        Fact::Failed {
            class: 15,
            rejected: true,
        },
        Fact::Probe(MESSAGE, 2),
        Fact::CollectiveBegin(BEGUN, NO_CAPACITY),
        Fact::CollectiveEnd(collective),
        Fact::CollectiveEnd(dense),
        Fact::CommCreated { comm: MAX_COMM },
        Fact::BufferFlush { stop: u64::MAX },
        Fact::Switched { on: true },
        Fact::Switched { on: false },
        Fact::ThreadBegins {
            thread: 9_999,
            tid: 77,
        },
        Fact::Skipped(Channel::of(Side::Sent, &MESSAGE), u64::MAX),
        Fact::Skipped(Channel::of(Side::Received, &MESSAGE), 1),
        Fact::Skipped(Channel::collective(3), 7),
        Fact::UnseenIsend(MESSAGE, 5),
        Fact::UnseenIrecv(MESSAGE, UNSEEN),
        Fact::UnseenCancelled { request: u32::MAX },
        Fact::UnknownReceive(MESSAGE, 5),
        Fact::Skipped(Channel::window(3), 7),
        Fact::WindowCreated { window: MAX_COMM },
        Fact::WindowFreed { window: MAX_COMM },
        Fact::WindowCollectiveBegin,
        Fact::WindowCollectiveEnd(WindowCollective {
            window: MAX_COMM,
            op: 18,
            synchronizes: true,
        }),
        Fact::RemoteAccessComplete { request: u32::MAX },
    ] {
        assert_eq!(Record::new(1, fact).fact(), Some(fact));
    }
}

#[test]
fn what_is_done_to_windows_survives_packing() {
    use RemoteOperation::{Accumulate, CompareAndSwap, FetchAndAccumulate, Get, Put};
    let access = |operation| RemoteAccess {
        window: MAX_COMM,
        target: 7,
        operation,
        bytes: BYTES,
        sends: operation != Get,
        receives: !matches!(operation, Put | Accumulate),
        has_request: operation != CompareAndSwap,
    };
    let accesses = [Put, Get, Accumulate, FetchAndAccumulate, CompareAndSwap];
    let syncs = [
        WindowSync::Local(7),
        WindowSync::Remote(ALL_PARTS),
        WindowSync::Group(9),
        WindowSync::Request(ALL_PARTS, true),
        WindowSync::Acquire(3, false),
        WindowSync::Release(3),
        WindowSync::Memory(2),
    ];
    let accesses = accesses.map(|it| Fact::RemoteAccess(access(it), u32::MAX));
    for fact in accesses
        .into_iter()
        .chain(syncs.map(|it| Fact::WindowSync(MAX_COMM, it)))
    {
        assert_eq!(Record::new(1, fact).fact(), Some(fact));
    }
}

#[test]
fn what_is_done_to_files_survives_packing() {
    use FileFact::{Access, Cancelled, Closed, Complete, Deleted, Issued, Opened, Seek, Tested};
    let access = |operation, is_collective| FileAccess {
        file: MAX_COMM,
        operation,
        is_collective,
        is_nonblocking: !is_collective,
        bytes: u64::MAX,
    };
    let seek = |from, position| FileSeek {
        file: 3,
        from,
        offset: i64::MIN,
        position,
    };
    let end = |operation, bytes| FileEnd {
        file: MAX_COMM,
        id: u32::MAX,
        operation,
        bytes,
    };
    let facts = [
        Opened(MAX_COMM, OpenMode(u16::MAX)),
        Closed(1),
        Deleted(u32::MAX),
        Seek(seek(SeekFrom::Start, Some(1 << 40))),
        Seek(seek(SeekFrom::Current, None)),
        Seek(seek(SeekFrom::End, Some(0))),
        Access(access(FileOperation::Read, true), u32::MAX),
        Access(access(FileOperation::Write, false), 1),
        Access(access(FileOperation::Flush, true), 2),
        Issued(7, u32::MAX),
        Complete(end(FileOperation::Write, Some(1 << 50))),
        Complete(end(FileOperation::Read, None)),
        Cancelled(7, 1),
        Tested(MAX_COMM, 1),
    ];
    for fact in facts.map(Fact::File) {
        assert_eq!(Record::new(1, fact).fact(), Some(fact));
    }
}

#[test]
fn what_threads_do_survives_packing() {
    use ThreadFact::*;
    let member = Member {
        team: u64::MAX,
        number: MAX_COMM,
        size: u32::MAX,
    };
    let turn = LockTurn {
        lock: u64::MAX,
        order: u32::MAX,
    };
    let task = Task {
        team: u64::MAX,
        creator: MAX_COMM,
        generation: u32::MAX,
    };
    let facts = [
        Fork(u32::MAX),
        Join,
        TeamBegin(member),
        TeamEnd(u64::MAX),
        AcquireLock(turn),
        ReleaseLock(u64::MAX),
        TaskCreate(task),
        TaskSwitch(task),
        TaskComplete(task),
        Create(u64::MAX),
        Begin(u64::MAX),
        End(u64::MAX),
        Wait(u64::MAX),
    ];
    for fact in facts.map(Fact::Thread) {
        assert_eq!(Record::new(1, fact).fact(), Some(fact));
    }
}

#[test]
fn unwritten_memory_says_nothing() {
    assert_eq!(Record::EMPTY.fact(), None);
}
