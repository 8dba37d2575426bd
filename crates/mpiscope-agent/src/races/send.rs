//! Sends: counted, and announced, before MPI gets them.

use mpi_abi::{id, FunctionId};

use super::online::{with, Online, UNFOLLOWED};
use super::requests::{Pending, Persistent};
use crate::mpi::shape::completion::{request, requests, Requests};
use crate::mpi::shape::Shape;
use crate::order::call::OrderedCall;
use crate::order::call::Row;
use crate::order::envelope::at;

impl Online {
    /// Counts and announces a message.
    #[inline]
    pub(super) fn sends(&mut self, comm: usize, to: i32, tag: i32) {
        if to < 0 {
            return; // MPI_PROC_NULL
        }
        match self.comms.place(comm) {
            Some(at) => self.announce(at, to as u32, tag),
            None => self.not_covered(UNFOLLOWED),
        }
    }
}

/// Where a call has whom it sends to, with which tag, and its communicator.
pub struct To {
    peer: usize,
    tag: usize,
    comm: usize,
}

/// Returns where a send has them.
pub const fn to(function: FunctionId) -> To {
    let shape = Shape::of(function);
    match (shape.sent, shape.comm()) {
        (Some(sent), Some(comm)) => To {
            peer: sent.peer(),
            tag: sent.tag(),
            comm,
        },
        _ => panic!("this function sends nothing"),
    }
}

/// Announces what a call sends.
#[inline]
pub fn announce(call: &mut OrderedCall, at: &To) {
    let comm = call.comm_handle(at.comm);
    let (peer, tag) = (call.int(at.peer), call.int(at.tag));
    with(|online| online.sends(comm, peer, tag));
}

/// Notes that a call failed whose message was counted.
#[cold]
pub fn failed() {
    with(|online| {
        online.not_covered(
            "what follows a send that failed: its receiver counts one message less, so more is \
             recorded than need be",
        );
    });
}

/// `MPI_Send` and all of its kinds, which have the same arguments.
#[inline]
pub fn send(call: &mut OrderedCall, row: Row) -> usize {
    announce(call, const { &to(id::MPI_SEND) });
    let result = row(call);
    if !call.ok(result) {
        failed();
    }
    result
}

/// `MPI_Send_init` and all of its kinds.
pub fn send_init(call: &mut OrderedCall, row: Row) -> usize {
    let at = const { to(id::MPI_SEND_INIT) };
    let request = Persistent::Send(
        call.comm_handle(at.comm),
        call.int(at.peer),
        call.int(at.tag),
    );
    init(call, row, request)
}

/// `MPI_Recv_init`.
pub fn recv_init(call: &mut OrderedCall, row: Row) -> usize {
    let at = const { at(id::MPI_RECV_INIT) };
    let wild = call.wild(at.source, at.tag);
    let request = Persistent::Receive(wild, call.comm_handle(at.comm));
    init(call, row, request)
}

fn init(call: &mut OrderedCall, row: Row, request: Persistent) -> usize {
    let result = row(call);
    if call.ok(result) {
        let made = call.shape().request();
        let handle = made.map_or(call.mpi.abi.request_null, |at| call.request_at(at, 0));
        with(|online| online.requests.insert_persistent(handle, request));
    }
    result
}

/// `MPI_Start`.
pub fn start(call: &mut OrderedCall, row: Row) -> usize {
    let mut posts = call.thread.posts;
    prepare(call, const { request(id::MPI_START) }, 0, &mut posts);
    row(call)
}

/// `MPI_Startall`.
pub fn startall(call: &mut OrderedCall, row: Row) -> usize {
    let mut posts = call.thread.posts;
    const ALL: Requests = requests(id::MPI_STARTALL);
    for k in 0..call.len(ALL.count) {
        prepare(call, ALL.handles, k, &mut posts);
    }
    row(call)
}

/// A persistent request is about to be started; `posts` are the wildcard receives before it.
fn prepare(call: &mut OrderedCall, i: usize, k: usize, posts: &mut u64) {
    let (handle, thread) = (call.request_at(i, k), call.thread.number);
    with(|online| match online.requests.persistent(handle) {
        Some(Persistent::Send(comm, to, tag)) => online.sends(comm, to, tag),
        Some(Persistent::Receive(wild, comm)) => {
            let posted = online.post(thread, *posts, wild, comm);
            *posts += u64::from(wild.any());
            online.requests.start(handle, Pending::Receive(posted));
        }
        Some(Persistent::Collective(plan)) => {
            let number = online.enter(&plan);
            online
                .requests
                .start(handle, Pending::Collective(plan, number));
        }
        None => {}
    });
}

/// `MPI_Request_free`.
pub fn request_free(call: &mut OrderedCall, row: Row) -> usize {
    let handle = call.request_at(const { request(id::MPI_REQUEST_FREE) }, 0);
    with(|online| {
        if let Some(posted) = online.requests.free(handle) {
            online.not_covered(
                "what follows a receive that was freed before it was complete: its message is \
                 not counted, so more is recorded than need be",
            );
            online.in_turn(posted.turn, None, call.thread);
        }
    });
    row(call)
}

/// `MPI_Cancel`.
pub fn cancel(call: &mut OrderedCall, row: Row) -> usize {
    let handle = call.request_at(const { request(id::MPI_CANCEL) }, 0);
    with(|online| match online.requests.is_receive(handle) {
        true => online.cancels = true,
        false => online.not_covered(
            "what follows a send that was cancelled: its receiver counts one message less, so \
             more is recorded than need be",
        ),
    });
    row(call)
}
