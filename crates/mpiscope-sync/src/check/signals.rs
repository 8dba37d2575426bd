//! Events that await others by what both name: signals by their number,
//! notifications and epochs of windows by their turn between two processes.

use mpiscope_model::{Note, Rank, WinId};

use super::seen::Process;
use super::view::{At, View};
use super::waits::{together, Waits};
use crate::exchange::{plain, Exchange};

/// What an event signals or awaits; the first number says of which kind.
pub(super) type Topic = [u64; 4];

/// Notes name a number.
fn of_note(number: u64) -> Topic {
    [0, number, 0, 0]
}

/// What a process tells another of a window for the `turn`-th time.
#[derive(Clone, Copy)]
pub(super) enum OfWindow {
    /// It has notified it.
    Notified = 1,
    /// It has exposed the window to it.
    Posted = 2,
    /// It has ended its accesses.
    Completed = 3,
}

impl OfWindow {
    /// Returns what is told so.
    pub fn topic(self, win: WinId, from: Rank, to: Rank, turn: usize) -> Topic {
        let pair = u64::from(from.0) << 32 | u64::from(to.0);
        [self as u64, win.0.into(), pair, turn as u64]
    }
}

/// One event's part in it.
#[derive(Clone, Copy)]
struct Fact {
    topic: Topic,
    awaits: bool,
    at: At,
}

plain! { Fact { topic, awaits, at } }

/// What this part knows, by the part that brings it together.
pub(super) struct Signals(Vec<Vec<Fact>>);

impl Signals {
    pub fn new(parts: usize) -> Signals {
        Signals(vec![Vec::new(); parts])
    }

    /// Somebody may await this event.
    pub fn signal(&mut self, topic: Topic, at: At) {
        self.add(topic, false, at);
    }

    /// This event awaits all that signal it.
    pub fn await_all(&mut self, topic: Topic, at: At) {
        self.add(topic, true, at);
    }

    fn add(&mut self, topic: Topic, awaits: bool, at: At) {
        let sum = topic.iter().fold(0u64, |sum, it| sum.wrapping_add(*it));
        let home = sum % self.0.len() as u64;
        self.0[home as usize].push(Fact { topic, awaits, at });
    }

    /// Adds those that the notes of a process tell.
    pub fn see(&mut self, view: &View, process: &Process) {
        for &location in process.locations {
            let events = &view.trace.locations[location as usize].events;
            for &(index, note) in events.notes() {
                let at = view.at(location, index as usize);
                match note {
                    Note::Signal(number) => self.signal(of_note(number), at),
                    Note::Await(number) => self.await_all(of_note(number), at),
                    _ => {}
                }
            }
        }
    }

    /// Has each event that awaits others wait for all that signal it.
    pub fn wait<E: Exchange>(self, exchange: &E, waits: &mut Waits) {
        let mut facts = together(exchange.all_to_all(self.0));
        facts.sort_unstable_by_key(|it| (it.topic, it.awaits));
        for of_topic in facts.chunk_by(|a, b| a.topic == b.topic) {
            let (signals, awaits) =
                of_topic.split_at(of_topic.partition_point(|fact| !fact.awaits));
            for fact in awaits {
                waits.extend(signals.iter().map(|signal| (signal.at, fact.at)));
            }
        }
    }
}
