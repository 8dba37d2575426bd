//! What is reported, for text and programs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use mpiscope_analysis::compare::{
    Asked, Call, Compared, Comparison, Evidence, Judgement, Key, Measures, Side, Source,
};
use serde::Serialize;

use super::left_out::{left_out, LeftOut};
use super::load::Set;
use super::text::verdict;
use crate::call::base;
use crate::report::show;

/// Everything that is reported.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// What to know first, in sentences.
    pub verdict: Vec<String>,
    pub a: SetFacts,
    pub b: SetFacts,
    /// How often equal builds may be taken for different ones.
    pub level: f64,
    /// The least change that matters, in percent.
    pub least_percent: f64,
    /// On what the judgements rest.
    pub evidence: EvidenceFacts,
    /// Totals, then those whose change is largest.
    pub rows: Vec<RowFacts>,
    pub conditions: Vec<Answered>,
    /// What only some of the runs have, or cannot be told.
    pub not_compared: Vec<LeftOut>,
    /// What is to be known besides, in sentences.
    pub notes: Vec<String>,
    pub damage: Vec<String>,
}

/// A side.
#[derive(Debug, Serialize)]
pub struct SetFacts {
    pub paths: Vec<PathBuf>,
    /// From what its runs are known: `traces`, `statistics`, `statistics in virtual time`.
    pub kinds: Vec<&'static str>,
    pub runs: usize,
    /// Those of them that died: what they took is not what the program takes.
    pub without_end: usize,
    pub ranks: u64,
    /// The time of all ranks, on average.
    pub total_ns: f64,
}

/// On what judgements rest.
#[derive(Debug, Default, Serialize)]
pub struct EvidenceFacts {
    /// `runs`, `iterations`, `too few runs`, `mixed`, `none`.
    pub kind: &'static str,
    /// Ways to share out the runs that were looked at, or that there are.
    pub permutations: Option<u64>,
    /// These are all that there are.
    pub exact: Option<bool>,
    /// The least p that so few runs can have.
    pub least_p: Option<f64>,
    /// So many runs on each side would do.
    pub runs_wanted: Option<usize>,
}

/// A row.
#[derive(Debug, Serialize)]
pub struct RowFacts {
    /// As one types it.
    pub name: String,
    /// In words.
    pub what: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Of a call path, the regions around, outermost first.
    pub path: Option<Vec<String>>,
    /// What it is called in A, if lines moved.
    pub was: Option<String>,
    /// `a` or `b`, if the other does not have it.
    pub only: Option<&'static str>,
    /// A sum of other rows, or the length of something.
    pub is_total: bool,
    /// A length by the clock, and not summed over ranks.
    #[serde(skip)]
    pub is_length: bool,
    /// On average.
    pub a_ns: f64,
    pub b_ns: f64,
    pub a_runs_ns: Vec<i64>,
    pub b_runs_ns: Vec<i64>,
    pub change_ns: f64,
    /// Of A's; nothing if A has none of it.
    pub change_percent: Option<f64>,
    /// Of the change of the time of all ranks; nothing if that is too small to be shared out.
    pub share_percent: Option<f64>,
    pub a_visits: f64,
    pub b_visits: f64,
    pub p: Option<f64>,
    /// `slower`, `faster`, `noise`, `small` or `cannot tell`.
    pub judgement: &'static str,
}

/// What became of a condition.
#[derive(Debug, Serialize)]
pub struct Answered {
    pub condition: String,
    pub answer: Answer,
    pub why: String,
    /// It asks whether something takes longer; else whether it takes less time.
    #[serde(skip)]
    pub longer: bool,
    /// The rows that it names.
    #[serde(skip)]
    pub rows: Vec<String>,
}

/// Is it so?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    True,
    False,
    Unknown,
}

impl Facts {
    /// Says what was found.
    pub fn new(found: &Comparison, a: &Set, b: &Set, asked: &Asked) -> Facts {
        let side = |set: &Set, total| SetFacts {
            paths: set.paths.clone(),
            kinds: kinds(set),
            runs: set.runs.len(),
            without_end: set.died.len(),
            ranks: set.runs.first().map_or(0, |it| it.ranks),
            total_ns: total,
        };
        let rows = found.rows.iter().map(|row| {
            let places = b.runs.iter().chain(&a.runs);
            RowFacts::new(row, found, asked.least, places)
        });
        let mut facts = Facts {
            verdict: Vec::new(),
            a: side(a, found.total_a),
            b: side(b, found.total_b),
            level: asked.level,
            least_percent: asked.least * 100.0,
            evidence: EvidenceFacts::of(found.evidence),
            rows: rows.collect(),
            conditions: Vec::new(),
            not_compared: left_out(a, b, found),
            notes: notes(a, b, found),
            damage: a.damage.iter().chain(&b.damage).cloned().collect(),
        };
        if facts.without_end() > 0 {
            facts.rows.iter_mut().for_each(RowFacts::unjudged);
        }
        facts.verdict = verdict(&facts);
        facts
    }

    /// Returns how many runs of both sides died.
    pub fn without_end(&self) -> usize {
        self.a.without_end + self.b.without_end
    }

    /// Returns the row of that name.
    pub fn row(&self, name: &str) -> Option<&RowFacts> {
        self.rows
            .iter()
            .find(|row| row.name == name && row.is_total)
    }
}

fn kinds(set: &Set) -> Vec<&'static str> {
    let mut all: Vec<Source> = set.runs.iter().map(|it| it.source).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(Source::name).collect()
}

fn notes(a: &Set, b: &Set, found: &Comparison) -> Vec<String> {
    let mut clocks: Vec<&str> = a.clocks.iter().chain(&b.clocks).copied().collect();
    clocks.sort_unstable();
    clocks.dedup();
    let mut notes: Vec<String> = a.died.iter().chain(&b.died).cloned().collect();
    if clocks.len() > 1 {
        notes.push(format!(
            "the runs are in different times ({}): waits and what is between them may differ by that",
            clocks.join(", ")
        ));
    }
    let of_statistics: BTreeSet<&String> = a.notes.iter().chain(&b.notes).collect();
    notes.extend(of_statistics.into_iter().cloned());
    if found.evidence == Some(Evidence::Mixed) {
        notes.push(calls(found));
    }
    let moved = found.rows.iter().filter(|it| it.was.is_some()).count();
    if moved > 0 {
        notes.push(format!(
            "lines moved: {moved} rows were matched by the order of equal calls in a function"
        ));
    }
    notes
}

/// Says which calls are made another number of times: that runs of all kinds know.
fn calls(found: &Comparison) -> String {
    let is_call = |it: &&Compared| matches!(it.key, Key::Call(_)) && it.visits_a != it.visits_b;
    let say = |it: &Compared| {
        let count = |visits: f64| show::count(visits.round() as u64);
        let (b, a) = (count(it.visits_b), count(it.visits_a));
        format!("{} ({b} after {a} times)", it.key)
    };
    let other: Vec<String> = found.rows.iter().filter(is_call).map(say).collect();
    match other.is_empty() {
        true => "each call is made as often in B as in A".to_owned(),
        false => format!(
            "calls that are made more or less often: {}",
            show::list(&other, 3)
        ),
    }
}

impl EvidenceFacts {
    fn of(evidence: Option<Evidence>) -> EvidenceFacts {
        match evidence {
            None => EvidenceFacts {
                kind: "none",
                ..EvidenceFacts::default()
            },
            Some(Evidence::Iterations) => EvidenceFacts {
                kind: "iterations",
                ..EvidenceFacts::default()
            },
            Some(Evidence::Mixed) => EvidenceFacts {
                kind: "mixed",
                ..EvidenceFacts::default()
            },
            Some(Evidence::Runs {
                permutations,
                exact,
            }) => EvidenceFacts {
                kind: "runs",
                permutations: Some(permutations),
                exact: Some(exact),
                ..EvidenceFacts::default()
            },
            Some(Evidence::TooFew {
                permutations,
                least_p,
                wanted,
            }) => EvidenceFacts {
                kind: "too few runs",
                permutations: Some(permutations),
                least_p: Some(least_p),
                runs_wanted: Some(wanted),
                ..EvidenceFacts::default()
            },
        }
    }
}

impl RowFacts {
    /// Takes back what was judged: runs that died are among those compared.
    fn unjudged(&mut self) {
        (self.p, self.judgement) = (None, Judgement::Unknown.name());
    }

    fn new<'a>(
        row: &Compared,
        found: &Comparison,
        least: f64,
        mut runs: impl Iterator<Item = &'a Measures>,
    ) -> RowFacts {
        let place = runs.find_map(|run| place(&row.key, run));
        let (a, change) = (row.mean_a(), row.change());
        let whole = found.total_b - found.total_a;
        let part = |of: f64| change / of * 100.0;
        // What got slower and what got faster by as much are no parts of their difference.
        let is_shared = !row.key.is_total() && whole != 0.0 && whole.abs() >= least * found.total_a;
        RowFacts {
            name: row.key.typed(),
            what: row.key.to_string(),
            file: place.as_ref().map(|it| it.0.clone()),
            line: place.map(|it| it.1),
            path: match &row.key {
                Key::Path(around, _) => Some(around.clone()),
                _ => None,
            },
            was: row.was.as_ref().map(Key::typed),
            only: row.only.map(|side| match side {
                Side::A => "a",
                Side::B => "b",
            }),
            is_total: row.key.is_total(),
            is_length: row.key.is_length(),
            a_ns: a,
            b_ns: row.mean_b(),
            a_runs_ns: row.a.clone(),
            b_runs_ns: row.b.clone(),
            change_ns: change,
            change_percent: (a > 0.0).then(|| part(a)),
            share_percent: is_shared.then(|| part(whole)),
            a_visits: row.visits_a,
            b_visits: row.visits_b,
            p: row.p,
            judgement: row.judgement.name(),
        }
    }

    /// Returns whether it got slower or faster.
    pub fn is_judged(&self) -> bool {
        [Judgement::Slower, Judgement::Faster]
            .iter()
            .any(|it| it.name() == self.judgement)
    }

    /// Writes what it is, and where.
    pub fn shown(&self) -> String {
        shown(&self.what, self.file.clone().zip(self.line).as_ref())
    }
}

/// Writes what a row is, and where, if that is not said yet.
pub fn shown(what: &str, place: Option<&(String, u32)>) -> String {
    match place {
        Some((file, line)) if !what.contains(" at ") => format!("{what} at {}:{line}", base(file)),
        _ => what.to_owned(),
    }
}

/// Returns the file and line of a row, as a run knows them.
pub fn place(key: &Key, run: &Measures) -> Option<(String, u32)> {
    match key {
        Key::Region(name) => return run.regions.get(name).cloned(),
        Key::Path(_, inner) => return place(inner, run),
        _ => {}
    }
    let of_call = |call: &Call| {
        let file = run.files.get(&call.file).unwrap_or(&call.file);
        Some((file.clone(), call.line()?))
    };
    key.calls().find_map(of_call)
}
