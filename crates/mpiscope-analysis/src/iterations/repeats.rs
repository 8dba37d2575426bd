//! Which symbol of a sequence comes back again and again with the same symbols in between.
//!
//! Between two occurrences of a symbol lies a *body*: the set of symbols in it, so that it does not
//! matter how often an inner loop or a poll is repeated. How many bodies are like the most frequent
//! one, and which share of the time they cover, makes a symbol strong. Of those about as strong that one
//! is taken which divides the time into most bodies that all hold about the same, so that what a program
//! does in every second or third step only divides nothing, however long steps happen to last; of
//! equals the one that occurs first. Where no bodies are like that, the fewest are taken, which are
//! those of the outermost loop. Each symbol that is looked at costs one pass.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{FEWEST, WEAKEST};

/// An element of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Numbered from 0.
    pub symbol: u32,
    /// When: never before the step before.
    pub at: i64,
}

/// A symbol that comes back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Repeat {
    pub symbol: u32,
    /// How often it comes back: one less than it occurs.
    pub count: usize,
    /// Which share of the time lies in bodies that are alike, less where few are or there are few.
    pub strength: f64,
    /// Which share of the time lies between its first and its last occurrence.
    pub share: f64,
    /// Which share of the bodies is like the most frequent one.
    pub alike: f64,
    /// Which share of them holds about what it holds, however long they last.
    pub same: f64,
}

/// Symbols that are looked at, at most.
const MOST: usize = 32;
/// Different bodies of a symbol that are remembered, at most.
const MOST_BODIES: usize = 256;
/// A body that lasts so many times as long as the median, or as short, is not like the others.
const MOST_TIMES: i64 = 3;
/// So much weaker is about as strong.
const ABOUT: f64 = 0.05;
/// A symbol whose bodies all hold about the same may be a larger share weaker: how many last as long as
/// others is chance.
const ABOUT_AS_STRONG: f64 = 0.1;
/// Bodies that are not alike more often than this are no iterations.
const LEAST_ALIKE: f64 = 0.5;
/// Where lengths say nothing, so many bodies hold about the same.
const LEAST_THE_SAME: f64 = 0.9;

impl Repeat {
    /// Returns whether it is taken rather than another one; of equals it is not.
    pub fn beats(&self, other: &Repeat) -> bool {
        let both = [(0, other), (1, self)].map(|(symbol, it)| Repeat { symbol, ..*it });
        strongest(&both).is_some_and(|it| it.symbol == 1)
    }
}

/// Returns of those about as strong as the strongest the one with most bodies that all hold about the
/// same, if there are such, else the one with fewest; of equals the one whose symbol occurs first.
pub(super) fn strongest(all: &[Repeat]) -> Option<Repeat> {
    let most = all.iter().map(|it| it.strength).fold(0.0, f64::max);
    let as_strong = |least: f64| all.iter().filter(move |it| it.strength >= least);
    let steps = as_strong(most * (1.0 - ABOUT_AS_STRONG));
    let steps = steps.filter(|it| it.same >= LEAST_THE_SAME);
    let finest = steps.max_by_key(|it| (it.count, Reverse(it.symbol)));
    let outermost = || as_strong(most - ABOUT).min_by_key(|it| (it.count, it.symbol));
    finest.or_else(outermost).copied()
}

/// Where each symbol occurs: numbers of steps, ascending.
fn places(steps: &[Step]) -> Vec<(u32, Vec<u32>)> {
    let mut places: Vec<(u32, Vec<u32>)> = Vec::new();
    for (index, step) in (0..).zip(steps) {
        let at = step.symbol as usize;
        if at >= places.len() {
            places.resize(at + 1, (0, Vec::new()));
        }
        places[at].0 = step.symbol;
        places[at].1.push(index);
    }
    places
}

/// Returns all symbols that come back often enough, of a sequence that lasts so long: whose bodies
/// are alike, or if there are none, those whose bodies do the same and last as long as they like, as
/// on a machine that gives its processors to others meanwhile.
pub(super) fn all(steps: &[Step], span: i64) -> Vec<Repeat> {
    let found = candidates(steps, span).into_iter();
    let found = found.filter_map(|it| Bodies::of(steps, it)?.repeat(it, span));
    let found: Vec<Found> = found.collect();
    let alike = found.iter().map(|it| it.repeat);
    let alike = alike.filter(|it| it.strength >= WEAKEST && it.alike >= LEAST_ALIKE);
    let alike: Vec<Repeat> = alike.collect();
    match alike.is_empty() {
        false => alike,
        true => found.iter().filter_map(Found::whatever_they_last).collect(),
    }
}

/// A symbol that comes back.
struct Found {
    repeat: Repeat,
    /// How strong the symbol would be if it did not matter how long bodies last.
    strength: f64,
}

impl Found {
    /// Returns it as weaker than all whose bodies last about as long, if they do the same.
    fn whatever_they_last(&self) -> Option<Repeat> {
        let suits = self.repeat.same >= LEAST_THE_SAME && self.strength >= WEAKEST;
        suits.then_some(Repeat {
            strength: WEAKEST * self.strength,
            ..self.repeat
        })
    }
}

/// Returns those symbols that can be strong: of each loop one.
fn candidates(steps: &[Step], span: i64) -> Vec<u32> {
    let mut places = places(steps);
    places.retain(|(_, at)| at.len() > FEWEST);
    places.sort_by_key(|(_, at)| (at.len(), at[0]));
    // What takes turns is of one loop: its last is taken, behind which the loop begins anew.
    let mut loops: Vec<(u32, Vec<u32>)> = Vec::new();
    for (symbol, at) in places {
        let mut alike = loops
            .iter_mut()
            .rev()
            .take_while(|it| it.1.len() == at.len());
        match alike.find(|it| take_turns(&it.1, &at)) {
            Some(of) => *of = (symbol, at),
            None => loops.push((symbol, at)),
        }
    }
    let at_most = |(_, at): &(u32, Vec<u32>)| {
        let time = |at: u32| steps[at as usize].at;
        strength(time(at[at.len() - 1]) - time(at[0]), at.len() - 1, span)
    };
    loops.sort_by(|a, b| at_most(b).total_cmp(&at_most(a)));
    loops.truncate(MOST);
    loops.into_iter().map(|it| it.0).collect()
}

/// Returns whether of two symbols that occur equally often the second always follows the first.
fn take_turns(first: &[u32], second: &[u32]) -> bool {
    let follows = first.iter().zip(second).all(|(a, b)| a < b);
    follows && second.iter().zip(&first[1..]).all(|(b, next)| b < next)
}

fn strength(covered: i64, count: usize, span: i64) -> f64 {
    part(covered, span) * (1.0 - 1.0 / count as f64)
}

fn part(covered: i64, span: i64) -> f64 {
    match span > 0 {
        true => (covered as f64 / span as f64).min(1.0),
        false => 0.0,
    }
}

/// What lies between the occurrences of a symbol.
#[derive(Default)]
struct Bodies {
    /// By the hash of the set.
    sets: FxHashMap<u64, Body>,
    count: usize,
    time: i64,
}

/// Bodies of one set of symbols.
struct Body {
    symbols: FxHashSet<u32>,
    /// Which of all sets it was the first time: the order of a map must not decide anything.
    number: usize,
    /// How long each of them lasts.
    times: Vec<i64>,
}

impl Bodies {
    fn of(steps: &[Step], symbol: u32) -> Option<Bodies> {
        let mut bodies = Bodies::default();
        let symbols = steps.iter().map(|step| step.symbol).max()? as usize + 1;
        // In which body each symbol was seen last.
        let mut seen = vec![0u32; symbols];
        let mut number = 0;
        let mut began = 0;
        let mut hash = 0u64;
        let mut set: Vec<u32> = Vec::new();
        for step in steps {
            if number > 0 && seen[step.symbol as usize] != number {
                seen[step.symbol as usize] = number;
                set.push(step.symbol);
                hash = hash.wrapping_add(mixed(step.symbol));
            }
            if step.symbol == symbol {
                if number > 0 {
                    bodies.add(hash, &set, step.at - began);
                }
                number += 1;
                (began, hash) = (step.at, 0);
                set.clear();
            }
        }
        Some(bodies)
    }

    fn add(&mut self, hash: u64, set: &[u32], time: i64) {
        self.count += 1;
        self.time += time;
        let number = self.sets.len();
        if number < MOST_BODIES || self.sets.contains_key(&hash) {
            let body = self.sets.entry(hash).or_insert_with(|| Body {
                symbols: set.iter().copied().collect(),
                number,
                times: Vec::new(),
            });
            body.times.push(time);
        }
    }

    /// Says how alike the bodies are: like the most frequent one in what they hold, and neither
    /// much shorter nor much longer than these mostly are.
    fn repeat(&self, symbol: u32, span: i64) -> Option<Found> {
        let order = |it: &&Body| (it.times.len(), Reverse(it.number));
        let usual = self.sets.values().max_by_key(order)?;
        let like = self.sets.values();
        let like = like.filter(|it| are_alike(&it.symbols, &usual.symbols));
        let mut times: Vec<i64> = like.flat_map(|it| it.times.iter().copied()).collect();
        let middle = times.len() / 2;
        let median = *times.select_nth_unstable(middle).1;
        let usual = median / MOST_TIMES..=median.saturating_mul(MOST_TIMES);
        let as_long = times.iter().filter(|time| usual.contains(time)).count();
        let of_all = |bodies: usize| bodies as f64 / self.count as f64;
        let (alike, same) = (of_all(as_long), of_all(times.len()));
        let strength = strength(times.iter().sum(), self.count, span);
        Some(Found {
            repeat: Repeat {
                symbol,
                count: self.count,
                strength: alike * strength,
                share: part(self.time, span),
                alike,
                same,
            },
            strength: same * strength,
        })
    }
}

/// Returns whether two thirds of what either has are in both.
fn are_alike(a: &FxHashSet<u32>, b: &FxHashSet<u32>) -> bool {
    let both = a.intersection(b).count();
    3 * both >= 2 * (a.len() + b.len() - both)
}

/// Spreads a number over 64 bits (splitmix64), so that sums of them tell sets apart.
fn mixed(symbol: u32) -> u64 {
    let mut bits = (u64::from(symbol) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests;
