//! What a rank does before it calls MPI_Init and after MPI_Finalize: no part of what scales.
//!
//! Tools that record functions have `main` around both calls, and loading of data before them.

use std::collections::BTreeMap;

use mpiscope_model::{Timestamp, Trace};

use crate::compare::{Key, Measures};
use crate::timeline::{is_init, spans, Doing, Regions, Timeline};

/// From where a rank enters MPI_Init to where it leaves MPI_Finalize, as far as it calls them.
#[derive(Clone, Copy)]
struct Within {
    begin: Timestamp,
    end: Timestamp,
}

/// All of the time.
const ALWAYS: Within = Within {
    begin: Timestamp::MIN,
    end: Timestamp::MAX,
};

/// Takes time outside off regions and off what was not recorded. Rows of calls, and of computation
/// beside them, leave it out already.
pub(super) fn take_off(trace: &Trace, lines: &[Timeline], measures: &mut Measures) {
    let regions = Regions::new(trace);
    let ranks = ranks(trace, lines, &regions);
    let threads = trace.locations.iter().zip(lines);
    for (location, line) in threads.filter(|(it, _)| it.is_thread()) {
        let within = ranks.get(&location.rank.0).copied().unwrap_or(ALWAYS);
        spans(&location.events, &regions, &line.times, |span| {
            let key = match (&span.doing, span.within) {
                (Doing::Work, Some(region)) => {
                    let region = trace.definitions.regions.get(region.index());
                    Key::Region(region.map(|it| it.name.clone()).unwrap_or_default())
                }
                (Doing::Unrecorded, _) => Key::Unrecorded,
                _ => return,
            };
            let (begin, end) = (span.begin.max(within.begin), span.end.min(within.end));
            let inside = (end - begin).0.max(0);
            let outside = (span.end - span.begin).0.saturating_sub(inside);
            if outside > 0 {
                take(measures, key, outside, u64::from(inside == 0));
            }
        });
    }
}

/// Returns when each rank is within MPI, of those that call MPI_Init or MPI_Finalize.
fn ranks(trace: &Trace, lines: &[Timeline], regions: &Regions) -> BTreeMap<u32, Within> {
    let mut ranks: BTreeMap<u32, Within> = BTreeMap::new();
    let threads = trace.locations.iter().zip(lines);
    for (location, line) in threads.filter(|(it, _)| it.is_thread()) {
        spans(&location.events, regions, &line.times, |span| {
            let Doing::Mpi(_, _, Some(region)) = span.doing else {
                return;
            };
            let region = trace.definitions.regions.get(region.index());
            let rank = location.rank.0;
            match region.map_or("", |it| it.name.as_str()) {
                it if is_init(it) => ranks.entry(rank).or_insert(ALWAYS).begin = span.begin,
                "MPI_Finalize" => ranks.entry(rank).or_insert(ALWAYS).end = span.end,
                _ => {}
            }
        });
    }
    ranks
}

/// Takes a stretch, or a part of one, off a row and its sums; a row that has nothing left goes.
fn take(measures: &mut Measures, key: Key, ns: i64, visits: u64) {
    measures.total_ns = measures.total_ns.saturating_sub(ns);
    let of_computation = matches!(key, Key::Region(_)).then_some(Key::Computation);
    for key in [Some(key), of_computation].into_iter().flatten() {
        let Some(row) = measures.rows.get_mut(&key) else {
            continue;
        };
        row.ns = row.ns.saturating_sub(ns);
        row.visits = row.visits.saturating_sub(visits);
        if row.visits == 0 && row.ns == 0 && !key.is_total() {
            measures.rows.remove(&key);
        }
    }
}
