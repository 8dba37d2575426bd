use std::sync::OnceLock;

use mpiscope_model::{Matching, Timestamp, Trace};

use super::*;
use crate::exchange::{Crew, Division};
use crate::forward::{Forward, Kappa, Pace};
use crate::linked::Linked;
use crate::links::{ends, Slots};
use crate::receipts::NO_LIMIT;
use crate::records::records;
use crate::table::LatencyTable;
use crate::testing::{of_pairs, simulated};
use crate::{presync, Config, PresyncMode};

/// A trace after the forward sweep, which one part made.
struct Swept<'a> {
    forward: Forward<'a>,
    table: &'a LatencyTable,
    times: &'a [Vec<Timestamp>],
    pace: Pace,
    records: Vec<Vec<Record>>,
    received: Received,
}

impl Swept<'_> {
    /// Smooths by parts, each of which has what it received itself; where others
    /// did, it has something else.
    fn smoothed(&self, parts: usize, in_bytes: bool, strange: i64) -> String {
        let clocks: Vec<u32> = (0..self.times.len() as u32).map(|it| it / 2).collect();
        let division = Division::new(parts, &clocks, |location| self.records[location].len());
        let known = self.forward.known(self.table, self.pace, &division);
        let crew = match in_bytes {
            true => Crew::InBytes(parts),
            false => Crew::Threads(parts),
        };
        let outside = crew.outside();
        let backward = Backward {
            matched: Matched::new(&outside, known, self.forward.linked),
            slope: Slope::new(100.0).unwrap(),
            crew,
        };
        let mut records = Records {
            all: self.records.clone(),
            sync_events: 0,
        };
        let received = (0..parts).map(|part| self.received(&division, part, strange));
        let ramps = backward.smooth(self.times, received.collect(), &mut records);
        format!("{:?} {ramps:?}", records.all)
    }

    fn received(&self, division: &Division, part: usize, strange: i64) -> Received {
        let matching = self.forward.linked.matching();
        let mut received = Received {
            sent: Slots::all(matching),
            left: Vec::new(),
        };
        for link in 0..(matching.messages.len() + matching.bounds.len()) as u32 {
            let receiver = ends(matching, link).1.location.0;
            let own = division.part_of(receiver) == part;
            let limit = if own {
                self.received.sent.at(link)
            } else {
                strange
            };
            received.sent.set(link, limit);
        }
        for (member, &left) in matching.members.iter().zip(&self.received.left) {
            let own = division.part_of(member.exit.location.0) == part;
            received.left.push(if own { left } else { strange });
        }
        received
    }
}

/// Sweeps a trace forward, after its clocks were mapped as told.
fn swept(trace: &Trace, matching: &Matching, config: &Config, look: impl Fn(&Swept)) {
    let room = OnceLock::new();
    let linked = Linked::new(trace, matching, &room);
    let forward = Forward {
        trace,
        linked: &linked,
        crew: Crew::Threads(1),
    };
    let pace = Pace {
        kappa: Kappa::new(1e-3),
        delta: 0,
    };
    let mapped = presync(trace, matching, config).unwrap();
    let table = LatencyTable::new(trace, &mapped.latencies);
    let mut records = records(
        trace,
        matching,
        linked.collectives(),
        &mapped.times,
        &table,
        |_| true,
        false,
    );
    let (found, mut receipts) = forward.sweep(&table, pace, &mut records);
    assert!(found.violations > 30);
    look(&Swept {
        forward,
        table: &table,
        times: &mapped.times,
        pace,
        records: records.all,
        received: receipts.of_part.remove(0),
    });
}

#[test]
fn all_parts_together_smooth_the_same_whatever_their_number() {
    for name in ["partial", "partial-all-kinds", "partial-rank-clocks"] {
        let trace = simulated(name);
        let matching = trace.matching();
        for pairs in [false, true] {
            let mut config = Config {
                presync: PresyncMode::Linear,
                ..Config::default()
            };
            if pairs {
                config.latency = of_pairs(&trace);
            }
            swept(&trace, &matching, &config, |swept| {
                let one = swept.smoothed(1, false, NO_LIMIT);
                assert!(one.matches("Piece").count() > 30);
                for parts in [2, 3, 7, trace.locations.len()] {
                    for in_bytes in [false, true] {
                        for strange in [i64::MIN + 7, NO_LIMIT] {
                            let found = swept.smoothed(parts, in_bytes, strange);
                            assert!(found == one, "{name}, {parts} parts");
                        }
                    }
                }
            });
        }
    }
}
