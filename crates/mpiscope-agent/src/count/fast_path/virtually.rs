//! What partners tell each other on the shortest way, where a virtual clock is kept.

use mpi_abi::FunctionId;
use mpiscope_run::record::{Message, Wildcard};

use super::{Found, Plan, Statistics, Thread, WORLD};
use crate::count::virtual_clock::{may_wait, Sent};
use crate::mpi::functions::is_nonblocking_send;

impl Statistics {
    /// A call has begun: tells its partner what it sends or asks for. Returns the message of a
    /// nonblocking send that may wait to be received.
    #[inline(always)]
    pub(super) fn tell_partners(
        &mut self,
        thread: &mut Thread,
        function: FunctionId,
        plan: &Plan,
        args: &[usize],
    ) -> Option<Sent> {
        self.virtual_clock.as_ref()?;
        match *plan {
            Plan::Send(with, bytes) => self.tell_sent(function, with as u32, bytes, args),
            Plan::Receive(..) | Plan::Post(..) => {
                self.tell_posted(thread, args);
                None
            }
            _ => None,
        }
    }

    #[inline]
    fn tell_sent(
        &mut self,
        function: FunctionId,
        peer: u32,
        bytes: u64,
        args: &[usize],
    ) -> Option<Sent> {
        let message = Message {
            peer,
            comm: WORLD,
            tag: *args.get(4)? as u32,
            bytes,
            ..Message::default()
        };
        let mut waits = None;
        self.with_clock(|clock, stamp, _| {
            waits = clock.tells_sent(&message, may_wait(function.0), stamp);
            if let Some(sent) = waits.filter(|_| !is_nonblocking_send(function)) {
                clock.may_have_waited(sent);
                waits = None;
            }
        });
        waits
    }

    #[inline]
    fn tell_posted(&mut self, thread: &mut Thread, args: &[usize]) {
        let (&[_, count, datatype, peer, tag, ..], Some(hot)) = (args, &self.hot) else {
            return;
        };
        let (peer, tag) = (peer as i32, tag as i32);
        let size = thread.types.of(thread.session, datatype & hot.mask).size;
        let asked = Message {
            peer: peer as u32,
            comm: WORLD,
            tag: tag as u32,
            bytes: (count as i32).max(0) as u64 * size,
            wildcard: hot.wildcard(peer, tag),
            ..Message::default()
        };
        self.with_clock(|clock, stamp, _| clock.posts(&asked, stamp));
    }

    /// A message was received, in a call that waited for it alone or in another.
    #[inline(always)]
    pub(super) fn hear_partner(&mut self, found: Found, blocking: bool) {
        self.with_clock(|clock, stamp, _| {
            let message = Message {
                peer: found.peer,
                comm: WORLD,
                tag: found.tag,
                bytes: found.bytes,
                wildcard: Wildcard::default(),
                signature: 0,
            };
            clock.received(&message, blocking.then_some(stamp));
        });
    }
}
