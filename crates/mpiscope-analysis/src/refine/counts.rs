//! The events of one location by region: one pass.

use mpiscope_model::{Duration, EventKind, Location, Timestamp};
use rustc_hash::FxHashMap;

use crate::nesting::{Frame, Nesting};

/// What is known of a region on one location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub visits: u64,
    pub events: u64,
    /// Of all visits, what they called included.
    pub time: Duration,
    /// Something of others was done in it.
    pub encloses: bool,
}

/// What is known of a location.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Of the program's own regions.
    regions: FxHashMap<usize, Count>,
    /// From the first to the last event.
    pub time: Duration,
}

impl Counts {
    /// Counts; `own` says of each region whether it is the program's.
    pub fn of(location: &Location, own: &[bool]) -> Counts {
        let mut pass = Pass {
            own,
            times: location.events.times(),
            open: Vec::new(),
            marked: 0,
            counts: Counts::default(),
        };
        let mut nesting = Nesting::default();
        for (index, kind) in location.events.kinds().iter().enumerate() {
            nesting.step(&location.events, index);
            match kind {
                EventKind::Enter => pass.enters(nesting.innermost()),
                EventKind::Leave => {
                    let region = location.events.args()[index];
                    pass.leaves(region as usize, nesting.ended(), index);
                }
                // These stand anywhere, and tell nothing of what is around them.
                EventKind::Sample
                | EventKind::Metric
                | EventKind::MeasurementOnOff
                | EventKind::Other => {}
                _ => pass.marks(),
            }
        }
        let last = pass.times.len().saturating_sub(1);
        pass.ends(nesting.open(), last);
        let time = |at: Option<&Timestamp>| at.copied().unwrap_or_default();
        pass.counts.time = time(pass.times.last()) - time(pass.times.first());
        pass.counts
    }

    /// Returns what is known of each region.
    pub fn regions(&self) -> impl Iterator<Item = (usize, &Count)> {
        self.regions.iter().map(|(region, count)| (*region, count))
    }

    /// Returns how many events chosen regions have.
    pub fn events(&self, is_chosen: impl Fn(usize) -> bool) -> u64 {
        let chosen = self.regions().filter(|(region, _)| is_chosen(*region));
        chosen.map(|(_, count)| count.events).sum()
    }
}

struct Pass<'a> {
    own: &'a [bool],
    times: &'a [Timestamp],
    /// What is open, outermost first.
    open: Vec<usize>,
    /// So many of these, from the outermost on, are known to enclose something.
    marked: usize,
    counts: Counts,
}

impl Pass<'_> {
    fn own(&mut self, region: usize) -> Option<&mut Count> {
        (self.own.get(region) == Some(&true))
            .then(|| self.counts.regions.entry(region).or_default())
    }

    fn enters(&mut self, entered: Option<Frame>) {
        let Some(frame) = entered else { return };
        let region = frame.region.index();
        match self.own(region) {
            Some(count) => {
                count.visits += 1;
                count.events += 1;
            }
            None => self.marks(),
        }
        self.open.push(region);
    }

    fn leaves(&mut self, region: usize, ended: impl Iterator<Item = Frame>, index: usize) {
        if let Some(count) = self.own(region) {
            count.events += 1;
        }
        let before = self.open.len();
        let ended = self.ends(ended, index);
        self.open.truncate(before - ended);
        self.marked = self.marked.min(self.open.len());
    }

    /// Adds the time of visits that end with an event; returns how many these are.
    fn ends(&mut self, frames: impl Iterator<Item = Frame>, index: usize) -> usize {
        let mut ended = 0;
        for frame in frames {
            ended += 1;
            let time = self.times[index] - self.times[frame.enter as usize];
            if let Some(count) = self.own(frame.region.index()) {
                count.time += time.max(Duration::ZERO);
            }
        }
        ended
    }

    /// Marks what is open: something of others is done.
    fn marks(&mut self) {
        for at in self.marked..self.open.len() {
            let region = self.open[at];
            if let Some(count) = self.own(region) {
                count.encloses = true;
            }
        }
        self.marked = self.open.len();
    }
}
