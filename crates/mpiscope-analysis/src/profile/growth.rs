//! Iterations that take longer and longer, and what in them does.
//!
//! The median of the last third of them is compared with that of the first third, so that no single
//! iteration decides.

use std::cmp::Reverse;
use std::ops::Range;

use mpiscope_model::{Duration, EventRef, LocationIndex, Trace};
use rustc_hash::FxHashMap;

use super::{stretches, Activity, Known};
use crate::iterations::{median, Iterations, Lengths, Parts};
use crate::races::first_of_lines;
use crate::timeline::{Doing, Regions, Span, Timeline};
use crate::wait_states::WaitState;

/// The last third of iterations takes so many times as long as the first, at least.
const LEAST: f64 = 1.2;
/// Ranks that grow by at least this share of what the one that grows most does are named, too.
const AS_WELL: f64 = 0.5;
/// The rank that grows most does so by at least this share of what iterations grow; else none is
/// named: they wait for each other longer and longer, or each grows a little.
const OWN: f64 = 0.5;

/// Iterations that take longer and longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// How long the first third takes, in the median.
    pub first: Duration,
    /// How long the last third does.
    pub last: Duration,
    /// By how much all iterations together exceed what they would take if they stayed as the first.
    pub excess: Duration,
    /// World ranks whose own time, without waiting, grows, most first; none if no rank's grows by
    /// half of what iterations do.
    pub ranks: Vec<u32>,
    /// What grows most on the first of these: computation, or a call of MPI without its waiting.
    pub activity: Option<Activity>,
    /// Where the first and the last iteration of the rank begin whose own time grows most.
    pub places: [EventRef; 2],
}

/// Says of iterations whether they grow; their lengths must do so by no chance. Of processes that
/// share the trace the first says so, and asks the one that has the rank what of it grows.
pub(super) fn find(
    known: &Known,
    own: &Iterations,
    (found, lengths): (&Iterations, &Lengths),
) -> Option<Growth> {
    let judged = judged(found, lengths);
    let asked = judged.as_ref().and_then(|it| it.1);
    let mut asked: Vec<Asked> = asked.into_iter().collect();
    if let Some(sharers) = known.sharers {
        asked = sharers.as_first(asked);
    }
    let rank = |location: LocationIndex| own.ranks.iter().find(|it| it.location == location);
    let answer = asked.first().and_then(|(location, computation)| {
        let own = Own {
            trace: known.trace,
            line: &known.lines[location.index()],
            waits: &known.waits[location.index()],
            location: *location,
        };
        let bounds = &rank(*location)?.bounds;
        match computation {
            true => own.most(bounds, Own::computation),
            false => own.most(bounds, Own::calls),
        }
    });
    let mut answer: Vec<Activity> = answer.into_iter().collect();
    if let Some(sharers) = known.sharers {
        answer = sharers.gather(answer);
    }
    let (growth, _) = judged?;
    Some(Growth {
        activity: answer.first().copied(),
        ..growth
    })
}

/// Of whom is asked what grows, and whether it is computation.
type Asked = (LocationIndex, bool);

/// Judges lengths; what grows on the rank that grows most is not known yet.
fn judged(found: &Iterations, lengths: &Lengths) -> Option<(Growth, Option<Asked>)> {
    lengths.drift.filter(|it| it.in_all > Duration::ZERO)?;
    let count = lengths.count();
    let all: Vec<i64> = (0..count).map(|it| lengths.length(it).0).collect();
    let [first, middle, last] = thirds(&all);
    let is_steady = first <= middle && middle <= last;
    if !is_steady || (last as f64) < LEAST * first as f64 {
        return None;
    }
    let grown: Vec<[i64; 2]> = lengths.parts.iter().map(|it| grown(it)).collect();
    let own = grown.iter().map(|it| it[0].saturating_add(it[1]));
    let own: Vec<i64> = own.collect();
    let mut order: Vec<usize> = (0..own.len()).collect();
    order.sort_by_key(|&at| (Reverse(own[at]), at));
    let most = *order.first()?;
    let limit = AS_WELL * own[most] as f64;
    let is_own = own[most] as f64 >= OWN * last.saturating_sub(first) as f64;
    let named = order
        .iter()
        .filter(|&&at| is_own && own[at] > 0 && own[at] as f64 >= limit);
    let of = &found.ranks[most];
    let [computation, communication] = grown[most];
    let asked = is_own.then_some((of.location, computation >= communication));
    let place = |bound: usize| EventRef {
        location: of.location,
        index: of.bounds[bound],
    };
    let growth = Growth {
        first: Duration(first),
        last: Duration(last),
        excess: all.iter().fold(Duration::ZERO, |sum, it| {
            sum + Duration(it.saturating_sub(first).max(0))
        }),
        ranks: named.map(|&at| lengths.ranks[at]).collect(),
        activity: None,
        places: [place(0), place(count - 1)],
    };
    Some((growth, asked))
}

/// Returns by how much a rank's computation and its time in MPI, without waiting, grow.
fn grown(parts: &[Parts]) -> [i64; 2] {
    let by = |what: fn(&Parts) -> i64| {
        let all: Vec<i64> = parts.iter().map(what).collect();
        let [first, _, last] = thirds(&all);
        last.saturating_sub(first)
    };
    [by(|it| it.computation), by(|it| it.communication)]
}

/// Returns the medians of the first, the middle and the last third.
fn thirds(all: &[i64]) -> [i64; 3] {
    let third = all.len() / 3;
    let ends = [
        0..third,
        third..all.len() - third,
        all.len() - third..all.len(),
    ];
    ends.map(|of| median(all[of].to_vec()))
}

/// The rank that grows most.
struct Own<'a> {
    trace: &'a Trace,
    line: &'a Timeline<'a>,
    waits: &'a [WaitState],
    location: LocationIndex,
}

/// Tells what is done from which event on, and for how long.
type Tell<'a> = &'a mut dyn FnMut(Activity, u32, Duration);

impl Own<'_> {
    /// Returns what takes most longer in the last third than in the first, of what `each` tells.
    fn most(&self, bounds: &[u32], each: fn(&Self, Tell)) -> Option<Activity> {
        let count = bounds.len().saturating_sub(1);
        let third = count / 3;
        let mut grown: FxHashMap<Activity, Duration> = FxHashMap::default();
        each(self, &mut |activity, event, length| {
            // Iterations that have begun: this is in the last of them.
            let begun = bounds.partition_point(|bound| *bound <= event);
            let grown = grown.entry(activity).or_default();
            match begun.checked_sub(1) {
                Some(number) if number < third => *grown = *grown - length,
                Some(number) if number < count && number >= count - third => *grown += length,
                _ => {}
            }
        });
        let most = grown.into_iter().filter(|(_, by)| *by > Duration::ZERO);
        most.max_by_key(|(activity, by)| (*by, Reverse(*activity)))
            .map(|(activity, _)| activity)
    }

    fn computation(&self, tell: Tell) {
        let first = first_of_lines(self.trace);
        let tell = |activity, events: Range<u32>, length| tell(activity, events.start, length);
        stretches::computation(self.trace, &first, self.line, self.location, tell);
    }

    /// Tells calls of MPI, without what they waited.
    fn calls(&self, tell: Tell) {
        let first = first_of_lines(self.trace);
        let regions = Regions::new(self.trace);
        let waited: FxHashMap<u32, Duration> = (self.waits.iter())
            .map(|it| (it.call.index, it.duration()))
            .collect();
        let tell = |activity, span: &Span| {
            if let Doing::Mpi(enter, ..) = span.doing {
                let own = span.end - span.begin;
                // A call in which recording was switched is told in parts; it waits in the first.
                let waited = match span.first == enter {
                    true => waited.get(&enter).copied().unwrap_or_default(),
                    false => Duration::ZERO,
                };
                tell(activity, span.first, own - waited);
            }
        };
        stretches::all(self.trace, &first, &regions, self.line, self.location, tell);
    }
}
