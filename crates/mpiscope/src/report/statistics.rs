//! The statistics of a correction: figures for programs, and tables for people.

mod classes;
mod text;

use mpiscope_archive::model::{Matching, Processes, Timestamp, Trace};
use mpiscope_sync::statistics::{
    stages_together, Changes, Displacement, Distortion, Errors, Figures, Messages, Moved, Moves,
    Together,
};
use mpiscope_sync::Correction;
use serde::{Deserialize, Serialize};

use crate::report::places::Places;
pub use classes::Classes;

/// Pairs of places that are listed if nobody asks for more.
pub const MOST_PAIRS: usize = 8;

/// What a correction did, in the figures of Becker, Rabenseifner, Wolf 2008.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Statistics {
    /// Logical messages in the times as recorded.
    pub measured: Stage,
    /// In the times that the logical clock began with.
    pub interpolated: Stage,
    /// In corrected times.
    pub corrected: Stage,
    /// Receives that the logical clock found too early, also because of its
    /// own earlier moves.
    pub found: Part,
    /// What the logical clock did to receives.
    pub received: Received,
    /// Intervals between neighbouring events of a location.
    pub intervals: Intervals,
    /// What `places` are: `host` or `clock`.
    pub place: String,
    /// How far events were moved, per place, those farthest first.
    pub places: Vec<MovedEvents>,
    /// How many pairs of places exchanged messages.
    pub pairs_in_all: u64,
    /// Pairs of places, those of most early messages first.
    pub pairs: Vec<Pair>,
}

/// Logical messages in one column of times, by how near sender and receiver are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stage {
    /// All of them.
    pub all: Fates,
    /// Those of each class.
    #[serde(flatten)]
    pub classes: Classes<Fates>,
}

/// What the logical clock did to receives, by how near the sender is that they
/// waited for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Received {
    /// All of them.
    pub all: Receives,
    /// Those of each class.
    #[serde(flatten)]
    pub classes: Classes<Receives>,
}

/// What the logical clock did to some receives: one for each message, and of
/// collective operations one for each member that waited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Receives {
    /// Messages that it found too early, also because of its own earlier moves.
    pub found: Part,
    /// Receiving events that it moved.
    pub moved: Part,
    /// How far, in the mean over all of them.
    pub mean_ns: f64,
    /// The farthest.
    pub worst_ns: i64,
    /// What became of the local intervals that end there.
    pub intervals: Change,
}

/// What became of some logical messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Fates {
    /// How many there are.
    pub messages: u64,
    /// Received before they were sent.
    pub reversed: Wrong,
    /// Received sooner after it than the minimum latency; reversed ones too.
    pub too_early: Wrong,
}

/// How many, and how far off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Wrong {
    /// How many.
    pub count: u64,
    /// Their share.
    pub share: f64,
    /// By how much, in the mean over these.
    pub mean_ns: f64,
    /// The worst.
    pub worst_ns: i64,
}

/// A part of a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// How many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// Their share.
    pub share: f64,
}

/// How intervals changed, step by step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Intervals {
    /// From times as recorded to those that the logical clock began with.
    pub interpolation: Change,
    /// From those to corrected times.
    pub logical_clock: Change,
}

/// How intervals changed in one step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// All intervals.
    pub intervals: u64,
    /// The mean change over all of them, without sign.
    pub mean_ns: f64,
    /// All changes together as a share of all time.
    pub mean_share: f64,
    /// Those that became longer.
    pub grown: Extreme,
    /// Those that became shorter.
    pub shrunk: Extreme,
}

/// Changes in one direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Extreme {
    /// How many.
    pub count: u64,
    /// The largest.
    pub worst_ns: i64,
    /// The largest as a share of the interval, of intervals of 1 µs and more.
    pub worst_share: f64,
}

/// How far the events of a place were moved beyond interpolation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MovedEvents {
    /// Its name.
    pub name: String,
    /// Its events.
    pub events: u64,
    /// Those moved.
    pub moved: u64,
    /// How far, in the mean over all its events.
    pub mean_ns: f64,
    /// The farthest.
    pub worst_ns: i64,
}

/// Messages from one place to another: point-to-point, and of collective
/// operations each receiver's message from the sender that it waited for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pair {
    /// Where they were sent.
    pub from: String,
    /// Where they were received.
    pub to: String,
    /// In times as recorded.
    pub measured: Fates,
    /// In the times that the logical clock began with.
    pub interpolated: Fates,
    /// In corrected times.
    pub corrected: Fates,
    /// What the logical clock did to the receives.
    pub received: Receives,
}

/// What was found in each column of times.
pub struct Found {
    /// Times as recorded.
    pub measured: Messages,
    /// Times that the logical clock began with.
    pub interpolated: Messages,
    /// Corrected times.
    pub corrected: Messages,
    /// What was done to receives.
    pub moves: Moves,
}

impl Found {
    /// Looks at a corrected trace.
    pub fn new(
        trace: &Trace,
        matching: &Matching,
        measured: &[&[Timestamp]],
        correction: &Correction,
        places: &Places,
        processes: Option<&dyn Processes>,
    ) -> Found {
        let places = places.for_statistics(trace);
        let (found, moves) =
            stages_together(trace, matching, measured, correction, &places, processes);
        let [measured, interpolated, corrected] = found;
        Found {
            measured,
            interpolated,
            corrected,
            moves,
        }
    }

    /// Puts the figures together; of pairs and places only the first `most`.
    pub fn statistics(
        &self,
        measured: &[&[Timestamp]],
        correction: &Correction,
        together: Together,
        places: &Places,
        most: usize,
    ) -> Statistics {
        let (before, after) = (&correction.interpolated, &correction.corrected);
        let interpolation = together.distortion(measured, before).into();
        let logical_clock = together.distortion(before, after).into();
        let all = self.moves.all();
        Statistics {
            measured: (&self.measured).into(),
            interpolated: (&self.interpolated).into(),
            corrected: (&self.corrected).into(),
            found: part(all.found, all.displacement.events),
            received: Received {
                all: all.into(),
                classes: Classes::from(self.moves.classes.map(Receives::from)),
            },
            intervals: Intervals {
                interpolation,
                logical_clock,
            },
            place: places.kind.to_owned(),
            places: moved(&together.displacements(before, after), places, most),
            pairs_in_all: self.measured.pairs.len() as u64,
            pairs: self.pairs(places, most),
        }
    }

    fn pairs(&self, places: &Places, most: usize) -> Vec<Pair> {
        // Whom a receiver waits for may change with the times, and so the pair.
        let mut keys: Vec<(u32, u32)> = [&self.measured, &self.interpolated, &self.corrected]
            .iter()
            .flat_map(|stage| stage.pairs.keys().copied())
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let of =
            |stage: &Messages, key: &(u32, u32)| stage.pairs.get(key).copied().unwrap_or_default();
        keys.sort_by_cached_key(|key| {
            let [measured, interpolated] = [of(&self.measured, key), of(&self.interpolated, key)];
            let early = [interpolated, measured].map(|it| it.too_early.count);
            std::cmp::Reverse((early, measured.messages))
        });
        keys.truncate(most);
        let pair = |key: &(u32, u32)| Pair {
            from: places.name(key.0),
            to: places.name(key.1),
            measured: of(&self.measured, key).into(),
            interpolated: of(&self.interpolated, key).into(),
            corrected: of(&self.corrected, key).into(),
            received: self
                .moves
                .pairs
                .get(key)
                .copied()
                .unwrap_or_default()
                .into(),
        };
        keys.iter().map(pair).collect()
    }
}

fn moved(found: &[Displacement], places: &Places, most: usize) -> Vec<MovedEvents> {
    let mut sums = vec![Displacement::default(); places.names.len()];
    for (&place, found) in places.of_location.iter().zip(found) {
        sums[place as usize].merge(found);
    }
    let mut all: Vec<MovedEvents> = (0..)
        .zip(&sums)
        .map(|(place, sum)| MovedEvents {
            name: places.name(place),
            events: sum.events,
            moved: sum.moved,
            mean_ns: sum.mean(),
            worst_ns: sum.worst.0,
        })
        .collect();
    all.sort_by_key(|place| std::cmp::Reverse(place.worst_ns));
    all.truncate(most);
    all
}

impl From<Distortion> for Change {
    fn from(sum: Distortion) -> Change {
        let extreme = |changes: Changes| Extreme {
            count: changes.count,
            worst_ns: changes.worst.0,
            worst_share: changes.worst_share,
        };
        Change {
            intervals: sum.intervals,
            mean_ns: sum.mean(),
            mean_share: sum.mean_share(),
            grown: extreme(sum.grown),
            shrunk: extreme(sum.shrunk),
        }
    }
}

impl From<Moved> for Receives {
    fn from(moved: Moved) -> Receives {
        let events = moved.displacement.events;
        Receives {
            found: part(moved.found, events),
            moved: part(moved.displacement.moved, events),
            mean_ns: moved.displacement.mean(),
            worst_ns: moved.displacement.worst.0,
            intervals: moved.distortion.into(),
        }
    }
}

fn part(count: u64, of: u64) -> Part {
    Part {
        count,
        of,
        share: count as f64 / of.max(1) as f64,
    }
}

impl From<Figures> for Fates {
    fn from(figures: Figures) -> Fates {
        let wrong = |errors: Errors| Wrong {
            count: errors.count,
            share: part(errors.count, figures.messages).share,
            mean_ns: errors.mean(),
            worst_ns: errors.worst.0,
        };
        Fates {
            messages: figures.messages,
            reversed: wrong(figures.reversed),
            too_early: wrong(figures.too_early),
        }
    }
}

impl From<&Messages> for Stage {
    fn from(messages: &Messages) -> Stage {
        Stage {
            all: messages.all().into(),
            classes: Classes::from(messages.classes.map(Fates::from)),
        }
    }
}
