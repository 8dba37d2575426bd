//! The statistics of a correction: figures for programs, and tables for people.

use mpiscope_run::model::{Matching, Timestamp, Trace};
use mpiscope_sync::statistics::{
    displacement, distortion, messages, Changes, Displacement, Distortion, Errors, Figures,
    Messages,
};
use mpiscope_sync::Correction;
use serde::{Deserialize, Serialize};

use crate::places::Places;
use crate::show;

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
    /// Intervals between neighbouring events of a location.
    pub intervals: Intervals,
    /// What `places` are: `host` or `clock`.
    pub place: String,
    /// How far events were moved, per place, those farthest first.
    pub places: Vec<Place>,
    /// How many pairs of places exchanged messages.
    pub pairs_in_all: u64,
    /// Pairs of places, those of most early messages first.
    pub pairs: Vec<Pair>,
}

/// Logical messages in one column of times, by how near sender and receiver are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// All of them.
    pub all: Fates,
    /// Between threads of a process.
    pub same_process: Fates,
    /// Between processes that read one clock.
    pub same_clock: Fates,
    /// Between processes that read different clocks.
    pub different_clocks: Fates,
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
pub struct Place {
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
}

/// What was found in each column of times.
pub struct Found {
    /// Times as recorded.
    pub measured: Messages,
    /// Times that the logical clock began with.
    pub interpolated: Messages,
    /// Corrected times.
    pub corrected: Messages,
}

impl Found {
    /// Looks at a corrected trace.
    pub fn new(
        trace: &Trace,
        matching: &Matching,
        measured: &[&[Timestamp]],
        correction: &Correction,
        places: &Places,
    ) -> Found {
        let (places, table) = (places.for_statistics(trace), &correction.latencies);
        let (interpolated, corrected) = (&correction.interpolated, &correction.corrected);
        Found {
            measured: messages(trace, matching, measured, table, &places),
            interpolated: messages(trace, matching, interpolated, table, &places),
            corrected: messages(trace, matching, corrected, table, &places),
        }
    }

    /// Puts the figures together; of pairs and places only the first `most`.
    pub fn statistics(
        &self,
        measured: &[&[Timestamp]],
        correction: &Correction,
        places: &Places,
        most: usize,
    ) -> Statistics {
        let interpolation = change(measured, &correction.interpolated);
        let logical_clock = change(&correction.interpolated, &correction.corrected);
        Statistics {
            measured: (&self.measured).into(),
            interpolated: (&self.interpolated).into(),
            corrected: (&self.corrected).into(),
            found: part(
                correction.report.violations_seen,
                self.measured.receives().messages,
            ),
            intervals: Intervals {
                interpolation,
                logical_clock,
            },
            place: places.kind.to_owned(),
            places: moved(correction, places, most),
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
        };
        keys.iter().map(pair).collect()
    }
}

fn moved(correction: &Correction, places: &Places, most: usize) -> Vec<Place> {
    let mut sums = vec![Displacement::default(); places.names.len()];
    let columns = correction.interpolated.iter().zip(&correction.corrected);
    for (&place, (before, after)) in places.of_location.iter().zip(columns) {
        sums[place as usize].merge(&displacement(before, after));
    }
    let mut all: Vec<Place> = (0..)
        .zip(&sums)
        .map(|(place, sum)| Place {
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

fn change(before: &[impl AsRef<[Timestamp]>], after: &[Vec<Timestamp>]) -> Change {
    let mut sum = Distortion::default();
    for (before, after) in before.iter().zip(after) {
        sum.merge(&distortion(before.as_ref(), after));
    }
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
        let [same_process, same_clock, different_clocks] = messages.classes.map(Fates::from);
        Stage {
            all: messages.all().into(),
            same_process,
            same_clock,
            different_clocks,
        }
    }
}

impl Statistics {
    /// Returns the tables of classes and pairs, and what else there is to say.
    pub fn text(&self) -> String {
        let parts = [
            self.classes(),
            self.pairs(),
            self.places(),
            self.sentences(),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }

    fn classes(&self) -> String {
        let class = |name: &str, of: fn(&Stage) -> Fates| {
            let [measured, interpolated] = [of(&self.measured), of(&self.interpolated)];
            (measured.messages > 0).then(|| row(name.to_owned(), measured, interpolated))
        };
        let rows: Vec<_> = [
            class("threads of a process", |it| it.same_process),
            class("one clock", |it| it.same_clock),
            class("different clocks", |it| it.different_clocks),
        ]
        .into_iter()
        .flatten()
        .collect();
        match rows.len() {
            0 | 1 => String::new(),
            _ => format!("{}\n{LEFT}", show::table(header("between"), rows)),
        }
    }

    fn pairs(&self) -> String {
        let rows = self.pairs.iter().filter(|it| it.measured.messages > 0);
        let rows: Vec<_> = rows
            .map(|it| {
                row(
                    format!("{} -> {}", it.from, it.to),
                    it.measured,
                    it.interpolated,
                )
            })
            .collect();
        if rows.is_empty() {
            return String::new();
        }
        let more = match self.pairs_in_all.saturating_sub(self.pairs.len() as u64) {
            0 => String::new(),
            more => format!(
                "\n  and {} (--pairs all lists all)",
                show::counted(more, "pair")
            ),
        };
        format!(
            "Point-to-point messages, and of collectives those that were waited for\n{}{more}",
            show::table(header(&format!("{}s", self.place)), rows)
        )
    }

    fn places(&self) -> String {
        let rows: Vec<_> = self
            .places
            .iter()
            .filter(|it| it.moved > 0)
            .map(|it| {
                [
                    it.name.clone(),
                    show::count(it.events),
                    show::share(it.moved, it.events),
                    show::duration(it.mean_ns),
                    show::duration(it.worst_ns as f64),
                ]
            })
            .collect();
        match rows.is_empty() {
            true => String::new(),
            false => show::table([&self.place, "events", "moved", "mean", "farthest"], rows),
        }
    }

    fn sentences(&self) -> String {
        let found = match self.found.count {
            0 => "the logical clock found no receive too early".to_owned(),
            count => format!(
                "the logical clock found {} of {} receives ({}) too early, some because of its own moves",
                show::count(count),
                show::count(self.found.of),
                show::share(count, self.found.of)
            ),
        };
        let steps = [
            ("by interpolation", self.intervals.interpolation),
            ("by logical clock", self.intervals.logical_clock),
        ];
        let steps = steps.map(|(name, change)| format!("  {name}  {}", change.sentence()));
        format!("{found}\nlocal intervals changed\n{}", steps.join("\n"))
    }
}

impl Change {
    fn sentence(&self) -> String {
        let extreme = |extreme: &Extreme| {
            let share = match extreme.worst_share {
                0.0 => String::new(),
                share => format!(" ({} of one)", show::percent(share * 100.0)),
            };
            format!("{}{share}", show::duration(extreme.worst_ns as f64))
        };
        match self.grown.count + self.shrunk.count {
            0 => "by nothing".to_owned(),
            _ => format!(
                "by {} in the mean, {:.1e} of all time; longer by {} at most, shorter by {}",
                show::duration(self.mean_ns),
                self.mean_share,
                extreme(&self.grown),
                extreme(&self.shrunk)
            ),
        }
    }
}

/// Explains the last columns.
const LEFT: &str = "  left: after clocks were mapped to the first one's, before the logical clock";

fn header(first: &str) -> [&str; 8] {
    [
        first,
        "messages",
        "reversed",
        "mean",
        "worst",
        "too early",
        "left reversed",
        "left early",
    ]
}

fn row(name: String, measured: Fates, interpolated: Fates) -> [String; 8] {
    let off = |wrong: Wrong| match wrong.count {
        0 => ["", ""].map(str::to_owned),
        _ => [wrong.mean_ns, wrong.worst_ns as f64].map(show::duration),
    };
    let [mean, worst] = off(measured.reversed);
    let share = |wrong: Wrong, of: u64| show::share(wrong.count, of);
    [
        name,
        show::count(measured.messages),
        share(measured.reversed, measured.messages),
        mean,
        worst,
        share(measured.too_early, measured.messages),
        share(interpolated.reversed, interpolated.messages),
        share(interpolated.too_early, interpolated.messages),
    ]
}
