//! Which regions are open around each event of a location.
//!
//! In a sound trace enters and leaves are balanced. In one that was cut short or is damaged they
//! are not: a leave then also ends what was entered within and never left, a leave of what was
//! never entered ends nothing, and what is open at the end ends there.
//!
//! ```
//! use mpiscope_analysis::nesting::Nesting;
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("0: 1 enter(main) 2 enter(solve) 3 leave(main)").unwrap();
//! let events = &trace.locations[0].events;
//! let mut nesting = Nesting::default();
//! (0..3).for_each(|index| nesting.step(events, index));
//! assert_eq!(nesting.ended().len(), 2, "main and, within, solve");
//! ```

use mpiscope_model::{EventKind, Events, RegionId};

/// A region that was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Which.
    pub region: RegionId,
    /// The number of the event that entered it.
    pub enter: u32,
}

/// The regions open at one moment of a location.
#[derive(Clone, Debug, Default)]
pub struct Nesting {
    /// Innermost last.
    open: Vec<Frame>,
    /// Those that the last event ended, innermost last.
    ended: Vec<Frame>,
    /// Leaves of what was never entered.
    unopened: u64,
}

impl Nesting {
    /// Takes the next event.
    pub fn step(&mut self, events: &Events, index: usize) {
        self.ended.clear();
        let region = RegionId(events.args()[index]);
        match events.kinds()[index] {
            EventKind::Enter => self.open.push(Frame {
                region,
                enter: index as u32,
            }),
            EventKind::Leave => self.leave(region),
            _ => {}
        }
    }

    fn leave(&mut self, region: RegionId) {
        match self.open.iter().rposition(|frame| frame.region == region) {
            Some(at) => self.ended.extend(self.open.drain(at..)),
            None => self.unopened += 1,
        }
    }

    /// Returns the regions that ended with the event taken last, innermost first.
    pub fn ended(&self) -> impl ExactSizeIterator<Item = Frame> + '_ {
        self.ended.iter().rev().copied()
    }

    /// Returns the innermost region that is open.
    pub fn innermost(&self) -> Option<Frame> {
        self.open.last().copied()
    }

    /// Returns the regions that are open, innermost first.
    pub fn open(&self) -> impl ExactSizeIterator<Item = Frame> + '_ {
        self.open.iter().rev().copied()
    }

    /// Returns how many leaves there were of what was never entered.
    pub fn unopened(&self) -> u64 {
        self.unopened
    }
}

/// The enter that each event of a location belongs to: its own of an enter and of a leave, of
/// others that of the innermost region around.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enclosing(Vec<u32>);

/// There is no region around.
const OUTSIDE: u32 = u32::MAX;

impl Enclosing {
    /// Looks at all events of a location.
    pub fn of(events: &Events) -> Enclosing {
        let mut nesting = Nesting::default();
        let enter = |index| {
            nesting.step(events, index);
            let frame = nesting.ended().last().or_else(|| nesting.innermost());
            frame.map_or(OUTSIDE, |frame| frame.enter)
        };
        Enclosing((0..events.len()).map(enter).collect())
    }

    /// Returns the number of the enter that event `index` belongs to.
    pub fn enter(&self, index: usize) -> Option<usize> {
        let enter = self.0.get(index).copied();
        enter
            .filter(|&enter| enter != OUTSIDE)
            .map(|enter| enter as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_model::Trace;

    #[track_caller]
    fn check(picture: &str, expected: &[Option<usize>]) {
        let trace = Trace::parse(picture).unwrap();
        let events = &trace.locations[0].events;
        let enclosing = Enclosing::of(events);
        let found: Vec<_> = (0..events.len()).map(|it| enclosing.enter(it)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_event_belongs_to_the_innermost_region_around_it() {
        check(
            "0: 1 2 enter(main) 3 enter(MPI_Send) 4 send>0 5 leave(MPI_Send) 6 7 leave(main) 8",
            &[
                None,
                Some(1),
                Some(2),
                Some(2),
                Some(2),
                Some(1),
                Some(1),
                None,
            ],
        );
    }

    #[test]
    fn a_leave_of_what_was_never_entered_ends_nothing() {
        let picture = "0: 1 enter(main) 2 leave(solve) 3 leave(main) 4 leave(main)";
        check(picture, &[Some(0), Some(0), Some(0), None]);
        let trace = Trace::parse(picture).unwrap();
        let mut nesting = Nesting::default();
        for index in 0..4 {
            nesting.step(&trace.locations[0].events, index);
        }
        assert_eq!((nesting.unopened(), nesting.innermost()), (2, None));
    }

    #[test]
    fn what_is_open_at_the_end_is_told() {
        let trace = Trace::parse("0: 1 enter(main) 2 enter(solve) 3").unwrap();
        let mut nesting = Nesting::default();
        for index in 0..3 {
            nesting.step(&trace.locations[0].events, index);
            assert_eq!(nesting.ended().len(), 0);
        }
        let open: Vec<u32> = nesting.open().map(|frame| frame.enter).collect();
        assert_eq!(open, [1, 0]);
    }
}
