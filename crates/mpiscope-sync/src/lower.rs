//! Minimum latencies that contradict the trace are lowered.
//!
//! One that is too long is the one dangerous error: each message it concerns
//! moves everything behind it forward. Two things give it away. Displacements
//! that grow without end (see the control), and, once times are known to be
//! good, messages faster than it by more than these times can be wrong.

use mpiscope_model::{Duration, EventRef, Matching, Timestamp};

use crate::latency::{Class, Latencies, Latency, LatencySource, LatencyTable};
use crate::links::ends;
use crate::report::Warning;
use crate::uncertainty::{Uncertainty, UNKNOWN};

impl Latencies {
    /// Halves the latency of a class; returns what to say about it.
    pub(crate) fn halve(&mut self, class: Class) -> Warning {
        self.lower(class, Duration(self.of(class).value.0 / 2))
    }

    /// Lowers the latency of a class, and that of whoever is nearer, which is
    /// no longer.
    fn lower(&mut self, class: Class, to: Duration) -> Warning {
        let from = self.of(class).value;
        let lowered = Latency {
            value: to.max(Duration::TICK).min(from),
            source: LatencySource::Lowered,
        };
        if class == Class::DifferentClocks {
            self.different_clocks = lowered;
        }
        let nearer = self.same_clock;
        let doubted = nearer.source != LatencySource::Configured;
        if class == Class::SameClock || (doubted && nearer.value > lowered.value) {
            self.same_clock = lowered;
        }
        Warning::LatencyLowered {
            class,
            from,
            to: lowered.value,
        }
    }
}

/// Share of the messages of a class that may be faster than its latency.
const FASTER: f64 = 0.01;

/// Lowers each latency that too many messages undercut by more than the clocks
/// can be wrong, to what so many of them do not, but to no less than half: what
/// is wrong by more is not the latency.
pub(crate) fn lower_violated(
    latencies: &mut Latencies,
    times: &[Vec<Timestamp>],
    matching: &Matching,
    table: &LatencyTable,
    uncertainty: &Uncertainty,
) -> Vec<Warning> {
    let at = |event: EventRef| times[event.location.index()][event.index as usize];
    let mut messages = [0u64; 2];
    let mut faster: [Vec<i64>; 2] = Default::default();
    for link in 0..(matching.messages.len() + matching.bounds.len()) as u32 {
        let (send, receive) = ends(matching, link);
        let Some(class) = table.class(send.location, receive.location) else {
            continue;
        };
        messages[class as usize] += 1;
        let (duration, value) = (at(receive) - at(send), latencies.of(class).value);
        if duration >= value {
            continue;
        }
        let doubt = uncertainty.half_width(send.location, receive.location, at(receive));
        let possible = duration.0.saturating_add(doubt.0);
        if doubt != UNKNOWN && possible < value.0 {
            faster[class as usize].push(possible);
        }
    }
    let mut warnings = Vec::new();
    for class in [Class::SameClock, Class::DifferentClocks] {
        let tolerated = (messages[class as usize] as f64 * FASTER) as usize;
        let faster = &mut faster[class as usize];
        let given = latencies.of(class).source == LatencySource::Configured;
        if faster.len() > tolerated && !given {
            let (_, &mut duration, _) = faster.select_nth_unstable(tolerated);
            let half = latencies.of(class).value.0 / 2;
            warnings.push(latencies.lower(class, Duration(duration.max(half))));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_model::Trace;

    /// Clocks that can be wrong by so much.
    fn clocks(half_width: i64) -> Uncertainty {
        Uncertainty {
            clock_of: vec![0, 1],
            window: Duration(1_000_000),
            to_master: vec![vec![Duration::ZERO, Duration(half_width)]],
            pairs: vec![Vec::new()],
            ..Uncertainty::default()
        }
    }

    fn lowered(latency: i64, half_width: i64) -> (i64, usize) {
        // A hundred messages that take 1 to 100 ticks.
        let sends: String = (0..100).map(|i| format!(" {} send>1", 1000 * i)).collect();
        let receives: String = (0..100)
            .map(|i| format!(" {} recv<0", 1001 * i + 1))
            .collect();
        let trace = Trace::parse(&format!(
            "clock 0: 0 +0 ±1\nclock 1: 0 +0 ±1\n0:{sends}\n1:{receives}"
        ))
        .unwrap();
        let mut latencies = Latencies::default();
        latencies.different_clocks.value = Duration(latency);
        let table = LatencyTable::new(&trace, &latencies);
        let matching = trace.matching();
        let clocks = clocks(half_width);
        let warnings = lower_violated(&mut latencies, &trace.times(), &matching, &table, &clocks);
        (latencies.different_clocks.value.0, warnings.len())
    }

    #[test]
    fn a_latency_that_many_messages_undercut_is_lowered() {
        assert_eq!(lowered(3, 0), (2, 1));
    }

    #[test]
    fn a_latency_is_not_lowered_below_half() {
        assert_eq!(lowered(50, 0), (25, 1));
    }

    #[test]
    fn a_latency_that_only_wrong_clocks_undercut_stays() {
        assert_eq!(lowered(50, 48), (50, 0));
        assert_eq!(lowered(50, UNKNOWN.0), (50, 0));
    }

    #[test]
    fn a_latency_that_few_messages_undercut_stays() {
        assert_eq!(lowered(2, 0), (2, 0));
    }
}
