//! What is told of iterations: where a traced program repeats itself, and how evenly.

use mpiscope_analysis::iterations::{Drift, Lengths, Slow};
use mpiscope_analysis::profile::Profile;
use mpiscope_archive::model::Trace;
use serde::{Deserialize, Serialize};

use super::facts::{Facts, SourcePlace};
use crate::report::show::{self, count, counted};

/// Slow iterations that the text names.
const NAMED: usize = 3;

/// Iterations of a run; they are numbered from 1.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Iterations {
    /// How many there are.
    pub count: u64,
    /// The statement that they are counted by: one lasts from the end of a call of it to the end of
    /// the next.
    pub anchor: SourcePlace,
    /// The statement is a collective operation of all ranks; else each rank has its own.
    pub collective: bool,
    /// Which share of the time between MPI_Init and MPI_Finalize they cover, 0 to 1.
    pub share: f64,
    /// Which share of them call what most of them call, and take about as long, 0 to 1.
    pub alike: f64,
    /// Half of them are shorter.
    pub median_ns: i64,
    /// The shortest.
    pub shortest: Numbered,
    /// The longest.
    pub longest: Numbered,
    /// The first.
    pub first_ns: i64,
    /// So many are slow at the begin.
    pub warm_up: u64,
    /// Those that take much longer than the others, in their order.
    pub slow: Vec<SlowIteration>,
    /// By how much each is longer than the one before, in nanoseconds; nothing if that may be chance.
    pub drift_ns: Option<f64>,
    /// By how much the last is longer than the first, if they grow or shrink.
    pub drift_in_all_ns: Option<i64>,
}

/// An iteration and its length.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Numbered {
    /// Its number, from 1.
    pub number: u64,
    /// How long it takes.
    pub length_ns: i64,
}

/// An iteration that takes much longer than the others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SlowIteration {
    /// Its number, from 1.
    pub number: u64,
    /// How long it takes.
    pub length_ns: i64,
    /// The rank that does more of something than it usually does.
    pub rank: u32,
    /// Of what: `computation`, `communication`, `waiting` or `unrecorded`.
    pub what: String,
    /// How much more.
    pub by_ns: i64,
    /// That in words, if it is more than nothing.
    pub why: Option<String>,
}

/// Returns the iterations of a run.
pub fn of(trace: &Trace, profile: &Profile) -> Option<Iterations> {
    let (found, lengths) = profile.iterations.as_ref()?.as_ref().ok()?;
    let numbered = |number: usize| Numbered {
        number: number as u64 + 1,
        length_ns: lengths.length(number).0,
    };
    Some(Iterations {
        count: found.count() as u64,
        anchor: SourcePlace::new(trace, found.anchor),
        collective: found.is_collective,
        share: rounded(found.share),
        alike: rounded(found.alike),
        median_ns: lengths.median.0,
        shortest: numbered(lengths.shortest),
        longest: numbered(lengths.longest),
        first_ns: lengths.length(0).0,
        warm_up: lengths.warm_up as u64,
        slow: lengths.slow.iter().map(|it| slow(lengths, it)).collect(),
        drift_ns: lengths.drift.map(|it: Drift| it.per_iteration),
        drift_in_all_ns: lengths.drift.map(|it| it.in_all.0),
    })
}

/// Says why a run has none.
pub fn why_none(profile: &Profile) -> Option<String> {
    let reason = profile.iterations.as_ref()?.as_ref().err()?;
    Some(reason.to_string())
}

fn slow(lengths: &Lengths, slow: &Slow) -> SlowIteration {
    SlowIteration {
        number: slow.number as u64 + 1,
        length_ns: slow.length.0,
        rank: lengths.ranks[slow.of],
        what: slow.what.name().to_owned(),
        by_ns: slow.by.0,
        why: lengths.why(slow),
    }
}

/// Fractions keep four digits.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

/// Writes what is to be said of them, a line each.
pub fn text(facts: &Facts) -> impl Iterator<Item = String> {
    let lines = match (&facts.iterations, &facts.no_iterations) {
        (Some(it), _) => lines(it),
        (None, Some(why)) => vec![format!("iterations: none: {why}")],
        (None, None) => Vec::new(),
    };
    lines.into_iter()
}

fn lines(it: &Iterations) -> Vec<String> {
    let time = |ns: i64| show::duration(ns as f64);
    let whose = match it.collective {
        true => "",
        false => " of each rank",
    };
    let mut lines = vec![format!(
        "iterations: {} from one {}{whose} to the next, {} of the time: {} in the median, from {} to {}",
        count(it.count),
        it.anchor.shown(),
        show::percent(100.0 * it.share),
        time(it.median_ns),
        time(it.shortest.length_ns),
        time(it.longest.length_ns),
    )];
    if it.warm_up > 0 {
        let first = match it.warm_up {
            1 => "the first iteration takes".to_owned(),
            many => format!(
                "the first {} are slow: the first takes",
                counted(many, "iteration")
            ),
        };
        lines.push(format!(
            "{first} {} in place of {}",
            time(it.first_ns),
            time(it.median_ns)
        ));
    }
    let mut later: Vec<&SlowIteration> = it.slow.iter().skip(it.warm_up as usize).collect();
    if !later.is_empty() {
        later.sort_by_key(|slow| (-slow.length_ns, slow.number));
        let named = later.iter().take(NAMED).map(|slow| {
            let why = slow
                .why
                .as_ref()
                .map_or_else(String::new, |why| format!(": {why}"));
            format!("{} ({}{why})", slow.number, time(slow.length_ns))
        });
        let named: Vec<String> = named.collect();
        let more = if later.len() > NAMED { ", …" } else { "" };
        lines.push(format!(
            "{} much longer than the others: {}{more}",
            match later.len() as u64 {
                1 => "1 iteration takes".to_owned(),
                many => format!("{} iterations take", count(many)),
            },
            named.join(", ")
        ));
    }
    if let (Some(each), Some(in_all)) = (it.drift_ns, it.drift_in_all_ns) {
        let verb = if in_all > 0 { "grow" } else { "shrink" };
        lines.push(format!(
            "iterations {verb} by {} each, by {} from the first to the last",
            show::duration(each.abs()),
            time(in_all.abs())
        ));
    }
    if it.alike < 0.9 {
        lines.push(format!(
            "only {} of the iterations call the same and take about as long",
            show::percent(100.0 * it.alike)
        ));
    }
    lines
}
