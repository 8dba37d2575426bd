//! Which number stands in the place of another: definitions of a kind are numbered in the order in
//! which they stand. Where they are already, all keep their numbers.

use std::collections::{HashMap, HashSet};

use otf2::Definition;

use crate::check::ids::{look, own, Space};

/// New numbers by old ones; those that are not in it stay.
#[derive(Debug, Default)]
pub(super) struct Numbers(HashMap<Space, HashMap<u64, u64>>);

impl Numbers {
    /// Numbers definitions from 0, but those that are numbered as writers like.
    pub fn new(definitions: &[Definition]) -> Numbers {
        let mut next: HashMap<Space, u64> = HashMap::new();
        let mut numbers = Numbers::default();
        for (space, old) in definitions.iter().filter_map(own) {
            if space.is_dense() {
                let next = next.entry(space).or_default();
                if old != *next {
                    numbers.0.entry(space).or_default().insert(old, *next);
                }
                *next += 1;
            }
        }
        numbers
    }

    /// Has what was said of one number hold for another.
    pub fn redirect(&mut self, space: Space, old: u64, to: u64) {
        let to = self.get(space, to);
        self.0.entry(space).or_default().insert(old, to);
    }

    #[inline]
    pub fn get(&self, space: Space, id: u64) -> u64 {
        match self.0.get(&space) {
            Some(changed) => changed.get(&id).copied().unwrap_or(id),
            None => id,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Numbers that nobody has, nor refers to.
#[derive(Debug, Default)]
pub(super) struct Fresh {
    used: HashMap<Space, HashSet<u64>>,
}

impl Fresh {
    pub fn new(definitions: &[Definition]) -> Fresh {
        let mut fresh = Fresh::default();
        for definition in definitions {
            look(definition, &mut |_, space, id| fresh.is_used(space, id));
        }
        fresh
    }

    pub fn is_used(&mut self, space: Space, id: u64) {
        self.used.entry(space).or_default().insert(id);
    }

    /// Returns one more.
    pub fn number(&mut self, space: Space) -> u64 {
        let used = self.used.entry(space).or_default();
        // Of so many and one more at least one is free.
        let mut free = used.len() as u64;
        while !used.insert(free) {
            free = match free {
                0 => used.len() as u64 + 1,
                _ => free - 1,
            };
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(ids: &[u32]) -> Vec<Definition> {
        let strings = ids.iter().map(|id| Definition::String {
            id: *id,
            string: String::new(),
        });
        strings.collect()
    }

    #[test]
    fn numbers_follow_the_order_and_stay_if_they_do() {
        let get = |ids: &[u32]| {
            let numbers = Numbers::new(&strings(ids));
            let new = ids
                .iter()
                .map(|id| numbers.get(Space::String, (*id).into()));
            new.collect::<Vec<u64>>()
        };
        assert_eq!(get(&[9, 0, 1 << 30, 2]), [0, 1, 2, 3]);
        assert_eq!(get(&[0, 2, 1]), [0, 1, 2]);
        assert!(Numbers::new(&strings(&[0, 1, 2])).is_empty());
    }

    #[test]
    fn what_is_redirected_gets_the_new_number() {
        let mut numbers = Numbers::new(&strings(&[0, 7]));
        numbers.redirect(Space::String, 3, 7);
        assert_eq!(numbers.get(Space::String, 3), 1);
    }

    #[test]
    fn fresh_numbers_are_nobodys() {
        let mut fresh = Fresh::new(&strings(&[0, 1, 3]));
        let mut all = vec![0, 1, 3];
        all.extend((0..4).map(|_| fresh.number(Space::String)));
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 6]);
    }
}
