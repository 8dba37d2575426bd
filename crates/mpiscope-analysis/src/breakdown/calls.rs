//! What calls of MPI tell of communicators and messages.

use mpiscope_model::{CommId, Duration, Event, EventKind, Location, PointToPoint, Trace};
use rustc_hash::FxHashMap;

use super::{Sent, Sum, Used};

/// Sums over the calls of a location.
pub(super) struct Calls<'a> {
    trace: &'a Trace,
    location: &'a Location,
    pub communicators: FxHashMap<Used, Sum>,
    pub sizes: FxHashMap<u32, Sent>,
    pub receivers: FxHashMap<Option<u32>, Sent>,
    /// The call under way.
    call: Sum,
    used: Option<Used>,
    /// The longest message that it sent.
    size: Option<u32>,
}

impl<'a> Calls<'a> {
    pub fn new(trace: &'a Trace, location: &'a Location) -> Calls<'a> {
        Calls {
            trace,
            location,
            communicators: FxHashMap::default(),
            sizes: FxHashMap::default(),
            receivers: FxHashMap::default(),
            call: Sum::default(),
            used: None,
            size: None,
        }
    }

    /// Counts time in a call, or elsewhere.
    pub fn passes(&mut self, is_mpi: bool, time: Duration, waiting: Duration) {
        let sum = match is_mpi {
            true => &mut self.call,
            false => self.communicators.entry(Used::NoCall).or_default(),
        };
        sum.passes(time, waiting);
    }

    /// A call begins, of so many visits.
    pub fn begins(&mut self, visits: u64) {
        self.call.visits = self.call.visits.saturating_add(visits);
    }

    /// The call ends, if there is one.
    pub fn ends(&mut self) {
        let call = std::mem::take(&mut self.call);
        let (used, size) = (self.used.take(), self.size.take());
        if call == Sum::default() {
            return;
        }
        let used = used.unwrap_or(Used::Untold);
        self.communicators.entry(used).or_default().merge(&call);
        if let Some(size) = size {
            self.sizes.entry(size).or_default().time += call.exclusive;
        }
    }

    /// Takes an event that is no enter and no leave.
    pub fn event(&mut self, index: usize, is_mpi: bool, is_in_window: bool) {
        let events = &self.location.events;
        let row = || events.messages().get(events.args()[index] as usize);
        let comm = match events.kinds()[index] {
            EventKind::MpiSend | EventKind::MpiIsend => {
                let Some(message) = row() else { return };
                if is_in_window {
                    self.sends(message, is_mpi);
                }
                message.comm
            }
            EventKind::MpiRecv | EventKind::MpiIrecv => match row() {
                Some(message) => message.comm,
                None => return,
            },
            EventKind::MpiIrecvRequest => match events.posted(index) {
                Some(posted) => posted.comm,
                None => return,
            },
            EventKind::MpiCollectiveEnd | EventKind::NonBlockingCollectiveComplete => {
                match events.event(index) {
                    Event::MpiCollectiveEnd(all) | Event::NonBlockingCollectiveComplete(_, all) => {
                        all.comm
                    }
                    _ => return,
                }
            }
            _ => return,
        };
        if is_mpi {
            self.uses(comm);
        }
    }

    fn uses(&mut self, comm: CommId) {
        self.used = Some(match self.used {
            None => Used::One(comm),
            Some(Used::One(known)) if known == comm => Used::One(comm),
            Some(_) => Used::Several,
        });
    }

    fn sends(&mut self, message: &PointToPoint, is_mpi: bool) {
        let bucket = u64::BITS - message.bytes.leading_zeros();
        let sent = Sent {
            messages: 1,
            bytes: message.bytes,
            time: Duration::ZERO,
        };
        self.sizes.entry(bucket).or_default().merge(&sent);
        if is_mpi {
            self.size = self.size.max(Some(bucket));
        }
        let comm = self
            .trace
            .definitions
            .communicators
            .get(message.comm.index());
        let to = comm.and_then(|comm| comm.peer(self.location.rank, message.peer));
        let to = to.map(|rank| rank.0);
        self.receivers.entry(to).or_default().merge(&sent);
    }
}
