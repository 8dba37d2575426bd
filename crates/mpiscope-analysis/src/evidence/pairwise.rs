//! Operations of which a trace does not tell who sent to whom.
//!
//! In MPI_Alltoallv and MPI_Alltoallw a member need not have data for every other (MPI 4.1 §6.8),
//! and in neighbourhood operations only neighbours exchange them (§8.6), who are known where the
//! archive has the topology. An archive holds sums of bytes. Where each member has something for all others ours say so; of the rest nobody knows who
//! waited for whom, which is not that nobody waited.

use mpiscope_model::{CollectiveInstance, Matching, Trace};
use rustc_hash::FxHashSet;

use crate::collectives::{is_dense, is_pairwise};
use crate::races::{first_of_lines, CallPlace};

/// Returns at which statements such operations ended.
pub fn untold_operations(trace: &Trace, matching: &Matching) -> FxHashSet<CallPlace> {
    let instances = matching.collectives.iter();
    let of_pairs = instances.filter(|it| is_pairwise(it.op) && is_untold(trace, matching, it));
    let members = of_pairs.flat_map(|it| matching.members_of(it));
    let first = first_of_lines(trace);
    let place = |event| {
        let place = CallPlace::of(trace, event);
        let site = place.site.map(|it| first[it.0 as usize]);
        CallPlace { site, ..place }
    };
    members.map(|member| place(member.exit)).collect()
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
        false => members.iter().any(|it| is_dense(trace, it.exit)),
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
