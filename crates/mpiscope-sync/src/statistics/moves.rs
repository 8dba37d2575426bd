//! What the logical clock did to receives, by class and pair of groups: which
//! messages it found too early, also because of its own earlier moves, how far
//! it moved the events that received them, and what became of the local
//! intervals that end there.

use std::collections::BTreeMap;

use mpiscope_model::{Matching, Timestamp, Trace};
use rustc_hash::FxHashMap;

use super::{Awaited, Displacement, Distortion, Figures, Places, Tally, View};
use crate::latency::Class;
use crate::Correction;

/// What became of receives in a correction. Of collective operations each
/// receiver's message counts that was waited for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moves {
    /// By how near sender and receiver are: see [`Class::ALL`].
    pub classes: [Moved; Class::ALL.len()],
    /// By the groups of sender and receiver.
    pub pairs: BTreeMap<(u32, u32), Moved>,
}

/// What became of some receives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// Messages that the logical clock found too early after what it had moved
    /// before. An event that two messages hold back equally counts for both.
    pub found: u64,
    /// How far the receiving events were moved.
    pub displacement: Displacement,
    /// What became of the intervals from the event before.
    pub distortion: Distortion,
}

impl Moved {
    /// Adds other receives.
    pub fn merge(&mut self, other: &Moved) {
        self.found += other.found;
        self.displacement.merge(&other.displacement);
        self.distortion.merge(&other.distortion);
    }
}

impl Moves {
    /// Returns the figures of all classes together.
    pub fn all(&self) -> Moved {
        let mut all = Moved::default();
        self.classes.iter().for_each(|class| all.merge(class));
        all
    }
}

/// Finds what a correction did to the receives of a trace.
pub fn moves(
    trace: &Trace,
    matching: &Matching,
    correction: &Correction,
    places: &Places,
) -> Moves {
    let times: Vec<&[Timestamp]> = correction.corrected.iter().map(AsRef::as_ref).collect();
    let view = View::new(&times, &correction.latencies, places);
    let new = || Seen {
        correction,
        classes: Default::default(),
        pairs: FxHashMap::default(),
    };
    let seen = view.gather(trace, matching, new);
    Moves {
        classes: seen.classes,
        pairs: seen.pairs.into_iter().collect(),
    }
}

/// What is gathered, and what it is about.
struct Seen<'a> {
    correction: &'a Correction,
    classes: [Moved; Class::ALL.len()],
    pairs: FxHashMap<(u32, u32), Moved>,
}

impl Tally for Seen<'_> {
    fn add(&mut self, _: Class, _: &Figures) {}

    fn awaited(&mut self, view: &View, message: &Awaited) {
        let moved = self.correction.moved(message);
        self.classes[message.class as usize].merge(&moved);
        let pair = self.pairs.entry(view.groups(message)).or_default();
        pair.merge(&moved);
    }

    fn merge(&mut self, other: Self) {
        for (own, other) in self.classes.iter_mut().zip(&other.classes) {
            own.merge(other);
        }
        for (pair, other) in &other.pairs {
            self.pairs.entry(*pair).or_default().merge(other);
        }
    }
}

impl Correction {
    /// Looks at the event that received a message. The message moved it, if it
    /// arrives just when that event jumped to: the forward sweep's time of a
    /// sender that bound somebody stands, ramps do not raise it.
    fn moved(&self, message: &Awaited) -> Moved {
        let (location, index) = (message.receive.location.index(), message.receive.index);
        let jumps = &self.jumps[location];
        let jump = jumps.binary_search_by_key(&index, |jump| jump.event);
        let arrival = message.sent.saturating_add(message.latency.0);
        let found = jump.is_ok_and(|at| jumps[at].to.0 == arrival);
        let (first, last) = (index.saturating_sub(1) as usize, index as usize);
        let before = &self.interpolated[location];
        let after = &self.corrected[location];
        Moved {
            found: u64::from(found),
            displacement: super::displacement(&before[last..=last], &after[last..=last]),
            distortion: super::distortion(&before[first..=last], &after[first..=last]),
        }
    }
}
