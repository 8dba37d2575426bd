//! A run as rows with one value each.

use std::collections::BTreeMap;

use mpiscope_model::{Matching, Trace};

use super::key::base;
use super::{paths, Call, Key, Phases, Source};
use crate::iterations::median;
use crate::profile::{Activity, Asked, Profile, Statement};
use crate::wait_states::timelines;

/// The value of a row in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Summed over ranks, in nanoseconds.
    pub ns: i64,
    /// Calls, waits or stretches of computation.
    pub visits: u64,
}

/// What was measured of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// From what it is known: times of runs of several kinds are not the same.
    pub source: Source,
    /// Processes.
    pub ranks: u64,
    /// From MPI_Init to MPI_Finalize, in nanoseconds.
    pub time_ns: i64,
    /// The rows that are neither totals nor call paths, summed.
    pub total_ns: i64,
    /// How long each iteration took, if there are some.
    pub iterations: Vec<i64>,
    /// The call that they are counted by: each iteration has one of it. Not of runs of a baseline.
    pub anchor: Option<Call>,
    /// How long it takes before, in and after them.
    pub phases: Option<Phases>,
    /// All rows.
    pub rows: BTreeMap<Key, Row>,
    /// Where source files are that rows name without folders.
    pub files: BTreeMap<String, String>,
    /// Of regions, in which file and line they begin, as far as that is known.
    pub regions: BTreeMap<String, (String, u32)>,
}

impl Measures {
    /// Reads a run.
    pub fn of(trace: &Trace, matching: &Matching) -> Measures {
        let mut lines = timelines(trace);
        let (profile, waits) =
            Profile::among(trace, matching, &mut lines, &Asked::without_causes(), None);
        let (begin, length) = (profile.within.begin, profile.within.length);
        let mut run = Measures::with(trace, &profile, length.0);
        paths::add(&mut run, trace, &lines, &waits);
        if let Some(Ok((_, lengths))) = &profile.iterations {
            run.phases = Phases::of(lengths, begin, begin + length);
        }
        run
    }

    /// Reads a run whose profile is known, and how long it takes.
    pub(crate) fn with(trace: &Trace, profile: &Profile, time_ns: i64) -> Measures {
        let mut run = Measures {
            ranks: profile.ranks.len() as u64,
            time_ns,
            ..Measures::default()
        };
        run.name_places(trace);
        // Nothing of it is a value, too.
        run.add(Key::Computation, 0, 0);
        run.add(Key::Waiting, 0, 0);
        for (activity, sum) in &profile.activities {
            let Some(key) = Key::of(trace, activity) else {
                continue;
            };
            match (activity, key) {
                (Activity::Region(_) | Activity::Between(..), key) => {
                    run.add(Key::Computation, sum.time.0, sum.times);
                    run.add(key, sum.time.0, sum.times);
                }
                (_, Key::Call(call)) => {
                    run.add(Key::Call(call.clone()), sum.time.0, sum.times);
                    if sum.waiting.0 > 0 {
                        run.add(Key::Waiting, sum.waiting.0, 0);
                        run.add(Key::WaitingIn(call), sum.waiting.0, 0);
                    }
                }
                (_, key) => run.add(key, sum.time.0 + sum.waiting.0, sum.times),
            }
        }
        run.total_ns = run.sum();
        if let Some(Ok((found, lengths))) = &profile.iterations {
            let anchor = Statement {
                place: found.anchor,
                within: None,
            };
            run.anchor = Some(Call::of(trace, &anchor));
            run.iterations = (0..lengths.count())
                .map(|it| lengths.length(it).0)
                .collect();
            let count = run.iterations.len() as u64;
            run.add(Key::Iteration, median(run.iterations.clone()), count);
        }
        run.add(Key::Time, run.time_ns, 1);
        run
    }

    fn name_places(&mut self, trace: &Trace) {
        let definitions = &trace.definitions;
        for file in definitions
            .call_sites
            .iter()
            .filter_map(|it| it.file.as_ref())
        {
            self.name_file(file);
        }
        let of_program = definitions
            .regions
            .iter()
            .filter(|it| !it.source_file.is_empty());
        for region in of_program {
            let place = (region.source_file.clone(), region.begin_line);
            self.regions.insert(region.name.clone(), place);
        }
    }

    /// Remembers where a file is.
    pub(super) fn name_file(&mut self, file: &str) {
        // Of two of one name nobody knows which is meant.
        let known = self.files.entry(base(file).to_owned());
        let known = known.or_insert_with(|| file.to_owned());
        if known != file {
            base(file).clone_into(known);
        }
    }

    /// Adds to a row.
    pub fn add(&mut self, key: Key, ns: i64, visits: u64) {
        let row = self.rows.entry(key).or_default();
        row.ns = row.ns.saturating_add(ns);
        row.visits = row.visits.saturating_add(visits);
    }

    /// Adds up the rows that are no total.
    fn sum(&self) -> i64 {
        let rows = self.rows.iter().filter(|(key, _)| !key.is_total());
        rows.fold(0, |sum: i64, (_, row)| sum.saturating_add(row.ns))
    }
}
