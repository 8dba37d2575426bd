//! What two parts call a message that goes from one to the other: where all know all messages, its
//! number among these; where each knows its own alone, its number among those from the one to the
//! other, which both have in one order.

use mpiscope_model::Matching;

use crate::exchange::Division;
use crate::links::ends;
use crate::marks::Marks;

/// The names of what a part sends to others, and of what it receives from them.
pub(crate) enum Names {
    /// All know all messages.
    Numbers,
    /// Each knows its own alone.
    OfPairs {
        /// What goes to another part, and its names in the order of the list.
        sent: Marks,
        names: Vec<u32>,
        /// By part: what comes from there, in the order of names.
        received: Vec<Vec<u32>>,
    },
}

impl Names {
    /// The names that a part knows.
    pub fn new(matching: &Matching, division: &Division, me: usize) -> Names {
        if matching.of_all.is_none() {
            return Names::Numbers;
        }
        let links = matching.messages.len() + matching.bounds.len();
        let mut sent = Marks::new(links);
        let mut names = Vec::new();
        let mut next = vec![0; division.parts()];
        let mut received = vec![Vec::new(); division.parts()];
        for link in 0..links as u32 {
            let (send, receive) = ends(matching, link);
            let from = division.part_of(send.location.0);
            let to = division.part_of(receive.location.0);
            if from == me && to != me {
                sent.set(link);
                names.push(next[to]);
                next[to] += 1;
            } else if to == me && from != me {
                received[from].push(link);
            }
        }
        sent.count();
        Names::OfPairs {
            sent,
            names,
            received,
        }
    }

    /// Returns what a message is called that goes to another part.
    pub fn of(&self, link: u32) -> u32 {
        match self {
            Names::Numbers => link,
            Names::OfPairs { sent, names, .. } => names[sent.place(link)],
        }
    }

    /// Returns which message another part calls so that sent it, if there is one.
    pub fn link(&self, part: usize, name: u32) -> Option<u32> {
        match self {
            Names::Numbers => Some(name),
            Names::OfPairs { received, .. } => received[part].get(name as usize).copied(),
        }
    }
}
