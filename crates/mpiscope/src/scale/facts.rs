//! What is reported, for text and programs.

use mpiscope_analysis::compare::Measures;
use mpiscope_analysis::scaling::{Cause, Class, Kind, Row, Scaling, Size};
use serde::Serialize;

use super::load::Loaded;
use super::notes;
use super::shared::{Counted, Known, Named, OfRow, OfRuns};
use super::verdict::{verdict, SMALL};
use crate::report::show;
use crate::traced::FEW;

/// Everything that is reported.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// What to know first, in sentences.
    pub verdict: Vec<String>,
    /// `strong` or `weak`.
    pub scaling: &'static str,
    /// How that is known.
    pub scaling_from: KindFrom,
    /// What core time is.
    pub core_from: CoreFrom,
    /// All runs tell of all waiting; else what they do not tell is in communication.
    pub waiting_is_known: bool,
    /// Ranks of the runs that all are compared with.
    pub reference: u64,
    /// Numbers of ranks, ascending.
    pub sizes: Vec<SizeFacts>,
    /// What the largest loses, and in what.
    pub lost: Lost,
    /// Those first that lose most at the largest size.
    pub rows: Vec<RowFacts>,
    /// What makes others wait; nothing if it was not looked for.
    pub causes: Option<Vec<CauseFacts>>,
    /// What is to be known besides, in sentences.
    pub notes: Vec<String>,
    pub damage: Vec<String>,
}

/// How the kind of scaling is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KindFrom {
    /// Somebody said it.
    Asked,
    /// Runs tell it.
    Found,
    /// Nobody knows.
    Assumed,
}

/// What core time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CoreFrom {
    /// Ranks times time.
    Time,
    /// The sum of all rows.
    Rows,
}

/// Runs on equally many ranks.
#[derive(Debug, Serialize)]
pub struct SizeFacts {
    pub ranks: u64,
    #[serde(flatten)]
    pub of: OfRuns,
    pub speedup: f64,
    pub ideal_speedup: f64,
    pub scaling_efficiency: f64,
    pub global: Option<f64>,
    pub computation_scalability: Option<f64>,
    pub instruction_scalability: Option<f64>,
    pub ipc_scalability: Option<f64>,
    pub frequency_scalability: Option<f64>,
    /// What of core time is more than ideal.
    pub lost_ns: i64,
}

/// Core time that the largest size loses.
#[derive(Debug, Serialize)]
pub struct Lost {
    pub total_ns: i64,
    pub computation_ns: i64,
    pub communication_ns: i64,
    pub waiting_ns: i64,
    pub other_ns: i64,
}

/// A row; its excess is beyond ideal, and it grows with the ranks.
#[derive(Debug, Serialize)]
pub struct RowFacts {
    #[serde(flatten)]
    pub of: OfRow,
    /// Of the loss of all; nothing if that is too small to be shared out.
    pub share_percent: Option<f64>,
    /// What it takes there by what it ideally would.
    pub times_ideal: Option<f64>,
}

/// Something that makes others wait.
#[derive(Debug, Serialize)]
pub struct CauseFacts {
    #[serde(flatten)]
    pub named: Named,
    /// How long others wait for it at each size, together.
    pub waiting_ns: Vec<i64>,
    /// At the largest size beyond ideal.
    pub excess_ns: i64,
    /// The rank whose doing causes most there.
    pub rank: u32,
    /// How long others wait for it there on that rank.
    pub rank_ns: i64,
}

impl Facts {
    /// Says what was found.
    pub fn new(found: &Scaling, loaded: &[Loaded], from: KindFrom) -> Facts {
        let lost = |class| found.lost(class);
        let largest = found.largest();
        // What is lost here and won there are no parts of next to nothing.
        let is_shared = largest.lost_ns as f64 * 100.0 >= SMALL * largest.core_ns as f64;
        let shared = (is_shared && largest.lost_ns > 0).then_some(largest.lost_ns);
        let named = largest.runs.iter().chain(&found.reference().runs);
        let named: Vec<&Measures> = named.map(|run| &loaded[*run].run.measures).collect();
        let mut facts = Facts {
            verdict: Vec::new(),
            scaling: found.kind.name(),
            scaling_from: from,
            core_from: match found.is_whole {
                true => CoreFrom::Time,
                false => CoreFrom::Rows,
            },
            waiting_is_known: loaded.iter().all(|it| it.untold.is_empty()),
            reference: found.reference().ranks,
            sizes: found.sizes.iter().map(|it| size(it, loaded)).collect(),
            lost: Lost {
                total_ns: largest.lost_ns,
                computation_ns: lost(Class::Computation),
                communication_ns: lost(Class::Communication),
                waiting_ns: lost(Class::Waiting),
                other_ns: lost(Class::Other),
            },
            rows: (found.rows.iter())
                .map(|it| row(it, shared, &named))
                .collect(),
            causes: found
                .causes
                .as_ref()
                .map(|all| all.iter().map(|it| cause(it, &named)).collect()),
            notes: notes(found, loaded),
            damage: loaded.iter().flat_map(|it| it.damage.clone()).collect(),
        };
        facts.verdict = verdict(&facts);
        facts
    }

    /// Returns the runs that all are compared with.
    pub fn first(&self) -> Option<&SizeFacts> {
        self.sizes.iter().find(|it| it.ranks == self.reference)
    }

    /// Returns whether core time ideally stays the same.
    pub fn is_strong(&self) -> bool {
        self.scaling == Kind::Strong.name()
    }
}

fn size(size: &Size, loaded: &[Loaded]) -> SizeFacts {
    let known = Known {
        runs: (&size.runs, size.run),
        time_ns: size.time_ns,
        between_ns: size.between_ns,
        efficiency: size.efficiency,
        core_ns: size.core_ns,
    };
    SizeFacts {
        ranks: size.ranks,
        of: OfRuns::new(&known, loaded),
        speedup: size.speedup,
        ideal_speedup: size.ideal_speedup,
        scaling_efficiency: size.scaling_efficiency,
        global: size.global,
        computation_scalability: size.computation_scalability,
        instruction_scalability: size.of_computation.map(|it| it.instructions),
        ipc_scalability: size.of_computation.map(|it| it.per_cycle),
        frequency_scalability: size.of_computation.map(|it| it.frequency),
        lost_ns: size.lost_ns,
    }
}

fn cause(cause: &Cause, runs: &[&Measures]) -> CauseFacts {
    CauseFacts {
        named: Named::of(&cause.key, runs),
        waiting_ns: cause.waiting_ns.clone(),
        excess_ns: cause.excess_ns,
        rank: cause.rank,
        rank_ns: cause.rank_ns,
    }
}

fn row(row: &Row, lost: Option<i64>, runs: &[&Measures]) -> RowFacts {
    let counted = Counted {
        part: &row.part,
        kind: row.class().name(),
        core_ns: &row.core_ns,
        between_ns: &row.between_ns,
        visits: &row.visits,
        excess_ns: row.excess_ns,
        growth: row.growth,
        within_spread: row.within_spread,
    };
    RowFacts {
        of: OfRow::new(&counted, runs),
        share_percent: lost.map(|lost| row.excess_ns as f64 / lost as f64 * 100.0),
        times_ideal: row.times_ideal,
    }
}

fn notes(found: &Scaling, loaded: &[Loaded]) -> Vec<String> {
    let mut notes = notes::of_runs(loaded, found.is_whole);
    if found.sizes.len() < 3 {
        notes.push(
            "how losses grow cannot be told of two numbers of ranks: a third would do".to_owned(),
        );
    }
    if found.causes.is_none() {
        notes.push(format!(
            "what made others wait is not looked for in runs of more than {} events: `mpiscope \
             analyze --causes` does",
            show::count(FEW as u64)
        ));
    }
    let without = loaded.iter().filter(|it| it.run.useful.is_none()).count();
    if without > 0 {
        let which = match without == loaded.len() {
            true => "the runs have not".to_owned(),
            false => format!("{without} of the {} runs have not", loaded.len()),
        };
        notes.push(format!(
            "computation scalability is of time: whether ranks need more instructions or fewer of them \
             come in a cycle (IPC) counters tell, which {which} (trace --counters cycles,instructions)"
        ));
    }
    notes
}
