//! Operations of which a trace does not tell who sent to whom.
//!
//! In MPI_Alltoallv and MPI_Alltoallw a member need not have data for every other (MPI 4.1 §6.8),
//! and in neighbourhood operations only neighbours exchange them (§8.6), who are known where the
//! archive has the topology. An archive holds sums of bytes. Where each member has something for all
//! others ours say so; of the rest nobody knows who waited for whom, which is not that nobody waited.

use mpiscope_model::{CollectiveInstance, EventRef, Matching, Processes, Trace};
use rustc_hash::FxHashSet;

use crate::collectives::is_pairwise;
use crate::races::{first_of_lines, CallPlace};
use crate::sharers::Sharers;

/// Returns at which statements such operations ended.
pub fn untold_operations(trace: &Trace, matching: &Matching) -> FxHashSet<CallPlace> {
    untold_operations_among(trace, matching, None)
}

/// Does the same together with other processes, if they share the events: the first knows all.
pub fn untold_operations_among(
    trace: &Trace,
    matching: &Matching,
    processes: Option<&dyn Processes>,
) -> FxHashSet<CallPlace> {
    let sharers = Sharers::of(trace, processes);
    let instances = matching.collectives.iter().enumerate();
    let of_pairs = instances.filter(|(_, it)| is_pairwise(it.op));
    let mut members: Vec<EventRef> = Vec::new();
    match sharers {
        None => {
            let untold = of_pairs.filter(|(_, it)| is_untold(trace, matching, it));
            let ends = untold.flat_map(|(_, it)| matching.members_of(it));
            members.extend(ends.map(|it| it.exit));
        }
        // Who knows all members tells each.
        Some(sharers) => {
            let me = sharers.job().me();
            let ends = of_pairs.flat_map(|(number, it)| {
                let home = matching.homes[number].process as usize;
                let untold = home == me && is_untold(trace, matching, it);
                let members = matching.members_of(it).iter();
                members.map(move |member| (member.exit, home, untold))
            });
            let part = |it: &(EventRef, usize, bool)| sharers.part_of(it.0.location);
            let here = ends.clone().filter(|it| part(it) == me && it.2);
            members.extend(here.map(|it| it.0));
            let told = sharers.say(ends, |it| it.1, part, |it| it.2);
            let untold = told.into_iter().filter(|(_, untold)| *untold);
            members.extend(untold.map(|(it, _)| it.0));
        }
    }
    let first = first_of_lines(trace);
    let place = |event| {
        let place = CallPlace::of(trace, event);
        let site = place.site.map(|it| first[it.0 as usize]);
        CallPlace { site, ..place }
    };
    let found: FxHashSet<CallPlace> = members.into_iter().map(place).collect();
    match sharers {
        Some(sharers) => sharers
            .gather(found.into_iter().collect())
            .into_iter()
            .collect(),
        None => found,
    }
}

fn is_untold(trace: &Trace, matching: &Matching, instance: &CollectiveInstance) -> bool {
    let members = matching.members_of(instance);
    let has_data = members.iter().any(|it| it.sent > 0 || it.received > 0);
    let is_told = match instance.op.is_among_neighbors() {
        // Who they are the communicator tells.
        true => {
            let communicator = trace.definitions.communicators.get(instance.comm.index());
            instance.consistent && communicator.is_some_and(|it| it.destinations.is_some())
        }
        false => members.iter().any(|it| matching.is_dense(trace, it.exit)),
    };
    members.len() > 1 && has_data && !is_told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(comm: &str, op: &str) -> usize {
        let rank = |number: u32| format!("{number}: 0 enter(MPI_X) 1 {op} 9 leave(MPI_X)");
        let trace = Trace::parse(&[comm.to_owned(), rank(0), rank(1)].join("\n")).unwrap();
        untold_operations(&trace, &trace.matching()).len()
    }

    #[test]
    fn only_of_those_that_have_data_for_some_nothing_is_told() {
        assert_eq!(places("", "alltoallv{ 8 }"), 1);
        assert_eq!(places("", "alltoallv(sent=0,received=0){ 8 }"), 0);
        assert_eq!(places("", "alltoallv{ 8 } !dense"), 0);
        assert_eq!(places("", "alltoall{ 8 }"), 0);
    }

    #[test]
    fn neighbours_are_those_of_the_topology() {
        let op = "neighbor_allgather(comm=ring){ 8 }";
        assert_eq!(places("comm ring: 0 1 edges 0>1 1>0", op), 0);
        assert_eq!(places("comm ring: 0 1", op), 1);
    }
}
