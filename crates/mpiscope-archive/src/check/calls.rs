//! Which regions are open at a location: the last one entered is the first one left.
//!
//! What tasks of threads enter is not followed: they may go on with another thread.

use std::collections::HashMap;

use otf2::Event;

/// The regions that are open.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    open: Vec<u32>,
    /// How often each is open, so that none is searched for in vain.
    times: HashMap<u32, usize>,
    in_task: bool,
}

/// What a leave leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Left {
    /// The region entered last; or nobody can tell.
    Last,
    /// An outer one: these are still open, the last one entered first.
    Outer(Vec<u32>),
    /// A region that is not open.
    Nothing,
}

impl Calls {
    /// Follows an event that begins or ends a task's turn.
    pub fn turn(&mut self, event: &Event) {
        // The implicit task of a thread has the number 0.
        match event {
            Event::ThreadTaskSwitch {
                generation_number, ..
            } => self.in_task = *generation_number != 0,
            Event::OmpTaskSwitch { task_id } => self.in_task = *task_id != 0,
            _ => {}
        }
    }

    /// Whether a task's turn hides what is open.
    pub fn in_task(&self) -> bool {
        self.in_task
    }

    pub fn enter(&mut self, region: u32) {
        if !self.in_task {
            self.open.push(region);
            *self.times.entry(region).or_default() += 1;
        }
    }

    pub fn leave(&mut self, region: u32) -> Left {
        if self.in_task {
            return Left::Last;
        }
        if self.open.last() == Some(&region) {
            self.pop();
            return Left::Last;
        }
        if !self.times.contains_key(&region) {
            return Left::Nothing;
        }
        let mut inner = Vec::new();
        while let Some(open) = self.pop().filter(|open| *open != region) {
            inner.push(open);
        }
        Left::Outer(inner)
    }

    fn pop(&mut self) -> Option<u32> {
        let region = self.open.pop()?;
        if let Some(times) = self.times.get_mut(&region) {
            *times -= 1;
            if *times == 0 {
                self.times.remove(&region);
            }
        }
        Some(region)
    }

    /// Returns the region entered last.
    pub fn innermost(&self) -> Option<u32> {
        self.open.last().copied()
    }

    /// Returns what is open in the end, the last one entered first.
    pub fn end(mut self) -> Vec<u32> {
        self.open.reverse();
        self.open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_closes_what_was_entered_after_it() {
        let mut calls = Calls::default();
        for region in [1, 2, 3, 2] {
            calls.enter(region);
        }
        assert_eq!(calls.leave(9), Left::Nothing);
        assert_eq!(calls.leave(2), Left::Last);
        assert_eq!(calls.leave(1), Left::Outer(vec![3, 2]));
        assert_eq!(calls.leave(2), Left::Nothing);
        assert!(calls.end().is_empty());
    }

    #[test]
    fn tasks_are_not_followed() {
        let mut calls = Calls::default();
        calls.enter(1);
        let turn = |generation_number| Event::ThreadTaskSwitch {
            thread_team: 0,
            creating_thread: 0,
            generation_number,
        };
        calls.turn(&turn(7));
        calls.enter(2);
        assert_eq!(calls.leave(3), Left::Last);
        calls.turn(&turn(0));
        assert_eq!(calls.leave(1), Left::Last);
    }
}
