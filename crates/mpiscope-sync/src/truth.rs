//! How far times are from a known truth.
//!
//! Two errors matter to who reads a trace. How long messages took: a common
//! shift of all clocks does no harm there, a relative one does. And when
//! events happened: there every shift counts.

use mpiscope_model::{EventRef, Timestamp, Trace};

use crate::logical::{CollectiveSync, From};

/// Errors against the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TruthErrors {
    /// Of the durations of logical messages: each point-to-point message
    /// between locations, and of collective operations each receiver's
    /// message from the sender that truly entered last.
    pub message_duration: Spread,
    /// Of those messages that pass between different clocks.
    pub between_clocks: Spread,
    /// Of the time of all events.
    pub global_time: Spread,
}

/// How a quantity is spread, in ns, without signs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// How many values.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// What 99 % of them do not exceed.
    pub p99: i64,
    /// The largest.
    pub worst: i64,
}

impl Spread {
    /// Sums up `values`, which it reorders.
    pub(crate) fn of(values: &mut [i64]) -> Spread {
        let count = values.len();
        if count == 0 {
            return Spread::default();
        }
        let sum: f64 = values.iter().map(|&value| value as f64).sum();
        let (_, &mut p99, above) = values.select_nth_unstable((count * 99).div_ceil(100) - 1);
        Spread {
            count: count as u64,
            mean: sum / count as f64,
            p99,
            worst: above.iter().copied().max().unwrap_or(p99),
        }
    }
}

/// Compares `times` with the truth, both one column per location.
///
/// # Panics
/// If a location has fewer times than events.
pub fn errors(trace: &Trace, times: &[Vec<Timestamp>], truth: &[Vec<Timestamp>]) -> TruthErrors {
    let at = |columns: &[Vec<Timestamp>], event: EventRef| {
        columns[event.location.index()][event.index as usize].0
    };
    let (real, said) = (|event| at(truth, event), |event| at(times, event));
    let difference = |a: i64, b: i64| a.saturating_sub(b);

    let mut global = Vec::with_capacity(trace.event_count());
    for (times, truth) in times.iter().zip(truth) {
        let errors = times
            .iter()
            .zip(truth)
            .map(|(said, real)| (*said - *real).abs().0);
        global.extend(errors);
    }
    let clock_of = trace.clock_of_locations();
    let clock = |event: EventRef| clock_of[event.location.index()];
    let (mut durations, mut between) = (Vec::new(), Vec::new());
    for (send, receive) in logical_messages(trace, &real) {
        let said = difference(said(receive), said(send));
        let real = difference(real(receive), real(send));
        let error = difference(said, real).saturating_abs();
        durations.push(error);
        if clock(send) != clock(receive) {
            between.push(error);
        }
    }
    TruthErrors {
        message_duration: Spread::of(&mut durations),
        between_clocks: Spread::of(&mut between),
        global_time: Spread::of(&mut global),
    }
}

/// Messages between locations, of collectives the last per receiver.
fn logical_messages(trace: &Trace, real: &dyn Fn(EventRef) -> i64) -> Vec<(EventRef, EventRef)> {
    let matching = trace.matching();
    let mut messages: Vec<(EventRef, EventRef)> = (matching.messages.iter())
        .map(|message| (message.send, message.receive))
        .filter(|(send, receive)| send.location != receive.location)
        .collect();
    for instance in &matching.collectives {
        let Some(collective) = CollectiveSync::new(trace, &matching, instance) else {
            continue;
        };
        let mut senders: Vec<_> = collective
            .members
            .iter()
            .filter(|m| collective.sends(m))
            .collect();
        senders.sort_by_key(|sender| std::cmp::Reverse(real(sender.enter)));
        for receiver in collective.members.iter().filter(|m| collective.receives(m)) {
            let last = senders.iter().find(|sender| {
                sender.enter.location != receiver.exit.location
                    && collective.heard_in(sender) == collective.heard_by(receiver)
                    && (collective.rule.from == From::Others || sender.rank < receiver.rank)
            });
            messages.extend(last.map(|sender| (sender.enter, receiver.exit)));
        }
    }
    messages
}
