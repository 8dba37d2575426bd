//! What each location does that others wait for, or waits for, in order.

use mpiscope_model::{EventRef, Matching, Trace};

use super::gate::CollectiveGates;

/// What a step does; at one event in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// Waits for the sender of a message.
    Receive,
    /// Waits for members of a collective operation.
    Exit,
    /// Answers a question.
    Ask,
    /// Sends a message.
    Send,
    /// Enters a collective operation.
    Enter,
}

/// Something that happens at an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    pub index: u32,
    pub what: What,
    /// Number of the wait, member or question.
    pub id: u32,
}

/// Steps of all locations.
pub(super) struct Steps {
    all: Vec<Step>,
    /// Where each location's begin, and one more.
    begins: Vec<usize>,
}

impl Steps {
    /// Lists the steps of a trace.
    pub fn new(
        trace: &Trace,
        waits: &Waits,
        collectives: &CollectiveGates,
        questions: &[EventRef],
    ) -> Steps {
        let mut begins = vec![0; trace.locations.len() + 2];
        let mut count = |event: EventRef, _, _| begins[event.location.index() + 2] += 1;
        each(trace, waits, collectives, questions, &mut count);
        for location in 2..begins.len() {
            begins[location] += begins[location - 1];
        }
        let filler = Step {
            index: 0,
            what: What::Ask,
            id: 0,
        };
        let mut all = vec![filler; begins[trace.locations.len() + 1]];
        let mut put = |event: EventRef, what, id: usize| {
            // What was the begin of the next moves to its own.
            let place = &mut begins[event.location.index() + 1];
            let id = id as u32;
            let index = event.index;
            all[*place] = Step { index, what, id };
            *place += 1;
        };
        each(trace, waits, collectives, questions, &mut put);
        begins.pop();
        let mut steps = Steps { all, begins };
        for location in 0..trace.locations.len() {
            let range = steps.begins[location]..steps.begins[location + 1];
            steps.all[range].sort_unstable();
        }
        steps
    }

    /// Returns the steps of a location.
    pub fn of(&self, location: usize) -> &[Step] {
        &self.all[self.begins[location]..self.begins[location + 1]]
    }
}

/// What waits for what: messages, then bounds, then others.
#[derive(Clone, Copy)]
pub(super) struct Waits<'a> {
    pub matching: &'a Matching,
    pub others: &'a [(EventRef, EventRef)],
}

impl Waits<'_> {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.matching.messages.len() + self.matching.bounds.len() + self.others.len()
    }

    /// Returns what comes first, and what waits for it.
    pub fn get(&self, wait: usize) -> (EventRef, EventRef) {
        let Matching {
            messages, bounds, ..
        } = self.matching;
        if let Some(message) = messages.get(wait) {
            return (message.send, message.receive);
        }
        match bounds.get(wait - messages.len()) {
            Some(bound) => (bound.send, bound.receive),
            None => self.others[wait - messages.len() - bounds.len()],
        }
    }
}

/// Calls `put` for each step.
fn each(
    trace: &Trace,
    waits: &Waits,
    collectives: &CollectiveGates,
    questions: &[EventRef],
    put: &mut impl FnMut(EventRef, What, usize),
) {
    for wait in 0..waits.len() {
        let (send, receive) = waits.get(wait);
        if send.location != receive.location {
            put(send, What::Send, wait);
            put(receive, What::Receive, wait);
        }
    }
    for (row, member) in waits.matching.members.iter().enumerate() {
        if collectives.sends(row as u32) {
            put(member.enter, What::Enter, row);
        }
        if collectives.receives(row as u32) {
            put(member.exit, What::Exit, row);
        }
    }
    for (number, &question) in questions.iter().enumerate() {
        let location = trace.locations.get(question.location.index());
        if location.is_some_and(|location| (question.index as usize) < location.events.len()) {
            put(question, What::Ask, number);
        }
    }
}
