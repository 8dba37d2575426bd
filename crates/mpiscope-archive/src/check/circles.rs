//! Definitions that are their own parents, or parents of their parents.

use std::collections::{HashMap, HashSet};

use otf2::Definition;

use super::ids::{look, own, Space, Use};

/// How far the search has come with a definition.
#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

/// Returns the places of those that close a circle: one of each, which is the first to refer to
/// one that refers to it.
pub(super) fn circles(definitions: &[Definition]) -> HashSet<usize> {
    let closing = closing(definitions).into_iter();
    closing.map(|(index, _)| index).collect()
}

/// Returns the references that close a circle: from which definition to which.
pub(crate) fn closing(definitions: &[Definition]) -> HashSet<(usize, usize)> {
    let needs = needs(definitions);
    let mut state = vec![State::New; needs.len()];
    let mut circles = HashSet::new();
    // By hand: a chain of parents may be longer than the stack.
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for first in 0..needs.len() {
        if state[first] == State::New {
            state[first] = State::Open;
            stack.push((first, 0));
        }
        while let Some((index, next)) = stack.last_mut() {
            let Some(needed) = needs[*index].get(*next).copied() else {
                state[*index] = State::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            match state[needed] {
                State::New => {
                    state[needed] = State::Open;
                    stack.push((needed, 0));
                }
                State::Open => {
                    circles.insert((*index, needed));
                }
                State::Done => {}
            }
        }
    }
    circles
}

/// Returns for each definition those that it refers to; of a number that is defined twice the
/// last one.
pub(crate) fn needs(definitions: &[Definition]) -> Vec<Vec<usize>> {
    let mut at: HashMap<(Space, u64), usize> = HashMap::new();
    for (index, definition) in definitions.iter().enumerate() {
        if let Some(it) = own(definition) {
            at.insert(it, index);
        }
    }
    let needs = definitions.iter().map(|definition| {
        let mut needs = Vec::new();
        look(definition, &mut |how, space, id| {
            if how == Use::Refers {
                needs.extend(at.get(&(space, id)));
            }
        });
        needs
    });
    needs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parents: &[u32], expected: &[usize]) {
        let nodes = (0..).zip(parents).map(|(id, parent)| Definition::Callpath {
            id,
            parent: *parent,
            region: otf2::UNDEFINED,
        });
        let found = circles(&nodes.collect::<Vec<_>>());
        assert_eq!(found, expected.iter().copied().collect());
    }

    #[test]
    fn of_each_circle_one_is_found() {
        check(&[0], &[0]);
        check(&[1, 2, 0, 0], &[2]);
        check(&[1, 2, 3, otf2::UNDEFINED], &[]);
    }

    #[test]
    fn a_long_chain_is_no_circle() {
        let chain: Vec<u32> = (1..200_000).chain([otf2::UNDEFINED]).collect();
        check(&chain, &[]);
    }
}
