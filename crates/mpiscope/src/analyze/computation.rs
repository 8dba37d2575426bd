//! Where computation was, as far as there are samples of it.

use std::collections::BTreeMap;

use mpiscope_analysis::computation::{self, Place};
use mpiscope_archive::model::Trace;
use serde::{Deserialize, Serialize};

use super::text::more;
use crate::report::show::{self, count, counted, share};

/// What samples tell of computation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Computation {
    /// Nanoseconds of processor time that a period stands for.
    pub period_ns: Option<u64>,
    /// Samples.
    pub samples: u64,
    /// Periods that they stand for.
    pub periods: u64,
    /// Periods by rank.
    pub by_rank: Vec<OfRank>,
    /// By function, most first.
    pub functions: Vec<Share>,
    /// By line, most first.
    pub lines: Vec<Share>,
}

/// What of it was at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The function, if known.
    pub function: Option<String>,
    /// Its source file, if known.
    pub file: Option<String>,
    /// The line, where it is one.
    pub line: Option<u32>,
    /// The executable or library.
    pub module: Option<String>,
    /// Samples.
    pub samples: u64,
    /// Periods that they stand for.
    pub periods: u64,
    /// The processor time that these are, if the length of a period is known.
    pub time_ns: Option<u64>,
    /// Periods by rank.
    pub by_rank: Vec<OfRank>,
}

/// Periods on one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfRank {
    /// World rank.
    pub rank: u32,
    /// How many.
    pub periods: u64,
}

/// Looks at the samples of a trace.
pub fn of(trace: &Trace) -> Option<Computation> {
    let found = computation::Computation::of(trace)?;
    let shares = |all: &[computation::Share]| {
        let shares = all.iter().map(|share| of_place(share, found.period_ns));
        shares.collect()
    };
    Some(Computation {
        period_ns: found.period_ns,
        samples: found.samples,
        periods: found.periods,
        by_rank: by_rank(&found.by_rank),
        functions: shares(&found.functions),
        lines: shares(&found.lines),
    })
}

fn of_place(share: &computation::Share, period_ns: Option<u64>) -> Share {
    let Place {
        function,
        file,
        line,
        module,
    } = share.place.clone();
    Share {
        function,
        file,
        line,
        module: Some(module).filter(|module| !module.is_empty()),
        samples: share.samples,
        periods: share.periods,
        time_ns: period_ns.map(|period| period.saturating_mul(share.periods)),
        by_rank: by_rank(&share.by_rank),
    }
}

fn by_rank(periods: &BTreeMap<u32, u64>) -> Vec<OfRank> {
    let of = |(&rank, &periods): (&u32, &u64)| OfRank { rank, periods };
    periods.iter().map(of).collect()
}

/// Writes two tables, of functions and of lines.
pub fn text(found: &Computation, top: usize) -> String {
    let period = found.period_ns.map_or_else(
        || "a period of unknown length".to_owned(),
        mpiscope_run::sampling::interval,
    );
    let title = format!(
        "where computation was, by {} that stand for {} of {period} of processor time outside of \
         MPI (what is short or rare may be missing)",
        counted(found.samples, "sample"),
        counted(found.periods, "period"),
    );
    let tables = [("function", &found.functions), ("line", &found.lines)]
        .map(|(what, shares)| table(what, shares, found, top));
    format!("{title}\n{}", tables.join("\n\n"))
}

fn table(what: &str, shares: &[Share], found: &Computation, top: usize) -> String {
    let rows = shares.iter().take(top).map(|it| {
        let time = it.time_ns.map(|ns| show::duration(ns as f64));
        [
            it.shown(),
            share(it.periods, found.periods),
            time.unwrap_or_default(),
            count(it.samples),
            it.ranks(found),
        ]
    });
    let header = [
        what,
        "share",
        "time",
        "samples",
        "share of the ranks' computation",
    ];
    show::table(header, rows.collect()) + &more(shares.len(), top)
}

impl Share {
    /// Writes `relax (heat.c)` or `relax at heat.c:42`; where no function is known, the module.
    fn shown(&self) -> String {
        let name = |path: &String| path.rsplit('/').next().unwrap_or_default().to_owned();
        let module = self.module.as_ref().map(name);
        let module = module.unwrap_or_else(|| "code made at run time".to_owned());
        match (&self.function, &self.file, self.line) {
            (Some(function), Some(file), Some(line)) => {
                format!("{function} at {}:{line}", name(file))
            }
            (Some(function), Some(file), None) => format!("{function} ({})", name(file)),
            (Some(function), None, _) => format!("{function} ({module})"),
            (None, Some(file), line) => {
                let line = line.map(|line| format!(":{line}")).unwrap_or_default();
                format!("{}{line}", name(file))
            }
            (None, None, _) => format!("{module} (no names)"),
        }
    }

    /// Writes what share of the computation of each rank it was, from the least to the most.
    fn ranks(&self, found: &Computation) -> String {
        let own: BTreeMap<u32, u64> = self
            .by_rank
            .iter()
            .map(|it| (it.rank, it.periods))
            .collect();
        let of = |all: &OfRank| {
            let periods = own.get(&all.rank).copied().unwrap_or(0);
            (periods as f64 / all.periods.max(1) as f64, periods, *all)
        };
        let mut shares: Vec<_> = found.by_rank.iter().map(of).collect();
        shares.sort_by(|a, b| a.0.total_cmp(&b.0));
        let one = |(_, periods, all): &(f64, u64, OfRank)| {
            format!("{} on rank {}", share(*periods, all.periods), all.rank)
        };
        match shares.as_slice() {
            [] => String::new(),
            [only] => one(only),
            [least, .., most] => format!("{} to {}", one(least), one(most)),
        }
    }
}
