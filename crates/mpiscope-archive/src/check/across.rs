//! What no location tells by itself: both sides of messages, all members of collective
//! operations, requests that another thread completes.

use std::collections::{BTreeMap, HashMap, HashSet};

use otf2::CollectiveOp;

use super::findings::{Findings, Place};
use super::known::{Known, Members};
use super::location::Seen;
use super::requests::Channel;
use super::rules::Rule;

/// Looks at all locations together; `name` is the archive's.
pub(super) fn look(name: &str, known: &Known, mut locations: Vec<Seen>) -> Findings {
    let mut findings = Findings::default();
    requests(name, &mut locations, &mut findings);
    processes(name, &locations, &mut findings);
    let partial: Partial = (locations.iter().filter(|seen| seen.is_switched))
        .map(|seen| seen.rank)
        .collect();
    messages(&locations, &partial, &mut findings);
    collectives(name, known, &mut locations, &partial, &mut findings);
    findings
}

/// World ranks whose recording was switched: what the archive lacks of them is no fault of it.
type Partial = HashSet<u32>;

fn file(name: &str, location: u64) -> String {
    format!("{name}/{location}.evt")
}

/// Requests that no thread of the process has posted.
fn requests(name: &str, locations: &mut [Seen], findings: &mut Findings) {
    let mut posted: HashMap<u32, HashSet<u64>> = HashMap::new();
    for seen in locations.iter_mut() {
        let all = posted.entry(seen.rank).or_default();
        all.extend(std::mem::take(&mut seen.requests));
    }
    let mut threads: HashMap<u32, usize> = HashMap::new();
    for seen in locations.iter() {
        *threads.entry(seen.rank).or_default() += 1;
    }
    for seen in locations {
        let shared = threads.get(&seen.rank).is_some_and(|count| *count > 1);
        for (request, event, offset) in std::mem::take(&mut seen.strange) {
            let elsewhere = || {
                posted
                    .get(&seen.rank)
                    .is_some_and(|it| it.contains(&request))
            };
            if shared && elsewhere() {
                continue;
            }
            findings.add(Rule::RequestNotActive, || Place {
                file: file(name, seen.id),
                location: Some(seen.id),
                record: Some(event),
                offset: Some(offset),
                what: format!("request {request}"),
            });
        }
    }
}

/// Processes that call MPI, and never begin or end it.
fn processes(name: &str, locations: &[Seen], findings: &mut Findings) {
    let mut ranks: BTreeMap<u32, (u64, bool, bool)> = BTreeMap::new();
    for seen in locations.iter().filter(|seen| seen.calls_mpi) {
        let rank = ranks.entry(seen.rank).or_insert((seen.id, false, false));
        rank.1 |= seen.init;
        rank.2 |= seen.finalize;
    }
    for (rank, (location, init, finalize)) in ranks {
        let mut add = |rule, is: bool| {
            if !is {
                findings.add(rule, || Place {
                    file: file(name, location),
                    location: Some(location),
                    what: format!("rank {rank}"),
                    ..Place::default()
                });
            }
        };
        add(Rule::InitMissing, init);
        add(Rule::FinalizeMissing, finalize);
    }
}

fn messages(locations: &[Seen], partial: &Partial, findings: &mut Findings) {
    let mut open: BTreeMap<Channel, i64> = BTreeMap::new();
    for (channel, count) in locations.iter().flat_map(|seen| &seen.sent) {
        *open.entry(*channel).or_default() += count;
    }
    open.retain(|(_, from, to, _), _| !partial.contains(from) && !partial.contains(to));
    for ((communicator, from, to, tag), count) in open {
        let side = match count {
            0 => continue,
            1.. => "sent and not received",
            _ => "received and not sent",
        };
        findings.add(Rule::Unmatched, || Place {
            what: format!(
                "from rank {from} to rank {to} in communicator {communicator} with tag {tag}: {} {side}",
                count.unsigned_abs()
            ),
            ..Place::default()
        });
    }
}

/// What a rank did in a communicator: location, time, event, operation.
type Row = (u64, u64, u64, u8);

fn collectives(
    name: &str,
    known: &Known,
    locations: &mut [Seen],
    partial: &Partial,
    findings: &mut Findings,
) {
    let mut all: BTreeMap<u32, BTreeMap<u32, Vec<Row>>> = BTreeMap::new();
    let mut nonblocking: BTreeMap<u32, BTreeMap<u32, BTreeMap<u8, u64>>> = BTreeMap::new();
    for seen in locations {
        for (communicator, rows) in std::mem::take(&mut seen.collectives) {
            let ranks = all.entry(communicator).or_default();
            let own = ranks.entry(seen.rank).or_default();
            let rows = rows.into_iter();
            own.extend(rows.map(|(time, event, op)| (seen.id, time, event, op)));
        }
        for (communicator, counts) in std::mem::take(&mut seen.nonblocking) {
            let ranks = nonblocking.entry(communicator).or_default();
            let own = ranks.entry(seen.rank).or_default();
            for (op, count) in counts {
                *own.entry(op).or_default() += count;
            }
        }
    }
    for (communicator, mut ranks) in all {
        let Some(members) = complete(known, communicator, partial) else {
            continue;
        };
        for rows in ranks.values_mut() {
            // Several threads take turns.
            rows.sort_by_key(|row| row.1);
        }
        if let Some(place) = first_difference(name, communicator, &members, &ranks) {
            findings.add(Rule::CollectiveOrder, || place);
        }
    }
    for (communicator, ranks) in nonblocking {
        let Some(members) = complete(known, communicator, partial) else {
            continue;
        };
        let none = BTreeMap::new();
        let of = |rank: &u32| ranks.get(rank).unwrap_or(&none);
        let Some(first) = members.first() else {
            continue;
        };
        if let Some(other) = members.iter().find(|rank| of(rank) != of(first)) {
            findings.add(Rule::CollectiveOrder, || Place {
                what: format!(
                    "communicator {communicator}: ranks {first} and {other} completed other nonblocking operations"
                ),
                ..Place::default()
            });
        }
    }
}

/// Returns the members of a communicator, if the archive has all that they did together.
fn complete(known: &Known, communicator: u32, partial: &Partial) -> Option<Vec<u32>> {
    let members = members(known, communicator)?;
    let is_complete = members.iter().all(|rank| !partial.contains(rank));
    is_complete.then_some(members)
}

/// Returns the world ranks that take part in the operations of a communicator, if there are
/// several.
fn members(known: &Known, communicator: u32) -> Option<Vec<u32>> {
    match known.members(communicator)? {
        Members::Itself => None,
        Members::Of(group) => Some(group.ranks.to_vec()),
        Members::Between(a, b) => Some(a.ranks.iter().chain(b.ranks.iter()).copied().collect()),
    }
}

/// Compares all members with the first one.
fn first_difference(
    name: &str,
    communicator: u32,
    members: &[u32],
    ranks: &BTreeMap<u32, Vec<Row>>,
) -> Option<Place> {
    let of = |rank: &u32| ranks.get(rank).map_or(&[][..], |rows| &rows[..]);
    let first = members.first()?;
    let expected = of(first);
    for rank in members {
        let found = of(rank);
        let same = |(a, b): &(&Row, &Row)| a.3 == b.3;
        let until = expected.iter().zip(found).take_while(same).count();
        if until == expected.len() && until == found.len() {
            continue;
        }
        let tell = |row: Option<&Row>| {
            row.map_or("none".to_owned(), |row| CollectiveOp(row.3).to_string())
        };
        let (theirs, ours) = (expected.get(until), found.get(until));
        let at = ours.or(theirs)?;
        return Some(Place {
            file: file(name, at.0),
            location: Some(at.0),
            record: Some(at.2),
            offset: None,
            what: format!(
                "operation {} in communicator {communicator}: rank {first} {}, rank {rank} {}",
                until + 1,
                tell(theirs),
                tell(ours)
            ),
        });
    }
    None
}
