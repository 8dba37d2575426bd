//! Threads that take turns by a lock of their own (`MPI_THREAD_SERIALIZED`).
//!
//! Who gets such a lock first is not MPI's to choose, and a thread that waited
//! within MPI for its turn would hold the lock that the other one needs. So no
//! thread waits: choices are kept in the order of the process, by the place in
//! the program at which they were made, and whoever comes to that place takes
//! the next one. Threads that do the same are led whichever comes first;
//! threads that do different things, at places of their own, are led each by
//! what it chose itself. Where another thread comes than then, that is told.
//!
//! Nothing is kept before a second thread calls MPI.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mpi_abi::FunctionId;
use mpiscope_run::order::outcome::OtherThreads;
use mpiscope_run::order::stream::Encoder;
use mpiscope_run::order::{RankOrder, Taken, Turn};

use super::out::Out;
use crate::base::code_place::code_place;

/// What is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The message of a receive or blocking probe.
    Receive = 0,
    /// What a wait or poll returned.
    Outcome = 1,
}

/// A choice of the record: which of its thread's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) thread: u32,
    pub(super) at: usize,
}

/// The choices of all threads.
pub struct Serial {
    /// Whether a second thread has come.
    active: AtomicBool,
    state: Mutex<State>,
}

pub(super) struct State {
    pub(super) out: Out,
    /// Choices written.
    pub(super) written: u64,
    /// The same choices of the record, by place; none if the record has no such order.
    pub(super) led: Option<Led>,
    /// The place of each call site.
    pub(super) places: HashMap<(u16, usize), u32>,
}

/// What the record tells.
pub(super) struct Led {
    pub(super) ahead: HashMap<u32, VecDeque<Choice>>,
    /// Choices of the first thread before the second one came: receives and outcomes.
    pub(super) before: [usize; 2],
    pub(super) of: u64,
    pub(super) made: u64,
    pub(super) others: OtherThreads,
}

impl Serial {
    /// Begins, led by the record of a rank if that has several threads.
    pub fn new(recorded: Option<&RankOrder>) -> Self {
        Self {
            active: AtomicBool::new(false),
            state: Mutex::new(State {
                out: Out {
                    writer: None,
                    encoder: Encoder::default(),
                },
                written: 0,
                led: recorded.and_then(|order| Led::new(&order.turns)),
                places: HashMap::new(),
            }),
        }
    }

    /// Returns whether several threads have called MPI.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.active.load(Ordering::Relaxed)
    }

    /// A second thread comes: the first one had so many receives and outcomes. From now on the
    /// order is written to `out`.
    pub fn begin(&self, receives: u64, outcomes: u64, out: impl FnOnce() -> Out) {
        if self.active.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut state = self.lock();
        state.out = out();
        state.write(receives as u32, outcomes as u32);
        if let Some(led) = &mut state.led {
            // What it has had by now it will not take again.
            led.drop_first([receives, outcomes]);
        }
    }

    /// Returns which other threads than recorded made choices.
    pub fn other_threads(&self) -> Option<OtherThreads> {
        let state = self.lock();
        let led = state.led.as_ref()?;
        (led.others.choices > 0).then(|| OtherThreads {
            of: led.of,
            ..led.others.clone()
        })
    }

    /// Nobody is led any further.
    pub fn set_free(&self) {
        self.lock().led = None;
    }

    /// Returns whether the record has such an order.
    pub fn is_led(&self) -> bool {
        self.lock().led.is_some()
    }

    /// Returns how many recorded choices nobody came to.
    pub fn left(&self) -> u64 {
        let state = self.lock();
        let ahead = state.led.iter().flat_map(|led| led.ahead.values());
        ahead.map(|choices| choices.len() as u64).sum()
    }

    /// Gives access to the stream, at the end.
    pub fn with_out(&self, work: impl FnOnce(&mut Out)) {
        work(&mut self.lock().out);
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    pub(super) fn write(&mut self, thread: u32, place: u32) {
        let (ordinal, taken) = (
            self.written,
            Taken {
                source: thread,
                tag: (place > 0).then_some(place),
            },
        );
        self.written += 1;
        self.out
            .put(|encoder, writer| encoder.receive(writer, ordinal, taken));
    }

    /// Returns what stands for a place, the same in every run: never 0.
    pub(super) fn place(&mut self, function: FunctionId, site: usize, kind: Kind) -> u32 {
        let known = self.places.entry((function.0, site));
        let place = *known.or_insert_with(|| {
            let place = code_place(site);
            let place = place.rsplit('/').next().unwrap_or_default();
            let bytes = place.bytes().chain(function.0.to_le_bytes());
            // FNV-1a.
            bytes.fold(0x811c_9dc5, |hash: u32, byte| {
                (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
            })
        });
        // As a tag it has 31 bits, of which one is for the kind.
        (place >> 2 | 1 << 29) << 1 | kind as u32
    }
}

impl Led {
    /// The first turn tells what the first thread did before.
    fn new(turns: &[Turn]) -> Option<Self> {
        let (first, turns) = turns.split_first()?;
        // Of threads that call MPI at once, places are not kept.
        if turns.iter().any(|turn| turn.place == 0) {
            return None;
        }
        let before = [first.thread as usize, first.place as usize];
        let mut counts: HashMap<u32, [usize; 2]> = HashMap::from([(0, before)]);
        let mut ahead: HashMap<u32, VecDeque<Choice>> = HashMap::new();
        for turn in turns {
            let count = counts.entry(turn.thread).or_default();
            let at = &mut count[(turn.place & 1) as usize];
            ahead.entry(turn.place).or_default().push_back(Choice {
                thread: turn.thread,
                at: *at,
            });
            *at += 1;
        }
        Some(Self {
            ahead,
            before,
            of: turns.len() as u64,
            made: 0,
            others: OtherThreads::default(),
        })
    }

    fn drop_first(&mut self, had: [u64; 2]) {
        for (place, choices) in &mut self.ahead {
            let had = had[(place & 1) as usize];
            choices.retain(|choice| choice.thread > 0 || choice.at as u64 >= had);
        }
    }
}
