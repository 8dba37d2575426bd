//! Vector clocks that share what they have in common.
//!
//! A clock is a tree of 16 branches per node, its leaves hold 16 components.
//! Clocks are copied by counting references, and joining two of them looks
//! only at the parts that they do not share: what a process learnt from
//! another it keeps as the other's own nodes. So a join costs what changed, as
//! with the tree clocks of Mathur et al. 2022, not the number of processes; and
//! unlike those, a clock can be left behind with each message that is under
//! way, at the cost of a pointer.

use std::rc::Rc;

/// Branches of a node, and components of a leaf.
const WIDTH: usize = 1 << BITS;
const BITS: u32 = 4;

/// A part of a clock.
#[derive(Clone, Debug, Default)]
enum Link {
    /// All components are 0.
    #[default]
    Zero,
    Leaf(Rc<[u32; WIDTH]>),
    Inner(Rc<[Link; WIDTH]>),
}

/// One component per column, 0 at first.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    root: Link,
    /// Levels above the leaves.
    height: u32,
}

impl Clock {
    /// Returns a clock of so many columns, all 0.
    pub fn new(columns: usize) -> Clock {
        let mut height = 0;
        while columns.saturating_sub(1) >> (BITS * (height + 1)) > 0 {
            height += 1;
        }
        Clock {
            root: Link::Zero,
            height,
        }
    }

    /// Returns a component.
    pub fn get(&self, column: usize) -> u32 {
        let mut link = &self.root;
        let mut level = self.height;
        loop {
            match link {
                Link::Zero => return 0,
                Link::Leaf(leaf) => return leaf[column % WIDTH],
                Link::Inner(children) => {
                    link = &children[column >> (BITS * level) & (WIDTH - 1)];
                    level -= 1;
                }
            }
        }
    }

    /// Raises a component to at least `value`.
    pub fn raise(&mut self, column: usize, value: u32) {
        if self.get(column) < value {
            self.root.set(self.height, column, value);
        }
    }

    /// Raises all components to at least those of another clock.
    pub fn join(&mut self, other: &Clock) {
        if !self.root.is(&other.root) {
            self.root = self.root.merged(&other.root);
        }
    }

    /// Joins many clocks, neighbours first: those that differ little are
    /// joined before their differences add up.
    pub fn joined(mut clocks: Vec<Clock>) -> Option<Clock> {
        while clocks.len() > 1 {
            let pairs = clocks.chunks(2).map(|pair| {
                let mut clock = pair[0].clone();
                pair[1..].iter().for_each(|other| clock.join(other));
                clock
            });
            clocks = pairs.collect();
        }
        clocks.pop()
    }
}

impl Link {
    /// Returns whether two parts are one.
    fn is(&self, other: &Link) -> bool {
        match (self, other) {
            (Link::Zero, Link::Zero) => true,
            (Link::Leaf(a), Link::Leaf(b)) => Rc::ptr_eq(a, b),
            (Link::Inner(a), Link::Inner(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    fn merged(&self, other: &Link) -> Link {
        match (self, other) {
            (_, Link::Zero) => self.clone(),
            (Link::Zero, _) => other.clone(),
            _ if self.is(other) => self.clone(),
            (Link::Leaf(a), Link::Leaf(b)) => {
                let leaf: [u32; WIDTH] = std::array::from_fn(|i| a[i].max(b[i]));
                if leaf == **a {
                    self.clone()
                } else if leaf == **b {
                    other.clone()
                } else {
                    Link::Leaf(Rc::new(leaf))
                }
            }
            (Link::Inner(a), Link::Inner(b)) => {
                let children: [Link; WIDTH] = std::array::from_fn(|i| a[i].merged(&b[i]));
                let all = |of: &[Link; WIDTH]| children.iter().zip(of).all(|(a, b)| a.is(b));
                if all(a) {
                    self.clone()
                } else if all(b) {
                    other.clone()
                } else {
                    Link::Inner(Rc::new(children))
                }
            }
            _ => unreachable!("clocks of one sweep have one height"),
        }
    }

    fn set(&mut self, level: u32, column: usize, value: u32) {
        if matches!(self, Link::Zero) {
            *self = match level {
                0 => Link::Leaf(Rc::new([0; WIDTH])),
                _ => Link::Inner(Rc::new(std::array::from_fn(|_| Link::Zero))),
            };
        }
        match self {
            Link::Leaf(leaf) => Rc::make_mut(leaf)[column % WIDTH] = value,
            Link::Inner(children) => {
                let child = column >> (BITS * level) & (WIDTH - 1);
                Rc::make_mut(children)[child].set(level - 1, column, value);
            }
            Link::Zero => unreachable!("was replaced above"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CLOCKS: usize = 4;

    proptest! {
        #[test]
        fn behaves_as_plain_vectors(
            columns in 1usize..600,
            steps in prop::collection::vec((0..CLOCKS, 0..CLOCKS, 0usize..600, 0u32..50), 0..200),
        ) {
            let mut clocks = vec![Clock::new(columns); CLOCKS];
            let mut vectors = vec![vec![0; columns]; CLOCKS];
            for (a, b, column, value) in steps {
                let column = column % columns;
                if a == b {
                    clocks[a].raise(column, value);
                    vectors[a][column] = value.max(vectors[a][column]);
                } else {
                    let other = clocks[b].clone();
                    clocks[a].join(&other);
                    let other = vectors[b].clone();
                    vectors[a].iter_mut().zip(other).for_each(|(a, b)| *a = b.max(*a));
                }
            }
            let joined = Clock::joined(clocks.clone()).unwrap();
            for column in 0..columns {
                let components = vectors.iter().map(|vector| vector[column]);
                prop_assert_eq!(joined.get(column), components.max().unwrap());
                for (clock, vector) in clocks.iter().zip(&vectors) {
                    prop_assert_eq!(clock.get(column), vector[column]);
                }
            }
        }
    }

    #[test]
    fn who_learns_all_that_another_knows_shares_it() {
        let mut known = Clock::new(1000);
        (0..1000).for_each(|column| known.raise(column, 7));
        let mut learner = Clock::new(1000);
        learner.raise(999, 3);
        learner.join(&known);
        assert!(learner.root.is(&known.root));
    }
}
