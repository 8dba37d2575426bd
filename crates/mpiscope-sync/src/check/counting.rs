//! Numbers of what happens on a channel: counted, or told by an event.

use std::hash::Hash;

use mpiscope_model::{Event, Trace};
use rustc_hash::FxHashMap;

use super::seen::event;
use super::view::At;

/// How often recording was switched, as the events of a process tell it.
#[derive(Default)]
pub(super) struct Pauses {
    on: Option<bool>,
    pub count: usize,
}

impl Pauses {
    pub fn see(&mut self, trace: &Trace, at: At) {
        if let Event::MeasurementOnOff(on) = event(trace, at) {
            self.count += usize::from(self.on != Some(on));
            self.on = Some(on);
        }
    }
}

/// Gives keys numbers from 0, in the order in which they come.
pub(super) struct Numbers<K> {
    pub keys: Vec<K>,
    known: FxHashMap<K, usize>,
}

impl<K> Default for Numbers<K> {
    fn default() -> Numbers<K> {
        Numbers {
            keys: Vec::new(),
            known: FxHashMap::default(),
        }
    }
}

impl<K: Copy + Hash + Eq> Numbers<K> {
    pub fn of(&mut self, key: K) -> usize {
        let next = self.keys.len();
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        number
    }
}

/// Numbers what happens on channels: by counting, from 0 if nothing was missed
/// before, else from a number that an event tells.
#[derive(Default)]
pub(super) struct Counting {
    stretches: Vec<Stretch>,
    /// By the channel's number.
    latest: Vec<Option<usize>>,
}

struct Stretch {
    pauses: usize,
    first: Option<u64>,
    counted: u64,
    numbered: u64,
}

impl Counting {
    /// Returns the stretch that the next on a channel is in, and counts it.
    pub fn count(&mut self, key: usize, pauses: usize, sequence: Option<u64>) -> usize {
        let id = self.stretch(key, pauses, sequence);
        self.stretches[id].counted += 1;
        id
    }

    /// Returns the stretch that the next on a channel would be in.
    pub fn stretch(&mut self, key: usize, pauses: usize, sequence: Option<u64>) -> usize {
        let latest = self.latest.get(key).copied().flatten();
        if let Some(id) = latest {
            let stretch = &mut self.stretches[id];
            let same = stretch.pauses == pauses;
            let next = stretch.first.map(|first| first + stretch.counted);
            match sequence {
                None if same => return id,
                Some(_) if next == sequence => {
                    stretch.pauses = pauses;
                    return id;
                }
                Some(number) if same && next.is_none() && number >= stretch.counted => {
                    stretch.first = Some(number - stretch.counted);
                    return id;
                }
                _ => {}
            }
        }
        let from_begin = pauses == 0 && latest.is_none();
        self.stretches.push(Stretch {
            pauses,
            first: sequence.or(from_begin.then_some(0)),
            counted: 0,
            numbered: 0,
        });
        if self.latest.len() <= key {
            self.latest.resize(key + 1, None);
        }
        self.latest[key] = Some(self.stretches.len() - 1);
        self.stretches.len() - 1
    }

    /// Forgets the numbers of what comes next, unless told after a pause.
    pub fn forget(&mut self) {
        for stretch in &mut self.stretches {
            if stretch.numbered > 0 || stretch.pauses == 0 {
                stretch.first = None;
            }
        }
    }

    /// Returns the number of the next in a stretch, if known, and goes on.
    pub fn number(&mut self, id: usize) -> Option<u64> {
        let number = self.peek(id);
        self.stretches[id].numbered += 1;
        number
    }

    /// Returns the number of the next in a stretch, if known.
    pub fn peek(&self, id: usize) -> Option<u64> {
        let stretch = &self.stretches[id];
        stretch.first?.checked_add(stretch.numbered)
    }
}
