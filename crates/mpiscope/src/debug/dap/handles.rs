//! What numbers stand for that an editor got: frames, and what can be unfolded. They hold until
//! their rank goes on.

use std::collections::BTreeMap;

/// What a number stands for, within a rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Handle {
    /// A frame, by its number in gdb's stack; its local variables, too.
    Frame(u32),
    /// The parts of an expression in a frame.
    Expression(u32, String),
    /// The parts of a variable object of gdb's.
    Object(String),
}

/// All numbers in use.
#[derive(Debug, Default)]
pub struct Handles {
    last: i64,
    known: BTreeMap<i64, (u32, Handle)>,
    /// Variable objects that each rank's gdb keeps for us.
    objects: BTreeMap<u32, Vec<String>>,
}

impl Handles {
    /// Returns a number for something.
    pub fn add(&mut self, rank: u32, handle: Handle) -> i64 {
        self.last += 1;
        self.known.insert(self.last, (rank, handle));
        self.last
    }

    /// Returns rank and meaning of a number.
    pub fn get(&self, number: i64) -> Option<(u32, Handle)> {
        self.known.get(&number).cloned()
    }

    /// Notes that a gdb keeps a variable object.
    pub fn keep(&mut self, rank: u32, object: &str) {
        self.objects
            .entry(rank)
            .or_default()
            .push(object.to_owned());
    }

    /// Forgets what numbers of a rank stand for; returns the variable objects that nobody needs
    /// any more.
    pub fn forget(&mut self, rank: u32) -> Vec<String> {
        self.known.retain(|_, known| known.0 != rank);
        self.objects.remove(&rank).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_hold_until_their_rank_goes_on() {
        let mut handles = Handles::default();
        let (zero, one) = (
            handles.add(0, Handle::Frame(2)),
            handles.add(1, Handle::Frame(0)),
        );
        handles.keep(0, "var1");
        assert_eq!(handles.get(zero), Some((0, Handle::Frame(2))));
        assert_eq!(handles.forget(0), ["var1"]);
        assert_eq!(handles.get(zero), None);
        assert_eq!(handles.get(one), Some((1, Handle::Frame(0))));
        assert!(handles.forget(0).is_empty());
        assert!(
            handles.add(0, Handle::Frame(2)) > one,
            "no number is used twice"
        );
    }
}
