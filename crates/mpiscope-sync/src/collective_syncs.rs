//! Collective operations during the sweep: who has entered, who may leave.
//!
//! A part of the trace keeps this for its own members. Of those elsewhere the home
//! of an operation knows when they entered, or at least not before when; it tells
//! the others before when their members cannot leave, as far as it knows.

use std::ops::Range;
use std::sync::Arc;

use mpiscope_model::{CollectiveMember, EventRef, Matching};
use rustc_hash::FxHashMap;

use crate::exchange::Division;
use crate::forward::EMPTY;
use crate::guests::Guests;
use crate::latest::{Latest, NO_BOUND};
use crate::logical::{CollectiveSync, From};
use crate::sweep::Known;
use crate::table::LatencyTable;

/// State of the collective operations that a part knows.
pub(crate) struct CollectiveSyncs<'a> {
    pub collectives: &'a [Option<CollectiveSync<'a>>],
    pub matching: &'a Matching,
    pub latencies: &'a LatencyTable,
    /// Operation of each member.
    pub of_member: Arc<[u32]>,
    /// Corrected time of each member's entry, if it is a sender.
    pub entered: Vec<i64>,
    /// Before when each member cannot leave, once this is known; when it left,
    /// once it has.
    pub bounds: Vec<i64>,
    /// Of each guest that leaves: before when it cannot, as its home has told.
    told: Vec<i64>,
    /// Who enters and who leaves operations that are at home in another part than they are.
    pub entering: Guests,
    pub leaving: Guests,
    division: &'a Division,
    me: usize,
    /// Senders of this part that have not entered, per operation.
    missing: Vec<u32>,
    /// How far each scan has come.
    scans: FxHashMap<u32, Scan>,
}

/// A scan: members in the order of ranks, known up to a point.
struct Scan {
    in_order: Vec<u32>,
    next: usize,
    /// The next one's bound is known.
    reached: bool,
    latest: Latest,
}

/// Returns the operation of each member.
pub(crate) fn of_members(matching: &Matching) -> Arc<[u32]> {
    let mut of_member = vec![0; matching.members.len()];
    for (number, instance) in (0..).zip(&matching.collectives) {
        of_member[instance.members.clone()].fill(number);
    }
    of_member.into()
}

impl<'a> CollectiveSyncs<'a> {
    /// Nobody has entered. What needs nobody of this part to enter is known
    /// only after [`begin`](Self::begin).
    pub fn new(
        known: Known<'a>,
        collectives: &'a [Option<CollectiveSync<'a>>],
        of_member: Arc<[u32]>,
        me: usize,
    ) -> CollectiveSyncs<'a> {
        let Known {
            matching,
            latencies,
            division,
            ..
        } = known;
        let members = matching.members.len();
        let of = |number: usize| collectives[number].as_ref();
        let guests =
            |event: &dyn Fn(usize, &CollectiveMember) -> Option<EventRef>| match division.parts() {
                1 => Guests::default(),
                _ => Guests::new(matching, division, me, event),
            };
        let missing = |collective: &Option<CollectiveSync>| {
            let senders = collective.iter().flat_map(|collective| {
                let mine = |it: &&CollectiveMember| division.part_of(it.enter.location.0) == me;
                let members = collective.members.iter().filter(mine);
                members.filter(|member| collective.sends(member))
            });
            senders.count() as u32
        };
        CollectiveSyncs {
            collectives,
            matching,
            latencies,
            of_member,
            entered: vec![EMPTY; members],
            bounds: vec![EMPTY; members],
            told: vec![NO_BOUND; members],
            entering: guests(&|number, member| {
                of(number)
                    .filter(|it| it.sends(member))
                    .map(|_| member.enter)
            }),
            leaving: guests(&|number, member| {
                of(number)
                    .filter(|it| it.receives(member))
                    .map(|_| member.exit)
            }),
            division,
            me,
            missing: collectives.iter().map(missing).collect(),
            scans: FxHashMap::default(),
        }
    }

    /// Puts the bounds that follow from what is known elsewhere.
    pub fn begin(&mut self, latest: &mut [Latest; 2]) {
        for (number, collective) in self.collectives.iter().enumerate() {
            let Some(collective) = collective else {
                continue;
            };
            if collective.rule.from == From::Lower {
                let scan = self.scan(number, collective);
                self.scans.insert(number as u32, scan);
            } else if self.missing[number] == 0 {
                self.complete(number, latest);
            }
        }
    }

    /// Returns before when the guests here cannot leave, by part and name, if all senders of this
    /// part entered at these times.
    pub fn first_bounds(&mut self, entered: Vec<i64>, latest: &mut [Latest; 2]) -> Vec<Vec<i64>> {
        let before = std::mem::replace(&mut self.entered, entered);
        let mut all: Vec<u32> = self.leaving.here().concat();
        all.iter_mut()
            .for_each(|it| *it = self.of_member[*it as usize]);
        all.sort_unstable();
        all.dedup();
        for number in all {
            let number = number as usize;
            match &self.collectives[number] {
                Some(collective) if collective.rule.from == From::Lower => {
                    self.scan(number, collective);
                }
                _ => self.complete(number, latest),
            }
        }
        self.entered = before;
        let mut bounds = Vec::with_capacity(self.division.parts());
        for guests in self.leaving.here() {
            let of_part = guests.iter().map(|&it| self.bounds[it as usize]);
            bounds.push(of_part.collect());
            guests
                .iter()
                .for_each(|&it| self.told[it as usize] = self.bounds[it as usize]);
        }
        bounds.resize(self.division.parts(), Vec::new());
        self.bounds.fill(EMPTY);
        bounds
    }

    /// Hears what the homes of this part's members tell at first.
    pub fn hear_first(&mut self, bounds: Vec<Vec<i64>>) {
        for (members, bounds) in self.leaving.there().iter().zip(bounds) {
            for (&member, bound) in members.iter().zip(bounds) {
                self.told[member as usize] = bound;
            }
        }
    }

    /// Hears that a member of this part cannot leave before a time. Returns before when it cannot
    /// by all that is known, unless others of this part have to enter first.
    pub fn hear(&mut self, member: u32, bound: i64) -> Option<i64> {
        let told = &mut self.told[member as usize];
        *told = bound.max(*told);
        let told = *told;
        (self.bounds[member as usize] != EMPTY).then_some(told)
    }

    /// Returns the part that a guest here is of, with its name and before when it cannot leave, if
    /// that is later than it was told; then it is taken to be told.
    pub fn tell(&mut self, member: u32, bound: i64) -> Option<(usize, u32, i64)> {
        let told = &mut self.told[member as usize];
        if bound <= *told {
            return None;
        }
        let name = self.leaving.name(member)?;
        let exit = self.matching.members[member as usize].exit;
        *told = bound;
        Some((self.division.part_of(exit.location.0), name, bound))
    }

    /// Returns whether a guest was told of a time, or of a later one.
    pub fn is_told(&self, member: usize, time: i64) -> bool {
        self.leaving.name(member as u32).is_none() || self.told[member] >= time
    }

    /// Returns the part that knows all members of a member's operation.
    pub fn home(&self, member: u32) -> Option<usize> {
        let number = self.of_member[member as usize] as usize;
        self.division.home(self.matching, number)
    }

    /// Begins a scan among the members that this part knows about, and goes as far as it comes.
    fn scan(&mut self, number: usize, collective: &CollectiveSync) -> Scan {
        let mut in_order: Vec<u32> = self.rows(number).map(|row| row as u32).collect();
        if self.division.home(self.matching, number) != Some(self.me) {
            in_order.retain(|&row| {
                let member = &self.matching.members[row as usize];
                let events = [member.enter, member.exit];
                events
                    .iter()
                    .any(|it| self.division.has(self.me, it.location.0))
            });
        }
        in_order.sort_by_key(|&member| self.matching.members[member as usize].rank);
        let mut scan = Scan {
            in_order,
            next: 0,
            reached: false,
            latest: Latest::default(),
        };
        self.advance(&mut scan, collective, &mut Vec::new());
        scan
    }

    /// Returns the rows of an operation's members.
    pub fn rows(&self, number: usize) -> Range<usize> {
        self.matching.collectives[number].members.clone()
    }

    /// Returns before when a member cannot leave; [`EMPTY`] if not known yet.
    #[inline(always)]
    pub fn bound(&self, member: u32) -> i64 {
        self.bounds[member as usize]
    }

    /// Notes that a sender has entered, and adds to `known` the members whose
    /// bounds this made known.
    pub fn enter(
        &mut self,
        member: u32,
        time: i64,
        latest: &mut [Latest; 2],
        known: &mut Vec<u32>,
    ) {
        let number = self.of_member[member as usize];
        self.entered[member as usize] = time;
        self.missing[number as usize] -= 1;
        let scan = match self.scans.is_empty() {
            true => None,
            false => self.scans.remove(&number),
        };
        if let (Some(mut scan), Some(collective)) = (scan, &self.collectives[number as usize]) {
            self.advance(&mut scan, collective, known);
            self.scans.insert(number, scan);
        } else if self.missing[number as usize] == 0 {
            self.complete(number as usize, latest);
            known.extend(self.rows(number as usize).map(|row| row as u32));
        }
    }

    /// Notes that a receiver has left.
    #[inline(always)]
    pub fn leave(&mut self, member: u32, time: i64) {
        self.bounds[member as usize] = time;
    }

    /// Returns a sender that a waiting member needs and that has not entered.
    pub fn missing(&self, member: u32) -> Option<&CollectiveMember> {
        let number = self.of_member[member as usize] as usize;
        let collective = self.collectives[number].as_ref()?;
        let receiver = &self.matching.members[member as usize];
        let needed = |sender: &CollectiveMember| {
            collective.sends(sender)
                && (collective.rule.from == From::Others || sender.rank < receiver.rank)
        };
        let missing = self.rows(number).find(|&sender| {
            self.entered[sender] == EMPTY && needed(&self.matching.members[sender])
        });
        missing.map(|sender| &self.matching.members[sender])
    }

    /// All senders are in: computes everybody's bound.
    fn complete(&mut self, number: usize, latest: &mut [Latest; 2]) {
        let Some(collective) = &self.collectives[number] else {
            return;
        };
        latest.iter_mut().for_each(Latest::clear);
        for row in self.rows(number) {
            let member = &self.matching.members[row];
            if self.entered[row] != EMPTY {
                let place = self.latencies.place(member.enter.location);
                latest[collective.heard_in(member)].add(self.entered[row], place);
            }
        }
        for row in self.rows(number) {
            let member = &self.matching.members[row];
            let place = self.latencies.place(member.exit.location);
            let bound = latest[collective.heard_by(member)].bound(place, self.latencies);
            self.bounds[row] = bound.max(self.told[row]);
        }
    }

    /// Returns the bounds of an operation's members as they follow from all
    /// that have entered by now, of members for whom they are known.
    pub fn again(&mut self, number: u32, latest: &mut [Latest; 2]) -> Vec<(u32, i64)> {
        let Some(collective) = &self.collectives[number as usize] else {
            return Vec::new();
        };
        let mut known = Vec::new();
        if collective.rule.from == From::Lower {
            let Some(mut scan) = self.scans.remove(&number) else {
                return Vec::new();
            };
            let ahead = scan.next + usize::from(scan.reached);
            let left = self.bounds[self.rows(number as usize)].to_vec();
            (scan.next, scan.reached) = (0, false);
            scan.latest.clear();
            let mut reached = Vec::new();
            self.advance(&mut scan, collective, &mut reached);
            known.extend(reached.iter().map(|&row| (row, self.bounds[row as usize])));
            known.truncate(ahead);
            let rows = self.rows(number as usize);
            self.bounds[rows].copy_from_slice(&left);
            self.scans.insert(number, scan);
        } else if self.missing[number as usize] == 0 {
            let rows = self.rows(number as usize);
            let left = self.bounds[rows.clone()].to_vec();
            self.complete(number as usize, latest);
            known.extend(rows.clone().map(|row| (row as u32, self.bounds[row])));
            self.bounds[rows].copy_from_slice(&left);
        }
        known
    }

    /// Goes through ranks up to the first sender that has not entered, and adds
    /// the members it came to to `known`.
    fn advance(&mut self, scan: &mut Scan, collective: &CollectiveSync, known: &mut Vec<u32>) {
        while let Some(&row) = scan.in_order.get(scan.next) {
            let row = row as usize;
            let member = &self.matching.members[row];
            if !scan.reached {
                let place = self.latencies.place(member.exit.location);
                let bound = scan.latest.bound(place, self.latencies);
                self.bounds[row] = bound.max(self.told[row]);
                known.push(row as u32);
                scan.reached = true;
            }
            if collective.sends(member) {
                let entered = self.entered[row];
                if entered != EMPTY {
                    let place = self.latencies.place(member.enter.location);
                    scan.latest.add(entered, place);
                } else if self.division.has(self.me, member.enter.location.0) {
                    return;
                }
            }
            scan.next += 1;
            scan.reached = false;
        }
    }
}

const _: () = assert!(NO_BOUND != EMPTY);
