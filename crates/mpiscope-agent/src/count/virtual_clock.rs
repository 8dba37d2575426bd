//! Time as it would have gone without observation.
//!
//! Whoever sends tells, in shared memory, when it did and what observation had taken by then
//! (`peers/clock_ring`); what follows for whoever received is a rule (`mpiscope_rules::virtual_time`).
//! For a send that waits for its receiver (MPI_Ssend, and others that are too large to be taken
//! in) the receiver's post stands for the message; in a collective operation the entry of those
//! that this member depends on (`peers/collective_stamps`). Of a nonblocking operation that holds
//! where it completes. What a process knows of its channels of messages all its threads share
//! (`channels`). All of a host read one clock; between hosts it goes by messages of our own
//! (`peers/remote_clocks`), in a time that all have in common (`peers/common_clock`). Where a
//! partner's word did not get here, nothing is told apart, and that is counted.

mod channels;
mod comm;
mod pair;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mpi_abi::{id, FunctionId};
use mpiscope_rules::virtual_time::{Ended, Partners};
use mpiscope_run::record::{self, Collective, Message, Side};

use crate::base::clock::ticks;
pub use crate::peers::clock_ring::Stamp;
use crate::peers::remote_clocks::RemoteClocks;
use crate::peers::virtual_time::Channel;
pub use channels::Sent;
use channels::{At, Begun, Open, What};
pub use channels::{Channels, Remote};

/// A send of fewer bytes never waits for its receiver.
const EAGER: u64 = 1024;
/// A send that takes more ticks than this may have waited.
const LONG: u64 = 10_000;
/// So often receivers' words are looked for: some microseconds.
const TURNS: u32 = 64;

/// The virtual clock of one thread.
pub struct VirtualClock {
    channels: &'static Mutex<Channels>,
    /// Of the call that is being made: what its partners have told.
    told: CallObservations,
}

/// What partners have told of the call that is being made.
#[derive(Default)]
pub struct CallObservations {
    partners: Partners,
    /// The channel on which it was to send, and the communicator on which it was to receive.
    sent: Option<At>,
    posted: Option<u32>,
    /// Which message its receive takes, if that is known.
    takes: Option<Sent>,
    /// Whether it has received.
    received: bool,
    /// The communicator of which it entered a collective operation.
    entered: Option<u32>,
    /// The messages that may have waited to be received.
    waits: Vec<Sent>,
    /// Ticks after the call that were spent on words of partners.
    after: u64,
    /// The collective operation that is about to end.
    collective: Option<Begun>,
}

impl CallObservations {
    fn begin(&mut self) {
        let mut waits = std::mem::take(&mut self.waits);
        waits.clear(); // and keep its memory
        *self = Self {
            waits,
            ..Self::default()
        };
    }

    fn add(&mut self, stamp: Option<Stamp>) {
        self.partners.add(stamp.map(Stamp::moment));
    }
}

impl VirtualClock {
    /// Begins, with what the process knows.
    pub fn new(channels: &'static Mutex<Channels>) -> Self {
        Self {
            channels,
            told: CallObservations::default(),
        }
    }

    /// Begins one of a process that is alone, and sends to itself, to see what that costs.
    pub fn of_one() -> Self {
        Self::new(Box::leak(Box::new(Mutex::new(Channels::of_one()))))
    }

    fn channels(&self) -> MutexGuard<'static, Channels> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call begins.
    #[inline]
    pub fn begin(&mut self) {
        self.told.begin();
    }

    /// A message is about to be sent; `request` completes it, if it is nonblocking.
    pub fn sends(&mut self, message: &Message, request: Option<u32>, may_wait: bool, now: Stamp) {
        let Some(sent) = self.tells_sent(message, may_wait, now) else {
            return;
        };
        match request {
            Some(request) => self.channels().open(request, Open::Send(sent)),
            None => self.told.waits.push(sent),
        }
    }

    /// A message is about to be sent: tells its receiver, and returns which one it is if the send
    /// may wait for that.
    #[inline]
    pub fn tells_sent(&mut self, message: &Message, may_wait: bool, now: Stamp) -> Option<Sent> {
        let mut channels = self.channels();
        let at = channels.at((message.comm, message.peer, message.tag))?;
        self.told.sent = Some(at);
        let counts = channels.counts(at);
        let number = counts.sent;
        counts.sent += 1;
        let stamp = Stamp { number, ..now };
        let held = channels.tell(at, What::Message, stamp);
        self.told.partners.hold(held);
        (may_wait || message.bytes >= EAGER).then_some((at, number))
    }

    /// A send that may have waited completes in the call that is being made.
    #[inline]
    pub fn may_have_waited(&mut self, sent: Sent) {
        self.told.waits.push(sent);
    }

    /// The request of a send has got a number.
    pub fn opens(&self, request: u32, sent: Sent) {
        self.channels().open(request, Open::Send(sent));
    }

    /// A nonblocking send has completed.
    pub fn sent_all(&mut self, request: u32) {
        if let Some(Open::Send(sent)) = self.channels().close(request) {
            self.told.waits.push(sent);
        }
    }

    /// A request was cancelled.
    pub fn cancels(&mut self, request: u32) {
        let mut channels = self.channels();
        match channels.close(request) {
            Some(Open::Send((at, _))) => channels.lose(at),
            Some(Open::Receive(comm, _)) => channels.lose_posts(comm),
            Some(Open::Collective(_)) => {}
            // Which message it was nobody knows here.
            None => channels.lose_all(),
        }
    }

    /// The call failed that is being made; `rejected` if it did nothing, as is known, `completes` if
    /// it was to complete requests.
    pub fn fails(&mut self, rejected: bool, completes: bool) {
        let told = &self.told;
        let mut channels = self.channels();
        match told.sent {
            Some(at) if rejected => channels.take_back(at),
            Some(at) => channels.lose(at),
            None => {}
        }
        match told.posted {
            Some(_) if !rejected && !told.received => channels.lose_all(),
            Some(comm) => channels.lose_posts(comm),
            None if completes => channels.lose_all_posts(),
            None => {}
        }
        if let Some(comm) = told.entered {
            channels.lose_entries(comm);
        }
        self.told.collective = None;
    }

    /// Whether the call took time that the unobserved program would not have waited.
    pub fn is_held(&self) -> bool {
        self.told.partners.is_held()
    }

    /// What this process has sent and received is not known any more: nothing is told apart from
    /// here on.
    pub fn lose_all(&mut self) {
        self.channels().lose_all();
    }

    /// What was received on a communicator is not known any more.
    pub fn lose_comm(&mut self, comm: u32) {
        self.channels().lose_comm(comm);
    }

    /// So many messages, or collective operations, came by unobserved.
    pub fn skips(&mut self, channel: record::Channel, many: u64) {
        let mut channels = self.channels();
        let record::Channel {
            side,
            comm,
            peer,
            tag,
        } = channel;
        match side {
            Side::Sent | Side::Received => {
                if let Some(at) = channels.at((comm, peer, tag)) {
                    let counts = channels.counts(at);
                    match side {
                        Side::Sent => counts.sent += many,
                        _ => counts.receive(many),
                    }
                }
                channels.lose_posts(comm);
            }
            Side::Collective => {
                if let Some(comm) = channels.comm(comm) {
                    comm.skip(many);
                }
            }
            Side::Window => {}
        }
    }

    /// A nonblocking receive is about to be posted, which a request completes.
    pub fn posts_by(&mut self, request: u32, asked: &Message, now: Stamp) {
        let message = self.posts(asked, now);
        self.opens_receive(request, asked.comm, message);
    }

    /// The request of a receive has got a number.
    pub fn opens_receive(&self, request: u32, comm: u32, message: Option<Sent>) {
        let mut channels = self.channels();
        channels.open(request, Open::Receive(comm, message));
    }

    /// A receive is about to be posted; returns which message it takes, if that is known.
    #[inline]
    pub fn posts(&mut self, asked: &Message, now: Stamp) -> Option<Sent> {
        let mut channels = self.channels();
        self.told.posted = Some(asked.comm);
        if asked.wildcard.source || asked.wildcard.tag {
            channels.lose_posts(asked.comm);
            return None;
        }
        let at = channels.at((asked.comm, asked.peer, asked.tag))?;
        let counts = channels.counts(at);
        let number = counts.posted;
        counts.posted += 1;
        let comm = channels.comm(asked.comm);
        if !comm.is_some_and(|comm| comm.knows_posts) {
            return None;
        }
        // Between hosts that takes a message: only where a send may wait for it.
        if asked.bytes >= EAGER || !channels.is_remote(at) {
            let stamp = Stamp { number, ..now };
            let held = channels.tell(at, What::Post, stamp);
            self.told.partners.hold(held);
        }
        self.told.takes = Some((at, number));
        self.told.takes
    }

    /// A message was received by a request.
    pub fn received_by(&mut self, request: u32, message: &Message) {
        let known = match self.channels().close(request) {
            Some(Open::Receive(_, known)) => known,
            _ => None,
        };
        self.received(message, None, known);
    }

    /// A message was received; `blocking` is when its receive began, if that blocks, `known` which
    /// message it was to take.
    #[inline]
    pub fn received(&mut self, message: &Message, blocking: Option<Stamp>, known: Option<Sent>) {
        let mut channels = self.channels();
        self.told.received = true;
        let Some(at) = channels.at((message.comm, message.peer, message.tag)) else {
            return self.told.add(None);
        };
        let counts = channels.counts(at);
        let next = counts.received;
        counts.receive(1);
        let at_its_post = channels
            .comm(message.comm)
            .is_some_and(|comm| comm.knows_posts);
        let takes = self.told.takes.take().filter(|_| blocking.is_some());
        let known = known.or(takes);
        let known = known.filter(|known| at_its_post && known.0 == at);
        let number = known.map_or(next, |(_, number)| number);
        let stamp = channels.ask(at, What::Message, number, &mut self.told);
        self.told.add(stamp);
        let Some(ready) = blocking else { return };
        if !at_its_post && (message.bytes >= EAGER || !channels.is_remote(at)) {
            let stamp = Stamp { number, ..ready };
            self.told.after += channels.tell(at, What::Post, stamp);
        }
    }

    /// A blocking collective operation begins.
    pub fn meets(&mut self, function: u16, comm: u32, root: u32, now: Stamp) {
        let role = FunctionId(function).function().role;
        let mut channels = self.channels();
        let (number, held) = match channels.comm(comm) {
            Some(comm) => comm.enter(role, root, now),
            None => (0, 0),
        };
        self.told.partners.hold(held);
        self.told.entered = Some(comm);
        self.told.collective = Some(Begun { comm, root, number });
    }

    /// A nonblocking one begins.
    pub fn initiates(&mut self, request: u32, comm: u32, root: u32, now: Stamp) {
        let mut channels = self.channels();
        let number = channels.comm(comm).and_then(|comm| comm.initiate(now));
        if let Some(number) = number {
            channels.open(request, Open::Collective(Begun { comm, root, number }));
        }
    }

    /// The operation of this request is the one that is about to end; of others than those that
    /// were noted nothing is known.
    pub fn completes(&mut self, request: u32) {
        match self.channels().close(request) {
            Some(Open::Collective(begun)) => self.told.collective = Some(begun),
            _ => self.told.add(None),
        }
    }

    /// A collective operation has ended.
    pub fn met(&mut self, ended: &Collective) {
        let Some(begun) = self.told.collective.take() else {
            return;
        };
        let mut channels = self.channels();
        let told = &mut self.told;
        match channels.comm(begun.comm) {
            Some(comm) => {
                told.after += comm.leave(ended.op, begun, |entry| {
                    told.partners.add(entry.map(Stamp::moment))
                });
            }
            None => told.add(None),
        }
    }

    /// The call ends: returns how, in virtual time; nothing if that is as the clock says.
    pub fn end(&mut self, ready: Stamp, end: u64) -> Option<Ended> {
        if !self.told.waits.is_empty() {
            self.ask_for_posts(ready.time, end);
        }
        self.told.partners.end(ready.moment(), end)
    }

    /// Takes the posts of the receives that sends may have waited for. Where a receiver cannot
    /// tell before it has received, its word comes a moment after the send has returned: after a
    /// call that took long some turns are spent on all of them.
    fn ask_for_posts(&mut self, ready: u64, end: u64) {
        let (began, after) = (ticks(), self.told.after);
        let mut turns = match end.saturating_sub(ready) > LONG {
            true => TURNS,
            false => 1,
        };
        let waits = std::mem::take(&mut self.told.waits);
        let mut channels = self.channels();
        for &(at, number) in &waits {
            let post = loop {
                let post = channels.ask(at, What::Post, number, &mut self.told);
                turns = turns.saturating_sub(1);
                if post.is_some() || turns == 0 {
                    break post;
                }
                std::hint::spin_loop();
            };
            // A send that was taken in before the receive was posted did not wait for it.
            if let Some(post) = post.filter(|post| post.time > ready && post.time < end) {
                self.told.add(Some(post));
            }
        }
        self.told.waits = waits;
        self.told.after = after + ticks().saturating_sub(began);
    }

    /// Returns the ticks that were spent on partners' words since the call ended.
    pub fn after(&self) -> u64 {
        self.told.after
    }

    /// A choice has waited so many ticks that the unobserved program would not have waited.
    pub fn held(&mut self, ticks: u64) {
        self.told.partners.hold(ticks);
    }

    /// A receive was posted that takes the next message of a channel.
    pub fn takes(&mut self, channel: Channel) {
        let mut channels = self.channels();
        if let Some(at) = channels.at(channel) {
            channels.counts(at).taken += 1;
        }
    }

    /// Returns which message of a channel the next receive takes.
    pub fn next(&self, channel: Channel) -> u64 {
        self.channels().next(channel)
    }

    /// Returns the virtual time at which a message that was not received yet was sent, if its
    /// sender told it.
    pub fn sent(&mut self, channel: Channel, number: u64) -> Option<u64> {
        let stamp = self.channels().look(channel, number)?;
        Some(stamp.moment().virtual_time())
    }

    /// A probe has found the next message of a channel.
    pub fn found(&mut self, channel: Channel) {
        let mut channels = self.channels();
        let number = channels.next(channel);
        self.told.add(channels.look(channel, number));
    }
}

/// What it takes to tell or ask a partner on this host, in ticks.
static STAMP_COST: AtomicU64 = AtomicU64::new(0);

fn stamp_cost() -> u64 {
    STAMP_COST.load(Ordering::Relaxed)
}

/// Measures that, with messages that a process sends to itself.
pub fn measure_stamps(median_of: impl FnOnce(&mut dyn FnMut()) -> u64) {
    let mut clock = VirtualClock::of_one();
    let message = Message::default();
    let ticks = median_of(&mut || {
        clock.begin();
        clock.tells_sent(&message, false, Stamp::default());
    });
    STAMP_COST.store(ticks, Ordering::Relaxed);
}

/// Works with the ways to other hosts, if there are any.
fn with_remote_clocks<T>(work: impl FnOnce(&mut RemoteClocks) -> T) -> Option<T> {
    Some(work(&mut *super::monitor::get()?.remote_clocks()?))
}

/// Whether a send completes only after its receive was posted, however short it is.
pub fn may_wait(function: u16) -> bool {
    const SYNCHRONOUS: [FunctionId; 4] = [
        id::MPI_SSEND,
        id::MPI_SSEND_C,
        id::MPI_ISSEND,
        id::MPI_ISSEND_C,
    ];
    SYNCHRONOUS.contains(&FunctionId(function))
}

#[cfg(test)]
mod tests;
