//! Rows by call path: what of a row was done where the program came to it by one path.
//!
//! Such a row says more only if there are several paths to the same. Which of them are compared
//! depends on all runs alike, and not on which of them is whose: the test of all rows holds.

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_model::Trace;

use super::{Call, Compared, Key, Measures, Side};
use crate::breakdown::{Breakdown, Selection};
use crate::profile::Statement;
use crate::races::CallPlace;
use crate::timeline::{is_mpi, Regions, Timeline};
use crate::wait_states::WaitState;

/// What is a smaller part of a run's time is not kept: one in so many.
const LEAST: i64 = 1000;
/// So many are compared.
const MOST: usize = 30;

/// Adds the call paths of a run to its rows.
pub(super) fn add(run: &mut Measures, trace: &Trace, lines: &[Timeline], waits: &[Vec<WaitState>]) {
    let definitions = &trace.definitions;
    if definitions.regions.iter().all(is_mpi) {
        return;
    }
    let found = Breakdown::among(trace, &Selection::all(trace), lines, waits);
    let regions = Regions::new(trace);
    let name = |region: mpiscope_model::RegionId| {
        let region = definitions.regions.get(region.index());
        region.map(|it| it.name.clone()).unwrap_or_default()
    };
    let mut rows: BTreeMap<Key, (i64, u64)> = BTreeMap::new();
    for (path, of) in found.call_paths() {
        if path.around.is_empty() || regions.is_among_threads(path.region.0) {
            continue;
        }
        let around: Vec<String> = path.around.iter().map(|it| name(*it)).collect();
        let mut add = |inner: Key, ns: i64, visits: u64| {
            let row = rows
                .entry(Key::Path(around.clone(), Box::new(inner)))
                .or_default();
            row.0 = row.0.saturating_add(ns);
            row.1 = row.1.saturating_add(visits);
        };
        let region = definitions.regions.get(path.region.index());
        if !region.is_some_and(is_mpi) {
            add(Key::Region(name(path.region)), of.time.0, of.visits);
            continue;
        }
        let place = CallPlace {
            region: Some(path.region),
            site: path.site,
        };
        let statement = Statement {
            place,
            within: None,
        };
        let call = Call::of(trace, &statement);
        if !call.is_outside() {
            add(Key::WaitingIn(call.clone()), of.waiting.0, 0);
            add(Key::Call(call), of.time.0, of.visits);
        }
    }
    let least = (run.total_ns / LEAST).max(1);
    for (key, (ns, visits)) in rows.into_iter().filter(|(_, (ns, _))| *ns >= least) {
        run.add(key, ns, visits);
    }
}

/// Keeps the paths that are worth a row, at most so many, those that differ most between runs;
/// returns how many are left out.
pub(super) fn bound(rows: &mut Vec<Compared>) -> usize {
    let several = several(rows);
    let mut number = 0..;
    rows.retain(|row| {
        let is_one = number.next().is_some_and(|it| several.contains(&it));
        !matches!(row.key, Key::Path(..)) || is_one
    });
    let spread = |row: &Compared| {
        let all = || row.a.iter().chain(&row.b).copied();
        let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
        most.saturating_sub(least)
    };
    let is_path = |row: &&Compared| matches!(row.key, Key::Path(..));
    let mut all: Vec<(i64, Key)> = (rows.iter().filter(is_path))
        .map(|row| (spread(row), row.key.clone()))
        .collect();
    all.sort_by(|x, y| (y.0, &x.1).cmp(&(x.0, &y.1)));
    let left: BTreeSet<Key> = all.into_iter().skip(MOST).map(|it| it.1).collect();
    rows.retain(|row| !left.contains(&row.key));
    left.len()
}

/// Returns the numbers of rows of paths to what there are several paths to.
fn several(rows: &[Compared]) -> BTreeSet<usize> {
    // What A has alone is called as in B, if the lines of it moved.
    let moved = rows
        .iter()
        .filter_map(|row| Some((row.was.as_ref()?, &row.key)));
    let moved: BTreeMap<&Key, &Key> = moved.collect();
    let reached = |row: &Compared| match &row.key {
        Key::Path(_, inner) if row.only == Some(Side::A) => {
            Some((**moved.get(&**inner).unwrap_or(&&**inner)).clone())
        }
        Key::Path(_, inner) => Some((**inner).clone()),
        _ => None,
    };
    let mut paths: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        if let Some(inner) = reached(row) {
            paths.entry(inner).or_default().push(number);
        }
    }
    let several = paths.into_values().filter(|it| it.len() > 1);
    several.flatten().collect()
}
