//! What a process knows of the messages of the job, and what follows for those that come.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

use mpi_abi::{Mpi, OwnComm};
use mpiscope_rules::posts::Posts;
use mpiscope_rules::vector_clock::Clock;
use mpiscope_rules::window::Receive;
use mpiscope_run::order::online::RankRaces;
use mpiscope_run::order::Taken;

use super::channels::COLLECTIVE;
use super::comms::Comms;
use super::requests::{PostedReceive, Requests};
use crate::order::envelope::Wild;
use crate::order::thread::Thread;
use crate::peers::stamp_ring::Sent;
use crate::peers::stamp_transport::StampTransport;
use crate::peers::stamps::{self, Channel, Stamp, Stamps};

/// The state of the process.
pub struct Online {
    pub(super) mpi: &'static Mpi,
    pub(super) clock: Clock,
    /// World rank.
    pub(super) own: usize,
    /// Of ours, for what the processes say together.
    pub(super) comm: OwnComm<'static>,
    pub(super) transport: StampTransport,
    /// What came from each process.
    pub(super) stamps: Vec<Stamps>,
    /// What each process was told.
    pub(super) told: Vec<ProcessTold>,
    pub(super) words: Vec<u64>,
    pub(super) comms: Comms,
    pub(super) requests: Requests,
    pub(super) posts: Posts<Got>,
    pub(super) found: Vec<(u32, Receive)>,
    pub(super) counted: Vec<Got>,
    pub(super) handles: Vec<usize>,
    pub(super) done: Vec<(PostedReceive, usize)>,
    /// Whether the program ever cancelled a receive.
    pub(super) cancels: bool,
    pub(super) kept: u64,
    pub(super) races: RankRaces,
}

/// What another process was told.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProcessTold {
    /// Changes of the clock that it knows of.
    pub(super) changes: u64,
    /// Stamps so far.
    pub(super) stamps: u64,
}

/// A message that was received, or looked at by a blocking probe.
pub(super) struct Got {
    pub(super) comm: usize,
    pub(super) source: u32,
    pub(super) tag: i32,
    /// Which choices of this process its sender knew of.
    pub(super) knew: u64,
    /// Its receive, if that has a choice, and what it was posted for.
    pub(super) receive: Option<(Receive, Wild)>,
}

struct OnlineSlot(UnsafeCell<Option<Online>>);

// SAFETY: touched only within MPI calls of a thread, and such calls do not overlap: under
// MPI_THREAD_MULTIPLE nothing begins here (MPI 4.1, §11.6).
unsafe impl Sync for OnlineSlot {}

/// Whether races are looked for.
static ON: AtomicBool = AtomicBool::new(false);
static STATE: OnlineSlot = OnlineSlot(UnsafeCell::new(None));
/// Whether somebody works on the state.
static BUSY: AtomicBool = AtomicBool::new(false);
/// Whether a call could not be looked at: from then on this process says
/// nothing any more, as its messages may be numbered wrong.
static MISSED: AtomicBool = AtomicBool::new(false);

/// Begins with this state.
///
/// # Safety
/// Nobody calls MPI meanwhile.
pub(super) unsafe fn install(online: Online) {
    // SAFETY: only calls touch the state, and nobody is in one.
    unsafe { *STATE.0.get() = Some(online) };
    ON.store(true, Ordering::Release);
}

/// Ends; returns whether it had begun.
pub(super) fn end() -> bool {
    ON.swap(false, Ordering::AcqRel)
}

/// Works on the state; nothing where a callback of the program's came in between.
#[inline]
pub(super) fn with<T>(work: impl FnOnce(&mut Online) -> T) -> Option<T> {
    if BUSY.load(Ordering::Relaxed) {
        MISSED.store(true, Ordering::Relaxed);
        return None;
    }
    BUSY.store(true, Ordering::Relaxed);
    // SAFETY: see the argument at `Sync`; who comes here again while `work` is at it was sent away.
    let result = unsafe { (*STATE.0.get()).as_mut() }.map(work);
    BUSY.store(false, Ordering::Relaxed);
    result
}

impl Online {
    /// Names something that is not looked at, once.
    #[cold]
    pub(super) fn not_covered(&mut self, what: &str) {
        if !self.races.not_covered.iter().any(|known| known == what) {
            self.races.not_covered.push(what.to_owned());
        }
    }

    /// Counts a message that is about to be sent on the communicator of a
    /// place, and says what this process knows if its channel was not told.
    #[inline]
    pub(super) fn announce(&mut self, at: usize, to: u32, tag: i32) {
        let Some(comm) = self.comms.get_mut(at) else {
            return;
        };
        let Some(&process) = comm.peers.get(to as usize) else {
            return; // an error of the program's
        };
        let Some(channel) = comm.sent.get(to, tag) else {
            return self.not_covered(LINES);
        };
        channel.messages += 1;
        let changes = self.clock.before_send();
        let Some(told) = self.told.get_mut(process as usize) else {
            return;
        };
        if told.changes == changes && told.stamps == channel.stamps {
            return;
        }
        let message = match tag {
            COLLECTIVE => comm.collectives,
            _ => channel.messages,
        };
        let named = Channel {
            comm: comm.identity,
            tag,
        };
        stamps::begin(&mut self.words, named, message);
        self.clock.news(told.changes, &mut self.words);
        if MISSED.load(Ordering::Relaxed) {
            return self.not_covered("calls that MPI's own progress made");
        }
        if self.transport.send(process as usize, &self.words) != Sent::Yes {
            return self.not_covered(UNSAID);
        }
        told.stamps += 1;
        told.changes = changes;
        channel.stamps = told.stamps;
    }

    /// Returns which choices of this process the sender of a message knew of,
    /// and learns what it knew. The message has been received (`takes`), or
    /// looked at.
    #[inline]
    pub(super) fn heard(&mut self, at: usize, source: u32, tag: i32, takes: bool) -> Option<u64> {
        let comm = self.comms.get_mut(at)?;
        let process = *comm.peers.get(source as usize)? as usize;
        let Some(heard) = comm.heard.get(source, tag) else {
            self.not_covered(LINES);
            return Some(0);
        };
        let message = heard.messages + 1;
        heard.messages += u64::from(takes);
        let channel = Channel {
            comm: comm.identity,
            tag,
        };
        let (stamps, own) = (self.stamps.get_mut(process)?, self.own);
        self.transport.take(process, |words| {
            if let Some(stamp) = Stamp::read(words) {
                stamps.come(stamp, own);
            }
        });
        Some(stamps.knew(channel, message, heard, &mut self.clock))
    }

    /// The same of those who take part in a collective operation, by its number.
    pub(super) fn learn(&mut self, at: usize, source: u32, number: u64) {
        let heard = self
            .comms
            .get_mut(at)
            .and_then(|comm| comm.heard.get(source, COLLECTIVE));
        if let Some(heard) = heard {
            heard.messages = number.saturating_sub(1);
            self.heard(at, source, COLLECTIVE, true);
        }
    }

    /// Compares a message that was received with what it could have gone to.
    #[inline]
    pub(super) fn count(&mut self, got: Got, thread: &mut Thread) {
        self.races.messages += 1;
        let Some(comm) = self.comms.get_mut(got.comm) else {
            let receive = got.receive.into_iter();
            self.found
                .extend(receive.map(|(receive, _)| (got.source, receive)));
            return self.write(thread);
        };
        if let Some((receive, wild)) = got.receive {
            self.races.receives += 1;
            remember(thread, receive, got.source);
            if wild.source && wild.tag && comm.any_tag.is_none() {
                comm.any_tag = Some(comm.window());
            }
        }
        // Messages of one sender do not overtake each other, whatever their tags.
        let choice = got.receive.filter(|(_, wild)| wild.source);
        if choice.is_some_and(|(_, wild)| !wild.tag) && !comm.by_tag.contains_key(&got.tag) {
            let window = comm.window();
            comm.by_tag.insert(got.tag, window);
        }
        let windows = [comm.by_tag.get_mut(&got.tag), comm.any_tag.as_mut()];
        for (is_any, window) in [false, true].into_iter().zip(windows) {
            let Some(window) = window else { continue };
            let before = window.kept() as u64;
            let found = &mut self.found;
            window.arrived(got.source, got.knew, |source, receive| {
                found.push((source, receive))
            });
            if let Some((receive, _)) = choice.filter(|(_, wild)| wild.tag == is_any) {
                window.keep(got.source, receive);
            }
            window.forget();
            self.kept = self.kept + window.kept() as u64 - before;
        }
        self.races.most_kept = self.races.most_kept.max(self.kept);
        if !self.found.is_empty() {
            self.write(thread);
        }
    }

    /// Writes the receives that were found to race, oldest first.
    pub(super) fn write(&mut self, thread: &mut Thread) {
        let mut last = None;
        while let Some((source, receive)) = self.found.pop() {
            self.races.racing += 1;
            self.races.blocks += u64::from(last.replace(source) != Some(source));
            write(thread, receive.thread, receive.ordinal, source, receive.tag);
        }
    }
}

pub(super) const UNFOLLOWED: &str =
    "messages on communicators with processes outside of MPI_COMM_WORLD: all \
                          their receives with wildcards are recorded";
const LINES: &str = "messages with more than 65536 different tags and ranks of one communicator: \
                     what their senders knew is not known, so more is recorded than need be";
const UNSAID: &str = "what a process that received nothing for long was told meanwhile: more is \
                      recorded than need be";

/// Writes what a receive got.
pub(super) fn write(thread: &mut Thread, of: u32, ordinal: u64, source: u32, tag: Option<u32>) {
    let taken = Taken { source, tag };
    let own = of == thread.number;
    if own && thread.latest.is_some_and(|(latest, _)| latest == ordinal) {
        thread.latest = None;
    }
    thread.out.put(|encoder, writer| match own {
        true => encoder.receive(writer, ordinal, taken),
        false => encoder.foreign(writer, of, ordinal, taken),
    });
}

/// A reader of records goes no further than this without one.
const WIDEST_GAP: u64 = 1 << 17;

/// Keeps the latest receive of a thread, and writes one now and then: a record
/// says how far it goes.
#[inline]
fn remember(thread: &mut Thread, receive: Receive, source: u32) {
    let Receive { ordinal, tag, .. } = receive;
    let taken = Taken { source, tag };
    if receive.thread == thread.number && thread.latest.is_none_or(|(latest, _)| latest < ordinal) {
        thread.latest = Some((ordinal, taken));
    }
    if ordinal % WIDEST_GAP == WIDEST_GAP - 1 {
        write(thread, receive.thread, ordinal, source, tag);
    }
}
