//! What several locations did, added up: by activity, statement, rank and pair of ranks.
//!
//! It does not matter who adds up what first: ties are decided by the order of locations, and
//! activities are numbered as if locations had been looked at in their order.

use std::collections::btree_map::{BTreeMap, Entry};

use mpiscope_model::plain::{put_list, take_list, Plain};
use mpiscope_model::{plain, Duration, EventRef, LocationIndex};

use super::sweep::{Numbers, OfLocation};
use super::waits::{self, Count, Waits};
use super::{Activity, Profile, RankSum, Spread, Statement, Sum};
use crate::clock_errors::ClockErrors;
use crate::critical_path::Path;
use crate::sharers::Sharers;
use crate::wait_states::Kind;

/// Sums over locations.
#[derive(Default)]
pub(super) struct All {
    activities: Numbers<Activity>,
    /// What is known of each of them.
    rows: Vec<Row>,
    waits: BTreeMap<(Statement, Kind), Waits>,
    ranks: BTreeMap<u32, RankSum>,
    pairs: BTreeMap<(u32, u32), Count>,
    contradictions: u64,
}

/// An activity of several locations.
#[derive(Clone, Copy)]
struct Row {
    sum: Sum,
    spread: Spread,
    /// The location that did it longest: of several the first.
    longest_at: LocationIndex,
    /// The first location that did it, and its number there.
    first: (LocationIndex, u32),
}

plain! { Row { sum, spread, longest_at, first } }

impl Row {
    fn merge(&mut self, other: &Row) {
        self.sum.merge(&other.sum);
        self.first = self.first.min(other.first);
        let (own, others) = (&mut self.spread, &other.spread);
        own.locations += others.locations;
        let is_first = other.longest_at < self.longest_at;
        if others.most > own.most || (others.most == own.most && is_first) {
            (own.most, own.rank) = (others.most, others.rank);
            own.first_call = others.first_call;
            self.longest_at = other.longest_at;
        }
    }
}

impl All {
    /// Adds what a location did, of a rank; returns the numbers that its activities have among all.
    pub fn add(&mut self, location: LocationIndex, rank: u32, part: &mut OfLocation) -> Vec<u32> {
        let of_rank = self.ranks.entry(rank).or_default();
        of_rank.mpi += part.all.mpi;
        of_rank.waiting += part.all.waiting;
        of_rank.threads += part.all.threads;
        of_rank.threads_waiting += part.all.threads_waiting;
        of_rank.unrecorded += part.all.unrecorded;
        for (cause, count) in &part.causes {
            self.rank(*cause).causing += count.time;
            self.rank(rank).resolution.merge(&count.resolution);
            self.pairs.entry((rank, *cause)).or_default().merge(count);
        }
        self.contradictions += part.contradictions;
        let sums = std::mem::take(&mut part.sums);
        let mut numbers = Vec::with_capacity(sums.all.len());
        let activities = sums.activities.all.into_iter().zip(sums.all);
        let activities = activities.zip(sums.first_calls);
        for (number, ((activity, sum), first_call)) in (0..).zip(activities) {
            let row = Row {
                sum,
                spread: Spread {
                    locations: 1,
                    most: sum.time,
                    rank,
                    first_call: first_call.map(|index| EventRef { location, index }),
                },
                longest_at: location,
                first: (location, number),
            };
            numbers.push(self.add_row(activity, &row));
        }
        self.add_waits(sums.waits);
        numbers
    }

    /// Returns what is known of a rank.
    pub fn rank(&mut self, rank: u32) -> &mut RankSum {
        self.ranks.entry(rank).or_default()
    }

    fn add_row(&mut self, activity: Activity, row: &Row) -> u32 {
        let number = self.activities.of(activity);
        match self.rows.get_mut(number as usize) {
            Some(known) => known.merge(row),
            None => self.rows.push(*row),
        }
        number
    }

    fn add_waits(&mut self, waits: impl IntoIterator<Item = ((Statement, Kind), Waits)>) {
        for (of, waits) in waits {
            match self.waits.entry(of) {
                Entry::Occupied(known) => known.into_mut().merge(waits),
                Entry::Vacant(new) => drop(new.insert(waits)),
            }
        }
    }

    /// Adds what others have added up.
    fn merge(&mut self, other: All) {
        for (activity, row) in other.activities.all.into_iter().zip(&other.rows) {
            self.add_row(activity, row);
        }
        self.add_waits(other.waits);
        for (rank, sum) in other.ranks {
            self.rank(rank).merge(&sum);
        }
        for (pair, count) in other.pairs {
            self.pairs.entry(pair).or_default().merge(&count);
        }
        self.contradictions += other.contradictions;
    }

    /// Has the first know what all have added up; the others have nothing then.
    pub fn gathered(self, sharers: Sharers) -> All {
        let mut all = All::default();
        for bytes in sharers.job().gather(self.written()) {
            all.merge(All::read(&mut &bytes[..]).unwrap_or_default());
        }
        all.in_order()
    }

    /// Numbers activities as if locations had been added in their order.
    fn in_order(self) -> All {
        let mut rows: Vec<(Activity, Row)> =
            self.activities.all.into_iter().zip(self.rows).collect();
        rows.sort_unstable_by_key(|(_, row)| row.first);
        let mut all = All {
            activities: Numbers::default(),
            rows: Vec::with_capacity(rows.len()),
            ..self
        };
        for (activity, row) in &rows {
            all.add_row(*activity, row);
        }
        all
    }

    fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_list(&self.activities.all, &mut bytes);
        put_list(&self.rows, &mut bytes);
        put_list(&pairs_of(&self.ranks), &mut bytes);
        put_list(&pairs_of(&self.pairs), &mut bytes);
        self.contradictions.put(&mut bytes);
        (self.waits.len() as u64).put(&mut bytes);
        for (of, waits) in &self.waits {
            of.put(&mut bytes);
            waits.put(&mut bytes);
        }
        bytes
    }

    fn read(bytes: &mut &[u8]) -> Option<All> {
        let activities: Vec<Activity> = take_list(bytes)?;
        let mut all = All::default();
        for (activity, row) in activities.into_iter().zip(take_list(bytes)?) {
            all.add_row(activity, &row);
        }
        all.ranks = take_list(bytes)?.into_iter().collect();
        all.pairs = take_list(bytes)?.into_iter().collect();
        all.contradictions = u64::take(bytes)?;
        for _ in 0..u64::take(bytes)? {
            let of = Plain::take(bytes)?;
            all.waits.insert(of, Waits::take(bytes)?);
        }
        Some(all)
    }

    /// Tells a profile, of which this is the path.
    pub fn finish(mut self, path: &Path, errors: &ClockErrors, profile: &mut Profile) {
        let add = |all: Duration, one: Duration| all + one;
        let length = path.steps.iter().map(|step| step.end - step.begin);
        let length = length.fold(Duration::ZERO, add);
        let told = self.rows.iter().map(|row| row.sum.path);
        let told = told.fold(Duration::ZERO, add);
        // Before a location's first event, and after its last.
        if length > told {
            let number = self.activities.of(Activity::Unrecorded) as usize;
            if number == self.rows.len() {
                self.rows.push(Row::nobody());
            }
            self.rows[number].sum.path += length - told;
        }
        profile.spreads = self.rows.iter().map(|row| row.spread).collect();
        let sums = self.rows.iter().map(|row| row.sum);
        profile.activities = self.activities.all.into_iter().zip(sums).collect();
        let resolved = waits::resolve(&mut self.waits, errors);
        profile.waiting_of_ranks = resolved.of_ranks;
        profile.resolution_since_init = resolved.since_init;
        profile.waiting_of_kinds = resolved.kinds;
        profile.waits = self.waits;
        profile.pairs = self.pairs;
        profile.contradictions = self.contradictions;
        let ranks = self.ranks.into_iter();
        profile.ranks = ranks.map(|(rank, sum)| RankSum { rank, ..sum }).collect();
    }
}

impl Row {
    /// What no location did.
    fn nobody() -> Row {
        let last = LocationIndex(u32::MAX);
        Row {
            sum: Sum::default(),
            spread: Spread::default(),
            longest_at: last,
            first: (last, 0),
        }
    }
}

/// Returns the entries of a table.
pub(super) fn pairs_of<K: Copy, V: Copy>(table: &BTreeMap<K, V>) -> Vec<(K, V)> {
    table.iter().map(|(key, value)| (*key, *value)).collect()
}
