//! What the logical clock did to receives, by class and pair of groups: which
//! messages it found too early, also because of its own earlier moves, how far
//! it moved the events that received them, and what became of the local
//! intervals that end there.

use std::collections::BTreeMap;

use mpiscope_model::{Duration, LocationIndex, Matching, Timestamp, Trace};

use super::known::{self, Known};
use super::{count, Displacement, Distortion, Places};
use crate::correction::{Correction, Jump};
use crate::exchange::plain;
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
    let crew = known::crew(matching, None);
    let known = Known::new(trace, matching, &correction.latencies, places, crew);
    count(crew, &known, [&times], Some(correction)).moves(&known)
}

impl Moved {
    /// Adds an event that received a message. The message moved it, if it
    /// arrives just when that event jumped to: the forward sweep's time of a
    /// sender that bound somebody stands, ramps do not raise it.
    #[inline]
    pub(super) fn add(&mut self, it: Move, arrival: i64) {
        self.displacement.add(it.by);
        self.found += u64::from(it.jump == Some(Timestamp(arrival)));
        if let Some([before, after]) = it.interval {
            self.distortion.add(before, after);
        }
    }
}

/// What became of an event that received a message.
#[derive(Clone, Copy)]
pub(super) struct Move {
    by: Duration,
    /// Where it jumped to.
    jump: Option<Timestamp>,
    /// How long it was after the event before, if there is one: before and after.
    interval: Option<[Duration; 2]>,
}

plain! { Move { by, jump, interval } }

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

    /// Returns what became of an event.
    #[inline]
    pub fn at(&self, index: u32) -> Move {
        let last = index as usize;
        let by = (self.after[last] - self.before[last]).abs();
        // What jumped was moved.
        let may_jump = by > Duration::ZERO && !self.jumps.is_empty();
        let first = last.checked_sub(1);
        Move {
            by,
            jump: if may_jump { self.jump(index) } else { None },
            interval: first
                .map(|first| [self.before, self.after].map(|times| times[last] - times[first])),
        }
    }

    fn jump(&self, index: u32) -> Option<Timestamp> {
        let jump = self.jumps.binary_search_by_key(&index, |jump| jump.event);
        Some(self.jumps[jump.ok()?].to)
    }
}
