//! What the logical clock did to receives, by class and pair of groups: which
//! messages it found too early, also because of its own earlier moves, how far
//! it moved the events that received them, and what became of the local
//! intervals that end there.

use std::collections::BTreeMap;

use mpiscope_model::{Duration, LocationIndex, Matching, Timestamp, Trace};

use super::view::View;
use super::{Displacement, Distortion, Places};
use crate::correction::{Correction, Jump};
use crate::latency::Class;

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
    let view = View::new([&times], &correction.latencies, places, Some(correction));
    view.gather(trace, matching).moves(&view)
}

impl Moved {
    /// Looks at the event that received a message. The message moved it, if it
    /// arrives just when that event jumped to: the forward sweep's time of a
    /// sender that bound somebody stands, ramps do not raise it.
    #[inline]
    pub(super) fn add(&mut self, receiver: &Receiver, index: u32, arrival: i64) {
        let (first, last) = (index.saturating_sub(1) as usize, index as usize);
        let (before, after) = (receiver.before, receiver.after);
        let by = (after[last] - before[last]).abs();
        self.displacement.add(by);
        // What jumped was moved.
        if by > Duration::ZERO && !receiver.jumps.is_empty() {
            let jump = receiver
                .jumps
                .binary_search_by_key(&index, |jump| jump.event);
            let found = jump.is_ok_and(|at| receiver.jumps[at].to.0 == arrival);
            self.found += u64::from(found);
        }
        if first < last {
            self.distortion
                .add(before[last] - before[first], after[last] - after[first]);
        }
    }
}

/// A location's times before and after, and what jumped there.
#[derive(Clone, Copy)]
pub(super) struct Receiver<'a> {
    before: &'a [Timestamp],
    after: &'a [Timestamp],
    jumps: &'a [Jump],
}

impl<'a> Receiver<'a> {
    pub fn new(correction: &'a Correction, location: LocationIndex) -> Receiver<'a> {
        let location = location.index();
        Receiver {
            before: &correction.interpolated[location],
            after: &correction.corrected[location],
            jumps: &correction.jumps[location],
        }
    }
}
