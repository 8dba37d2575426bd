//! The receives that a thread has posted on MPI_COMM_WORLD and not yet waited for.
//!
//! They are few, and nobody else needs to know of them as long as only waits of
//! the shortest way come by. Before any other call that deals with requests they
//! go where all others are.

use mpi_abi::{Direction, Kind as ArgKind, FUNCTIONS};
use mpiscope_rules::requests::{Entry, Kind};
use mpiscope_run::record::{Message, Wildcard};

use crate::facts::session::Session;

/// As many as are looked through in no time.
const MOST: usize = 16;

/// A receive: handle, source, tag, as posted.
type PostedReceive = (usize, i32, i32);

/// The receives posted.
#[derive(Default)]
pub struct Receives {
    handles: [usize; MOST],
    posted: [(i32, i32); MOST],
    count: usize,
}

impl Receives {
    /// Adds a receive.
    #[inline(always)]
    pub fn add(&mut self, session: &Session, receive: PostedReceive) {
        let (handle, source, tag) = receive;
        let twice = self.handles[..self.count].contains(&handle);
        if twice || self.count == MOST {
            return enter(session, receive);
        }
        self.handles[self.count] = handle;
        self.posted[self.count] = (source, tag);
        self.count += 1;
    }

    /// Takes a receive out, if the handle is one of them.
    #[inline(always)]
    pub fn take(&mut self, handle: usize) -> bool {
        let Some(at) = self.handles[..self.count].iter().position(|&h| h == handle) else {
            return false;
        };
        self.count -= 1;
        self.handles[at] = self.handles[self.count];
        self.posted[at] = self.posted[self.count];
        true
    }

    /// Has all of them go where everybody looks.
    #[inline(always)]
    pub fn hand_over(&mut self, session: &Session) {
        if self.count > 0 {
            self.hand_over_all(session);
        }
    }

    #[cold]
    fn hand_over_all(&mut self, session: &Session) {
        for (&handle, &(source, tag)) in self.handles.iter().zip(&self.posted).take(self.count) {
            enter(session, (handle, source, tag));
        }
        self.count = 0;
    }
}

#[cold]
fn enter(session: &Session, (handle, source, tag): PostedReceive) {
    let abi = session.mpi.abi;
    let wildcard = Wildcard {
        source: source == abi.any_source,
        tag: tag == abi.any_tag,
    };
    let posted = Message {
        peer: source as u32,
        tag: tag as u32,
        wildcard,
        ..Message::default()
    };
    let entry = Entry {
        id: session.next_request(),
        kind: Kind::Recv(posted),
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
