//! Messages: the k-th send of a channel (two processes, a communicator, a tag) meets the k-th receive,
//! in the order in which receives were posted (MPI 4.1 §3.5).

use mpiscope_analysis::wait_states::Kind;
use mpiscope_model::{CommId, Event, PointToPoint, RequestId};

use super::{At, Twin, Unless};

/// Sender, receiver, communicator, tag.
type Channel = (u32, u32, u32, u32);

/// A send or a receive.
#[derive(Clone, Copy)]
pub(super) struct Side {
    channel: Channel,
    /// Where it began: a send was made, a receive was posted.
    pub begins: At,
    /// Where it has its place among others: of what a probe took that probe, else the same.
    place: At,
    /// Where it completed, if it did.
    pub completes: Option<At>,
}

/// What became of a nonblocking send.
enum Sent {
    Complete(At),
    Open,
    Cancelled,
}

impl Twin<'_> {
    /// A receive needs its send, and a send the post of its receive, unless it had ended.
    pub(super) fn messages(&mut self) {
        for (send, receive) in self.pairs() {
            let received = receive.completes.expect("only those that did are listed");
            self.need(received, send.begins, Kind::LateSender, Unless::Never);
            if let Some(sent) = send.completes {
                self.need(sent, receive.begins, Kind::LateReceiver, Unless::Ended);
            }
        }
        self.probes(&self.sends(), &self.receives());
    }

    /// Returns the messages: each send with its receive.
    pub(super) fn pairs(&self) -> Vec<(Side, Side)> {
        let (sends, receives) = (self.sends(), self.receives());
        let pair = |receive: &Side| {
            let before = receives
                .iter()
                .filter(|it| it.channel == receive.channel && it.place < receive.place);
            let mut of_channel = sends.iter().filter(|it| it.channel == receive.channel);
            Some((*of_channel.nth(before.count())?, *receive))
        };
        receives.iter().filter_map(pair).collect()
    }

    /// A probe sees the first message that no receive posted before it takes.
    fn probes(&mut self, sends: &[Side], receives: &[Side]) {
        for (probe, event) in self.events() {
            let Event::MpiProbe(message) = event else {
                continue;
            };
            let channel = self.incoming(probe, message);
            let taken = receives
                .iter()
                .filter(|it| it.channel == channel && it.place < probe)
                .count();
            let send = sends.iter().filter(|it| it.channel == channel).nth(taken);
            if let Some(send) = send {
                self.need(probe, send.begins, Kind::LateSender, Unless::Never);
            }
        }
    }

    fn sends(&self) -> Vec<Side> {
        let mut sends = Vec::new();
        for (at, event) in self.events() {
            let (message, completes) = match event {
                Event::MpiSend(message) => (message, Some(at)),
                Event::MpiIsend(message) => match self.sent(at, message.request) {
                    Sent::Cancelled => continue,
                    Sent::Open => (message, None),
                    Sent::Complete(complete) => (message, Some(complete)),
                },
                _ => continue,
            };
            let to = self.world(message.comm, self.rank(at.0), message.peer);
            sends.push(Side {
                channel: (self.rank(at.0), to, message.comm.0, message.tag),
                begins: at,
                place: at,
                completes,
            });
        }
        sends
    }

    /// Returns what became of a nonblocking send.
    fn sent(&self, (location, post): At, request: Option<RequestId>) -> Sent {
        let after = self.events_of(location).into_iter().skip(post + 1);
        let mut same = after.filter_map(|(at, event)| match event {
            Event::MpiIsendComplete(it) if Some(it) == request => Some(Sent::Complete(at)),
            Event::MpiRequestCancelled(it) if Some(it) == request => Some(Sent::Cancelled),
            Event::MpiIsend(it) if it.request == request => Some(Sent::Open),
            Event::MpiIrecvRequest(it) if Some(it) == request => Some(Sent::Open),
            _ => None,
        });
        same.next().unwrap_or(Sent::Open)
    }

    /// Returns the probe that took a message out of its channel (MPI 4.1 §3.8.2).
    fn probed(&self, (location, receive): At, message: &PointToPoint) -> Option<At> {
        let request = message.request?;
        let before = self.events_of(location).into_iter().take(receive);
        let mut probes = before.filter(|(_, event)| match event {
            Event::MpiProbe(it) => it.request == Some(request),
            _ => false,
        });
        probes.next_back().map(|(at, _)| at)
    }

    /// Returns the receives that completed.
    fn receives(&self) -> Vec<Side> {
        let mut receives = Vec::new();
        for (at, event) in self.events() {
            let (message, begins) = match event {
                Event::MpiRecv(message) => (message, at),
                Event::MpiIrecv(message) => (message, self.posted(at, message.request)),
                _ => continue,
            };
            receives.push(Side {
                channel: self.incoming(at, message),
                begins,
                place: self.probed(at, message).unwrap_or(begins),
                completes: Some(at),
            });
        }
        receives
    }

    /// Returns where a nonblocking receive was posted.
    fn posted(&self, (location, completes): At, request: Option<RequestId>) -> At {
        let before = self.events_of(location).into_iter().take(completes);
        let mut posts = before.filter(|(_, event)| match event {
            Event::MpiIrecvRequest(it) => Some(*it) == request,
            _ => false,
        });
        posts.next_back().expect("programs post receives").0
    }

    fn incoming(&self, at: At, message: &PointToPoint) -> Channel {
        let me = self.rank(at.0);
        let from = self.world(message.comm, me, message.peer);
        (from, me, message.comm.0, message.tag)
    }

    /// Returns the world rank of one whom a member of a communicator writes so.
    fn world(&self, comm: CommId, me: u32, peer: u32) -> u32 {
        let comm = &self.trace.definitions.communicators[comm.index()];
        let is_first = comm.members.iter().any(|it| it.0 == me);
        match &comm.remote {
            Some(remote) if is_first => remote[peer as usize].0,
            _ => comm.members[peer as usize].0,
        }
    }
}
