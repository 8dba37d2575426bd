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
use mpiscope_run::order::buffer::Writer;
use mpiscope_run::order::outcome::OtherThreads;
use mpiscope_run::order::stream::Encoder;
use mpiscope_run::order::{Outcome, RankOrder, Taken, Turn};

use super::call::OrderedCall;
use super::nondeterminism;
use super::thread::{Out, Thread};
use crate::base::site;

/// What is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// The message of a receive or blocking probe.
    Receive = 0,
    /// What a wait or poll returned.
    Outcome = 1,
}

/// A choice of the record: which of its thread's.
#[derive(Clone, Copy, Debug)]
struct Choice {
    thread: u32,
    at: usize,
}

/// The choices of all threads.
pub struct Serial {
    /// Whether a second thread has come.
    active: AtomicBool,
    state: Mutex<State>,
}

struct State {
    out: Out,
    /// Choices written.
    written: u64,
    /// The same choices of the record, by place; none if the record has no such order.
    led: Option<Led>,
    /// The place of each call site.
    places: HashMap<(u16, usize), u32>,
}

/// What the record tells.
struct Led {
    ahead: HashMap<u32, VecDeque<Choice>>,
    /// Choices of the first thread before the second one came: receives and outcomes.
    before: [usize; 2],
    of: u64,
    made: u64,
    others: OtherThreads,
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

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn write(&mut self, thread: u32, place: u32) {
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
    fn place(&mut self, function: FunctionId, site: usize, kind: Kind) -> u32 {
        let known = self.places.entry((function.0, site));
        let place = *known.or_insert_with(|| {
            let place = nondeterminism::place(site);
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

/// Returns the order that holds now, if several threads take turns.
#[inline]
fn active(thread: &Thread) -> Option<&'static Serial> {
    let serial = thread.session.serial.as_ref()?;
    serial.is_active().then_some(serial)
}

/// The calling thread posts a receive or blocking probe from anybody; returns the how manyth.
#[inline]
pub fn post(call: &mut OrderedCall) -> u64 {
    let ordinal = call.thread.posts;
    call.thread.posts += 1;
    came(call, Kind::Receive);
    ordinal
}

/// Writes what a wait or poll returned.
#[inline]
pub fn outcome(call: &mut OrderedCall, put: impl FnOnce(&mut Encoder, &mut Writer)) {
    came(call, Kind::Outcome);
    call.thread.out.put(put);
}

#[inline]
fn came(call: &mut OrderedCall, kind: Kind) {
    if let Some(serial) = active(call.thread) {
        note(call, serial, kind);
    }
}

#[cold]
fn note(call: &mut OrderedCall, serial: &Serial, kind: Kind) {
    let mut state = serial.lock();
    let place = state.place(call.function, site_of(call), kind);
    state.write(call.thread.number, place);
    let Some(led) = &mut state.led else { return };
    if kind == Kind::Outcome && std::mem::take(&mut call.thread.is_led_by_all) {
        led.take(call, place);
    }
    led.made += 1;
    if led.made > led.of {
        let calls = call.thread.hot.hash.calls();
        call.thread.session.report.note_free(calls);
    }
}

/// Within a call that may run callbacks, the place that was noted when it began.
fn site_of(call: &OrderedCall) -> usize {
    match call.thread.shared.place.site() {
        0 => site::noted(),
        noted => noted,
    }
}

/// What the record has for a choice.
pub enum Next<T> {
    /// Each thread follows its own record.
    Own,
    /// This.
    This(T),
    /// Nothing more.
    Nothing,
}

/// Returns what the next receive at this place took.
pub fn next_receive(call: &OrderedCall, ordinal: u64) -> Next<Option<Taken>> {
    match next(call, Kind::Receive, ordinal, true) {
        Next::Own => Next::Own,
        Next::Nothing => Next::Nothing,
        Next::This(choice) => {
            let order = call.thread.session.recorded_number(choice.thread);
            let taken = order.and_then(|order| *order.receives.get(choice.at)?);
            Next::This(taken)
        }
    }
}

/// Returns what the next wait or poll at this place returned; it stays there until a call here
/// returns something.
pub fn next_outcome(call: &mut OrderedCall, outcomes: usize) -> Next<&'static Outcome> {
    let found = next(call, Kind::Outcome, outcomes as u64, false);
    call.thread.is_led_by_all = matches!(found, Next::This(_));
    let choice = match found {
        Next::Own => return Next::Own,
        Next::Nothing => return Next::Nothing,
        Next::This(choice) => choice,
    };
    let order = call.thread.session.recorded_number(choice.thread);
    let Some(outcome) = order.and_then(|order| order.outcomes.get(choice.at)) else {
        return Next::Nothing;
    };
    Next::This(outcome)
}

fn next(call: &OrderedCall, kind: Kind, own: u64, take: bool) -> Next<Choice> {
    let Some(serial) = active(call.thread) else {
        return Next::Own;
    };
    let mut state = serial.lock();
    let place = state.place(call.function, site_of(call), kind);
    let Some(led) = &mut state.led else {
        return Next::Own;
    };
    // Until the second thread came then, the first was alone.
    if call.thread.number == 0 && own < led.before[kind as usize] as u64 {
        return Next::Own;
    }
    let choice = match take {
        true => led.take(call, place),
        false => led
            .ahead
            .get(&place)
            .and_then(|ahead| ahead.front().copied()),
    };
    choice.map_or(Next::Nothing, Next::This)
}

/// Returns whether a poll may not wait until it can say yes, as it is in a lock that others need.
pub fn is_active(call: &OrderedCall) -> bool {
    active(call.thread).is_some()
}

impl Led {
    fn take(&mut self, call: &OrderedCall, place: u32) -> Option<Choice> {
        let choice = self.ahead.get_mut(&place)?.pop_front()?;
        if choice.thread != call.thread.number {
            self.other_thread(call, choice.thread);
        }
        Some(choice)
    }

    fn other_thread(&mut self, call: &OrderedCall, recorded: u32) {
        self.others.choices += 1;
        if self.others.choices == 1 {
            self.others.thread = call.thread.number;
            self.others.recorded = recorded;
            self.others.call = call.thread.hot.hash.calls();
            self.others.site = nondeterminism::place(site_of(call));
        }
    }
}
