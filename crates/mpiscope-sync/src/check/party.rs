//! The pairs of one collective operation.
//!
//! For each exit the latest enters are looked at one by one, until one is
//! early enough for all latencies: mostly the first. If many are not, nothing
//! is looked at pair by pair, but counted ([`Crowd`]); so n members take
//! n log n steps. In a damaged trace a member may be there twice: then all
//! pairs are looked at.

use mpiscope_model::{CollectiveOp, Duration, LocationIndex, Timestamp};

use super::found::Found;
use super::members::{contributes, depends, waits, Member, Party};
use super::view::{At, View};
use crate::crowd::{Crowd, Sender};
use crate::steps;

/// As many enters are looked at one by one: so few that small programs of
/// tests go beyond.
const FEW: usize = 4;

/// Somebody who contributes, with enter and its time.
#[derive(Clone, Copy)]
struct Contributor<'a> {
    member: &'a Member,
    enter: At,
    time: Timestamp,
}

/// Looks at all pairs of one collective operation that could be wrong.
pub(super) fn look(view: &View, party: &Party, found: &mut Found) {
    let mut operation = Operation::new(party);
    steps::take(party.members.len());
    let ranks = operation.ranks();
    let slowest = view.known.latencies.longest();
    let exits = operation.receivers().filter_map(|it| it.exit.time());
    let last = operation.senders.iter().map(|it| it.time).max();
    if last
        .zip(exits.min())
        .is_none_or(|(last, first)| last + slowest <= first)
    {
        // Mostly nobody could be too early.
        let whole = |it: &&Member| it.exit.time().is_some();
        let pairs = operation.receivers().filter(whole);
        found.logical += pairs.map(|it| operation.pairs(it, &ranks)).sum::<u64>();
        return;
    }
    operation.sort();
    let mut many = Vec::new();
    for receiver in operation.receivers() {
        let Some(exit) = receiver.exit.time() else {
            continue;
        };
        found.logical += operation.pairs(receiver, &ranks);
        let suspicious = |sender: &Contributor| sender.time + slowest > exit;
        let count = operation.senders.partition_point(suspicious);
        if count > FEW && operation.distinct {
            many.push((receiver, exit));
            continue;
        }
        for sender in &operation.senders[..count] {
            steps::take(1);
            if waits(operation.op, party.across, receiver, sender.member) {
                view.compare(sender.enter, receiver.exit, false, found);
            }
        }
    }
    operation.count(view, many, found);
}

/// An operation with its senders; once they are sorted, the latest first.
struct Operation<'a> {
    party: &'a Party<'a>,
    op: CollectiveOp,
    senders: Vec<Contributor<'a>>,
    /// Once they are sorted: no rank of a group and no location sends twice.
    distinct: bool,
    /// How many send in the first and in the second group.
    sides: [u64; 2],
}

impl<'a> Operation<'a> {
    fn new(party: &'a Party<'a>) -> Operation<'a> {
        let contributor = |member: &'a Member| {
            let enter = member.enter?;
            let time = enter.time()?;
            Some(Contributor {
                member,
                enter,
                time,
            })
        };
        let members = party.members.iter();
        let members = members.filter(|member| contributes(member, party.across));
        let senders: Vec<Contributor> = members.filter_map(contributor).collect();
        let second = senders.iter().filter(|it| it.member.remote).count() as u64;
        Operation {
            party,
            op: party.members[0].op,
            distinct: false,
            sides: [senders.len() as u64 - second, second],
            senders,
        }
    }

    fn is_scan(&self) -> bool {
        matches!(self.op, CollectiveOp::Scan | CollectiveOp::Exscan)
    }

    /// Brings the senders in their order.
    fn sort(&mut self) {
        let (senders, across) = (&mut self.senders, self.party.across);
        senders.sort_by_key(|sender| std::cmp::Reverse(sender.time));
        steps::sort(3 * senders.len());
        let mut ranks: Vec<_> = (senders.iter())
            .map(|it| (it.member.remote && across, it.member.rank))
            .collect();
        let mut locations: Vec<_> = senders.iter().map(|it| it.enter.location).collect();
        self.distinct = are_distinct(&mut ranks) && are_distinct(&mut locations);
    }

    /// The senders' ranks, of a scan.
    fn ranks(&self) -> Vec<u32> {
        if !self.is_scan() {
            return Vec::new();
        }
        let mut ranks: Vec<u32> = self.senders.iter().map(|it| it.member.rank).collect();
        ranks.sort_unstable();
        ranks
    }

    /// Those who wait. An exit without its enter was cut off from its operation.
    fn receivers(&self) -> impl Iterator<Item = &'a Member> {
        let (party, across) = (self.party, self.party.across);
        let whole = move |member: &&Member| member.enter.is_some() && depends(member, across);
        party.members.iter().filter(whole)
    }

    /// How many messages a receiver waits for.
    fn pairs(&self, receiver: &Member, ranks: &[u32]) -> u64 {
        let across = self.party.across;
        match self.op {
            _ if self.is_scan() => ranks.partition_point(|&rank| rank < receiver.rank) as u64,
            _ if across => self.sides[usize::from(!receiver.remote)],
            _ => {
                (self.senders.len() as u64).saturating_sub(u64::from(contributes(receiver, across)))
            }
        }
    }

    /// Counts for receivers with their exits, without a look at each pair.
    fn count(&self, view: &View, mut receivers: Vec<(&Member, Timestamp)>, found: &mut Found) {
        if receivers.is_empty() {
            return;
        }
        let across = self.party.across && !self.is_scan();
        for heard in [false, true].into_iter().take(1 + usize::from(across)) {
            let mut senders: Vec<&Contributor> = (self.senders.iter())
                .filter(|it| !across || it.member.remote == heard)
                .collect();
            let mut crowd = Crowd::new(&view.known.ground, view.known.latencies);
            let all: Vec<Sender> = senders.iter().map(|it| seen(it)).collect();
            crowd.fill(&all, true);
            if self.is_scan() {
                senders.sort_by_key(|it| std::cmp::Reverse(it.member.rank));
                receivers.sort_by_key(|(member, _)| member.rank);
            } else {
                all.iter().for_each(|sender| crowd.add(*sender));
            }
            let by_rank = Ranked::new(if across { &[] } else { &senders });
            let hear = |member: &Member| !across || member.remote != heard;
            for &(receiver, exit) in receivers.iter().filter(|it| hear(it.0)) {
                let mut itself = by_rank.of(receiver.rank);
                if self.is_scan() {
                    itself = None;
                    while let Some(next) = senders.pop_if(|it| it.member.rank < receiver.rank) {
                        crowd.add(seen(next));
                    }
                }
                receive(&crowd, receiver, exit, itself, found);
            }
        }
    }
}

/// Counts the messages of one receiver.
fn receive(
    crowd: &Crowd,
    receiver: &Member,
    exit: Timestamp,
    itself: Option<Sender>,
    found: &mut Found,
) {
    let to = LocationIndex(receiver.exit.location);
    let mut latest = None;
    crowd.heard(to, exit.0, itself, |_, alike| {
        let Some((last, _)) = alike.last else { return };
        let earliest = Timestamp(last) + Duration(alike.latency);
        if earliest > exit {
            let by = earliest - exit;
            found.clock_condition.add_all(alike.late, by);
        }
        latest = latest.max(Some(Timestamp(last)));
    });
    if let Some(latest) = latest.filter(|latest| *latest > exit) {
        let reversed = crowd.later(exit.0, itself);
        found.reversed.add_all(reversed, latest - exit);
    }
}

fn seen(sender: &Contributor) -> Sender {
    Sender {
        location: LocationIndex(sender.enter.location),
        time: sender.time.0,
        number: sender.member.rank,
    }
}

/// Senders by their ranks.
struct Ranked(Vec<(u32, Sender)>);

impl Ranked {
    fn new(senders: &[&Contributor]) -> Ranked {
        let mut all: Vec<(u32, Sender)> = (senders.iter())
            .map(|it| (it.member.rank, seen(it)))
            .collect();
        all.sort_unstable_by_key(|it| it.0);
        Ranked(all)
    }

    fn of(&self, rank: u32) -> Option<Sender> {
        let at = self.0.binary_search_by_key(&rank, |it| it.0).ok()?;
        Some(self.0[at].1)
    }
}

fn are_distinct<T: Ord>(numbers: &mut [T]) -> bool {
    numbers.sort_unstable();
    numbers.windows(2).all(|pair| pair[0] != pair[1])
}
