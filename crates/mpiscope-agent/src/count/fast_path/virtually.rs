//! What partners tell each other on the shortest way, where a virtual clock is kept.

use mpi_abi::FunctionId;
use mpiscope_run::record::{Message, Wildcard};

use super::outstanding::Asked;
use super::{Found, Plan, Statistics, WORLD};
use crate::count::virtual_clock::{may_wait, Sent};
use crate::mpi::functions::is_nonblocking_send;

impl Statistics {
    /// A call has begun: tells its partner what it sends or asks for. Returns the message of a
    /// nonblocking send that may wait to be received, or the one that a receive takes.
    #[inline(always)]
    pub(super) fn tell_partners(
        &mut self,
        function: FunctionId,
        plan: &Plan,
        args: &[usize],
    ) -> Option<Sent> {
        self.virtual_clock.as_ref()?;
        match *plan {
            Plan::Send(with, bytes) => self.tell_sent(function, with as u32, bytes, args),
            Plan::Collective(collective) => {
                self.tell_entered(collective);
                None
            }
            Plan::Receive(asked) | Plan::Post(asked) => self.tell_posted(asked),
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
    fn tell_posted(&mut self, asked: Asked) -> Option<Sent> {
        let hot = self.hot.as_ref()?;
        let posted = Message {
            peer: asked.source as u32,
            comm: WORLD,
            tag: asked.tag as u32,
            bytes: asked.bytes,
            wildcard: hot.wildcard(asked.source, asked.tag),
            ..Message::default()
        };
        let mut message = None;
        self.with_clock(|clock, stamp, _| message = clock.posts(&posted, stamp));
        message
    }

    /// A message was received, in a call that waited for it alone or in another.
    #[inline(always)]
    pub(super) fn hear_partner(&mut self, found: Found, blocking: bool, known: Option<Sent>) {
        self.with_clock(|clock, stamp, _| {
            let message = Message {
                peer: found.peer,
                comm: WORLD,
                tag: found.tag,
                bytes: found.bytes,
                wildcard: Wildcard::default(),
                signature: 0,
            };
            clock.received(&message, blocking.then_some(stamp), known);
        });
    }
}
