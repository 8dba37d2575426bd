//! What reports by ranks and by sizes have in common: of the runs of one size, and of a row.

use std::path::PathBuf;

use mpiscope_analysis::compare::{Key, Measures};
use mpiscope_analysis::efficiency::Efficiency;
use mpiscope_analysis::scaling::{Growth, Part};
use serde::Serialize;

use super::load::Loaded;
use crate::diff::{place, shown};

/// Runs that are compared as one.
#[derive(Debug, Serialize)]
pub struct OfRuns {
    /// The runs, the shortest first.
    pub paths: Vec<PathBuf>,
    /// The one that stands for all.
    pub path: PathBuf,
    pub time_ns: i64,
    pub shortest_ns: i64,
    pub longest_ns: i64,
    pub parallel: Option<f64>,
    pub load_balance: Option<f64>,
    pub communication: Option<f64>,
    pub serialization: Option<f64>,
    pub transfer: Option<f64>,
    /// Of all ranks together.
    pub core_ns: i64,
}

/// What is known of runs that are compared as one.
pub struct Known<'a> {
    /// Their places in what was loaded, and that of the one that stands for all.
    pub runs: (&'a [usize], usize),
    pub time_ns: i64,
    pub between_ns: (i64, i64),
    pub efficiency: Option<Efficiency>,
    pub core_ns: i64,
}

impl OfRuns {
    /// Names the runs; of those that do not tell all waiting some efficiencies are not said.
    pub fn new(known: &Known, loaded: &[Loaded]) -> OfRuns {
        let (runs, run) = known.runs;
        let of = known.efficiency;
        let told = of.filter(|_| loaded[run].untold.is_empty());
        let split = told.and_then(|it| it.split.ok());
        OfRuns {
            paths: runs.iter().map(|it| loaded[*it].path.clone()).collect(),
            path: loaded[run].path.clone(),
            time_ns: known.time_ns,
            shortest_ns: known.between_ns.0,
            longest_ns: known.between_ns.1,
            parallel: of.map(|it| it.parallel),
            load_balance: of.map(|it| it.load_balance),
            communication: of.map(|it| it.communication),
            serialization: split.map(|it| it.serialization),
            transfer: split.map(|it| it.transfer),
            core_ns: known.core_ns,
        }
    }
}

/// What a row is about.
#[derive(Debug, Serialize)]
pub struct Named {
    /// As one types it.
    pub name: String,
    /// In words.
    pub what: String,
    pub file: Option<String>,
    pub line: Option<u32>,
}

impl Named {
    /// Names a row, as one types it and in words, and says where it is.
    pub fn of(key: &Key, runs: &[&Measures]) -> Named {
        let place = runs.iter().find_map(|run| place(key, run));
        Named {
            name: key.typed(),
            what: shown(&key.to_string(), place.as_ref()),
            file: place.as_ref().map(|it| it.0.clone()),
            line: place.map(|it| it.1),
        }
    }

    fn of_part(part: &Part, runs: &[&Measures]) -> Named {
        match part {
            Part::Of(key) => Named::of(key, runs),
            Part::Ends => Named {
                name: "ends".to_owned(),
                what: "ranks that have left MPI_Init or come to MPI_Finalize before others"
                    .to_owned(),
                file: None,
                line: None,
            },
        }
    }
}

/// A row.
#[derive(Debug, Serialize)]
pub struct OfRow {
    #[serde(flatten)]
    pub named: Named,
    /// `computation`, `communication`, `waiting` or `other`.
    pub kind: &'static str,
    /// Core time at each size.
    pub core_ns: Vec<i64>,
    /// Of the runs that are compared as one the least.
    pub least_ns: Vec<i64>,
    pub most_ns: Vec<i64>,
    pub visits: Vec<u64>,
    /// At the largest size beyond what is expected there.
    pub excess_ns: i64,
    /// With which power its core time grows.
    pub exponent: Option<f64>,
    /// Half of the 95 % interval of that.
    pub exponent_half_width: Option<f64>,
    /// The excess is no more than repetitions differ.
    pub within_spread: Option<bool>,
}

/// What is known of a row.
pub struct Counted<'a> {
    pub part: &'a Part,
    pub kind: &'static str,
    pub core_ns: &'a [i64],
    pub between_ns: &'a [(i64, i64)],
    pub visits: &'a [u64],
    pub excess_ns: i64,
    pub growth: Option<Growth>,
    pub within_spread: Option<bool>,
}

impl OfRow {
    /// Names a row of some runs.
    pub fn new(row: &Counted, runs: &[&Measures]) -> OfRow {
        let (least_ns, most_ns) = row.between_ns.iter().copied().unzip();
        OfRow {
            named: Named::of_part(row.part, runs),
            kind: row.kind,
            core_ns: row.core_ns.to_vec(),
            least_ns,
            most_ns,
            visits: row.visits.to_vec(),
            excess_ns: row.excess_ns,
            exponent: row.growth.map(|it| it.exponent),
            exponent_half_width: row.growth.map(|it| it.half_width),
            within_spread: row.within_spread,
        }
    }
}
