//! Where computation was, as samples tell: by function and by line.
//!
//! ```
//! use mpiscope_analysis::computation::Computation;
//! use mpiscope_model::Trace;
//!
//! let picture = "sampled 1000
//!                0: 1 sample(heat.c:42*3) 2 sample(heat.c:43)
//!                1: 1 sample(heat.c:42)";
//! let found = Computation::of(&Trace::parse(picture).unwrap()).unwrap();
//! assert_eq!((found.samples, found.periods), (3, 5));
//! assert_eq!(found.lines[0].periods, 4);
//! ```

use std::cmp::Reverse;
use std::collections::BTreeMap;

use mpiscope_model::{CallSite, Trace};

/// What all samples of a trace tell together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Computation {
    /// Nanoseconds of processor time that a period stands for, if that is known.
    pub period_ns: Option<u64>,
    /// Samples.
    pub samples: u64,
    /// Periods that they stand for.
    pub periods: u64,
    /// Functions, most first.
    pub functions: Vec<Share>,
    /// Lines, most first.
    pub lines: Vec<Share>,
    /// Periods by rank.
    pub by_rank: BTreeMap<u32, u64>,
}

/// What of it was at one place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Share {
    /// Where: of a function without line.
    pub place: Place,
    /// Samples.
    pub samples: u64,
    /// Periods that they stand for.
    pub periods: u64,
    /// Periods by rank.
    pub by_rank: BTreeMap<u32, u64>,
}

/// A function, or a line of it; what has no name is known by the executable or library alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The function.
    pub function: Option<String>,
    /// Its source file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// The executable or library; empty for code made at run time.
    pub module: String,
}

impl Place {
    fn line_of(site: &CallSite) -> Place {
        Place {
            function: site.function.clone(),
            file: site.file.clone(),
            line: site.line,
            module: site.module.clone(),
        }
    }

    fn without_line(self) -> Place {
        Place { line: None, ..self }
    }
}

/// The samples and periods of one place on one rank.
type Counts = BTreeMap<(u32, u32), [u64; 2]>;

impl Computation {
    /// Adds up the samples of a trace; nothing if there are none.
    pub fn of(trace: &Trace) -> Option<Computation> {
        let counts = counts(trace);
        if counts.is_empty() {
            return None;
        }
        let mut found = Computation {
            period_ns: trace.definitions.sample_period.filter(|&period| period > 0),
            ..Computation::default()
        };
        let (mut functions, mut lines) = (BTreeMap::new(), BTreeMap::new());
        for ((site, rank), [samples, periods]) in counts {
            let site = trace.definitions.call_sites.get(site as usize);
            let line = site.map(Place::line_of).unwrap_or_default();
            add(
                &mut functions,
                line.clone().without_line(),
                rank,
                [samples, periods],
            );
            add(&mut lines, line, rank, [samples, periods]);
            found.samples += samples;
            found.periods += periods;
            *found.by_rank.entry(rank).or_default() += periods;
        }
        found.functions = most_first(functions);
        found.lines = most_first(lines);
        Some(found)
    }
}

/// Counts by place and rank, as places are many fewer than samples.
fn counts(trace: &Trace) -> Counts {
    let mut counts = Counts::new();
    for location in &trace.locations {
        for (_, sample) in location.events.samples() {
            let [samples, periods] = counts.entry((sample.site.0, location.rank.0)).or_default();
            *samples += 1;
            *periods += u64::from(sample.periods);
        }
    }
    counts
}

fn add(all: &mut BTreeMap<Place, Share>, place: Place, rank: u32, [samples, periods]: [u64; 2]) {
    let share = all.entry(place).or_default();
    share.samples += samples;
    share.periods += periods;
    *share.by_rank.entry(rank).or_default() += periods;
}

fn most_first(all: BTreeMap<Place, Share>) -> Vec<Share> {
    let named = all
        .into_iter()
        .map(|(place, share)| Share { place, ..share });
    let mut shares: Vec<Share> = named.collect();
    shares.sort_by_key(|share| Reverse(share.periods)); // of equal ones by name
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_function_are_one_function() {
        let mut trace = Trace::parse(
            "0: 1 sample(a.c:1*2) 2 sample(a.c:2) 3 sample(a.c:9)
             1: 1 sample(a.c:9*4) 2 enter(MPI_Send) !at(a.c:1) 3 leave(MPI_Send)",
        )
        .unwrap();
        for site in &mut trace.definitions.call_sites {
            let name = if site.line == Some(9) { "cold" } else { "hot" };
            site.function = Some(name.into());
        }
        let found = Computation::of(&trace).unwrap();
        let told = |shares: &[Share]| -> Vec<(String, Option<u32>, u64, u64)> {
            let told = shares.iter().map(|it| {
                let function = it.place.function.clone().unwrap_or_default();
                (function, it.place.line, it.samples, it.periods)
            });
            told.collect()
        };
        let cold = |line, samples, periods| ("cold".to_owned(), line, samples, periods);
        let hot = |line, samples, periods| ("hot".to_owned(), line, samples, periods);
        assert_eq!(told(&found.functions), [cold(None, 2, 5), hot(None, 2, 3)]);
        let lines = [cold(Some(9), 2, 5), hot(Some(1), 1, 2), hot(Some(2), 1, 1)];
        assert_eq!(told(&found.lines), lines);
        assert_eq!(found.by_rank, BTreeMap::from([(0, 4), (1, 4)]));
        assert_eq!(found.period_ns, None);
    }

    #[test]
    fn a_trace_without_samples_tells_nothing() {
        let trace = Trace::parse("sampled 1000\n0: 1 enter(f) 2 leave(f)").unwrap();
        assert_eq!(Computation::of(&trace), None);
    }
}
