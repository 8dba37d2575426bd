//! Robust least squares over the errors of all clocks at all knots.
//!
//! Terms compare two clocks at one time, or one clock with a constant. A
//! middle counts by Huber's loss; a bound only while it is exceeded. Second
//! differences along each clock are held small. Weights and the set of active
//! bounds are refined in rounds; each round is one linear system, solved by
//! conjugate gradients, preconditioned by the exact solution for each clock
//! alone, and for what clocks have in common ([`super::common`]). All sums run
//! in one order, so the result is the same everywhere.
//!
//! Vectors hold the errors of all clocks at one knot side by side
//! ([`Layout`]): what is done for each clock is done for several at once.

use super::band::Bands;
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

/// Where the errors of clocks at knots lie in vectors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    pub clocks: usize,
    pub knots: usize,
}

/// Entries of a knot in vectors are a multiple of this: as many are computed at once.
const LANES: usize = 4;

impl Layout {
    /// Returns how many entries vectors have for each knot: all clocks, the pinned one, whose
    /// error stays 0, and some that are no clock's.
    pub fn stride(&self) -> usize {
        (self.clocks + 1).next_multiple_of(LANES)
    }

    /// Returns errors that are all 0.
    pub fn zeros(&self) -> Vec<f64> {
        vec![0.0; self.knots * self.stride()]
    }

    /// Returns the error of a clock at each knot.
    pub fn of_clock<'a>(&self, x: &'a [f64], clock: usize) -> impl Iterator<Item = f64> + 'a {
        x.iter().skip(clock).step_by(self.stride()).copied()
    }

    /// Returns where a clock's knot lies in vectors.
    fn place(&self, clock: u32, knot: u32) -> usize {
        let clock = match clock {
            PINNED => self.clocks,
            clock => clock as usize,
        };
        knot as usize * self.stride() + clock
    }

    /// Interpolates the error of a clock.
    pub fn error(&self, x: &[f64], clock: u32, (knot, share): (u32, f64)) -> f64 {
        let place = self.place(clock, knot);
        x[place] * (1.0 - share) + x[place + self.stride()] * share
    }
}

/// All that is known.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub layout: Layout,
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
    members: Vec<f64>,
    bends: Vec<f64>,
    /// The terms that count, in their order.
    pulls: Vec<Pull>,
    /// Their numbers.
    counting: Vec<u32>,
    /// Members of all operations: where the knots before them lie in vectors.
    places: Vec<u32>,
}

/// A term that counts in a round: most bounds do not.
#[derive(Clone, Copy)]
struct Pull {
    /// Where the knots before it lie in vectors.
    plus: u32,
    minus: u32,
    /// How far it is to the next knots, 0 to 1.
    share: f64,
    weight: f64,
    target: f64,
}

/// How far from being exceeded bounds are at the begin: so far, errors can move without
/// anybody looking at them.
struct Margins {
    /// The errors at the begin.
    begin: Vec<f64>,
    /// Of each term; below 0 for those that always count.
    of_terms: Vec<f64>,
}

impl Margins {
    fn new(system: &System, x: &[f64]) -> Margins {
        let of_term = |term: &Term| match term.bound {
            true => (term.target - system.difference(x, term)).max(0.0),
            false => -1.0,
        };
        Margins {
            begin: x.to_vec(),
            of_terms: system.terms.iter().map(of_term).collect(),
        }
    }

    /// Returns the terms that may count with errors `x`. Between knots errors move no farther
    /// than at them.
    fn within<'a>(&'a self, x: &[f64]) -> impl Iterator<Item = u32> + 'a {
        let moved = farthest(x, &self.begin);
        // A millionth of a nanosecond is more than rounding makes of it.
        let most = 2.0 * moved + 1e-6;
        let margins = (0u32..).zip(&self.of_terms);
        margins.filter_map(move |(number, margin)| (*margin <= most).then_some(number))
    }
}

/// Returns how far the farthest of some values is from what it was.
fn farthest(x: &[f64], before: &[f64]) -> f64 {
    (x.iter().zip(before)).fold(0f64, |most, (a, b)| most.max((a - b).abs()))
}

fn huber(deviations: f64, knee: f64) -> f64 {
    match deviations.abs() > knee {
        true => knee / deviations.abs(),
        false => 1.0,
    }
}

impl System {
    /// Improves `x`.
    pub fn solve(&self, x: &mut [f64]) {
        let mut active = Vec::new();
        let groups = self.groups();
        let margins = Margins::new(self, x);
        for round in 0..ROUNDS {
            let before = x.to_vec();
            let weights = self.weights(x, &margins);
            self.conjugate_gradients(&weights, &groups, x);
            let moved = farthest(x, &before);
            if round > 0 && moved < 0.5 && weights.counting == active {
                break;
            }
            active = weights.counting;
        }
    }

    fn difference(&self, x: &[f64], term: &Term) -> f64 {
        self.layout.error(x, term.plus, term.at) - self.layout.error(x, term.minus, term.at)
    }

    /// Weighs a term; 0 is the weight of a bound that is not exceeded.
    fn weight(&self, x: &[f64], term: &Term) -> f64 {
        let excess = self.difference(x, term) - term.target;
        match (term.bound, excess > 0.0) {
            (true, true) => term.weight,
            (true, false) => 0.0,
            (false, _) => term.weight * huber(excess * term.weight.sqrt(), MIDDLE_KNEE),
        }
    }

    fn weights(&self, x: &[f64], margins: &Margins) -> Weights {
        let (mut pulls, mut counting) = (Vec::new(), Vec::new());
        for number in margins.within(x) {
            let term = &self.terms[number as usize];
            let weight = self.weight(x, term);
            if weight > 0.0 {
                counting.push(number);
                pulls.push(Pull {
                    plus: self.layout.place(term.plus, term.at.0) as u32,
                    minus: self.layout.place(term.minus, term.at.0) as u32,
                    share: term.at.1,
                    weight,
                    target: term.target,
                });
            }
        }
        let mut members = Vec::new();
        for together in &self.together {
            let excess: Vec<f64> = (together.members.iter())
                .map(|(clock, reading)| self.layout.error(x, *clock, together.at) - reading)
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
        let stride = self.layout.stride();
        let mut bends = self.layout.zeros();
        for i in stride..x.len().saturating_sub(stride) {
            let bend = x[i - stride] - 2.0 * x[i] + x[i + stride];
            bends[i] = self.smoothness * huber(bend * root, BEND_KNEE);
        }
        let of_operation = |it: &Together| {
            let place = |member: &(u32, f64)| self.layout.place(member.0, it.at.0) as u32;
            it.members.iter().map(place).collect::<Vec<u32>>()
        };
        Weights {
            places: self.together.iter().flat_map(of_operation).collect(),
            pulls,
            counting,
            members,
            bends,
        }
    }

    /// Adds the gradient of half the weighted squares at `x` to `y`; with
    /// `targets` false, of the homogeneous system.
    fn gradient(&self, weights: &Weights, x: &[f64], targets: bool, y: &mut [f64]) {
        let scale = f64::from(u8::from(targets));
        let stride = self.layout.stride();
        for (y, x) in y.iter_mut().zip(x) {
            *y += RIDGE * x;
        }
        for pull in &weights.pulls {
            let (plus, minus, share) = (pull.plus as usize, pull.minus as usize, pull.share);
            let rest = 1.0 - share;
            let error = |place: usize| x[place] * rest + x[place + stride] * share;
            let force = pull.weight * (error(plus) - error(minus) - scale * pull.target);
            y[plus] += force * rest;
            y[plus + stride] += force * share;
            y[minus] -= force * rest;
            y[minus + stride] -= force * share;
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
                let error = x[place] * (1.0 - share) + x[place + stride] * share;
                excess.push(error - scale * reading);
                sum += weight * (error - scale * reading);
                all += weight;
            }
            for ((&place, weight), excess) in places.iter().zip(weights).zip(&excess) {
                let force = weight * (excess - sum / all);
                y[place as usize] += force * (1.0 - share);
                y[place as usize + stride] += force * share;
            }
        }
        // What pulls the pinned clock moves nothing.
        let pinned = y.iter_mut().skip(self.layout.clocks).step_by(stride);
        pinned.for_each(|y| *y = 0.0);
        for k in 1..self.layout.knots - 1 {
            let bends = &weights.bends[k * stride..][..stride];
            let x = &x[(k - 1) * stride..][..3 * stride];
            let y = &mut y[(k - 1) * stride..][..3 * stride];
            let (before, y) = y.split_at_mut(stride);
            let (at, after) = y.split_at_mut(stride);
            for clock in 0..stride {
                let bend = x[clock] - 2.0 * x[clock + stride] + x[clock + 2 * stride];
                let force = bends[clock] * bend;
                before[clock] += force;
                at[clock] -= 2.0 * force;
                after[clock] += force;
            }
        }
    }

    /// The part of the matrix that concerns each clock alone, factored; that of the
    /// pinned one is there, too, and solves for 0.
    fn preconditioner(&self, weights: &Weights) -> Bands {
        let stride = self.layout.stride();
        let mut bands = Bands::new(stride, self.layout.knots);
        let mut add = |place: u32, share: f64, weight: f64| {
            let (knot, clock) = (place as usize / stride, place as usize % stride);
            bands.add_at(clock, (knot as u32, share), weight);
        };
        for pull in &weights.pulls {
            add(pull.plus, pull.share, pull.weight);
            add(pull.minus, pull.share, pull.weight);
        }
        let shares = self.together.iter().flat_map(|together| {
            let members = together.members.iter();
            members.map(|_| together.at.1)
        });
        let members = weights.places.iter().zip(&weights.members);
        for ((&place, &weight), share) in members.zip(shares) {
            add(place, share, weight);
        }
        for clock in 0..stride {
            bands.add_clock(clock, self.layout.of_clock(&weights.bends, clock), RIDGE);
        }
        bands.factor();
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
        Groups::new(self.layout.clocks, pairs.chain(together).filter(is_free))
    }

    /// The system of errors that are the same in all clocks of a group.
    fn common<'a>(&self, weights: &Weights, groups: &'a Groups) -> Common<'a> {
        let mut bands = Bands::new(groups.count, self.layout.knots);
        let group = |clock: u32| match clock {
            PINNED => None,
            clock => groups.of(clock as usize),
        };
        for (&number, pull) in weights.counting.iter().zip(&weights.pulls) {
            let term = &self.terms[number as usize];
            let (plus, minus) = (group(term.plus), group(term.minus));
            if plus != minus {
                for group in [plus, minus].into_iter().flatten() {
                    bands.add_at(group, term.at, pull.weight);
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
                bands.add_at(group, together.at, pinned * (all - pinned) / all);
            }
        }
        for clock in 0..self.layout.clocks {
            if let Some(group) = groups.of(clock) {
                bands.add_clock(group, self.layout.of_clock(&weights.bends, clock), RIDGE);
            }
        }
        Common::new(groups, self.layout.stride(), bands)
    }

    fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        let mut sum = 0.0;
        for c in 0..self.layout.clocks {
            for k in 0..self.layout.knots {
                let i = k * self.layout.stride() + c;
                sum += a[i] * b[i];
            }
        }
        sum
    }

    /// Improves `x` for these weights; returns the steps that took.
    fn conjugate_gradients(&self, weights: &Weights, groups: &Groups, x: &mut [f64]) -> usize {
        let bands = self.preconditioner(weights);
        let common = self.common(weights, groups);
        let precondition = |residual: &[f64], z: &mut [f64]| {
            z.copy_from_slice(residual);
            bands.solve(z);
            common.add(residual, z);
        };
        let mut residual = self.layout.zeros();
        self.gradient(weights, x, true, &mut residual);
        residual.iter_mut().for_each(|value| *value = -*value);
        let mut z = self.layout.zeros();
        let mut image = self.layout.zeros();
        precondition(&residual, &mut z);
        let mut direction = z.clone();
        let mut energy = self.dot(&residual, &z);
        for steps in 0..ITERATIONS {
            // A thousandth of a standard deviation, over all that is known.
            if energy < 1e-6 {
                return steps;
            }
            image.fill(0.0);
            self.gradient(weights, &direction, false, &mut image);
            let step = energy / self.dot(&direction, &image);
            for i in 0..x.len() {
                x[i] += step * direction[i];
                residual[i] -= step * image[i];
            }
            precondition(&residual, &mut z);
            let next = self.dot(&residual, &z);
            for (direction, z) in direction.iter_mut().zip(&z) {
                *direction = z + next / energy * *direction;
            }
            energy = next;
        }
        ITERATIONS
    }
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
            layout: Layout {
                clocks: clocks as usize,
                knots: knots as usize,
            },
            terms,
            together: Vec::new(),
            smoothness: 1.0 / (100.0 * 100.0),
        }
    }

    fn steps(system: &System) -> (usize, Vec<f64>) {
        let mut x = system.layout.zeros();
        let weights = system.weights(&x, &Margins::new(system, &x));
        let steps = system.conjugate_gradients(&weights, &system.groups(), &mut x);
        let mut left = system.layout.zeros();
        system.gradient(&weights, &x, true, &mut left);
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
