//! Clocks told by increments against whole ones.
#![forbid(unsafe_code)]

use mpiscope_rules::vector_clock::Clock;
use proptest::prelude::*;

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

proptest! {
    /// In any order of any messages, channels kept in order, a process knows of
    /// a receive by its stamps if it does by whole clocks that count receives.
    #[test]
    fn increments_say_what_whole_clocks_say(
        n in 1..8usize,
        steps in prop::collection::vec((0..8usize, 0..8usize, any::<bool>()), 1..400),
    ) {
        let mut world = World::new(n);
        let mut channels = vec![vec![Vec::new(); n]; n];
        // Own element when each receive was decided, by process.
        let mut decided = vec![Vec::new(); n];
        for (from, to, sends) in steps {
            let (from, to) = (from % n, to % n);
            if sends || channels[from][to].is_empty() {
                let message = world.send(from, to);
                channels[from][to].push(message);
                continue;
            }
            let message = channels[from][to].remove(0);
            world.receive(to, &message);
            decided[to].push(world.clocks[to].choose());
            for of in (0..n).filter(|&of| of != to) {
                let by_stamps = world.clocks[to].element(of);
                let knew = decided[of].iter().filter(|&&time| time < by_stamps).count();
                prop_assert_eq!(knew as u64, world.whole[to][of], "{} of {}", to, of);
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
