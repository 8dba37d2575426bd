//! Runs of different sizes of the problem on equally many ranks: which lines grow fastest, and from
//! which size on they take most of the time.

mod picture;
#[cfg(test)]
mod tests;
mod text;

use anyhow::{anyhow, Result};
use mpiscope_analysis::compare::Measures;
use mpiscope_analysis::scaling::{by_size, BySize, OfSize, Refusal, Run, SizeRow};
use serde::Serialize;

use super::facts::CoreFrom;
use super::load::Loaded;
use super::notes;
use super::shared::{Counted, Known, OfRow, OfRuns};
use super::sizes::{Sizes, SizesFrom};
use crate::report::show;

pub use picture::svg;
pub use text::text;

/// Everything that is reported.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// What to know first, in sentences.
    pub verdict: Vec<String>,
    /// `sizes`: it is the problem that differs.
    pub scaling: &'static str,
    /// How sizes are known.
    pub sizes_from: SizesFrom,
    /// What core time is.
    pub core_from: CoreFrom,
    /// All runs tell of all waiting; else what they do not tell is in communication.
    pub waiting_is_known: bool,
    /// On how many ranks all runs are.
    pub ranks: u64,
    /// By size, ascending.
    pub sizes: Vec<SizeFacts>,
    /// With which power of the size the core time of all grows.
    pub exponent: Option<f64>,
    /// Half of the 95 % interval of that.
    pub exponent_half_width: Option<f64>,
    /// Those first that take most beyond the growth of the whole, then those that take most.
    pub rows: Vec<RowFacts>,
    /// What is to be known besides, in sentences.
    pub notes: Vec<String>,
    pub damage: Vec<String>,
}

/// Runs of one size.
#[derive(Debug, Serialize)]
pub struct SizeFacts {
    pub size: f64,
    #[serde(flatten)]
    pub of: OfRuns,
}

/// A row; its excess is beyond what it would be if it had grown as the whole, and it grows with the
/// size.
#[derive(Debug, Serialize)]
pub struct RowFacts {
    #[serde(flatten)]
    pub of: OfRow,
    /// Of all core time, at each size.
    pub share_percent: Vec<f64>,
    /// With which power of the core time of all else its own grows, and half of the 95 % interval.
    pub against_rest: Option<f64>,
    pub against_rest_half_width: Option<f64>,
    /// It grows faster than all else, beyond that interval; nothing if that cannot be told.
    pub outgrows: Option<bool>,
    /// From which size on it takes more than half of all core time.
    pub half_from: Option<f64>,
}

/// Compares runs by their sizes; `first` are notes that come before others.
///
/// # Errors
/// When there is nothing to compare.
pub fn facts(loaded: &[Loaded], sizes: &Sizes, first: Vec<String>) -> Result<Facts> {
    let runs: Vec<Run> = loaded.iter().map(|it| it.run.clone()).collect();
    let found = by_size(&runs, &sizes.of_runs).map_err(|why| match why {
        Refusal::Empty(at) | Refusal::NoSize(at) => {
            anyhow!("{}: {why}", show::word(&loaded[at].path))
        }
        why => anyhow!(why.to_string()),
    })?;
    let mut facts = Facts::new(&found, loaded, sizes);
    facts.notes.splice(0..0, first);
    Ok(facts)
}

impl Facts {
    fn new(found: &BySize, loaded: &[Loaded], sizes: &Sizes) -> Facts {
        let ends = [found.sizes.last(), found.sizes.first()];
        let named = ends.into_iter().flatten().flat_map(|it| &it.runs);
        let named: Vec<&Measures> = named.map(|run| &loaded[*run].run.measures).collect();
        let core_ns: Vec<i64> = found.sizes.iter().map(|it| it.core_ns).collect();
        let rows = found.rows.iter().map(|it| row(it, &core_ns, &named));
        let mut facts = Facts {
            verdict: Vec::new(),
            scaling: "sizes",
            sizes_from: sizes.from,
            core_from: match found.is_whole {
                true => CoreFrom::Time,
                false => CoreFrom::Rows,
            },
            waiting_is_known: loaded.iter().all(|it| it.untold.is_empty()),
            ranks: found.ranks,
            sizes: found.sizes.iter().map(|it| size(it, loaded)).collect(),
            exponent: found.growth.map(|it| it.exponent),
            exponent_half_width: found.growth.map(|it| it.half_width),
            rows: rows.collect(),
            notes: notes_of(found, loaded, sizes),
            damage: loaded.iter().flat_map(|it| it.damage.clone()).collect(),
        };
        facts.verdict = text::verdict(&facts);
        facts
    }
}

fn size(of: &OfSize, loaded: &[Loaded]) -> SizeFacts {
    let known = Known {
        runs: (&of.runs, of.run),
        time_ns: of.time_ns,
        between_ns: of.between_ns,
        efficiency: of.efficiency,
        core_ns: of.core_ns,
    };
    SizeFacts {
        size: of.size,
        of: OfRuns::new(&known, loaded),
    }
}

fn row(row: &SizeRow, all_ns: &[i64], runs: &[&Measures]) -> RowFacts {
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
    let shares = row.core_ns.iter().zip(all_ns);
    let share = |(part, all): (&i64, &i64)| *part as f64 / (*all).max(1) as f64 * 100.0;
    RowFacts {
        of: OfRow::new(&counted, runs),
        share_percent: shares.map(share).collect(),
        against_rest: row.against_rest.map(|it| it.exponent),
        against_rest_half_width: row.against_rest.map(|it| it.half_width),
        outgrows: row.against_rest.map(|_| row.outgrows()),
        half_from: row.half_from,
    }
}

fn notes_of(found: &BySize, loaded: &[Loaded], sizes: &Sizes) -> Vec<String> {
    let argument = sizes.argument.iter().map(|(word, before)| {
        let before = match before.as_str() {
            "" => String::new(),
            before => format!(", behind {before}"),
        };
        format!(
            "the size is word {word} behind the program{before}, the only one in which the runs \
             differ: --sizes for another"
        )
    });
    let few = (found.sizes.len() < 3).then(|| {
        "with which power of the size times grow cannot be told of two sizes: a third would do"
            .to_owned()
    });
    let of_runs = notes::of_runs(loaded, found.is_whole);
    argument.chain(of_runs).chain(few).collect()
}
