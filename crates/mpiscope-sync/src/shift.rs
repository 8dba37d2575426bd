//! What a caller adds to the times of single locations.
//!
//! Somebody who looks at a trace may know that a process's clock is off, by how much, and that
//! neither measurements nor messages tell. A fit of all clocks finds the offset of every clock
//! itself, so what were added before it would be taken away again, wherever messages determine
//! offsets; and what holds of one process need not hold of others that read the same clock. So
//! shifts are added to interpolated times, and the clock condition is restored after that: where
//! nothing is received too early they stay as they are, else messages keep what they allow of
//! them.

use mpiscope_model::{Duration, Timestamp};

use crate::presync::LIMITS;

/// Adds a shift to each column that has one.
pub(crate) fn shifted(mut times: Vec<Vec<Timestamp>>, shifts: &[Duration]) -> Vec<Vec<Timestamp>> {
    let moved = times.iter_mut().zip(shifts);
    for (column, by) in moved.filter(|(_, by)| **by != Duration::ZERO) {
        for time in column {
            let moved = Timestamp(time.0.saturating_add(by.0));
            *time = moved.clamp(LIMITS.0, LIMITS.1);
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use mpiscope_model::{Duration, Timestamp, Trace};

    use crate::{check, correct, Config, Correction};

    fn corrected(trace: &Trace, shifts: &[i64]) -> Correction {
        let config = Config {
            shifts: shifts.iter().map(|ns| Duration(*ns)).collect(),
            ..Config::default()
        };
        correct(trace, &config).unwrap()
    }

    #[track_caller]
    fn assert_clean(trace: &Trace, correction: &Correction) {
        let found = check(trace, &correction.corrected, &correction.latencies);
        let wrong = found.clock_condition.count + found.reversed.count;
        assert_eq!((wrong, found.backward_steps), (0, 0), "{found:?}");
    }

    fn moved(with: &Correction, without: &Correction, location: usize) -> Vec<i64> {
        let pairs = with.corrected[location]
            .iter()
            .zip(&without.corrected[location]);
        pairs.map(|(with, without)| (*with - *without).0).collect()
    }

    /// Two clocks, measured; rank 1 waits for a message that takes a millisecond.
    const SLOW: &str = "
        clock 0:
        clock 1: 0 +5000 ±10, 9000000 +5000 ±10
        0: 1000000 send>1 4000000
        1: 500000 1995000 recv<0 3000000";

    #[test]
    fn where_no_message_contradicts_times_follow_the_shift() {
        let trace = Trace::parse(SLOW).unwrap();
        let without = corrected(&trace, &[]);
        for by in [20_000, -20_000, -300_000] {
            let with = corrected(&trace, &[0, by]);
            assert_eq!(moved(&with, &without, 0), [0, 0]);
            assert_eq!(moved(&with, &without, 1), [by; 3]);
            assert_eq!(with.report.events_moved, 0);
        }
    }

    #[test]
    fn what_messages_contradict_is_moved_back_as_far_as_they_say() {
        let trace = Trace::parse(SLOW).unwrap();
        let without = corrected(&trace, &[]);
        let with = corrected(&trace, &[0, -5_000_000]);
        assert_clean(&trace, &with);
        // The message may not arrive before it is sent: of 5 ms about one is left.
        let [_, receive, _] = moved(&with, &without, 1)[..] else {
            panic!("three events");
        };
        assert!((-1_000_000..-990_000).contains(&receive), "{receive}");
        assert_eq!(moved(&with, &without, 0), [0, 0]);
    }

    #[test]
    fn a_shift_is_no_reason_to_doubt_latencies_nor_measurements() {
        let ping = |k: i64| {
            let at = 1_000_000 * k;
            let zero = format!("{at} send>1 {} recv<1", at + 40_000);
            let one = format!("{} recv<0 {} send>0", at + 15_000, at + 25_000);
            (zero, one)
        };
        let (zero, one): (Vec<_>, Vec<_>) = (1..200).map(ping).unzip();
        let picture = format!("0: {}\n1: {}", zero.join(" "), one.join(" "));
        let trace = Trace::parse(&picture).unwrap();
        let without = corrected(&trace, &[]);
        let with = corrected(&trace, &[0, 8_000]);
        assert_eq!(with.presync, without.presync);
        assert_eq!(with.maps, without.maps);
        assert_eq!(with.report.latencies, without.report.latencies);
        assert_clean(&trace, &with);
    }

    #[test]
    fn locations_of_one_clock_may_differ() {
        let trace = Trace::parse("clock 0 1:\n0: 10 send>1\n1: 500 recv<0 600").unwrap();
        let with = corrected(&trace, &[0, 100]);
        assert_eq!(with.corrected[1], [600, 700].map(Timestamp));
    }

    #[test]
    fn no_shift_is_beyond_bounds() {
        let trace = Trace::parse("0: 10 20\n1: 5").unwrap();
        let with = corrected(&trace, &[i64::MAX, i64::MIN, 7]);
        assert!(with.corrected[0][0] > Timestamp(1 << 61));
        assert!(with.corrected[1][0] < Timestamp::default());
    }
}
