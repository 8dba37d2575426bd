//! Minimum latencies that contradict the trace are lowered.
//!
//! One that is too long is the one dangerous error: each message it concerns
//! moves everything behind it forward. Two things give it away. Displacements
//! that grow without end (see the control), and, once times are known to be
//! good, messages faster than it.

use mpiscope_model::{Duration, EventRef, Matching, Timestamp};

use crate::latency::{Class, Latencies, Latency, LatencySource, LatencyTable};
use crate::links::ends;
use crate::report::Warning;

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

/// Lowers each latency that too many messages undercut, to what so many of
/// them do not; for `times` so good that the messages must be right.
pub(crate) fn lower_violated(
    latencies: &mut Latencies,
    times: &[Vec<Timestamp>],
    matching: &Matching,
    table: &LatencyTable,
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
        let duration = at(receive) - at(send);
        if duration < latencies.of(class).value {
            faster[class as usize].push(duration.0);
        }
    }
    let mut warnings = Vec::new();
    for class in [Class::SameClock, Class::DifferentClocks] {
        let tolerated = (messages[class as usize] as f64 * FASTER) as usize;
        let faster = &mut faster[class as usize];
        let given = latencies.of(class).source == LatencySource::Configured;
        if faster.len() > tolerated && !given {
            let (_, &mut duration, _) = faster.select_nth_unstable(tolerated);
            warnings.push(latencies.lower(class, Duration(duration)));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_model::Trace;

    fn lowered(latency: i64) -> (i64, usize) {
        // A hundred messages that take 1 to 100 ticks.
        let sends: String = (0..100).map(|i| format!(" {} send>1", 1000 * i)).collect();
        let receives: String = (0..100)
            .map(|i| format!(" {} recv<0", 1001 * i + 1))
            .collect();
        let trace = Trace::parse(&format!("0:{sends}\n1:{receives}")).unwrap();
        let mut latencies = Latencies::default();
        latencies.different_clocks.value = Duration(latency);
        let table = LatencyTable::new(&trace, &latencies);
        let matching = trace.matching();
        let warnings = lower_violated(&mut latencies, &trace.times(), &matching, &table);
        (latencies.different_clocks.value.0, warnings.len())
    }

    #[test]
    fn a_latency_that_many_messages_undercut_is_lowered() {
        assert_eq!(lowered(50), (2, 1));
    }

    #[test]
    fn a_latency_that_few_messages_undercut_stays() {
        assert_eq!(lowered(2), (2, 0));
    }
}
