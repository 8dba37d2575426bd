//! What of two sets is not compared, and why.

use std::collections::BTreeSet;

use mpiscope_analysis::compare::{Comparison, Evidence, Key, Measures, Source};
use serde::Serialize;

use super::load::Set;
use crate::report::show::counted;

/// Something that is not compared.
#[derive(Debug, Serialize)]
pub struct LeftOut {
    /// What it is.
    pub what: String,
    /// In a sentence.
    pub why: String,
}

/// Returns what is left out of a comparison.
pub fn left_out(a: &Set, b: &Set, found: &Comparison) -> Vec<LeftOut> {
    let runs = || a.runs.iter().chain(&b.runs);
    let sources: BTreeSet<Source> = runs().map(|it| it.source).collect();
    let mut all: Vec<LeftOut> = Vec::new();
    let mut add = |what: &str, why: &str| {
        all.push(LeftOut {
            what: what.to_owned(),
            why: why.to_owned(),
        });
    };
    if found.evidence == Some(Evidence::Mixed) {
        add("times", SEVERAL_KINDS);
    }
    if sources.contains(&Source::Statistics) {
        add(
            "waiting",
            "statistics of `mpiscope monitor --virtual-clock off` do not tell it apart",
        );
    } else if sources.len() > 1 {
        add("waiting", "it is in the time of its calls here");
    }
    if sources.iter().any(|it| *it != Source::Trace) {
        add(PLACES, "statistics do not keep them");
    }
    if a.procedures || b.procedures {
        add(
            "procedures and loops",
            "their times hold those of what they call: `mpiscope stats` has them",
        );
    }
    if found.paths_left_out > 0 {
        let what = counted(found.paths_left_out as u64, "call path");
        add(&what, "only those that differ most between runs are");
    }
    if let Some(why) = no_iterations(&a.runs, &b.runs, found) {
        add("iterations and phases", why);
    } else if lacks_phases(found) {
        add(
            "phases",
            "files of --write-baseline of version 1 do not have them",
        );
    }
    all
}

/// What only traces have.
const PLACES: &str = "iterations, phases, regions, call paths, and computation by its place";

/// What keeps runs from being judged.
const SEVERAL_KINDS: &str =
    "the runs are of several kinds: in traces times hold what recording took, of statistics it is \
     taken off, and in virtual time what observation of others took, too";

fn lacks_phases(found: &Comparison) -> bool {
    let has = |is_one: fn(&Key) -> bool| found.rows.iter().any(|it| is_one(&it.key));
    has(|it| *it == Key::Iteration) && !has(|it| matches!(it, Key::Phase(_)))
}

fn no_iterations(a: &[Measures], b: &[Measures], found: &Comparison) -> Option<&'static str> {
    let have = |runs: &[Measures]| runs.iter().any(|it| !it.iterations.is_empty());
    let is_compared = found.rows.iter().any(|it| it.key == Key::Iteration);
    let is_mixed = found.evidence == Some(Evidence::Mixed);
    (have(a) && have(b) && !is_compared && !is_mixed).then_some("the runs do not count them alike")
}
