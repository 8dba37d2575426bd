//! What a correction did: figures for programs, and sentences for people.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mpiscope_archive::model::{Assumptions, Trace};
use mpiscope_sync::{Correction, Spread};
use serde::{Deserialize, Serialize};

use crate::call::SourcePlace;
use crate::cli::Assumed;
use crate::clocks::Told;
use crate::exit::{DAMAGED, FINDINGS};
use crate::job::Exchanged;
use crate::report::figures::{Checked, Messages};
use crate::report::latency::Latencies;
use crate::report::show;
use crate::report::statistics::Statistics;
use crate::shifts::{signed, Shift};
use crate::uncertainty::Widths;

/// What a correction did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// The run or archive that was read.
    pub input: PathBuf,
    /// Anchor of the corrected archive, if it was written.
    pub output: Option<PathBuf>,
    /// How that tells its times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<Written>,
    /// What preceded the logical clock: `none`, `align`, `linear`, `hull`,
    /// `min-max` or `fit`; less than was asked for, if the data allowed no more.
    pub presync: String,
    /// How the control variable was chosen: `fixed`, `paper` or `adaptive`.
    pub control: String,
    /// The control variable, of the last pass.
    pub gamma: f64,
    /// The forward passes.
    pub passes: Vec<Pass>,
    /// Least time kept between events of a location, if one was asked for.
    pub delta_ns: Option<i64>,
    /// Length of the ramp before a jump, in lengths of the jump.
    pub interval: f64,
    /// Processes.
    pub ranks: u64,
    /// Clocks.
    pub clocks: u64,
    /// Who says which locations read one.
    pub clock_claims: Told,
    /// What the user had moved by hand, and what is left of that; nothing where nothing was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shifts: Vec<Shifted>,
    /// Events.
    pub events: u64,
    /// Events moved beyond their interpolated time.
    pub events_moved: u64,
    /// The farthest, in nanoseconds.
    pub max_displacement_ns: i64,
    /// The mean over all events, in nanoseconds.
    pub mean_displacement_ns: f64,
    /// Messages.
    pub messages: Messages,
    /// Collective operations.
    pub collectives: u64,
    /// What the checker found, before and after.
    pub violations: Checked,
    /// All figures of the papers' evaluation.
    pub statistics: Statistics,
    /// Calls taken for barriers though no standard says so of all.
    #[serde(default = "usual")]
    pub assume: Vec<Assumed>,
    /// Minimum latencies used.
    pub latency: Latencies,
    /// What the maps from clock to clock can be wrong by.
    pub uncertainty: Widths,
    /// The message that seemed to be received longest before it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Worst>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// What of the input could not be read.
    pub damage: Vec<String>,
    /// How long reading, correction, checks and writing took.
    pub seconds: f64,
    /// The most memory that the command held, in bytes.
    pub peak_memory_bytes: u64,
    /// The most events that one process held: all, unless processes shared them.
    pub held_events: u64,
    /// What several processes told each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchanged: Option<Exchanged>,
    /// Errors against the known truth, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<Truth>,
}

/// How a corrected archive tells its times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Written {
    /// Locations with their measured events, and clock offsets in their definitions.
    pub offset_locations: u64,
    /// Locations whose events have new time stamps.
    pub rewritten_locations: u64,
    /// Clock offsets, of all locations.
    pub clock_offsets: u64,
}

impl Written {
    /// Says it.
    pub fn sentence(&self) -> String {
        let offsets = show::counted(self.clock_offsets, "clock offset");
        match (self.offset_locations, self.rewritten_locations) {
            (0, _) => "new time stamps".to_owned(),
            (_, 0) => format!("measured events, {offsets}"),
            (kept, rewritten) => format!(
                "measured events and {offsets} for {}, new time stamps for {}",
                show::counted(kept, "location"),
                show::count(rewritten)
            ),
        }
    }
}

/// A location that the user had moved by hand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shifted {
    /// World rank.
    pub rank: u32,
    /// The location's number in the archive.
    pub location: u64,
    /// What was added to its interpolated times.
    pub ns: i64,
    /// How much of it is left in corrected times, where the clock condition holds: in the median of
    /// its events, against the locations that were not moved; nothing of one without events.
    pub remained_ns: Option<i64>,
}

impl Shifted {
    /// Returns what was asked for.
    pub fn asked(&self) -> Shift {
        let Shifted {
            rank, location, ns, ..
        } = *self;
        Shift { rank, location, ns }
    }
}

/// Finds how much of each shift is left.
pub fn remained(shifts: &[Shift], trace: &Trace, correction: &Correction) -> Vec<Shifted> {
    if shifts.is_empty() {
        return Vec::new();
    }
    let asked: BTreeMap<u64, Shift> = shifts.iter().map(|it| (it.location, *it)).collect();
    let columns = correction.interpolated.iter().zip(&correction.corrected);
    let moved = columns.map(|(from, to)| {
        let moves = from.iter().zip(to).map(|(from, to)| (*to - *from).0);
        median(moves.collect())
    });
    let (shifted, others): (Vec<_>, Vec<_>) = (trace.locations.iter().zip(moved))
        .map(|(location, moved)| (asked.get(&location.id), moved))
        .partition(|(shift, _)| shift.is_some());
    // A message from who was moved forward takes its receivers along: that is nothing gained.
    let all = median(others.into_iter().filter_map(|(_, moved)| moved).collect()).unwrap_or(0);
    let shifted = shifted.into_iter().filter_map(|(shift, moved)| {
        let Shift { rank, location, ns } = *shift?;
        Some(Shifted {
            rank,
            location,
            ns,
            remained_ns: moved.map(|moved| ns + moved - all),
        })
    });
    shifted.collect()
}

fn median(mut values: Vec<i64>) -> Option<i64> {
    let middle = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable(middle).1)
}

/// What runs assumed that do not tell.
fn usual() -> Vec<Assumed> {
    Assumed::of(&Assumptions::default())
}

/// A message whose recorded times cannot be.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// How long before its send it seemed to be received.
    pub by_ns: i64,
    /// Who sent it.
    pub send: Called,
    /// Who received it.
    pub receive: Called,
}

/// A call of a process.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Called {
    /// World rank.
    pub rank: u32,
    /// Where in the program.
    #[serde(flatten)]
    pub place: SourcePlace,
}

impl Worst {
    /// Names both calls.
    pub fn sentence(&self) -> String {
        let call = |called: &Called| format!("{} on rank {}", called.place.shown(), called.rank);
        format!(
            "worst message: {} seemed to return {} before {}",
            call(&self.receive),
            show::duration(self.by_ns as f64),
            call(&self.send)
        )
    }
}

/// One forward pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    /// The control variable.
    pub gamma: f64,
    /// The error that decided whether another pass was needed: the largest
    /// displacement left at the end of a location, over its length.
    pub error: f64,
}

/// Errors against a known truth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// Times as recorded.
    pub measured: TruthErrors,
    /// After interpolation.
    pub interpolated: TruthErrors,
    /// After correction.
    pub corrected: TruthErrors,
    /// Whether bounds and intervals hold what interpolation is wrong by.
    pub half_widths: Coverage,
}

/// How half-widths compare with errors of one clock against another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// The errors.
    pub errors: Error,
    /// How bounds hold.
    pub bound: Held,
    /// How 99 % intervals hold.
    pub interval: Held,
}

/// How half-widths of one kind hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// Of how many errors the half-width is known.
    pub known: u64,
    /// How many of these are at most their half-width.
    pub within: u64,
    /// Mean of the half-widths.
    pub mean_ns: f64,
    /// The largest of them.
    pub widest_ns: i64,
    /// By how much the worst error exceeds its half-width; 0 if none does.
    pub worst_beyond_ns: i64,
}

impl From<mpiscope_sync::Coverage> for Coverage {
    fn from(found: mpiscope_sync::Coverage) -> Self {
        Self {
            errors: found.errors.into(),
            bound: found.bound.into(),
            interval: found.interval.into(),
        }
    }
}

impl From<mpiscope_sync::Held> for Held {
    fn from(found: mpiscope_sync::Held) -> Self {
        Self {
            known: found.known,
            within: found.within,
            mean_ns: found.mean,
            widest_ns: found.widest,
            worst_beyond_ns: found.worst,
        }
    }
}

/// Errors of one column of times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TruthErrors {
    /// How long logical messages took.
    pub message_duration: Error,
    /// When events happened.
    pub global_time: Error,
}

/// The size of an error, without its sign.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Error {
    /// How many values were compared.
    pub count: u64,
    /// Their mean error.
    pub mean_ns: f64,
    /// What 99 % do not exceed.
    pub p99_ns: i64,
    /// The worst.
    pub worst_ns: i64,
}

impl From<Spread> for Error {
    fn from(spread: Spread) -> Self {
        Self {
            count: spread.count,
            mean_ns: spread.mean,
            p99_ns: spread.p99,
            worst_ns: spread.worst,
        }
    }
}

impl Summary {
    /// Returns what the trace holds, in one line.
    pub fn contents(&self) -> String {
        [
            show::counted(self.ranks, "rank"),
            show::counted(self.clocks, "clock"),
            show::counted(self.events, "event"),
            show::counted(self.messages.point_to_point, "message"),
            show::counted(self.collectives, "collective operation"),
        ]
        .join(", ")
    }

    /// Says loudly what should not be.
    pub fn alarm(&self) -> Option<String> {
        let found = self.violations.corrected.unwrap_or_default();
        // Two counts by different means: neither may find anything.
        let other = self.statistics.corrected.all;
        let reversed = found.reversed.max(other.reversed.count);
        let early = found
            .clock_condition
            .unwrap_or(0)
            .max(other.too_early.count);
        (reversed + early + found.backward_steps > 0).then(|| {
            format!(
                "VIOLATIONS REMAIN AFTER CORRECTION: {} messages reversed, {} below the minimum latency, \
                 {} events before their predecessor; please report this",
                show::count(reversed),
                show::count(early),
                show::count(found.backward_steps)
            )
        })
    }

    /// Returns the exit code that this deserves.
    pub fn verdict(&self) -> u8 {
        match (self.damage.is_empty(), self.alarm()) {
            (false, _) => DAMAGED,
            (true, Some(_)) => FINDINGS,
            (true, None) => 0,
        }
    }

    /// Returns what was moved by hand and how much of it is left; nothing where nothing was.
    pub fn shifted(&self) -> Option<String> {
        let mut groups: BTreeMap<i64, Vec<&Shifted>> = BTreeMap::new();
        for shifted in &self.shifts {
            groups.entry(shifted.ns).or_default().push(shifted);
        }
        let group = |(ns, group): (i64, Vec<&Shifted>)| {
            let mut ranks: Vec<u32> = group.iter().map(|it| it.rank).collect();
            ranks.sort_unstable();
            ranks.dedup();
            let word = if ranks.len() == 1 { "rank" } else { "ranks" };
            let left = || group.iter().filter_map(|it| it.remained_ns);
            let left = match (left().min(), left().max()) {
                (None, _) | (_, None) => "without events".to_owned(),
                (Some(least), Some(most)) if least == ns && most == ns => {
                    "all of it remained".to_owned()
                }
                (Some(least), Some(most)) if least == most => {
                    format!("{} of it remained, as messages contradict", signed(least))
                }
                (Some(least), Some(most)) => format!(
                    "{} to {} of it remained, as messages contradict",
                    signed(least),
                    signed(most)
                ),
            };
            format!(
                "{word} {} by {} by hand, {left}",
                show::ranges(&ranks),
                signed(ns)
            )
        };
        let said: Vec<String> = groups.into_iter().map(group).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }

    /// Returns how far events were moved.
    pub fn moved(&self) -> String {
        match self.events_moved {
            0 => "no event had to be moved beyond interpolation".to_owned(),
            moved => format!(
                "{} of {} events ({}) moved beyond interpolation, by {} at most ({} in the mean over all events)",
                show::count(moved),
                show::count(self.events),
                show::share(moved, self.events),
                show::duration(self.max_displacement_ns as f64),
                show::duration(self.mean_displacement_ns)
            ),
        }
    }
}

impl Coverage {
    /// Returns how honest the half-widths are, in sentences.
    pub fn sentence(&self) -> Option<String> {
        let count = self.errors.count;
        if count == 0 {
            return None;
        }
        let errors = format!(
            "  In {} of two clocks interpolation was wrong by {} in the mean, {} at the 99th percentile.",
            show::counted(count, "comparison"),
            show::duration(self.errors.mean_ns),
            show::duration(self.errors.p99_ns as f64),
        );
        let interval = self.interval.held("the 99 % interval", count);
        let bound = self.bound.held("the bound", count);
        Some([errors, interval, bound].join("\n"))
    }
}

impl Held {
    fn held(&self, what: &str, count: u64) -> String {
        if self.known == 0 {
            return format!("  Of none of them {what} was known.");
        }
        let held = self.within as f64 / self.known as f64;
        let known = match self.known < count {
            true => format!(
                ", and was unknown in {}",
                show::share(count - self.known, count)
            ),
            false => String::new(),
        };
        format!(
            "  Of {:.2} % of them {what} held, where it was known ({} in the mean, {} at most){known}.",
            100.0 * held,
            show::duration(self.mean_ns),
            show::duration(self.widest_ns as f64),
        )
    }
}

impl Truth {
    /// Returns what the figures teach, where they may surprise.
    pub fn comment(&self) -> Option<&'static str> {
        let interpolated = self.interpolated.global_time.mean_ns;
        // By more than rounding.
        let worse = self.corrected.global_time.mean_ns > 1.01 * interpolated;
        worse.then_some(
            "  Messages are moved forward only, so that none is received before it was sent;\n  \
             that puts events in order, and here takes them further from the true time.",
        )
    }

    /// Returns the table of errors.
    pub fn table(&self) -> String {
        let rows = [
            ("as measured", self.measured),
            ("interpolated", self.interpolated),
            ("corrected", self.corrected),
        ]
        .map(|(name, errors)| {
            let [message, global] = [errors.message_duration, errors.global_time].map(|error| {
                [error.mean_ns, error.p99_ns as f64, error.worst_ns as f64].map(show::duration)
            });
            let [a, b, c] = message;
            let [d, e, f] = global;
            [name.to_owned(), a, b, c, d, e, f]
        });
        let header = [
            "",
            "duration: mean",
            "p99",
            "worst",
            "time: mean",
            "p99",
            "worst",
        ];
        show::table(header, rows.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Violations;

    #[test]
    fn remaining_violations_are_alarming() {
        let mut summary = Summary::default();
        summary.violations.corrected = Some(Violations {
            clock_condition: Some(3),
            ..Default::default()
        });
        assert!(summary.alarm().unwrap().contains("3 below"));
        assert_eq!(summary.verdict(), FINDINGS);
        summary.damage.push("cut short".into());
        assert_eq!(summary.verdict(), DAMAGED);
    }
}
