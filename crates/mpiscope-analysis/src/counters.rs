//! What counters of the processor and the system have counted, by region and by rank.
//!
//! A counter grows from the begin of its thread on, and is read as regions are entered and left. What
//! it has counted between two readings belongs to the innermost region that was open at the second,
//! before what happens there: readings stand before the enter or leave that they are of.
//!
//! ```
//! use mpiscope_analysis::breakdown::{Selection, What};
//! use mpiscope_analysis::counters::Counters;
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 0 metric(+cycles=100) 0 enter(solve) 9 metric(+cycles=160) 9 leave(solve)
//! ")?;
//! let counted = Counters::of(&trace, &Selection::all(&trace)).unwrap();
//! assert_eq!(counted.regions.values().next(), Some(&vec![60]));
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

use std::collections::BTreeMap;

use mpiscope_model::{EventKind, Location, MetricId, MetricValue, Number, RegionId, Trace};

use crate::breakdown::{Selection, What};
use crate::nesting::Nesting;

/// What was counted, each by the numbers of [`metrics`](Counters::metrics).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// The counters.
    pub metrics: Vec<MetricId>,
    /// By the region in which it was counted.
    pub regions: BTreeMap<What, Vec<u64>>,
    /// By world rank.
    pub ranks: BTreeMap<u32, Vec<u64>>,
}

/// Where a counter stood, by metric; nothing before its first reading.
type Readings = BTreeMap<MetricId, u64>;

impl Counters {
    /// Adds up what the selected threads counted in the selected time; nothing if the trace has no
    /// counters. What was counted across the begin of a window belongs to it.
    pub fn of(trace: &Trace, selection: &Selection) -> Option<Counters> {
        let metrics = &trace.definitions.metrics;
        let counters = (0..).zip(metrics).filter(|(_, metric)| metric.accumulated);
        let metrics: Vec<MetricId> = counters.map(|(id, _)| MetricId(id)).collect();
        if metrics.is_empty() {
            return None;
        }
        let mut all = Counters {
            metrics,
            ..Counters::default()
        };
        for (number, location) in trace.locations.iter().enumerate() {
            all.add(location, selection, number);
        }
        Some(all)
    }

    fn add(&mut self, location: &Location, selection: &Selection, number: usize) {
        let window = selection.windows.get(number).cloned().flatten();
        let Some(window) = window.filter(|_| location.is_thread()) else {
            return;
        };
        let (events, times) = (&location.events, location.events.times());
        let mut readings = Readings::new();
        let mut nesting = Nesting::default();
        let mut walked = 0;
        for (at, values) in events.metrics() {
            for index in walked..at as usize {
                nesting.step(events, index);
                if events.kinds()[index] == EventKind::MeasurementOnOff {
                    // What was counted while nobody looked belongs to nothing.
                    readings.clear();
                }
            }
            walked = at as usize;
            let is_looked_at = window.contains(&times[walked]) && is_selected(selection, &nesting);
            let region = nesting.innermost().map(|frame| frame.region);
            for (counter, count) in grown(&self.metrics, &mut readings, values) {
                if is_looked_at {
                    self.count(region, location.rank.0, counter, count);
                }
            }
        }
    }

    fn count(&mut self, region: Option<RegionId>, rank: u32, counter: usize, count: u64) {
        let what = region.map_or(What::Outside, What::Region);
        let none = || vec![0; self.metrics.len()];
        for sums in [
            self.regions.entry(what).or_insert_with(none),
            self.ranks.entry(rank).or_insert_with(none),
        ] {
            sums[counter] = sums[counter].saturating_add(count);
        }
    }
}

/// Returns by how much each counter has grown since it was read last.
fn grown(metrics: &[MetricId], last: &mut Readings, values: &[MetricValue]) -> Vec<(usize, u64)> {
    let mut grown = Vec::with_capacity(values.len());
    for value in values {
        let Ok(counter) = metrics.binary_search(&value.metric) else {
            continue;
        };
        let now = match value.value {
            Number::Unsigned(now) => now,
            Number::Int(now) => now.max(0) as u64,
            Number::Real(bits) => f64::from_bits(bits) as u64,
        };
        if let Some(before) = last.insert(value.metric, now) {
            // One that is less has begun anew, with another thread.
            grown.push((counter, now.checked_sub(before).unwrap_or(now)));
        }
    }
    grown
}

/// Whether what happens now is looked at.
fn is_selected(selection: &Selection, nesting: &Nesting) -> bool {
    let is_within = selection.within.as_ref().is_none_or(|within| {
        let mut open = nesting.open();
        open.any(|frame| within.contains(&frame.region))
    });
    let is_one = selection
        .only
        .as_ref()
        .is_none_or(|only| match nesting.innermost() {
            Some(frame) => only.regions.get(frame.region.index()) == Some(&true),
            None => only.outside,
        });
    is_within && is_one
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_model::Timestamp;

    /// Names of regions, and what was counted in them.
    fn told(trace: &Trace, selection: &Selection) -> Vec<(String, Vec<u64>)> {
        let counted = Counters::of(trace, selection).unwrap();
        let name = |what: &What| match what {
            What::Region(region) => trace.definitions.regions[region.index()].name.clone(),
            _ => "outside".to_owned(),
        };
        let regions = counted.regions.iter();
        regions
            .map(|(what, sums)| (name(what), sums.clone()))
            .collect()
    }

    fn row(name: &str, sums: &[u64]) -> (String, Vec<u64>) {
        (name.to_owned(), sums.to_vec())
    }

    const PICTURE: &str = "
        0: 0 metric(+a=5,+b=1) 0 enter(f) 3 metric(+a=9,+b=1) 3 enter(g) 6 metric(+a=19,+b=4) 6 leave(g) \
           7 metric(heat=300) 8 metric(+a=20,+b=4) 8 leave(f) 9 metric(+a=27,+b=5) 9 enter(g) 9 leave(g)
        1: 1 metric(+a=0,+b=0) 1 enter(g) 2 metric(+a=100,+b=0) 2 leave(g)";

    #[test]
    fn what_is_counted_belongs_to_the_innermost_region() {
        let trace = Trace::parse(PICTURE).unwrap();
        let all = Selection::all(&trace);
        let expected = [
            row("f", &[5, 0]),
            row("g", &[110, 3]),
            row("outside", &[7, 1]),
        ];
        assert_eq!(told(&trace, &all), expected);
        let counted = Counters::of(&trace, &all).unwrap();
        assert_eq!(counted.ranks[&0], [22, 4]);
        assert_eq!(counted.ranks[&1], [100, 0]);
    }

    #[test]
    fn what_is_not_selected_is_not_counted() {
        let trace = Trace::parse(PICTURE).unwrap();
        let mut selection = Selection::all(&trace);
        selection.windows[1] = None;
        selection.windows[0] = Some(Timestamp(4)..Timestamp(9));
        assert_eq!(
            told(&trace, &selection),
            [row("f", &[1, 0]), row("g", &[10, 3])]
        );
        let g = trace
            .definitions
            .regions
            .iter()
            .position(|it| it.name == "g");
        selection.within = Some(vec![RegionId(g.unwrap() as u32)]);
        assert_eq!(told(&trace, &selection), [row("g", &[10, 3])]);
    }

    #[test]
    fn what_is_counted_unrecorded_belongs_to_nothing() {
        let picture =
            "0: 0 metric(+a=5) 1 off 2 on 2 metric(+a=50) 2 enter(f) 3 metric(+a=51) 3 leave(f)";
        let trace = Trace::parse(picture).unwrap();
        assert_eq!(told(&trace, &Selection::all(&trace)), [row("f", &[1])]);
    }

    #[test]
    fn a_counter_that_is_less_has_begun_anew() {
        let picture = "0: 0 metric(+a=5) 0 enter(f) 3 metric(+a=2) 3 leave(f)";
        let trace = Trace::parse(picture).unwrap();
        assert_eq!(told(&trace, &Selection::all(&trace)), [row("f", &[2])]);
        let none = Trace::parse("0: 0 metric(a=5) 0 enter(f)").unwrap();
        assert_eq!(Counters::of(&none, &Selection::all(&none)), None);
    }
}
