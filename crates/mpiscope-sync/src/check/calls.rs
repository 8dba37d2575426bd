//! The calls around the events of a location, by a stack.

use mpiscope_model::{Event, Events, Note, RegionId, Trace};
use rustc_hash::FxHashMap;

use super::seen::Process;
use super::view::View;

/// Enter and leave of the innermost region around each event, and its name, for
/// those regions that were asked for.
pub(super) struct Calls<'a> {
    trace: &'a Trace,
    around: FxHashMap<usize, (usize, RegionId)>,
    leaves: FxHashMap<usize, usize>,
}

impl<'a> Calls<'a> {
    /// The calls that were asked for, at each location of a process.
    pub fn of(
        view: &View<'a>,
        process: &Process,
        asked: impl Fn(&str) -> bool + Copy,
    ) -> Vec<Calls<'a>> {
        let locations = process.locations.iter();
        let events = |&location: &u32| &view.trace.locations[location as usize].events;
        locations
            .map(|location| Calls::new(view.trace, events(location), asked))
            .collect()
    }

    fn new(trace: &'a Trace, events: &Events, asked: impl Fn(&str) -> bool) -> Calls<'a> {
        let asked: Vec<bool> = (trace.definitions.regions.iter())
            .map(|region| asked(without_suffix(&region.name)))
            .collect();
        let asked = |region: RegionId| asked.get(region.index()).copied().unwrap_or(false);
        let mut open: Vec<(usize, RegionId)> = Vec::new();
        let mut calls = Calls {
            trace,
            around: FxHashMap::default(),
            leaves: FxHashMap::default(),
        };
        for (index, (_, event)) in events.iter().enumerate() {
            if let Event::Enter(region) = event {
                open.push((index, region));
            }
            if let Some(&(enter, region)) = open.last().filter(|(_, region)| asked(*region)) {
                calls.around.insert(index, (enter, region));
            }
            if let Event::Leave(region) = event {
                let entered = open.iter().rposition(|(_, entered)| *entered == region);
                if let Some(at) = entered {
                    let ended_within = events.notes_of(index).any(|note| note == Note::CutShort);
                    if asked(region) && !ended_within {
                        calls.leaves.insert(open[at].0, index);
                    }
                    open.truncate(at);
                }
            }
        }
        calls
    }

    pub fn enter(&self, index: usize) -> Option<usize> {
        Some(self.around.get(&index)?.0)
    }

    pub fn leave(&self, index: usize) -> Option<usize> {
        self.leaves.get(&self.enter(index)?).copied()
    }

    /// The name of the call, without the suffix of large counts.
    pub fn name(&self, index: usize) -> &'a str {
        let region = self.around.get(&index).map(|(_, region)| *region);
        region.map_or("", |region| name_of(self.trace, region))
    }
}

/// The name of a region, without the suffix of large counts.
pub(super) fn name_of(trace: &Trace, region: RegionId) -> &str {
    let region = trace.definitions.regions.get(region.index());
    region.map_or("", |region| without_suffix(&region.name))
}

fn without_suffix(name: &str) -> &str {
    name.strip_suffix("_c").unwrap_or(name)
}
