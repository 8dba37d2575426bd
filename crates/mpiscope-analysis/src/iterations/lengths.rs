//! How long iterations last by a clock, which are slow and why, and whether they grow.

use mpiscope_model::{Duration, Events, Timestamp};

use crate::rounded::rounded;
use crate::timeline::{spans, Doing, Regions, Timeline};
use crate::wait_states::WaitState;

/// What a rank did in an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Outside of MPI.
    pub computation: i64,
    /// In MPI, without waiting.
    pub communication: i64,
    /// Waiting for other ranks.
    pub waiting: i64,
    /// Recording was off.
    pub unrecorded: i64,
}

/// A part of what a rank does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Outside of MPI.
    Computation,
    /// In MPI, without waiting.
    Communication,
    /// Recording was off.
    Unrecorded,
    /// Waiting for other ranks: what follows from something else.
    Waiting,
}

impl What {
    const ALL: [What; 4] = [
        What::Computation,
        What::Communication,
        What::Unrecorded,
        What::Waiting,
    ];

    /// Returns what a rank does then: `computes`.
    pub fn verb(self) -> &'static str {
        match self {
            What::Computation => "computes",
            What::Communication => "is in MPI, without waiting,",
            What::Unrecorded => "is not recorded",
            What::Waiting => "waits",
        }
    }

    /// Returns its name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            What::Computation => "computation",
            What::Communication => "communication",
            What::Unrecorded => "unrecorded",
            What::Waiting => "waiting",
        }
    }

    fn of(self, parts: &Parts) -> i64 {
        match self {
            What::Computation => parts.computation,
            What::Communication => parts.communication,
            What::Unrecorded => parts.unrecorded,
            What::Waiting => parts.waiting,
        }
    }
}

/// An iteration that is much longer than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slow {
    /// Its number, from 0.
    pub number: usize,
    /// How long it is.
    pub length: Duration,
    /// How much longer than the median.
    pub excess: Duration,
    /// The place of the rank in [`Lengths::ranks`] that did more of something than it usually does.
    pub of: usize,
    /// Of what.
    pub what: What,
    /// How much more than its median.
    pub by: Duration,
}

/// Iterations that grow or shrink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// By how many nanoseconds from one to the next (Theil 1950; Sen 1968).
    pub per_iteration: f64,
    /// By how much from the first to the last.
    pub in_all: Duration,
}

/// How long iterations last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lengths {
    /// When each begins, and when the last one ends: when the last rank leaves the anchor.
    pub moments: Vec<Timestamp>,
    /// World ranks, in the order of `parts`.
    pub ranks: Vec<u32>,
    /// Of each rank, what it did in each iteration.
    pub parts: Vec<Vec<Parts>>,
    /// Half of them are shorter.
    pub median: Duration,
    /// The shortest: its number.
    pub shortest: usize,
    /// The longest: its number.
    pub longest: usize,
    /// Those much longer than the others, in their order.
    pub slow: Vec<Slow>,
    /// So many are slow at the begin, without one between them that is not.
    pub warm_up: usize,
    /// They grow or shrink, and that is no chance.
    pub drift: Option<Drift>,
}

impl Lengths {
    /// Says what follows from when iterations begin, and what ranks do in them; the last moment is
    /// when the last one ends.
    pub fn new(moments: Vec<Timestamp>, ranks: Vec<u32>, parts: Vec<Vec<Parts>>) -> Lengths {
        let lengths: Vec<i64> = moments
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).0)
            .collect();
        let of = |best: Option<(usize, &i64)>| best.map_or(0, |(number, _)| number);
        let mut found = Lengths {
            median: Duration(median(lengths.clone())),
            shortest: of(lengths.iter().enumerate().min_by_key(|it| it.1)),
            // Among equals the first.
            longest: of(lengths.iter().enumerate().rev().max_by_key(|it| it.1)),
            drift: drift(&lengths),
            moments,
            ranks,
            parts,
            ..Lengths::default()
        };
        let limit = limit(&lengths, found.median.0);
        let is_slow = |it: &(usize, &i64)| *it.1 > limit;
        let slow: Vec<usize> = (lengths.iter().enumerate().filter(is_slow))
            .map(|it| it.0)
            .collect();
        found.slow = found.reasons(&slow);
        found.warm_up = slow.iter().zip(0..).take_while(|(a, b)| **a == *b).count();
        found
    }

    /// Returns how many there are.
    pub fn count(&self) -> usize {
        self.moments.len().saturating_sub(1)
    }

    /// Returns how long one lasts.
    pub fn length(&self, number: usize) -> Duration {
        self.moments[number + 1] - self.moments[number]
    }

    /// Says of a slow one why it is, as far as one rank did more than it usually does.
    pub fn why(&self, slow: &Slow) -> Option<String> {
        let rank = self.ranks.get(slow.of)?;
        let more = rounded(slow.by.0.max(0) as u64);
        (slow.by > Duration::ZERO)
            .then(|| format!("rank {rank} {} {more} longer than usual", slow.what.verb()))
    }

    /// Says of each which rank did more of what.
    fn reasons(&self, slow: &[usize]) -> Vec<Slow> {
        if slow.is_empty() {
            return Vec::new();
        }
        let usual =
            |of: &Vec<Parts>| What::ALL.map(|it| median(of.iter().map(|p| it.of(p)).collect()));
        let usual: Vec<[i64; 4]> = self.parts.iter().map(usual).collect();
        let reason = |&number: &usize| {
            let length = self.length(number);
            let mut slow = Slow {
                number,
                length,
                excess: length - self.median,
                of: 0,
                what: What::Waiting,
                by: Duration::ZERO,
            };
            // Waiting follows from what another does: it is named where no other part is more.
            let mut weight = 0;
            for (of, (parts, usual)) in self.parts.iter().zip(&usual).enumerate() {
                for (what, usual) in What::ALL.into_iter().zip(usual) {
                    let by = what.of(&parts[number]) - usual;
                    let weighs = if what == What::Waiting { by / 2 } else { by };
                    if weighs > weight {
                        weight = weighs;
                        (slow.of, slow.what, slow.by) = (of, what, Duration(by));
                    }
                }
            }
            slow
        };
        slow.iter().map(reason).collect()
    }
}

/// So many deviations above the median is slow.
const DEVIATIONS: f64 = 5.0;
/// The standard deviation of a normal distribution, in medians of absolute deviations.
const OF_NORMAL: f64 = 1.4826;
/// What is longer by a smaller share than this is not slow, however even the others are.
const LEAST_EXCESS: f64 = 0.1;

/// Returns the length above which an iteration is slow.
fn limit(lengths: &[i64], median_of_all: i64) -> i64 {
    let apart = lengths
        .iter()
        .map(|it| (it - median_of_all).abs())
        .collect();
    let by = DEVIATIONS * OF_NORMAL * median(apart) as f64;
    median_of_all.saturating_add(by.max(LEAST_EXCESS * median_of_all as f64) as i64)
}

/// Returns the middle one, the lower of two.
pub(crate) fn median(mut all: Vec<i64>) -> i64 {
    if all.is_empty() {
        return 0;
    }
    let middle = (all.len() - 1) / 2;
    *all.select_nth_unstable(middle).1
}

/// Iterations that are compared with each other, at most.
const MOST: usize = 400;
/// Fewer iterations tell nothing of a drift.
const LEAST: usize = 10;
/// How many standard deviations the number of rising pairs must be off for a drift.
const SIGNIFICANT: f64 = 4.0;

/// Returns by how much iterations grow, if most pairs of them say so (Mann 1945) and it is a
/// hundredth of their length at least.
fn drift(lengths: &[i64]) -> Option<Drift> {
    if lengths.len() < LEAST {
        return None;
    }
    // Of many each stands for its neighbours by their median.
    let width = lengths.len().div_ceil(MOST);
    let points: Vec<(f64, f64)> = (lengths.chunks(width).enumerate())
        .map(|(number, chunk)| {
            let middle = (number * width) as f64 + (chunk.len() - 1) as f64 / 2.0;
            (middle, median(chunk.to_vec()) as f64)
        })
        .collect();
    let mut slopes = Vec::with_capacity(points.len() * points.len() / 2);
    let mut rising = 0i64;
    for (at, later) in points.iter().enumerate() {
        for earlier in &points[..at] {
            let slope = (later.1 - earlier.1) / (later.0 - earlier.0);
            rising += i64::from(slope > 0.0) - i64::from(slope < 0.0);
            slopes.push(slope);
        }
    }
    let n = points.len() as f64;
    let deviation = (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt();
    let middle = slopes.len() / 2;
    let slope = *slopes.select_nth_unstable_by(middle, f64::total_cmp).1;
    let in_all = slope * (lengths.len() - 1) as f64;
    let is_sure = (rising as f64).abs() > SIGNIFICANT * deviation;
    let matters = in_all.abs() >= 0.01 * median(lengths.to_vec()) as f64;
    (is_sure && matters).then_some(Drift {
        per_iteration: slope,
        in_all: Duration(in_all as i64),
    })
}

/// Adds up what a location does between its bounds, each the last event of a call.
pub(super) fn parts(
    events: &Events,
    regions: &Regions,
    line: &Timeline,
    waits: &[WaitState],
    bounds: &[u32],
) -> Vec<Parts> {
    let mut all = vec![Parts::default(); bounds.len().saturating_sub(1)];
    // Iterations that have begun: of the last of them is what is done now.
    let mut begun = 0;
    let mut waits = waits.iter().peekable();
    spans(events, regions, &line.times, |span| {
        let length = (span.end - span.begin).0;
        let mut nowhere = Parts::default();
        let now = match begun {
            0 => &mut nowhere,
            begun => all.get_mut(begun - 1).unwrap_or(&mut nowhere),
        };
        match span.doing {
            Doing::Work => now.computation += length,
            // No rank is slow because its threads have nothing to do.
            Doing::Idle | Doing::Threads(..) => {
                let among = span.first..span.last;
                while waits.next_if(|it| among.contains(&it.call.index)).is_some() {}
            }
            Doing::Unrecorded => now.unrecorded += length,
            Doing::Mpi(enter, leave, _) => {
                let state = waits.next_if(|state| state.call.index == enter);
                let waiting = state.map_or(0, |state| state.duration().0);
                now.waiting += waiting;
                now.communication += length - waiting;
                if bounds.get(begun) == Some(&leave) {
                    begun += 1;
                }
            }
        }
    });
    all
}
