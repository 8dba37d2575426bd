//! Iterations as processes find them that share a trace: each knows the calls of its own ranks alone.
//!
//! All come to the same anchor; where iterations begin and end each knows of its own ranks.

use mpiscope_model::{plain, EventRef, LocationIndex, Matching, Timestamp};
use rustc_hash::FxHashMap;

use super::repeats::{self, Repeat, Step};
use super::{Candidate, Iterations, Lengths, Look, OfRank, Parts};
use crate::races::CallPlace;
use crate::sharers::Sharers;

plain! {
    Repeat { symbol, count, strength, share, alike, same }
}

/// A call of an operation of all processes: its number among the calls of the first rank, and its
/// last event.
type Bound = (u32, u32);

/// The anchor that whoever has the first rank has chosen.
type Chosen = (Repeat, CallPlace);

impl Look<'_> {
    /// Does what [`skeleton`](Self::skeleton) does.
    pub(super) fn skeleton_together(
        &self,
        sharers: Sharers,
        matching: &Matching,
    ) -> Option<Candidate> {
        let bounds = self.numbered(sharers, self.of_all(sharers, matching));
        // An operation that processes complete in different orders numbers nothing.
        let ascends = |of_rank: &Vec<Bound>| of_rank.is_sorted_by(|a, b| a.1 < b.1);
        let all_do = bounds.iter().all(ascends);
        if sharers.share(vec![all_do]).contains(&false) {
            return None;
        }
        let (chosen, numbers) = self.chosen(sharers, &bounds);
        let chosen = sharers.share(chosen.into_iter().collect());
        let numbers = sharers.share(numbers);
        let &(best, anchor) = chosen.first()?;
        let is_anchor = |it: &&Bound| numbers.binary_search(&it.0).is_ok();
        let of_rank =
            |bounds: &Vec<Bound>| bounds.iter().filter(is_anchor).map(|it| it.1).collect();
        let bounds = bounds.iter().map(of_rank).collect();
        Some(self.candidate(best, anchor, true, bounds))
    }

    /// Returns the operations of all processes whose home is here: of each the last event of each
    /// member's call.
    fn of_all(&self, sharers: Sharers, matching: &Matching) -> Vec<Vec<u32>> {
        let operations = || matching.collectives.iter().zip(&matching.homes);
        let told = sharers.of_members(matching, |_| true, |_, it| self.bound(it.exit));
        let mut told = told.into_iter().map(|(_, bound)| bound);
        let mut found = Vec::new();
        for (instance, home) in operations() {
            if !sharers.is_home(home) {
                continue;
            }
            let mut bound = |exit: EventRef| match sharers.is_here(exit) {
                true => self.bound(exit),
                false => told.next().flatten(),
            };
            let members = matching.members_of(instance);
            let bounds: Vec<Option<u32>> = members.iter().map(|it| bound(it.exit)).collect();
            let places = members.iter().map(|it| it.exit.location);
            let is_of_all = instance.consistent && places.eq(self.all.iter().map(|it| it.1));
            let bounds: Option<Vec<u32>> = bounds.into_iter().collect();
            found.extend(bounds.filter(|_| is_of_all));
        }
        found
    }

    /// Has whoever has the first rank number operations by its calls, and all know the numbers of
    /// their own ranks' calls; returns these by rank, in the order of numbers.
    fn numbered(&self, sharers: Sharers, found: Vec<Vec<u32>>) -> Vec<Vec<Bound>> {
        let first = self.all[0].1;
        let asked = sharers.tell(found.iter().map(|bounds| (first, bounds[0])));
        let number = self.numbers();
        let answers = asked.into_iter().enumerate().flat_map(|(by, asked)| {
            let numbers = asked.into_iter().map(|leave| number.get(&leave).copied());
            numbers.map(|number| (by, number)).collect::<Vec<_>>()
        });
        let numbers = sharers.tell_processes(answers).concat();
        let told = found.iter().zip(numbers).filter_map(|(bounds, number)| {
            let number = number?;
            let ranks = self.all.iter().zip(bounds);
            Some(
                ranks.map(move |((_, location), leave)| (*location, (*location, (number, *leave)))),
            )
        });
        let mut own: Vec<Vec<Bound>> = vec![Vec::new(); self.processes.len()];
        let places = self.processes.iter().map(|it| it.location).zip(0..);
        let place: FxHashMap<LocationIndex, usize> = places.collect();
        for (location, bound) in sharers.tell(told.flatten()).concat() {
            own[place[&location]].push(bound);
        }
        own.iter_mut().for_each(|bounds| bounds.sort_unstable());
        own
    }

    /// Returns the best anchor, if this process has the first rank and there is one, and the numbers of
    /// its calls.
    fn chosen(&self, sharers: Sharers, bounds: &[Vec<Bound>]) -> (Option<Chosen>, Vec<u32>) {
        let nothing = (None, Vec::new());
        if !sharers.has(self.all[0].1) {
            return nothing;
        }
        let (first, numbers) = (&self.processes[0], bounds[0].iter().map(|it| it.0));
        let steps = numbers.clone().map(|number| first.steps[number as usize]);
        let steps: Vec<Step> = steps.collect();
        let Some(best) = repeats::strongest(&repeats::all(&steps, first.span)) else {
            return nothing;
        };
        let anchors = numbers
            .zip(&steps)
            .filter(|(_, step)| step.symbol == best.symbol);
        let anchor = first.symbols[best.symbol as usize].0;
        (
            Some((best, anchor)),
            anchors.map(|(number, _)| number).collect(),
        )
    }
}

impl Look<'_> {
    /// Has all know what comes back among the calls of each process, in the order of ranks.
    pub(super) fn repeats_of_all(&self, sharers: Sharers, own: &[Vec<Repeat>]) -> Vec<Vec<Repeat>> {
        let own = self.processes.iter().zip(own);
        let rows = own.flat_map(|(calls, all)| all.iter().map(|it| (calls.rank, *it)));
        let mut rows = sharers.share(rows.collect());
        rows.sort_by_key(|(rank, _)| *rank);
        let mut rows = rows.into_iter().peekable();
        let of_rank = |(rank, _): &(u32, LocationIndex)| {
            let own = std::iter::from_fn(|| rows.next_if(|it| it.0 == *rank));
            own.map(|(_, repeat)| repeat).collect()
        };
        self.all.iter().map(of_rank).collect()
    }
}

/// What lengths follow from.
pub(super) struct Measured {
    /// When the last rank leaves each call of the anchor.
    pub moments: Vec<Timestamp>,
    /// World ranks, in the order of `parts`.
    pub ranks: Vec<u32>,
    /// Of each rank, what it did in each iteration.
    pub parts: Vec<Vec<Parts>>,
}

plain! {
    Parts { computation, communication, waiting, unrecorded }
}

impl Measured {
    pub fn lengths(self) -> Lengths {
        Lengths::new(self.moments, self.ranks, self.parts)
    }

    /// Has the first of those that share the trace know what all have measured; the others have
    /// nothing then.
    pub fn gathered(self, sharers: Sharers) -> Measured {
        let mut moments: Vec<Timestamp> = Vec::new();
        let own = (0u32..).zip(self.moments).collect();
        for (call, moment) in sharers.gather::<(u32, Timestamp)>(own) {
            match moments.get_mut(call as usize) {
                Some(last) => *last = (*last).max(moment),
                None => moments.push(moment),
            }
        }
        let heads = self.ranks.iter().zip(&self.parts);
        let heads = heads.map(|(rank, parts)| (*rank, parts.len() as u32));
        let heads = sharers.gather(heads.collect());
        let mut parts = sharers.gather(self.parts.concat()).into_iter();
        let of_rank = |(rank, count): (u32, u32)| {
            let own: Vec<Parts> = parts.by_ref().take(count as usize).collect();
            (rank, own)
        };
        let mut rows: Vec<(u32, Vec<Parts>)> = heads.into_iter().map(of_rank).collect();
        rows.sort_by_key(|(rank, _)| *rank);
        let (ranks, parts) = rows.into_iter().unzip();
        Measured {
            moments,
            ranks,
            parts,
        }
    }
}

impl Iterations {
    /// Returns the same with the ranks of all that share the trace, if this is the first of them, of
    /// which each knows its own.
    pub(crate) fn gathered(&self, sharers: Sharers) -> Iterations {
        let ranks = self.ranks.iter();
        let heads = ranks.map(|it| (it.rank, it.location, it.bounds.len() as u32));
        let heads = sharers.gather(heads.collect());
        let bounds = self.ranks.iter().flat_map(|it| it.bounds.iter().copied());
        let mut bounds = sharers.gather(bounds.collect()).into_iter();
        let of_rank = |(rank, location, count): (u32, LocationIndex, u32)| OfRank {
            rank,
            location,
            bounds: bounds.by_ref().take(count as usize).collect(),
        };
        let mut ranks: Vec<OfRank> = heads.into_iter().map(of_rank).collect();
        ranks.sort_by_key(|it| it.rank);
        Iterations {
            ranks,
            ..self.clone()
        }
    }
}
