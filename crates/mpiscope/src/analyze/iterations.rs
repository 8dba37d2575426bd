//! What is told of iterations: where a traced program repeats itself, and how evenly.

use mpiscope_analysis::efficiency;
use mpiscope_analysis::iterations::{Drift, Lengths, PhaseKind, Slow};
use mpiscope_analysis::profile::Profile;
use mpiscope_archive::model::Trace;
use serde::{Deserialize, Serialize};

use super::efficiency::{factors, Efficiency, Known};
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
    /// Efficiencies of the time of all of them, and of some, where they have a meaning.
    #[serde(default)]
    pub phases: Vec<Phase>,
    /// Why all of them have none.
    #[serde(default)]
    pub no_phases: Option<String>,
}

/// Iterations that follow one another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Phase {
    /// `all`, `warm_up`, `after_warm_up`, or `least`: the one of the least parallel efficiency.
    pub kind: String,
    /// The first of them, from 1.
    pub from: u64,
    /// The last of them.
    pub to: u64,
    /// From when the last rank begins them to when the last rank ends them.
    pub length_ns: i64,
    /// Their efficiencies.
    pub efficiency: Efficiency,
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
pub fn of(trace: &Trace, profile: &Profile, known: Known) -> Option<Iterations> {
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
        phases: profile
            .phases
            .iter()
            .filter_map(|it| phase(it, known))
            .collect(),
        no_phases: no_phases(profile, known),
    })
}

fn phase(phase: &efficiency::Phase, known: Known) -> Option<Phase> {
    Some(Phase {
        kind: phase.kind.name().to_owned(),
        from: phase.iterations.start as u64 + 1,
        to: phase.iterations.end as u64,
        length_ns: phase.within.length.0,
        efficiency: known.efficiency(&phase.within)?,
    })
}

/// Says why all iterations have no efficiencies, if they have none.
fn no_phases(profile: &Profile, known: Known) -> Option<String> {
    let all = profile.phases.iter().find(|it| it.kind == PhaseKind::All)?;
    known.why_none(&all.within)
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
        (Some(it), _) => [lines(it), phase_lines(facts)].concat(),
        (None, Some(why)) => vec![format!("iterations: none: {why}")],
        (None, None) => Vec::new(),
    };
    lines.into_iter()
}

/// An iteration whose parallel efficiency is a smaller share of that of all is named.
const INEFFICIENT: f64 = 0.9;

/// Says how efficient some of the iterations are, a line each.
pub fn phase_lines(facts: &Facts) -> Vec<String> {
    let found = facts.iterations.as_ref();
    found.map_or_else(Vec::new, |it| efficiencies(it, facts.efficiency.is_some()))
}

fn efficiencies(it: &Iterations, whole_is_known: bool) -> Vec<String> {
    let warm_up = it.warm_up;
    let all = it.phases.iter().find(|phase| phase.kind == "all");
    let usual = all.map_or(0.0, |all| INEFFICIENT * all.efficiency.parallel);
    let is_least = |it: &Phase| it.from > warm_up && it.efficiency.parallel < usual;
    let is_told = |phase: &&Phase| phase.kind != "least" || is_least(phase);
    let line = |phase: &Phase| {
        let of = match phase.kind.as_str() {
            "all" => "efficiency of the iterations".to_owned(),
            "warm_up" if phase.to == 1 => "of the first iteration".to_owned(),
            "warm_up" => format!("of the first {}", counted(phase.to, "iteration")),
            "after_warm_up" => "of the others".to_owned(),
            _ => format!("least in iteration {}", count(phase.from)),
        };
        format!("{of}: {}", factors(&phase.efficiency))
    };
    match &it.no_phases {
        // That of the run is said with the same reason.
        Some(why) if whole_is_known => {
            vec![format!(
                "efficiency of the iterations: cannot tell, as {why}"
            )]
        }
        _ => it.phases.iter().filter(is_told).map(line).collect(),
    }
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
