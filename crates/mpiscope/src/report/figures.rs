//! Logical messages whose time stamps cannot be: how many, how far off.
//!
//! A logical message is a matched send and receive, or a pair of members of a
//! collective operation one of which waits for the other. In corrected times
//! they are counted by the checker, which shares no code with the correction;
//! in others by [`statistics`], which takes less time where much is wrong.

use mpiscope_archive::model::{Assumptions, Processes, Timestamp, Trace};
use mpiscope_sync::statistics;
use mpiscope_sync::{check_together, LatencyTable};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::job;
use crate::report::show;

/// Violations in one column of times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Violations {
    /// Logical messages received before they were sent.
    pub reversed: u64,
    /// By how much, the worst.
    pub worst_ns: i64,
    /// By how much, in the mean.
    pub mean_ns: f64,
    /// Those of them that are point-to-point messages.
    pub reversed_point_to_point: u64,
    /// Logical messages received sooner than the minimum latency allows, reversed ones too;
    /// nothing if that latency was not looked for.
    pub clock_condition: Option<u64>,
    /// Events that lie before their predecessor.
    pub backward_steps: u64,
}

/// What was checked, before and after.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// Times as recorded.
    pub measured: Violations,
    /// After interpolation between measured offsets.
    pub interpolated: Option<Violations>,
    /// After correction.
    pub corrected: Option<Violations>,
}

/// Counts that do not depend on times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Messages {
    /// Matched sends and receives.
    pub point_to_point: u64,
    /// Logical messages between locations.
    pub logical: u64,
    /// Payload of the matched sends.
    pub bytes: u64,
    /// Sends whose receive is not in the trace.
    pub unmatched_sends: u64,
    /// Receives whose send is not in the trace.
    pub unmatched_receives: u64,
}

/// Checks one column; `assumptions` are those of the correction.
pub fn violations(
    assumptions: &Assumptions,
    trace: &Trace,
    times: &[Vec<Timestamp>],
    latencies: &LatencyTable,
    processes: Option<&dyn Processes>,
) -> Violations {
    let found = check_together(assumptions, trace, times, latencies, processes);
    Violations {
        reversed: found.reversed.count,
        worst_ns: found.reversed.worst.0,
        mean_ns: found.reversed.mean,
        reversed_point_to_point: found.reversed_point_to_point.count,
        clock_condition: Some(found.clock_condition.count),
        backward_steps: found.backward_steps,
    }
}

/// Sums up what was found in a column.
pub fn sum_up(found: &statistics::Messages, backward_steps: u64) -> Violations {
    let all = found.all();
    Violations {
        reversed: all.reversed.count,
        worst_ns: all.reversed.worst.0,
        mean_ns: all.reversed.mean(),
        reversed_point_to_point: found.point_to_point.reversed.count,
        clock_condition: Some(all.too_early.count),
        backward_steps,
    }
}

/// Messages that one thread looks at before another does.
pub const SOME: usize = 1 << 14;

/// Counts the messages of a trace; processes that share it each those that its own events sent.
pub fn messages(
    trace: &Trace,
    matching: &mpiscope_archive::model::Matching,
    logical: u64,
    processes: Option<&dyn Processes>,
) -> Messages {
    let me = processes.map_or(0, Processes::me);
    let bytes = |message: &mpiscope_archive::model::Message| {
        let location = message.send.location.index();
        if !trace.is_here(location, me) {
            return 0;
        }
        let events = &trace.locations[location].events;
        let row = events.args()[message.send.index as usize];
        events.messages()[row as usize].bytes
    };
    let here = || -> u64 {
        let some = matching.messages.par_chunks(SOME);
        some.map(|some| some.iter().map(bytes).sum::<u64>()).sum()
    };
    let counts = matching.counts();
    Messages {
        point_to_point: counts.messages,
        logical,
        bytes: match trace.parts.is_empty() {
            true => here(),
            false => job::sum(here(), processes),
        },
        unmatched_sends: counts.unmatched_sends,
        unmatched_receives: counts.unmatched_receives,
    }
}

impl Violations {
    /// Returns whether nothing is wrong.
    pub fn none(&self) -> bool {
        self.clock_condition == Some(0) && self.reversed == 0 && self.backward_steps == 0
    }
}

impl Checked {
    /// Returns the rows as they are called in reports.
    fn rows(&self) -> impl Iterator<Item = (&'static str, Violations)> {
        [
            ("as measured", Some(self.measured)),
            ("interpolated", self.interpolated),
            ("corrected", self.corrected),
        ]
        .into_iter()
        .filter_map(|(name, found)| Some((name, found?)))
    }

    /// Returns the table of violations.
    pub fn table(&self, logical: u64) -> String {
        let row = |(name, found): (&str, Violations)| {
            let [mean, worst] = match found.reversed {
                0 => ["", ""].map(str::to_owned),
                _ => [found.mean_ns, found.worst_ns as f64].map(show::duration),
            };
            [
                name.to_owned(),
                show::count(found.reversed),
                show::share(found.reversed, logical),
                mean,
                worst,
                found.clock_condition.map_or_else(String::new, show::count),
            ]
        };
        let rows = self.rows().map(row);
        match self.tests_latency() {
            true => {
                let header = ["", "reversed", "share", "mean", "worst", "violations"];
                show::table(header, rows.collect())
            }
            false => {
                let rows = rows
                    .map(|[name, count, share, mean, worst, _]| [name, count, share, mean, worst]);
                let header = ["", "reversed", "share", "mean", "worst"];
                show::table(header, rows.collect())
            }
        }
    }

    /// Returns whether messages were held against minimum latencies.
    pub fn tests_latency(&self) -> bool {
        self.rows()
            .any(|(_, found)| found.clock_condition.is_some())
    }

    /// Returns the finding in one sentence.
    pub fn sentence(&self, logical: u64) -> String {
        let measured = &self.measured;
        let before = match measured.reversed {
            0 => format!(
                "none of {} logical messages was received before it was sent",
                show::count(logical)
            ),
            reversed => format!(
                "{} of {} logical messages ({}) seemed to be received before they were sent, \
                 by {} in the mean, {} at worst",
                show::count(reversed),
                show::count(logical),
                show::share(reversed, logical),
                show::duration(measured.mean_ns),
                show::duration(measured.worst_ns as f64),
            ),
        };
        match self.corrected {
            Some(corrected) if !(corrected.none() && measured.reversed == 0) => format!(
                "{before}; after correction {}",
                show::count(corrected.reversed)
            ),
            _ => before,
        }
    }
}

/// Explains the columns of [`Checked::table`].
pub const LEGEND: &str =
    "  reversed: received before sent; violations: of the clock condition, received sooner after \
                          the send than the minimum latency, reversed ones too";

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use mpiscope_sync::{correct, Config};

    fn checked(picture: &str) -> (Checked, u64) {
        let trace = Trace::parse(picture).unwrap();
        let correction = correct(&trace, &Config::default()).unwrap();
        let (table, places) = (&correction.latencies, statistics::Places::by_clock(&trace));
        let matching = trace.matching();
        let look = |times: &[Vec<Timestamp>]| {
            let found = statistics::messages(&trace, &matching, times, table, &places);
            let summary = sum_up(&found, statistics::backward_steps(times));
            assert_eq!(
                summary,
                violations(&Assumptions::default(), &trace, times, table, None),
                "as the checker says"
            );
            (summary, found.all().messages)
        };
        let (measured, logical) = look(&trace.times());
        let checked = Checked {
            measured,
            interpolated: Some(look(&correction.interpolated).0),
            corrected: Some(look(&correction.corrected).0),
        };
        (checked, logical)
    }

    const REVERSED: &str = "0: 1000 send>1 90000 recv<1\n1: 900 recv<0 80000 send>0";

    #[test]
    fn a_reversed_message_is_shown_before_and_after() {
        let (checked, logical) = checked(REVERSED);
        expect![[r#"
            times
                            reversed  share    mean   worst  violations
              as measured          1   50 %  100 ns  100 ns           1
              interpolated         0    0 %                           0
              corrected            0    0 %                           0"#]]
        .assert_eq(&format!("times\n{}", checked.table(logical)));
        expect!["1 of 2 logical messages (50 %) seemed to be received before they were sent, by 100 ns in the mean, 100 ns at worst; after correction 0"]
            .assert_eq(&checked.sentence(logical));
    }

    #[test]
    fn good_clocks_are_told_in_few_words() {
        let (checked, logical) = checked("0: 10 send>1\n1: 20 recv<0");
        expect!["none of 1 logical messages was received before it was sent"]
            .assert_eq(&checked.sentence(logical));
    }

    #[test]
    fn bytes_are_those_of_matched_messages() {
        let trace = Trace::parse(
            "0: 1 send>1(bytes=8) 2 isend>1#1(bytes=100) 3 wait#1
             1: 5 recv<0(bytes=8)",
        );
        let trace = trace.unwrap();
        let counted = messages(&trace, &trace.matching(), 1, None);
        assert_eq!((counted.point_to_point, counted.bytes), (1, 8));
        assert_eq!(counted.unmatched_sends, 1);
    }
}
