//! What two parts call a message that goes from one to the other: its number among those that do.
//! Both have these in one order, whether they know all messages or each its own alone.

use mpiscope_model::Matching;

use crate::exchange::Division;
use crate::links::ends;
use crate::marks::Marks;

/// The names of what a part sends to others, and of what it receives from them.
#[derive(Default)]
pub(crate) struct Names {
    /// What goes to another part, and its names in the order of the list.
    sent: Marks,
    names: Vec<u32>,
    /// By part: how much goes there.
    counts: Vec<u32>,
    /// By part: what comes from there, in the order of names.
    received: Vec<Vec<u32>>,
}

impl Names {
    /// The names that a part knows.
    pub fn new(matching: &Matching, division: &Division, me: usize) -> Names {
        let parts = division.parts();
        if parts == 1 {
            return Names::default();
        }
        let links = matching.messages.len() + matching.bounds.len();
        let mut all = Names {
            sent: Marks::new(links),
            names: Vec::new(),
            counts: vec![0; parts],
            received: vec![Vec::new(); parts],
        };
        for link in 0..links as u32 {
            let (send, receive) = ends(matching, link);
            let from = division.part_of(send.location.0);
            let to = division.part_of(receive.location.0);
            if from == me && to != me {
                all.sent.set(link);
                all.names.push(all.counts[to]);
                all.counts[to] += 1;
            } else if to == me && from != me {
                all.received[from].push(link);
            }
        }
        all.sent.count();
        all
    }

    /// Returns how many messages go to each part.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Returns what a message is called that goes to another part.
    pub fn of(&self, link: u32) -> u32 {
        self.names[self.sent.place(link)]
    }

    /// Returns which message a part calls so that sent it, if there is one.
    pub fn link(&self, part: usize, name: u32) -> Option<u32> {
        self.received[part].get(name as usize).copied()
    }
}
