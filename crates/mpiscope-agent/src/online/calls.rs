//! What is done around a call where races are looked for: a table with a row
//! per call, around the rows of the order.

use mpi_abi::{id, Direction, FunctionId, Kind, FUNCTIONS};

use super::requests::{Persistent, Posted};
use super::shadow::Flow;
use super::window::Receive;
use super::{with, write, Got, Online};
use crate::call::Lang;
use crate::order::call::{Call, Wild};
use crate::order::table::Row;
use crate::order::wait::{index, want_statuses};

/// Makes a call around the order's own row.
type Around = fn(&mut Call, Row) -> usize;

/// Makes a call.
#[inline]
pub fn around(call: &mut Call, row: Row) -> usize {
    match TABLE[call.function.index()] {
        Some(around) => around(call, row),
        None => row(call),
    }
}

static TABLE: [Option<Around>; FUNCTIONS.len()] = table();

const ROWS: &[(&[FunctionId], Around)] = &[
    (
        &[
            id::MPI_SEND,
            id::MPI_SEND_C,
            id::MPI_BSEND,
            id::MPI_BSEND_C,
            id::MPI_SSEND,
            id::MPI_SSEND_C,
            id::MPI_RSEND,
            id::MPI_RSEND_C,
            id::MPI_ISEND,
            id::MPI_ISEND_C,
            id::MPI_IBSEND,
            id::MPI_IBSEND_C,
            id::MPI_ISSEND,
            id::MPI_ISSEND_C,
            id::MPI_IRSEND,
            id::MPI_IRSEND_C,
        ],
        send,
    ),
    (
        &[
            id::MPI_SEND_INIT,
            id::MPI_SEND_INIT_C,
            id::MPI_BSEND_INIT,
            id::MPI_BSEND_INIT_C,
            id::MPI_SSEND_INIT,
            id::MPI_SSEND_INIT_C,
            id::MPI_RSEND_INIT,
            id::MPI_RSEND_INIT_C,
        ],
        send_init,
    ),
    (&[id::MPI_RECV_INIT, id::MPI_RECV_INIT_C], recv_init),
    (&[id::MPI_START], start),
    (&[id::MPI_STARTALL], startall),
    (&[id::MPI_REQUEST_FREE], request_free),
    (&[id::MPI_CANCEL], cancel),
    (&[id::MPI_RECV, id::MPI_RECV_C], |call, row| {
        blocking(call, row, RECV, true)
    }),
    (&[id::MPI_IRECV, id::MPI_IRECV_C], |call, row| {
        nonblocking(call, row, RECV)
    }),
    (&[id::MPI_SENDRECV, id::MPI_SENDRECV_C], |call, row| {
        stamp(call, 10, 3, 4);
        blocking(call, row, SENDRECV, true)
    }),
    (
        &[id::MPI_SENDRECV_REPLACE, id::MPI_SENDRECV_REPLACE_C],
        |call, row| {
            stamp(call, 7, 3, 4);
            blocking(call, row, REPLACE, true)
        },
    ),
    (&[id::MPI_ISENDRECV, id::MPI_ISENDRECV_C], |call, row| {
        stamp(call, 10, 3, 4);
        nonblocking(call, row, SENDRECV)
    }),
    (
        &[id::MPI_ISENDRECV_REPLACE, id::MPI_ISENDRECV_REPLACE_C],
        |call, row| {
            stamp(call, 7, 3, 4);
            nonblocking(call, row, REPLACE)
        },
    ),
    (&[id::MPI_PROBE], |call, row| {
        blocking(call, row, at(0, 1, 2, 3), false)
    }),
    (&[id::MPI_MPROBE], |call, row| {
        blocking(call, row, at(0, 1, 2, 4), true)
    }),
    (&[id::MPI_IPROBE], |call, row| poll(call, row, 4, false)),
    (&[id::MPI_IMPROBE], |call, row| poll(call, row, 5, true)),
    (&[id::MPI_WAIT], |call, row| {
        batch(call, row, &batch_of(None, 0, Chosen::All, None, 1))
    }),
    (&[id::MPI_WAITALL], |call, row| {
        batch(call, row, &batch_of(Some(0), 1, Chosen::All, None, 2))
    }),
    (&[id::MPI_WAITANY], |call, row| {
        batch(call, row, &batch_of(Some(0), 1, Chosen::Index(2), None, 3))
    }),
    (&[id::MPI_WAITSOME, id::MPI_TESTSOME], |call, row| {
        batch(
            call,
            row,
            &batch_of(Some(0), 1, Chosen::Indices(2, 3), None, 4),
        )
    }),
    (&[id::MPI_TEST], |call, row| {
        batch(call, row, &batch_of(None, 0, Chosen::All, Some(1), 2))
    }),
    (&[id::MPI_TESTALL], |call, row| {
        batch(call, row, &batch_of(Some(0), 1, Chosen::All, Some(2), 3))
    }),
    (&[id::MPI_TESTANY], |call, row| {
        batch(
            call,
            row,
            &batch_of(Some(0), 1, Chosen::Index(2), Some(3), 4),
        )
    }),
    (
        &[
            id::MPI_BARRIER,
            id::MPI_ALLREDUCE,
            id::MPI_ALLREDUCE_C,
            id::MPI_ALLGATHER,
            id::MPI_ALLGATHER_C,
            id::MPI_ALLGATHERV,
            id::MPI_ALLGATHERV_C,
            id::MPI_ALLTOALL,
            id::MPI_ALLTOALL_C,
            id::MPI_REDUCE_SCATTER,
            id::MPI_REDUCE_SCATTER_C,
            id::MPI_REDUCE_SCATTER_BLOCK,
            id::MPI_REDUCE_SCATTER_BLOCK_C,
        ],
        |call, row| collective(call, row, Flow::Everybody),
    ),
    (
        &[
            id::MPI_BCAST,
            id::MPI_BCAST_C,
            id::MPI_SCATTER,
            id::MPI_SCATTER_C,
            id::MPI_SCATTERV,
            id::MPI_SCATTERV_C,
        ],
        |call, row| collective(call, row, Flow::FromRoot),
    ),
    (
        &[
            id::MPI_REDUCE,
            id::MPI_REDUCE_C,
            id::MPI_GATHER,
            id::MPI_GATHER_C,
            id::MPI_GATHERV,
            id::MPI_GATHERV_C,
        ],
        |call, row| collective(call, row, Flow::ToRoot),
    ),
    (
        &[
            id::MPI_SCAN,
            id::MPI_SCAN_C,
            id::MPI_EXSCAN,
            id::MPI_EXSCAN_C,
        ],
        |call, row| collective(call, row, Flow::Prefix),
    ),
    (
        &[
            id::MPI_COMM_DUP,
            id::MPI_COMM_DUP_WITH_INFO,
            id::MPI_COMM_CREATE,
            id::MPI_COMM_SPLIT,
            id::MPI_COMM_SPLIT_TYPE,
            id::MPI_CART_CREATE,
            id::MPI_CART_SUB,
            id::MPI_GRAPH_CREATE,
            id::MPI_DIST_GRAPH_CREATE,
            id::MPI_DIST_GRAPH_CREATE_ADJACENT,
        ],
        |call, row| {
            let result = collective(call, row, Flow::Everybody);
            new_comm(call, result)
        },
    ),
    (
        &[
            id::MPI_COMM_CREATE_GROUP,
            id::MPI_COMM_CREATE_FROM_GROUP,
            id::MPI_INTERCOMM_MERGE,
        ],
        |call, row| {
            let result = row(call);
            new_comm(call, result)
        },
    ),
    (&[id::MPI_COMM_FREE, id::MPI_COMM_DISCONNECT], comm_free),
];

const fn table() -> [Option<Around>; FUNCTIONS.len()] {
    let mut rows: [Option<Around>; FUNCTIONS.len()] = [None; FUNCTIONS.len()];
    let mut at = 0;
    while at < ROWS.len() {
        let (functions, row) = ROWS[at];
        let mut i = 0;
        while i < functions.len() {
            rows[functions[i].0 as usize] = Some(row);
            i += 1;
        }
        at += 1;
    }
    rows
}

/// Where a call has the arguments of its receive; the last is its status or request.
#[derive(Clone, Copy)]
struct At {
    source: usize,
    tag: usize,
    comm: usize,
    last: usize,
}

const fn at(source: usize, tag: usize, comm: usize, last: usize) -> At {
    At {
        source,
        tag,
        comm,
        last,
    }
}

const RECV: At = at(3, 4, 5, 6);
const SENDRECV: At = at(8, 9, 10, 11);
const REPLACE: At = at(5, 6, 7, 8);

/// Sends the stamp of the message that the call sends.
#[inline]
fn stamp(call: &mut Call, comm: usize, to: usize, tag: usize) {
    let (comm, to, tag) = (call.comm(comm), call.int(to), call.int(tag));
    with(|online| online.stamp(comm, to, tag));
}

fn send(call: &mut Call, row: Row) -> usize {
    stamp(call, 5, 3, 4);
    row(call)
}

fn send_init(call: &mut Call, row: Row) -> usize {
    let request = Persistent::Send(call.comm(5), call.int(3), call.int(4));
    init(call, row, request)
}

fn recv_init(call: &mut Call, row: Row) -> usize {
    let request = Persistent::Receive(call.wild(3, 4), call.comm(5), None);
    init(call, row, request)
}

fn init(call: &mut Call, row: Row, request: Persistent) -> usize {
    let result = row(call);
    if call.ok(result) {
        let handle = call.request(6, 0);
        with(|online| online.requests.insert_persistent(handle, request));
    }
    result
}

fn start(call: &mut Call, row: Row) -> usize {
    let mut posts = call.thread.posts;
    prepare(call, 0, 0, &mut posts);
    row(call)
}

fn startall(call: &mut Call, row: Row) -> usize {
    let mut posts = call.thread.posts;
    for k in 0..call.count(0) {
        prepare(call, 1, k, &mut posts);
    }
    row(call)
}

/// A persistent request is about to be started; `posts` are the wildcard receives before it.
fn prepare(call: &mut Call, i: usize, k: usize, posts: &mut u64) {
    let (handle, thread) = (call.request(i, k), call.thread.number);
    with(|online| match online.requests.persistent(handle).copied() {
        Some(Persistent::Send(comm, to, tag)) => online.stamp(comm, to, tag),
        Some(Persistent::Receive(wild, comm, _)) => {
            let posted = online.post(thread, *posts, wild, comm);
            *posts += u64::from(wild.any());
            let active = Persistent::Receive(wild, comm, Some(posted));
            online.requests.insert_persistent(handle, active);
        }
        None => {}
    });
}

fn request_free(call: &mut Call, row: Row) -> usize {
    let handle = call.request(0, 0);
    with(|online| {
        if let Some(posted) = online.requests.free(handle) {
            online.not_covered("messages after a receive that was freed before it was complete");
            online.posts.complete(posted.number, None, |_| {});
        }
    });
    row(call)
}

fn cancel(call: &mut Call, row: Row) -> usize {
    let handle = call.request(0, 0);
    with(|online| match online.requests.is_receive(handle) {
        true => online.cancels = true,
        false => {
            online.not_covered("messages after a send that was cancelled, as its stamp was sent")
        }
    });
    row(call)
}

impl Online {
    #[inline]
    fn stamp(&mut self, comm: usize, to: i32, tag: i32) {
        if to == self.mpi.abi.proc_null {
            return;
        }
        let Some(at) = self.comm(comm) else {
            return self.not_covered(UNFOLLOWED);
        };
        if let Some(comm) = self.comms[at].as_mut() {
            let clock = &mut self.reader.clock;
            if !comm.shadow.send(self.mpi, &mut self.pool, clock, to, tag) {
                self.not_covered("a message whose stamp could not be sent");
            }
        }
    }

    /// Notes a receive that is about to be posted, after so many wildcard
    /// receives of its thread.
    #[inline]
    fn post(&mut self, thread: u32, posts: u64, wild: Wild, comm: usize) -> Posted {
        Posted {
            number: self.posts.post(),
            thread,
            ordinal: wild.any().then_some(posts),
            wild,
            comm: self.comm(comm),
        }
    }

    /// Finds the stamp of a message that was received, or looked at.
    #[inline]
    fn got(&mut self, call: &Call, posted: Posted, status: *const u8, takes: bool) -> Option<Got> {
        // SAFETY: a completed receive or a successful probe has filled this status.
        let (source, tag) =
            unsafe { (self.mpi.status_source(status), self.mpi.status_tag(status)) };
        let source = u32::try_from(source).ok()?;
        // SAFETY: as above.
        if self.cancels && unsafe { self.mpi.test_cancelled(status) }.unwrap_or(false) {
            return None;
        }
        let at = posted.comm?;
        let mpi = self.mpi;
        let comm = self.comms.get_mut(at)?.as_mut()?;
        let knew = comm
            .shadow
            .stamp_of(mpi, &mut self.reader, source, tag, takes)?;
        let taken = call.taken(status, posted.wild);
        let receive = posted.ordinal.map(|ordinal| Receive {
            thread: posted.thread,
            ordinal,
            tag: taken.and_then(|taken| taken.tag),
            decided: self.reader.clock.time(),
        });
        Some(Got {
            comm: at,
            source,
            tag,
            knew,
            receive: receive.map(|receive| (receive, posted.wild)),
        })
    }

    /// A receive is complete.
    #[inline]
    fn completed(&mut self, call: &mut Call, posted: Posted, status: *const u8, takes: bool) {
        if posted.comm.is_none() {
            self.not_covered(UNFOLLOWED);
            let taken = call.taken(status, posted.wild);
            if let (Some(ordinal), Some(taken)) = (posted.ordinal, taken) {
                write(call.thread, posted.thread, ordinal, taken.source, taken.tag);
            }
        }
        let got = self.got(call, posted, status, takes);
        let mut counted = std::mem::take(&mut self.counted);
        self.posts
            .complete(posted.number, got, |got| counted.push(got));
        for got in counted.drain(..) {
            self.count(got, call.thread);
        }
        self.counted = counted;
    }
}

const UNFOLLOWED: &str = "messages on communicators between two groups or of MPI_Comm_idup: all \
                          their receives with wildcards are recorded";

/// A blocking receive or probe, which `takes` the message or leaves it.
#[inline]
fn blocking(call: &mut Call, row: Row, at: At, takes: bool) -> usize {
    if call.int(at.source) == call.mpi.abi.proc_null {
        return row(call);
    }
    let (posts, wild, comm) = (
        call.thread.posts,
        call.wild(at.source, at.tag),
        call.comm(at.comm),
    );
    let thread = call.thread.number;
    let posted = with(|online| online.post(thread, posts, wild, comm));
    let passed = call.want_status(at.last);
    let result = row(call);
    let ok = call.ok(result);
    with(|online| {
        let Some(posted) = posted else { return };
        match ok {
            true => online.completed(call, posted, call.status(at.last, 0), takes),
            false => online.posts.complete(posted.number, None, |_| {}),
        }
    });
    call.replace(at.last, passed);
    result
}

fn nonblocking(call: &mut Call, row: Row, at: At) -> usize {
    let (posts, wild, comm) = (
        call.thread.posts,
        call.wild(at.source, at.tag),
        call.comm(at.comm),
    );
    let result = row(call);
    if call.ok(result) {
        let (handle, thread) = (call.request(at.last, 0), call.thread.number);
        with(|online| {
            let posted = online.post(thread, posts, wild, comm);
            online.requests.insert(handle, posted);
        });
    }
    result
}

/// A nonblocking probe: what it found is recorded by its own counter, and known from here on.
fn poll(call: &mut Call, row: Row, status: usize, takes: bool) -> usize {
    let comm = call.comm(2);
    let passed = call.want_status(status);
    let result = row(call);
    if call.ok(result) && call.element(3, 0) != 0 {
        with(|online| {
            let at = online.comm(comm);
            let posted = Posted {
                number: 0,
                thread: 0,
                ordinal: None,
                wild: Wild::default(),
                comm: at,
            };
            let got = online.got(call, posted, call.status(status, 0), takes);
            if let Some(got) = got.filter(|_| takes) {
                online.count(got, call.thread);
            }
        });
    }
    call.replace(status, passed);
    result
}

/// Where a wait or test has its arguments.
struct Batch {
    count: Option<usize>,
    requests: usize,
    chosen: Chosen,
    flag: Option<usize>,
    status: usize,
}

/// Which of the requests have completed.
#[derive(Clone, Copy)]
enum Chosen {
    All,
    /// The one with the index there.
    Index(usize),
    /// As many as said at the first argument, with the indices at the second.
    Indices(usize, usize),
}

const fn batch_of(
    count: Option<usize>,
    requests: usize,
    chosen: Chosen,
    flag: Option<usize>,
    status: usize,
) -> Batch {
    Batch {
        count,
        requests,
        chosen,
        flag,
        status,
    }
}

/// A wait or test: receives that have completed with it count in the order of their posts.
fn batch(call: &mut Call, row: Row, at: &Batch) -> usize {
    if with(|online| online.requests.is_empty()) != Some(false) {
        return row(call);
    }
    let count = at.count.map_or(1, |count| call.count(count));
    let mut handles = with(|online| std::mem::take(&mut online.handles)).unwrap_or_default();
    handles.clear();
    handles.extend((0..count).map(|k| call.request(at.requests, k)));
    let many = at.count.is_some() && !matches!(at.chosen, Chosen::Index(_));
    let passed = match many {
        true => want_statuses(call, at.status, count),
        false => call.want_status(at.status),
    };
    let result = row(call);
    if call.ok(result) && at.flag.is_none_or(|flag| call.element(flag, 0) != 0) {
        with(|online| complete(online, call, at, &handles));
    }
    with(|online| online.handles = handles);
    call.replace(at.status, passed);
    result
}

fn complete(online: &mut Online, call: &mut Call, at: &Batch, handles: &[usize]) {
    let some = match at.chosen {
        Chosen::All => handles.len(),
        Chosen::Index(_) => 1,
        Chosen::Indices(count, _) => {
            let count = call.element(count, 0);
            if count == call.mpi.abi.undefined {
                return;
            }
            count.max(0) as usize
        }
    };
    let mut done = std::mem::take(&mut online.done);
    for n in 0..some {
        let k = match at.chosen {
            Chosen::All => Some(n as u32),
            Chosen::Index(argument) => index(call, argument, 0),
            Chosen::Indices(_, indices) => index(call, indices, n),
        };
        let handle = k.and_then(|k| handles.get(k as usize));
        if let Some(posted) = handle.and_then(|&handle| online.requests.take(handle)) {
            done.push((posted, call.status(at.status, n) as usize));
        }
    }
    done.sort_unstable_by_key(|(posted, _)| posted.number);
    for (posted, status) in done.drain(..) {
        online.completed(call, posted, status as *const u8, true);
    }
    online.done = done;
}

/// A collective operation of an intracommunicator: clocks go where its data go.
fn collective(call: &mut Call, row: Row, flow: Flow) -> usize {
    let args = call.function.function().args;
    let comm = args
        .iter()
        .position(|arg| arg.kind == Kind::Comm && arg.direction != Direction::Out);
    let handle = comm.map(|comm| call.comm(comm));
    let root = call.function.function().arg("root");
    let root = root.map_or(0, |root| call.int(root));
    let result = row(call);
    if let (true, Some(handle)) = (call.ok(result), handle) {
        with(|online| {
            let at = online.comm(handle);
            let comm = at.and_then(|at| online.comms[at].as_ref());
            if let Some(comm) = comm {
                comm.shadow
                    .join(online.mpi, &mut online.reader.clock, flow, root);
            }
        });
    }
    result
}

/// A communicator was made: its messages are stamped from now on.
fn new_comm(call: &mut Call, result: usize) -> usize {
    let args = call.function.function().args;
    let new = args
        .iter()
        .position(|arg| arg.kind == Kind::Comm && arg.direction == Direction::Out);
    if let (true, Some(new)) = (call.ok(result), new) {
        let handle = handle_at(call, new);
        let mpi = call.mpi;
        // SAFETY: the call has just made this communicator, if it is one.
        let follows =
            handle != mpi.abi.comm_null && unsafe { mpi.comm_test_inter(handle) } == Ok(false);
        if follows {
            // SAFETY: all its processes have just made it.
            with(|online| unsafe { online.follow(handle) });
        }
    }
    result
}

/// Returns the communicator whose address is passed.
fn handle_at(call: &Call, i: usize) -> usize {
    match call.lang {
        Lang::C => call.request(i, 0),
        // SAFETY: MPI is up while calls are observed.
        Lang::Fortran => unsafe { call.mpi.fortran.comm(call.element(i, 0)) },
    }
}

/// `MPI_Comm_free` and `MPI_Comm_disconnect`.
fn comm_free(call: &mut Call, row: Row) -> usize {
    let handle = handle_at(call, 0);
    let gone = with(|online| {
        let at = online.comm(handle)?;
        online.comms[at].take()
    });
    let result = row(call);
    if let Some(comm) = gone.flatten() {
        comm.shadow.free(call.mpi);
    }
    result
}
