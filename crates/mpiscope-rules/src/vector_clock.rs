//! A process's vector clock, and the stamps that tell others of it.
//!
//! The own element advances at the first send after a receive that had a
//! choice: only there can anybody know more of this process than before
//! (Clémençon et al. 1995 advance it at every send, which comes to the same).
//! The others are what was heard (Fidge 1989). A stamp holds only elements
//! that changed since the last stamp to the same process (Singhal and
//! Kshemkalyani 1992): stamps between two processes stay in order, so that the
//! other end can put the whole together. Where nothing changed, none is needed.

use crate::Recency;

/// The clock of one process.
#[derive(Debug)]
pub struct Clock {
    own: usize,
    elements: Vec<u64>,
    /// Number of the change that gave each element its value.
    changed: Vec<u64>,
    /// So many changes so far.
    changes: u64,
    /// Elements by their last change.
    latest: Recency,
    /// Whether a choice was made since the own element advanced.
    chose: bool,
}

impl Clock {
    /// Begins at 0, for process `own` of so many.
    pub fn new(own: usize, processes: usize) -> Self {
        Self {
            own,
            elements: vec![0; processes],
            changed: vec![0; processes],
            changes: 0,
            latest: Recency::new(processes),
            chose: false,
        }
    }

    /// A receive with a choice has got its message: whoever knows of it will
    /// have heard of a larger own element than the one returned.
    #[inline]
    pub fn choose(&mut self) -> u64 {
        self.chose = true;
        self.elements[self.own]
    }

    /// Prepares for a send; returns how many changes there were.
    #[inline]
    pub fn before_send(&mut self) -> u64 {
        if self.chose {
            self.chose = false;
            self.elements[self.own] += 1;
            self.note(self.own);
        }
        self.changes
    }

    /// Returns what is known of a process: how often its own element has advanced.
    pub fn element(&self, process: usize) -> u64 {
        self.elements.get(process).copied().unwrap_or(0)
    }

    fn note(&mut self, process: usize) {
        self.changes += 1;
        self.changed[process] = self.changes;
        self.latest.touch(process);
    }

    /// Learns an element of another clock.
    #[inline]
    pub fn learn(&mut self, process: u64, value: u64) {
        let process = process as usize;
        match self.elements.get_mut(process) {
            Some(known) if process != self.own && *known < value => *known = value,
            _ => return,
        }
        self.note(process);
    }

    /// Appends what changed since so many changes: pairs of process and value.
    #[inline]
    pub fn news(&self, told: u64, stamp: &mut Vec<u64>) {
        for process in self.latest.latest() {
            if self.changed[process] <= told {
                break;
            }
            stamp.extend([process as u64, self.elements[process]]);
        }
    }
}
