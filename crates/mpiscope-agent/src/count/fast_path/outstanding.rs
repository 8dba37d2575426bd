//! What a thread has begun on MPI_COMM_WORLD and not yet waited for: receives, and the sends whose
//! end a virtual clock needs.
//!
//! They are few, and nobody else needs to know of them as long as only waits of
//! the shortest way come by. Before any other call that deals with requests they
//! go where all others are.

use mpi_abi::{Direction, Kind as ArgKind, FUNCTIONS};
use mpiscope_rules::requests::{Entry, Kind};
use mpiscope_run::record::{Message, Wildcard};

use crate::count::virtual_clock::{Sent, VirtualClock};
use crate::facts::session::Session;

/// As many as are looked through in no time.
const MOST: usize = 32;

/// What a request stands for.
#[derive(Clone, Copy)]
pub enum Operation {
    /// A receive.
    Receive(Asked),
    /// A message that may wait to be received.
    Send(Sent),
}

impl Operation {
    /// In places that are not used.
    pub const NONE: Self = Self::Receive(Asked {
        source: 0,
        tag: 0,
        bytes: 0,
        message: None,
    });
}

/// What a receive was posted with.
#[derive(Clone, Copy)]
pub struct Asked {
    /// From whom, as the program says it.
    pub source: i32,
    /// With which tag, as the program says it.
    pub tag: i32,
    /// How long it is.
    pub bytes: u64,
    /// Which message it takes, where that is known at its post.
    pub message: Option<Sent>,
}

/// The operations that have begun.
pub struct Outstanding {
    handles: [usize; MOST],
    operations: [Operation; MOST],
    count: usize,
}

impl Default for Outstanding {
    fn default() -> Self {
        Self {
            handles: [0; MOST],
            operations: [Operation::NONE; MOST],
            count: 0,
        }
    }
}

impl Outstanding {
    /// Adds one; returns whether there was room. A receive has a handle of its own; sends that
    /// were complete at once may share one.
    #[inline(always)]
    pub fn add(&mut self, handle: usize, operation: Operation) -> bool {
        let twice = matches!(operation, Operation::Receive(..))
            && self.handles[..self.count].contains(&handle);
        if twice || self.count == MOST {
            return false;
        }
        self.handles[self.count] = handle;
        self.operations[self.count] = operation;
        self.count += 1;
        true
    }

    /// Takes one out, if the handle is one of them.
    #[inline(always)]
    pub fn take(&mut self, handle: usize) -> Option<Operation> {
        let at = self.handles[..self.count]
            .iter()
            .position(|&h| h == handle)?;
        self.count -= 1;
        let operation = self.operations[at];
        self.handles[at] = self.handles[self.count];
        self.operations[at] = self.operations[self.count];
        Some(operation)
    }

    /// Has all of them go where everybody looks.
    #[inline(always)]
    pub fn hand_over(&mut self, session: &Session, clock: Option<&VirtualClock>) {
        if self.count > 0 {
            self.hand_over_all(session, clock);
        }
    }

    #[cold]
    fn hand_over_all(&mut self, session: &Session, clock: Option<&VirtualClock>) {
        let all = self.handles.iter().zip(&self.operations);
        for (&handle, &operation) in all.take(self.count) {
            enter(session, clock, handle, operation);
        }
        self.count = 0;
    }
}

/// Enters an operation where everybody looks for it.
#[cold]
pub fn enter(session: &Session, clock: Option<&VirtualClock>, handle: usize, operation: Operation) {
    let id = session.next_request();
    let (kind, wildcard) = match operation {
        Operation::Receive(Asked {
            source,
            tag,
            bytes,
            message,
        }) => {
            if let Some(clock) = clock {
                clock.opens_receive(id, super::WORLD, message);
            }
            let wildcard = Wildcard {
                source: source == session.mpi.abi.any_source,
                tag: tag == session.mpi.abi.any_tag,
            };
            let posted = Message {
                peer: source as u32,
                tag: tag as u32,
                bytes,
                wildcard,
                ..Message::default()
            };
            (Kind::Recv(posted), wildcard)
        }
        Operation::Send(sent) => {
            if let Some(clock) = clock {
                clock.opens(id, sent);
            }
            (Kind::Send, Wildcard::default())
        }
    };
    let entry = Entry {
        id,
        kind,
        comm: super::WORLD,
        wildcard,
        cancelled: false,
    };
    session.requests.insert(handle, entry);
}

/// Of each function, whether it looks at requests that exist.
static TOUCHES: [bool; FUNCTIONS.len()] = touching();

const fn touching() -> [bool; FUNCTIONS.len()] {
    let mut all = [false; FUNCTIONS.len()];
    let mut k = 0;
    while k < FUNCTIONS.len() {
        let args = FUNCTIONS[k].args;
        let mut i = 0;
        while i < args.len() {
            let looks = !matches!(args[i].direction, Direction::Out);
            all[k] |= matches!(args[i].kind, ArgKind::Request) && looks;
            i += 1;
        }
        k += 1;
    }
    all
}

/// Whether a function looks at requests that exist.
#[inline(always)]
pub fn touches_requests(function: u16) -> bool {
    TOUCHES.get(usize::from(function)).copied().unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sends_may_share_a_handle_and_receives_may_not() {
        let mut all = Outstanding::default();
        assert!(all.add(7, Operation::Send((0, 1))) && all.add(7, Operation::Send((0, 2))));
        assert!(all.add(8, Operation::NONE) && !all.add(8, Operation::NONE));
        assert!(all.take(7).is_some() && all.take(7).is_some() && all.take(7).is_none());
        assert!(matches!(all.take(8), Some(Operation::Receive(_))));
    }

    #[test]
    fn there_is_room_for_so_many() {
        let mut all = Outstanding::default();
        assert_eq!(
            (0..2 * MOST)
                .filter(|&k| all.add(k, Operation::NONE))
                .count(),
            MOST
        );
        assert!(all.take(MOST - 1).is_some() && all.add(MOST, Operation::NONE));
    }
}
