//! Vector clocks that share what they have in common.
//!
//! A clock is a tree of 16 branches per node, its leaves hold 64 components.
//! Clocks are copied by counting references, and joining two of them looks
//! only at the parts that they do not share: what a process learnt from
//! another it keeps as the other's own nodes. So a join costs what changed, as
//! with the tree clocks of Mathur et al. 2022, not the number of processes; and
//! unlike those, a clock can be left behind with each message that is under
//! way, at the cost of a pointer. Where everything changes all the time, leaves
//! are long enough that a join is little more than the maximum of two arrays.

use std::rc::Rc;

/// Branches of a node.
const WIDTH: usize = 1 << BITS;
const BITS: u32 = 4;
/// Components of a leaf.
const LEAF: usize = 1 << LEAF_BITS;
const LEAF_BITS: u32 = 6;

/// A part of a clock.
#[derive(Clone, Debug, Default)]
enum Link {
    /// All components are 0.
    #[default]
    Zero,
    Leaf(Rc<[u32]>),
    Inner(Rc<[Link; WIDTH]>),
}

/// One component per column, 0 at first.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    root: Link,
    /// Levels above the leaves.
    height: u32,
    /// Components of a leaf: fewer than [`LEAF`] if there are fewer columns.
    leaf: u32,
}

impl Clock {
    /// Returns a clock of so many columns, all 0.
    pub fn new(columns: usize) -> Clock {
        let mut height = 0;
        while columns.saturating_sub(1) >> (LEAF_BITS + BITS * height) > 0 {
            height += 1;
        }
        Clock {
            root: Link::Zero,
            height,
            leaf: columns.clamp(1, LEAF) as u32,
        }
    }

    /// Returns a component.
    pub fn get(&self, column: usize) -> u32 {
        let mut link = &self.root;
        let mut level = self.height;
        loop {
            match link {
                Link::Zero => return 0,
                Link::Leaf(leaf) => return leaf[column % LEAF],
                Link::Inner(children) => {
                    level -= 1;
                    link = &children[branch(column, level)];
                }
            }
        }
    }

    /// Raises a component to at least `value`.
    pub fn raise(&mut self, column: usize, value: u32) {
        if self.get(column) < value {
            self.root.set((self.height, self.leaf), column, value);
        }
    }

    /// Raises all components to at least those of another clock.
    pub fn join(&mut self, other: &Clock) {
        self.root.merge(&other.root);
    }

    /// Joins many clocks, neighbours first: those that differ little are
    /// joined before their differences add up.
    pub fn joined(mut clocks: Vec<Clock>) -> Option<Clock> {
        while clocks.len() > 1 {
            let mut joined = Vec::with_capacity(clocks.len().div_ceil(2));
            let mut rest = clocks.into_iter();
            while let Some(mut clock) = rest.next() {
                if let Some(neighbour) = rest.next() {
                    clock.join(&neighbour);
                }
                joined.push(clock);
            }
            clocks = joined;
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

    fn merge(&mut self, other: &Link) {
        if self.is(other) {
            return;
        }
        match (&mut *self, other) {
            (_, Link::Zero) => {}
            (Link::Zero, _) => *self = other.clone(),
            (Link::Leaf(own), Link::Leaf(theirs)) => {
                let (own_more, theirs_more) = compare(own, theirs);
                if !own_more {
                    *self = other.clone();
                } else if theirs_more {
                    let own = Rc::make_mut(own).iter_mut();
                    own.zip(theirs.iter()).for_each(|(a, b)| *a = *b.max(a));
                }
            }
            (Link::Inner(own), Link::Inner(theirs)) => {
                let children = Rc::make_mut(own);
                let mut same = true;
                for (child, other) in children.iter_mut().zip(theirs.iter()) {
                    child.merge(other);
                    same &= child.is(other);
                }
                if same {
                    *self = other.clone();
                }
            }
            _ => unreachable!("clocks of one sweep have one height"),
        }
    }

    fn set(&mut self, (level, leaf): (u32, u32), column: usize, value: u32) {
        if matches!(self, Link::Zero) {
            *self = match level {
                0 => Link::Leaf(vec![0; leaf as usize].into()),
                _ => Link::Inner(Rc::new(std::array::from_fn(|_| Link::Zero))),
            };
        }
        match self {
            Link::Leaf(leaf) => Rc::make_mut(leaf)[column % LEAF] = value,
            Link::Inner(children) => {
                let level = level - 1;
                let child = &mut Rc::make_mut(children)[branch(column, level)];
                child.set((level, leaf), column, value);
            }
            Link::Zero => unreachable!("was replaced above"),
        }
    }
}

/// Returns which branch leads to a column, from above a level.
fn branch(column: usize, level: u32) -> usize {
    column >> (LEAF_BITS + BITS * level) & (WIDTH - 1)
}

/// Returns whether the first has a greater component, and the second.
fn compare(a: &[u32], b: &[u32]) -> (bool, bool) {
    let (mut first, mut second) = (0, 0);
    for (a, b) in a.iter().zip(b) {
        first |= u32::from(a > b);
        second |= u32::from(a < b);
    }
    (first > 0, second > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CLOCKS: usize = 4;

    proptest! {
        #[test]
        fn behaves_as_plain_vectors(
            columns in 1usize..3000,
            steps in prop::collection::vec((0..CLOCKS, 0..CLOCKS, 0usize..3000, 0u32..50), 0..200),
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
