//! A process's vector clock, and the stamps that tell others of it.
//!
//! The own element advances at the first send after a receive that had a
//! choice: only there can anybody know more of this process than before
//! (Clémençon et al. 1995 advance it at every send, which comes to the same).
//! The others are what was heard (Fidge 1989). A stamp holds only elements
//! that changed since the last stamp to the same process (Singhal and
//! Kshemkalyani 1992): stamps between two processes stay in order, so that the
//! other end can put the whole together. Where nothing changed, none is needed.

use super::recency::Recency;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Processes that send each other messages, with whole clocks beside them.
    struct World {
        clocks: Vec<Clock>,
        told: Vec<Vec<u64>>,
        whole: Vec<Vec<u64>>,
    }

    impl World {
        fn new(n: usize) -> Self {
            Self {
                clocks: (0..n).map(|own| Clock::new(own, n)).collect(),
                told: vec![vec![0; n]; n],
                whole: vec![vec![0; n]; n],
            }
        }

        /// Sends; returns the stamp and what it stands for.
        fn send(&mut self, from: usize, to: usize) -> (Vec<u64>, Vec<u64>) {
            let changes = self.clocks[from].before_send();
            let mut stamp = Vec::new();
            self.clocks[from].news(self.told[from][to], &mut stamp);
            self.told[from][to] = changes;
            (stamp, self.whole[from].clone())
        }

        fn receive(&mut self, at: usize, (stamp, whole): &(Vec<u64>, Vec<u64>)) {
            for element in stamp.chunks_exact(2) {
                self.clocks[at].learn(element[0], element[1]);
            }
            for (known, value) in self.whole[at].iter_mut().zip(whole) {
                *known = (*known).max(*value);
            }
            // Its sends from now on know of this receive.
            self.clocks[at].choose();
            self.whole[at][at] += 1;
        }
    }

    /// In any order of any messages, channels kept in order, a process knows of
    /// a receive by its stamps if it does by whole clocks that count receives.
    #[test]
    fn increments_say_what_whole_clocks_say() {
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for n in [1, 2, 3, 7] {
            let mut world = World::new(n);
            let mut channels = vec![vec![Vec::new(); n]; n];
            // Own element when each receive was decided, by process.
            let mut decided = vec![Vec::new(); n];
            for _ in 0..2000 {
                let (from, to) = (random(n), random(n));
                if random(2) == 0 || channels[from][to].is_empty() {
                    let message = world.send(from, to);
                    channels[from][to].push(message);
                    continue;
                }
                let message = channels[from][to].remove(0);
                world.receive(to, &message);
                decided[to].push(world.clocks[to].choose());
                for of in (0..n).filter(|&of| of != to) {
                    let by_stamps = world.clocks[to].elements[of];
                    let knew = decided[of].iter().filter(|&&time| time < by_stamps).count();
                    assert_eq!(knew as u64, world.whole[to][of], "{to} of {of}");
                }
            }
        }
    }

    #[test]
    fn a_process_that_knows_all_is_told_nothing() {
        let mut world = World::new(64);
        assert_eq!(world.send(0, 5).0.len(), 0, "nobody has chosen anything");
        for process in 0..64 {
            world.clocks[process].choose();
        }
        for from in 1..64 {
            let message = world.send(from, 0);
            world.receive(0, &message);
        }
        assert_eq!(world.send(0, 5).0.len(), 2 * 64);
        assert_eq!(world.send(0, 5).0.len(), 0);
        world.clocks[9].choose();
        let news = world.send(9, 0);
        world.receive(0, &news);
        assert_eq!(world.send(0, 5).0.len(), 2 * 2);
    }
}
