//! Receives and probes: what they got is compared when all posted before are complete.

use mpiscope_rules::window::Receive;

use super::nested;
use super::online::{with, write, Got, Online, UNFOLLOWED};
use super::requests::{Pending, PostedReceive};
use crate::order::call::OrderedCall;
use crate::order::call::Row;
use crate::order::envelope::{At, Wild};
use crate::order::thread::Thread;

impl Online {
    /// Notes a receive that is about to be posted, after so many wildcard
    /// receives of its thread.
    #[inline]
    pub(super) fn post(
        &mut self,
        thread: u32,
        posts: u64,
        wild: Wild,
        comm: usize,
    ) -> PostedReceive {
        PostedReceive {
            turn: Some(self.posts.post()),
            ..self.posted(thread, posts, wild, comm)
        }
    }

    #[inline]
    fn posted(&mut self, thread: u32, posts: u64, wild: Wild, comm: usize) -> PostedReceive {
        let recorded = wild.any() && !nested::is_nested();
        if wild.any() && !recorded {
            self.not_covered("receives from anybody within the program's callbacks");
        }
        PostedReceive {
            turn: None,
            thread,
            ordinal: recorded.then_some(posts),
            wild,
            comm: self.comms.place(comm),
        }
    }

    /// Finds out what the sender of a message knew that was received, or looked at.
    #[inline]
    fn got(
        &mut self,
        call: &OrderedCall,
        posted: PostedReceive,
        status: *const u8,
        takes: bool,
    ) -> Option<Got> {
        // SAFETY: a completed receive or a successful probe has filled this status.
        let (source, tag) =
            unsafe { (self.mpi.status_source(status), self.mpi.status_tag(status)) };
        let source = u32::try_from(source).ok()?;
        // SAFETY: the status is filled.
        if self.cancels && unsafe { self.mpi.test_cancelled(status) }.unwrap_or(false) {
            return None;
        }
        let at = posted.comm?;
        let knew = self.heard(at, source, tag, takes).unwrap_or(0);
        let taken = call.taken(status, posted.wild);
        let receive = posted.ordinal.map(|ordinal| Receive {
            thread: posted.thread,
            ordinal,
            tag: taken.and_then(|taken| taken.tag),
            decided: self.clock.choose(),
        });
        Some(Got {
            comm: at,
            source,
            tag,
            knew,
            receive: receive.map(|receive| (receive, posted.wild)),
        })
    }

    /// A receive is complete, which `takes` the message or leaves it.
    #[inline]
    pub(super) fn completed(
        &mut self,
        call: &mut OrderedCall,
        posted: PostedReceive,
        status: *const u8,
        takes: bool,
    ) {
        if posted.comm.is_none() {
            self.write_unfollowed(call, posted, status);
        }
        let got = self.got(call, posted, status, takes);
        self.in_turn(posted.turn, got, call.thread);
    }

    /// Counts what a receive got when all posted before it are complete.
    #[inline]
    pub(super) fn in_turn(&mut self, turn: Option<u64>, got: Option<Got>, thread: &mut Thread) {
        let Some(turn) = turn else {
            got.into_iter().for_each(|got| self.count(got, thread));
            return;
        };
        let mut counted = std::mem::take(&mut self.counted);
        self.posts.complete(turn, got, |got| counted.push(got));
        for got in counted.drain(..) {
            self.count(got, thread);
        }
        self.counted = counted;
    }

    /// Receives on a communicator that is not followed are recorded, race or not.
    #[cold]
    fn write_unfollowed(
        &mut self,
        call: &mut OrderedCall,
        posted: PostedReceive,
        status: *const u8,
    ) {
        self.not_covered(UNFOLLOWED);
        let taken = call.taken(status, posted.wild);
        if let (Some(ordinal), Some(taken)) = (posted.ordinal, taken) {
            write(call.thread, posted.thread, ordinal, taken.source, taken.tag);
        }
    }
}

/// Notes that a receive failed: its message may be gone, uncounted.
#[cold]
pub fn failed() {
    with(|online| {
        online.not_covered(
            "what follows a receive that failed: its message is not counted, so more is \
             recorded than need be",
        );
    });
}

/// A blocking receive or probe, which `takes` the message or leaves it.
#[inline]
pub fn blocking(call: &mut OrderedCall, row: Row, at: At, takes: bool) -> usize {
    if call.int(at.source) == call.mpi.abi.proc_null {
        return row(call);
    }
    let (posts, thread) = (call.thread.posts, call.thread.number);
    let (wild, comm) = (call.wild(at.source, at.tag), call.comm_handle(at.comm));
    let posted = with(|online| match online.posts.is_idle() {
        false => online.post(thread, posts, wild, comm),
        true => online.posted(thread, posts, wild, comm),
    });
    let passed = call.want_status(at.last);
    let result = row(call);
    let ok = call.ok(result);
    if let Some(posted) = posted {
        with(|online| match ok {
            true => online.completed(call, posted, call.status(at.last, 0), takes),
            false => online.in_turn(posted.turn, None, call.thread),
        });
    }
    if !ok {
        failed();
    }
    call.replace(at.last, passed);
    result
}

/// A receive that returns a request.
pub fn nonblocking(call: &mut OrderedCall, row: Row, at: At) -> usize {
    let posts = call.thread.posts;
    let (wild, comm) = (call.wild(at.source, at.tag), call.comm_handle(at.comm));
    let result = row(call);
    if call.ok(result) {
        let (handle, thread) = (call.request_at(at.last, 0), call.thread.number);
        with(|online| {
            let posted = online.post(thread, posts, wild, comm);
            online.requests.insert(handle, Pending::Receive(posted));
        });
    }
    result
}

/// A nonblocking probe: what it found is recorded by its own counter, and known from here on.
pub fn poll(call: &mut OrderedCall, row: Row, at: At, takes: bool) -> usize {
    let (comm, status) = (call.comm_handle(at.comm), at.last);
    let passed = call.want_status(status);
    let result = row(call);
    let flag = call.shape().flag();
    if call.ok(result) && flag.is_some_and(|flag| call.int_at(flag, 0) != 0) {
        with(|online| {
            let at = online.comms.place(comm);
            let posted = PostedReceive {
                turn: None,
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
