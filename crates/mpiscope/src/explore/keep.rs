//! What of a record stays if one receive takes another message.
//!
//! What follows the receive is told by happened-before: a choice is kept unless
//! its post or the send of its message comes after the receive.

use std::collections::HashMap;

use mpiscope_analysis::happened_before::{sweep, Columns, Known};
use mpiscope_analysis::races::Race;
use mpiscope_archive::choices::{Choices, Thread};
use mpiscope_archive::model::{EventRef, Matching, Trace};
use mpiscope_run::order::{Cancel, Record};

use super::alter::of_thread;

/// What is kept of a thread's choices.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// By receive.
    pub receives: Vec<bool>,
    /// How many outcomes.
    pub outcomes: usize,
    /// By what the record says of cancels.
    pub cancels: Vec<bool>,
}

/// What is kept, by rank and thread.
pub type Keeps = HashMap<(u32, u32), Kept>;

/// What a question of the sweep is about.
enum About {
    /// Post or send of a receive of a thread.
    Receive((u32, u32), usize),
    /// An outcome of a thread.
    Outcome((u32, u32)),
    /// The end of a receive that a thread cancelled, or tried to.
    Cancel((u32, u32), usize),
    /// The send of the message that is to be taken.
    Alternative,
}

/// Finds what may be kept of a record if a race takes the message of another send.
pub fn keeps(
    trace: &Trace,
    matching: &Matching,
    (choices, record): (&Choices, &Record),
    race: &Race,
    send: EventRef,
) -> Keeps {
    let sends: HashMap<EventRef, EventRef> = (matching.messages.iter())
        .map(|message| (message.receive, message.send))
        .collect();
    let (mut questions, mut about) = (vec![send], vec![About::Alternative]);
    let mut keeps = Keeps::new();
    for (&key, thread) in &choices.0 {
        for (k, receive) in thread.receives.iter().enumerate() {
            let came = receive.done.map(|done| *sends.get(&done).unwrap_or(&done));
            for event in [Some(receive.post), came].into_iter().flatten() {
                questions.push(event);
                about.push(About::Receive(key, k));
            }
        }
        for outcome in &thread.outcomes {
            questions.push(EventRef {
                location: thread.location,
                index: outcome.event,
            });
            about.push(About::Outcome(key));
        }
        let ends = ends_of_cancelled(record, key, thread);
        for (k, end) in ends.iter().enumerate() {
            questions.extend(end);
            about.extend(end.map(|_| About::Cancel(key, k)));
        }
        let all = Kept {
            receives: vec![true; thread.receives.len()],
            outcomes: thread.outcomes.len(),
            cancels: ends.iter().map(Option::is_some).collect(),
        };
        keeps.insert(key, all);
    }
    let columns = Columns::some(trace, [race.receive.location, race.post.location]);
    let follows = |known: &Known| {
        let latest = known.latest(race.receive.location);
        latest.is_some_and(|latest| latest >= race.receive.index)
    };
    // What the sender of the alternative knew of the racing thread must happen again.
    let mut needed = None;
    let mut late: HashMap<(u32, u32), usize> = HashMap::new();
    sweep(
        trace,
        matching,
        &columns,
        &questions,
        |k, known| match about[k] {
            About::Alternative => needed = known.latest(race.post.location),
            About::Receive(key, receive) if follows(&known) => {
                if let Some(kept) = keeps.get_mut(&key) {
                    kept.receives[receive] = false;
                }
            }
            About::Outcome(key) if follows(&known) => *late.entry(key).or_default() += 1,
            About::Cancel(key, k) if follows(&known) => {
                if let Some(kept) = keeps.get_mut(&key) {
                    kept.cancels[k] = false;
                }
            }
            _ => {}
        },
    );
    for (key, late) in late {
        if let Some(kept) = keeps.get_mut(&key) {
            kept.outcomes -= late;
        }
    }
    after_post((choices, record), race, needed, &mut keeps);
    keeps
}

/// Returns where the receives ended that a thread cancelled, or tried to.
fn ends_of_cancelled(record: &Record, key: (u32, u32), thread: &Thread) -> Vec<Option<EventRef>> {
    let order = of_thread(record, key);
    let cancels = order.map_or(&[][..], |order| &order.cancels);
    let posted = |cancel: &Cancel| thread.nonblocking.get(cancel.receive as usize);
    cancels.iter().map(|it| posted(it)?.done).collect()
}

/// The racing thread itself: what it posted after the receive goes free, unless
/// the message that it is to take was sent because of it.
fn after_post(
    (choices, record): (&Choices, &Record),
    race: &Race,
    needed: Option<u32>,
    keeps: &mut Keeps,
) {
    let own = |key: &(u32, u32)| choices.0[key].location == race.post.location;
    let Some(key) = choices.0.keys().copied().find(own) else {
        return;
    };
    let Some(kept) = keeps.get_mut(&key) else {
        return;
    };
    let thread = &choices.0[&key];
    let known = |index: u32| needed.is_some_and(|needed| index <= needed);
    for (keep, receive) in kept.receives.iter_mut().zip(&thread.receives) {
        let here = |done: EventRef| done.location == race.post.location && known(done.index);
        *keep &= receive.post < race.post || receive.done.is_some_and(here);
    }
    let before = |index: u32| index < race.post.index || known(index);
    let outcomes = thread.outcomes.iter();
    let kept_outcomes = outcomes.take_while(|it| before(it.event)).count();
    kept.outcomes = kept.outcomes.min(kept_outcomes);
    // Whether a message comes before a cancel is open once the messages are others.
    let ends = ends_of_cancelled(record, key, thread);
    for (keep, end) in kept.cancels.iter_mut().zip(ends) {
        let here = |end: EventRef| end.location == race.post.location && before(end.index);
        *keep &= end.is_some_and(here);
    }
}
