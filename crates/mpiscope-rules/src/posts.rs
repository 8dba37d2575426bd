//! Receives in the order of their posts.
//!
//! Of two receives that suit a message the one posted first takes it, whichever
//! completes first (MPI 4.1, §3.5). So what a receive got counts when all
//! posted before it are complete. Some never are, or last as long as the
//! program: nobody waits for them behind so many others.

use std::collections::VecDeque;

/// Most receives that wait for one posted before them.
pub const MOST: usize = 1 << 16;

/// Receives posted, and not counted yet.
#[derive(Debug)]
pub struct Posts<T> {
    first: u64,
    slots: VecDeque<Slot<T>>,
    late: u64,
}

#[derive(Debug)]
enum Slot<T> {
    Open,
    Done(Option<T>),
}

impl<T> Default for Posts<T> {
    fn default() -> Self {
        Self {
            first: 0,
            slots: VecDeque::new(),
            late: 0,
        }
    }
}

impl<T> Posts<T> {
    /// Returns whether a receive that is posted now would wait for no other.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the number of a receive that is posted now.
    #[inline]
    pub fn post(&mut self) -> u64 {
        self.slots.push_back(Slot::Open);
        self.first + self.slots.len() as u64 - 1
    }

    /// A receive is complete, with a message or without; `count` gets what counts now.
    #[inline]
    pub fn complete(&mut self, number: u64, got: Option<T>, mut count: impl FnMut(T)) {
        let at = number.checked_sub(self.first);
        match at.and_then(|at| self.slots.get_mut(at as usize)) {
            Some(slot) => *slot = Slot::Done(got),
            None => {
                self.late += 1;
                got.into_iter().for_each(&mut count);
            }
        }
        while let Some(Slot::Done(_)) = self.slots.front() {
            self.first(&mut count);
        }
        while self.slots.len() > MOST {
            self.first(&mut count);
        }
    }

    /// Counts all that are complete, at the end.
    pub fn finish(&mut self, mut count: impl FnMut(T)) {
        while !self.slots.is_empty() {
            self.first(&mut count);
        }
    }

    /// Returns how many came too late for their turn.
    pub fn late(&self) -> u64 {
        self.late
    }

    fn first(&mut self, count: &mut impl FnMut(T)) {
        self.first += 1;
        if let Some(Slot::Done(Some(got))) = self.slots.pop_front() {
            count(got);
        }
    }
}
