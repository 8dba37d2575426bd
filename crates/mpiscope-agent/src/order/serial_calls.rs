//! What calls choose and are led by where threads take turns by a lock of their own.

use mpiscope_run::order::buffer::Writer;
use mpiscope_run::order::stream::Encoder;
use mpiscope_run::order::{Outcome, Taken};

use super::call::OrderedCall;
use super::debugged;
use super::serial::{Choice, Kind, Led, Serial};
use super::thread::Thread;
use crate::base::code_place::code_place;
use crate::base::site;

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
    if call.thread.session.debugged {
        debugged::posted(call.thread);
    }
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
            self.others.site = code_place(site_of(call));
        }
    }
}
