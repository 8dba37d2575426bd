//! Robust least squares over the errors of all clocks at all knots.
//!
//! Terms compare two clocks at one time, or one clock with a constant. A
//! middle counts by Huber's loss; a bound only while it is exceeded. Second
//! differences along each clock are held small. Weights and the set of active
//! bounds are refined in rounds; each round is one linear system, solved by
//! conjugate gradients, preconditioned by the exact solution for each clock
//! alone, and for what clocks have in common ([`super::common`]). All sums run in one order, so the result is the same everywhere.

use super::band::Band;
use super::common::{Common, Groups};

/// The clock that all others are compared with; its error is 0.
pub(super) const PINNED: u32 = u32::MAX;

/// A statement about error(plus) − error(minus) at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub plus: u32,
    pub minus: u32,
    /// The knot before the time, and how far it is to the next, 0 to 1.
    pub at: (u32, f64),
    pub target: f64,
    /// 1 / standard deviation².
    pub weight: f64,
    /// Counts only while the difference exceeds the target.
    pub bound: bool,
}

/// A statement that errors at one time are equal, each less its reading:
/// the members of a collective operation left it together.
#[derive(Clone, Debug)]
pub(super) struct Together {
    pub at: (u32, f64),
    pub members: Vec<(u32, f64)>,
    /// 1 / standard deviation².
    pub weight: f64,
}

/// All that is known.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub clocks: usize,
    pub knots: usize,
    pub terms: Vec<Term>,
    pub together: Vec<Together>,
    /// 1 / standard deviation² of second differences.
    pub smoothness: f64,
}

const ROUNDS: usize = 12;
const ITERATIONS: usize = 400;
/// Beyond so many standard deviations a middle pulls no stronger: Huber 1964
/// advises 1.345 to 2.
const MIDDLE_KNEE: f64 = 2.0;
/// Second differences beyond this are steps of the frequency, as a time
/// daemon makes them.
const BEND_KNEE: f64 = 3.0;
/// Holds what nothing else holds: a standard deviation of 1 ms.
const RIDGE: f64 = 1e-12;

/// Weights of one round.
struct Weights {
    terms: Vec<f64>,
    members: Vec<f64>,
    bends: Vec<f64>,
    /// The terms that count.
    pulls: Vec<Pull>,
    /// Members of all operations: where the knots before them lie in vectors.
    places: Vec<u32>,
}

/// A term that counts in a round: most bounds do not.
#[derive(Clone, Copy)]
struct Pull {
    /// Where the knots before it lie in vectors; the pinned clock's behind all others.
    plus: u32,
    minus: u32,
    /// How far it is to the next knots, 0 to 1.
    share: f64,
    weight: f64,
    target: f64,
}

/// Vectors hold the pinned clock behind all others: two knots that stay 0.
const BEHIND: usize = 2;

fn huber(deviations: f64, knee: f64) -> f64 {
    match deviations.abs() > knee {
        true => knee / deviations.abs(),
        false => 1.0,
    }
}

impl System {
    /// Improves `x`: errors by clock and knot.
    pub fn solve(&self, x: &mut [f64]) {
        let mut active = Vec::new();
        let groups = self.groups();
        for round in 0..ROUNDS {
            let before = x.to_vec();
            let weights = self.weights(x);
            self.conjugate_gradients(&weights, &groups, x);
            let moved = (x.iter().zip(&before)).fold(0f64, |most, (a, b)| most.max((a - b).abs()));
            let now: Vec<bool> = weights.terms.iter().map(|weight| *weight > 0.0).collect();
            if round > 0 && moved < 0.5 && now == active {
                break;
            }
            active = now;
        }
    }

    fn index(&self, clock: u32, knot: u32) -> Option<usize> {
        (clock != PINNED).then_some(clock as usize * self.knots + knot as usize)
    }

    /// Returns where a clock's knot lies in vectors that have the pinned clock behind all others.
    fn place(&self, clock: u32, knot: u32) -> u32 {
        let pinned = self.clocks * self.knots;
        self.index(clock, knot).unwrap_or(pinned) as u32
    }

    /// Interpolates the error of a clock.
    pub fn error(&self, x: &[f64], clock: u32, (knot, share): (u32, f64)) -> f64 {
        self.index(clock, knot)
            .map_or(0.0, |i| x[i] * (1.0 - share) + x[i + 1] * share)
    }

    fn difference(&self, x: &[f64], term: &Term) -> f64 {
        self.error(x, term.plus, term.at) - self.error(x, term.minus, term.at)
    }

    /// Returns the terms that count with these weights, in their order.
    fn pulls(&self, weights: &[f64]) -> Vec<Pull> {
        let counting = self
            .terms
            .iter()
            .zip(weights)
            .filter(|(_, weight)| **weight > 0.0);
        let pull = |(term, &weight): (&Term, &f64)| Pull {
            plus: self.place(term.plus, term.at.0),
            minus: self.place(term.minus, term.at.0),
            share: term.at.1,
            weight,
            target: term.target,
        };
        counting.map(pull).collect()
    }

    fn weights(&self, x: &[f64]) -> Weights {
        let of_term = |term: &Term| {
            let excess = self.difference(x, term) - term.target;
            match (term.bound, excess > 0.0) {
                (true, true) => term.weight,
                (true, false) => 0.0,
                (false, _) => term.weight * huber(excess * term.weight.sqrt(), MIDDLE_KNEE),
            }
        };
        let mut members = Vec::new();
        for together in &self.together {
            let excess: Vec<f64> = (together.members.iter())
                .map(|(clock, reading)| self.error(x, *clock, together.at) - reading)
                .collect();
            let mut sorted = excess.clone();
            sorted.sort_by(f64::total_cmp);
            let median = sorted[sorted.len() / 2];
            let root = together.weight.sqrt();
            let of_member =
                |excess: &f64| together.weight * huber((excess - median) * root, MIDDLE_KNEE);
            members.extend(excess.iter().map(of_member));
        }
        let root = self.smoothness.sqrt();
        let mut bends = vec![0.0; self.clocks * self.knots];
        for clock in 0..self.clocks {
            for k in 1..self.knots - 1 {
                let i = clock * self.knots + k;
                let bend = x[i - 1] - 2.0 * x[i] + x[i + 1];
                bends[i] = self.smoothness * huber(bend * root, BEND_KNEE);
            }
        }
        let terms: Vec<f64> = self.terms.iter().map(of_term).collect();
        let of_operation = |it: &Together| {
            let place = |member: &(u32, f64)| self.place(member.0, it.at.0);
            it.members.iter().map(place).collect::<Vec<u32>>()
        };
        Weights {
            pulls: self.pulls(&terms),
            places: self.together.iter().flat_map(of_operation).collect(),
            terms,
            members,
            bends,
        }
    }

    /// Adds the gradient of half the weighted squares at `x` to `y`; with
    /// `targets` false, of the homogeneous system. Both have [`BEHIND`] entries more.
    fn gradient(&self, weights: &Weights, x: &[f64], targets: bool, y: &mut [f64]) {
        let scale = f64::from(u8::from(targets));
        for (y, x) in y.iter_mut().zip(x) {
            *y += RIDGE * x;
        }
        for pull in &weights.pulls {
            let (plus, minus, share) = (pull.plus as usize, pull.minus as usize, pull.share);
            let rest = 1.0 - share;
            let difference =
                (x[plus] * rest + x[plus + 1] * share) - (x[minus] * rest + x[minus + 1] * share);
            let force = pull.weight * (difference - scale * pull.target);
            y[plus] += force * rest;
            y[plus + 1] += force * share;
            y[minus] -= force * rest;
            y[minus + 1] -= force * share;
        }
        let mut left = (&weights.members[..], &weights.places[..]);
        let mut excess = Vec::new();
        for together in &self.together {
            let members = together.members.len();
            let (weights, places) = (&left.0[..members], &left.1[..members]);
            left = (&left.0[members..], &left.1[members..]);
            let share = together.at.1;
            excess.clear();
            let (mut sum, mut all) = (0.0, 0.0);
            for ((&place, weight), (_, reading)) in
                places.iter().zip(weights).zip(&together.members)
            {
                let place = place as usize;
                let error = x[place] * (1.0 - share) + x[place + 1] * share;
                excess.push(error - scale * reading);
                sum += weight * (error - scale * reading);
                all += weight;
            }
            for ((&place, weight), excess) in places.iter().zip(weights).zip(&excess) {
                let force = weight * (excess - sum / all);
                y[place as usize] += force * (1.0 - share);
                y[place as usize + 1] += force * share;
            }
        }
        // What pulls the pinned clock moves nothing.
        y[self.clocks * self.knots..].fill(0.0);
        for clock in 0..self.clocks {
            for k in 1..self.knots - 1 {
                let i = clock * self.knots + k;
                let force = weights.bends[i] * (x[i - 1] - 2.0 * x[i] + x[i + 1]);
                y[i - 1] += force;
                y[i] -= 2.0 * force;
                y[i + 1] += force;
            }
        }
    }

    /// The part of the matrix that concerns each clock alone, factored.
    fn preconditioner(&self, weights: &Weights) -> Vec<Band> {
        let mut bands = vec![Band::new(self.knots); self.clocks];
        let mut add = |clock: u32, at: (u32, f64), weight: f64| {
            if clock != PINNED {
                bands[clock as usize].add_at(at, weight);
            }
        };
        for (term, &weight) in self.terms.iter().zip(&weights.terms) {
            add(term.plus, term.at, weight);
            add(term.minus, term.at, weight);
        }
        let members = self.together.iter().flat_map(|together| {
            let clock = |member: &(u32, f64)| (member.0, together.at);
            together.members.iter().map(clock)
        });
        for ((clock, at), &weight) in members.zip(&weights.members) {
            add(clock, at, weight);
        }
        for (band, bends) in bands.iter_mut().zip(weights.bends.chunks_exact(self.knots)) {
            band.add_clock(bends, RIDGE);
            band.factor();
        }
        bands
    }

    /// Returns the groups of clocks that are compared with each other.
    fn groups(&self) -> Groups {
        let middles = self.terms.iter().filter(|term| !term.bound);
        let pairs = middles.map(|term| (term.plus, term.minus));
        let together = self.together.iter().flat_map(|together| {
            let members = together.members.windows(2);
            members.map(|two| (two[0].0, two[1].0))
        });
        let is_free = |&(a, b): &(u32, u32)| a != PINNED && b != PINNED;
        Groups::new(self.clocks, pairs.chain(together).filter(is_free))
    }

    /// The system of errors that are the same in all clocks of a group.
    fn common<'a>(&self, weights: &Weights, groups: &'a Groups) -> Common<'a> {
        let mut bands = vec![Band::new(self.knots); groups.count];
        let group = |clock: u32| match clock {
            PINNED => None,
            clock => groups.of(clock as usize),
        };
        for (term, &weight) in self.terms.iter().zip(&weights.terms) {
            let (plus, minus) = (group(term.plus), group(term.minus));
            if weight > 0.0 && plus != minus {
                for group in [plus, minus].into_iter().flatten() {
                    bands[group].add_at(term.at, weight);
                }
            }
        }
        let mut members = &weights.members[..];
        for together in &self.together {
            let (mine, rest) = members.split_at(together.members.len());
            members = rest;
            let all: f64 = mine.iter().sum();
            let held = together.members.iter().zip(mine);
            let pinned: f64 = held
                .filter(|(member, _)| member.0 == PINNED)
                .map(|(_, w)| w)
                .sum();
            let first = together.members.iter().find_map(|member| group(member.0));
            if let (Some(group), true) = (first, pinned > 0.0) {
                bands[group].add_at(together.at, pinned * (all - pinned) / all);
            }
        }
        for clock in 0..self.clocks {
            if let Some(group) = groups.of(clock) {
                bands[group].add_clock(&weights.bends[clock * self.knots..][..self.knots], RIDGE);
            }
        }
        Common::new(groups, self.knots, bands)
    }

    /// Improves `x` for these weights; returns the steps that took.
    fn conjugate_gradients(&self, weights: &Weights, groups: &Groups, x: &mut [f64]) -> usize {
        let bands = self.preconditioner(weights);
        let common = self.common(weights, groups);
        let precondition = |residual: &[f64], z: &mut [f64]| {
            z.copy_from_slice(residual);
            let clocks = z.chunks_exact_mut(self.knots);
            clocks.zip(&bands).for_each(|(z, band)| band.solve(z));
            common.add(residual, z);
        };
        let mut residual = vec![0.0; x.len() + BEHIND];
        let mut direction = vec![0.0; x.len() + BEHIND];
        direction[..x.len()].copy_from_slice(x);
        self.gradient(weights, &direction, true, &mut residual);
        residual.iter_mut().for_each(|value| *value = -*value);
        let mut z = vec![0.0; x.len() + BEHIND];
        let mut image = z.clone();
        precondition(&residual, &mut z);
        direction.copy_from_slice(&z);
        let mut energy = dot(&residual, &z);
        for steps in 0..ITERATIONS {
            // A thousandth of a standard deviation, over all that is known.
            if energy < 1e-6 {
                return steps;
            }
            image.fill(0.0);
            self.gradient(weights, &direction, false, &mut image);
            let step = energy / dot(&direction, &image);
            for i in 0..x.len() {
                x[i] += step * direction[i];
                residual[i] -= step * image[i];
            }
            precondition(&residual, &mut z);
            let next = dot(&residual, &z);
            for (direction, z) in direction.iter_mut().zip(&z) {
                *direction = z + next / energy * *direction;
            }
            energy = next;
        }
        ITERATIONS
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clocks in a ring, each compared with the next at every knot, the first with the pinned one
    /// at both ends alone.
    fn ring(clocks: u32, knots: u32) -> System {
        let term = |plus, minus, knot: u32, share, target| Term {
            plus,
            minus,
            at: (knot, share),
            target,
            weight: 1.0 / (150.0 * 150.0),
            bound: false,
        };
        let mut terms = vec![
            term(0, PINNED, 0, 0.0, 3000.0),
            term(0, PINNED, knots - 2, 1.0, -5000.0),
        ];
        for knot in 0..knots - 1 {
            let wave = |clock: u32| f64::from((clock * 7919 + knot * 104_729) % 401) - 200.0;
            let next = |clock: u32| (clock + 1) % clocks;
            terms.extend((0..clocks).map(|c| term(c, next(c), knot, 0.5, wave(c))));
        }
        System {
            clocks: clocks as usize,
            knots: knots as usize,
            terms,
            together: Vec::new(),
            smoothness: 1.0 / (100.0 * 100.0),
        }
    }

    fn steps(system: &System) -> (usize, Vec<f64>) {
        let mut x = vec![0.0; system.clocks * system.knots];
        let weights = system.weights(&x);
        let steps = system.conjugate_gradients(&weights, &system.groups(), &mut x);
        let mut left = vec![0.0; x.len() + BEHIND];
        let mut all = x.clone();
        all.resize(x.len() + BEHIND, 0.0);
        system.gradient(&weights, &all, true, &mut left);
        (steps, left)
    }

    /// What all clocks share, over the whole run, is no slow mode.
    #[test]
    fn longer_runs_take_no_more_steps() {
        let (short, long) = (steps(&ring(8, 20)).0, steps(&ring(8, 1000)).0);
        assert!(long <= short + 10, "{short} {long}");
        let (_, left) = steps(&ring(8, 1000));
        let most = left.iter().fold(0f64, |most, left| most.max(left.abs()));
        assert!(most < 1e-4, "{most}");
    }

    /// Operations that a pinned clock takes part in hold the others as comparisons with it do.
    #[test]
    fn what_was_left_together_with_the_pinned_clock_holds_all() {
        let mut system = ring(6, 300);
        system.terms.drain(..2);
        for knot in (0..299).step_by(10) {
            let members = (0..6).map(|clock| (clock, f64::from(clock) * 10.0));
            let members = members.chain([(PINNED, 0.0)]).collect();
            system.together.push(Together {
                at: (knot, 0.25),
                members,
                weight: 1e-4,
            });
        }
        let (steps, left) = steps(&system);
        assert!(steps < 100, "{steps}");
        assert!(left.iter().all(|left| left.abs() < 1e-3));
    }
}
