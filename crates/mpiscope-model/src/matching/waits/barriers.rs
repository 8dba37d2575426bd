//! Barriers of a team of threads, explicit or implied: regions that each
//! thread of the team enters and leaves. The k-th within an instance of the
//! team belong together.

use rustc_hash::FxHashMap;

use super::calls::Chosen;
use super::parties::{member, Parties};
use super::processes::events_of;
use super::threads::{Instance, Teams, Turns};
use crate::definitions::{
    CollectiveOp, CommId, LocationIndex, Paradigm, Region, RegionId, RegionRole,
};
use crate::events::{EventKind, Events, ThreadEvent};
use crate::messages::Matching;
use crate::trace::{EventRef, Trace};

pub(super) fn collect(trace: &Trace, locations: &[LocationIndex], matching: &mut Matching) {
    let regions = Chosen::by(trace, is_barrier);
    if !regions.any() {
        return;
    }
    let teams = Teams::new(trace, locations);
    let mut met: FxHashMap<Instance, Vec<(u32, Vec<Passed>)>> = FxHashMap::default();
    for &location in locations {
        for (instance, passed) in passed(location, events_of(trace, location), &regions) {
            let rank = teams.members(instance);
            let rank = rank.iter().position(|m| m.begin.location == location);
            if let Some(rank) = rank {
                met.entry(instance).or_default().push((rank as u32, passed));
            }
        }
    }
    let mut parties = Parties::new();
    for (instance, threads) in met {
        // If one is missing somewhere, nobody knows which.
        let whole = |(rank, _): &&(u32, Vec<Passed>)| {
            let begin = teams.members(instance)[*rank as usize].begin;
            let location = &trace.locations[begin.location.index()];
            location.truncated.is_none()
        };
        let counts = threads.iter().filter(whole).map(|(_, passed)| passed.len());
        if counts.clone().min() != counts.max() {
            continue;
        }
        for (rank, passed) in threads {
            for (turn, (enter, exit)) in passed.into_iter().enumerate() {
                let Some(exit) = exit else { continue };
                let op = CollectiveOp::ThreadBarrier;
                let member = member(enter, exit, rank);
                parties.add((instance, turn), op, CommId::NONE, None, member);
            }
        }
    }
    parties.finish(matching, |(instance, _)| teams.members(*instance).len());
}

/// Enter and leave of a barrier.
type Passed = (EventRef, Option<EventRef>);

fn is_barrier(region: &Region) -> bool {
    let role = matches!(
        region.role,
        RegionRole::Barrier | RegionRole::ImplicitBarrier
    );
    role && matches!(region.paradigm, Paradigm::OpenMp | Paradigm::Pthread)
}

/// Returns the barriers that a thread passed in each instance of a team.
fn passed(
    location: LocationIndex,
    events: &Events,
    regions: &Chosen,
) -> FxHashMap<Instance, Vec<Passed>> {
    let mut found: FxHashMap<Instance, Vec<Passed>> = FxHashMap::default();
    let mut turns = Turns::default();
    let mut inside: Option<Instance> = None;
    for (index, &kind) in events.kinds().iter().enumerate() {
        let arg = events.args()[index];
        let event = EventRef::new(location, index);
        match kind {
            EventKind::Thread => match events.threads()[arg as usize].1 {
                ThreadEvent::TeamBegin(team) => {
                    // Begun without a barrier, it passed none.
                    found.entry(turns.begin(team)).or_default();
                }
                ThreadEvent::TeamEnd(team) => {
                    turns.end(team);
                }
                _ => {}
            },
            EventKind::Enter if regions.has(RegionId(arg)) && inside.is_none() => {
                inside = turns.current();
                if let Some(passed) = inside.and_then(|instance| found.get_mut(&instance)) {
                    passed.push((event, None));
                }
            }
            EventKind::Leave if regions.has(RegionId(arg)) => {
                let instance = inside.take();
                let passed = instance.and_then(|instance| found.get_mut(&instance));
                if let Some((_, exit)) = passed.and_then(|passed| passed.last_mut()) {
                    *exit = Some(event);
                }
            }
            _ => {}
        }
    }
    found
}
