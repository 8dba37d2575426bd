//! Traces as text: small enough to draw in a test, exact enough to read back.
//!
//! One line per location, `RANK:` or `RANK.THREAD:`, then its events, each a
//! time and what happened. A time alone is an event of no interest; several
//! lines of one location continue each other; `//` begins a comment.
//!
//! ```
//! use mpiscope_model::Trace;
//!
//! let picture = "\
//! comm row: 0 1
//! clock 1: 0 +5 ±1, 100 +7 ±1
//! 0: 5 10 enter(solve) 20 send>1 30 leave(solve) 40 bcast(root=0,comm=row){ 50 }
//! 1: 12 irecv#1 18 wait<0#1 42 bcast(root=0,comm=row){ 52 }
//! ";
//! let trace = Trace::parse(picture)?;
//! assert_eq!(trace.print(&trace.times()), picture);
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```
//!
//! | text | event |
//! |---|---|
//! | `20` | Other |
//! | `20 send>1`, `20 isend>1#7` | MpiSend, MpiIsend to rank 1; request 7 |
//! | `20 recv<0`, `20 probe<0` | MpiRecv, MpiProbe: from rank 0; `20 probe<0#7`, `30 recv<0#7` if matched |
//! | `20 irecv#7`, `30 wait<0#7` | MpiIrecvRequest; MpiIrecv that completes it |
//! | `30 wait#7`, `30 test#7`, `30 cancel#7` | MpiIsendComplete, MpiRequestTest, MpiRequestCancelled |
//! | `20 barrier{ 30 }` | MpiCollectiveBegin, MpiCollectiveEnd; other operations in MPI's lower case |
//! | `20 ?{`, `30 }barrier` | a begin without end, an end without begin |
//! | `20 icollective#7`, `30 ibcast#7(root=0)` | NonBlockingCollectiveRequest, NonBlockingCollectiveComplete |
//! | `20 comm_create(row)` | CommCreate |
//! | `20 fork(2)`, `30 join`, `20 team_begin(t)`, `30 team_end(t)` | ThreadFork, ThreadJoin, ThreadTeamBegin, ThreadTeamEnd |
//! | `20 thread_create(t,1)`, `_begin`, `_wait`, `_end` | ThreadCreate of thread 1, and so on |
//! | `20 acquire(3,0)`, `30 release(3,0)` | ThreadAcquireLock of lock 3, not acquired before; `acquire(3,0,pthread)` |
//! | `20 task_create(t,0,1)`, `_switch`, `_complete` | ThreadTaskCreate by thread 0, its task 1, and so on |
//! | `20 win_create(w)`, `30 win_destroy(w)` | RmaWinCreate, RmaWinDestroy |
//! | `20 win_begin`, `30 win_end(w,barrier,sync)` | RmaCollectiveBegin, RmaCollectiveEnd of an operation that synchronizes |
//! | `20 group_sync(w,0&2)` | RmaGroupSync with world ranks 0 and 2 |
//! | `20 lock_acquire(w,1,0,shared)`, `lock_request`, `lock_try`, `lock_release` | RmaAcquireLock of rank 1's lock 0, and so on |
//! | `20 notify_out(w,1)`, `30 notify_in(w,0)` | RmaSync |
//! | `20 metric(residual=0.5,heat[K]=300)` | Metric: their values, an integer (300), one without sign (300u) or another; the second in kelvins; `+cycles=7` is a counter |
//! | `20 sample(heat.c:42)`, `20 sample(heat.c:42*4)` | Sample: computing there; the second stands for four periods |
//! | `20 off`, `30 on` | MeasurementOnOff |
//! | `20 enter(solve)`, `30 leave(solve)` | Enter, Leave |
//!
//! Particulars follow in parentheses, without blanks: `send>1(tag=3,comm=row,bytes=8)`,
//! `recv<0(any,anytag)` for a receive with wildcards, `scatter(root=2,sent=8,received=0){`;
//! across groups `bcast(root=self){` and, of the others of its group, `root=outside`.
//! `send>1(seq=5)`, `barrier(seq=5){` if five went before on that channel,
//! recorded or not (of a collective operation its end knows).
//! Notes follow any event: `send>1 !sync` is synchronous, `alltoallv{ 30 } !dense`
//! sends something to everybody, `enter(MPI_Test) !polls(9)` stands for nine
//! that found nothing, `icollective#7 !persistent(2)` starts the
//! operation initialized third, `leave(MPI_Comm_dup) !created(row)`, the process
//! ended before `leave(MPI_Finalize) !cut`,
//! `lock_acquire(w,1,0) !seq(4)` is the fifth acquisition, and what is
//! `20 !signal(7)` comes before any `30 !await(7)`. Regions named `omp_…`,
//! `…barrier`, `…taskwait`, `…critical` or `…join` are what they are called.
//! Of calls, `enter(MPI_Recv) !at(heat.c:42)` says where it stands (or
//! `!at(heat+0x11d3)`, without line), `!posted(any,tag=3,comm=row,cap=8,sig=12)`
//! or `!posted(0,anytag)` what a receive or probe asked for, `!sig(12)` the type
//! signature of data.
//! Unless said, tags and bytes of messages are 0, bytes of collective
//! operations 1 (of a barrier 0), and the communicator is `world`, of all ranks.
//!
//! Lines that define: `comm row: 0 1` by world ranks, `comm bridge: 0 1 | 2 3`
//! with two groups, `comm me: self` for MPI_COMM_SELF, `comm ring: 0 1 edges 0>1 1>0`
//! with the neighbours of a topology; `win w: row` for a window; `clock 0 1:` for
//! locations that read one clock, followed by its offsets if it was compared:
//! `TIME OFFSET ±HALF_WIDTH`, between commas; `accelerator 0.1:` and `metric 0.2:`
//! for locations that are no threads; `host a: 0 1` for the ranks on a
//! host, `host b in rack0: 2` if it shares a rack; `sampled 1000` for the nanoseconds that a
//! sample stands for.

mod parse;
mod print;
mod scan;

pub use print::location_line;
pub use scan::Error;

/// Name of the communicator of all ranks.
const WORLD: &str = "world";
