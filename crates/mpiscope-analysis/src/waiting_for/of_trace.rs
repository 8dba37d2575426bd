//! The wait-for graph of what ranks did last, as a trace tells it.
//!
//! Twice: with what MPI has to wait for whatever its implementation, and with
//! what it usually waits for. MPI_Send may return before its message is received
//! (MPI 4.1 §3.4), a member of MPI_Bcast before the others have come (§6.1), and
//! which of its requests MPI_Waitall waits for is not recorded.

use mpiscope_model::{EventKind, EventRef, Matching, Rank, Timestamp, Trace};

use super::{stuck, Need, Process, Stuck, Wait};
use crate::errors::{self, Error, ErrorKind, Stand, Standing, WaitsFor};

/// What ranks do, and who of them waits for ever.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Where each location is that has called MPI; empty if all ranks came to MPI_Finalize.
    pub stands: Vec<Stand>,
    /// Members of a communicator that call different operations or name different roots.
    pub disagreements: Vec<Error>,
    /// Who is known to wait for ever, by world rank.
    pub certain: Stuck,
    /// Who waits for ever if calls that may return earlier do not.
    pub presumed: Stuck,
    /// Recording was switched off for a while: nothing is said of who waits.
    pub paused: bool,
    /// The program asked for threads: one that has not called MPI yet may do what others wait for,
    /// so nothing is certain.
    pub threads: bool,
}

/// Looks at a trace of `size` ranks. Those of `ended` do nothing any more. Where
/// events or threads are missing (`whole` is false), nothing is certain.
pub fn picture(
    trace: &Trace,
    matching: &Matching,
    size: u32,
    ended: &[Rank],
    whole: bool,
) -> Picture {
    let found = errors::look(trace, matching);
    let kinds = [ErrorKind::CollectiveOrder, ErrorKind::CollectiveRoot];
    let (stands, mut disagreements) = (found.stands, found.errors);
    disagreements.retain(|error| kinds.contains(&error.kind));
    let agree = disagreements.is_empty();
    let graph = |wait: &dyn Fn(&Stand) -> Option<Wait>| {
        stuck(&processes(trace, &stands, size, ended, wait))
    };
    let mut regions = trace.definitions.regions.iter();
    let threads = regions.any(|region| errors::plain_name(&region.name) == "init_thread");
    let certain = graph(&|stand| match whole && !threads {
        true => proven(trace, stand, agree),
        false => None,
    });
    Picture {
        presumed: graph(&|stand| told(stand, stand.all)),
        certain,
        disagreements,
        paused: errors::was_paused(trace),
        threads,
        stands,
    }
}

/// Makes a process of each world rank.
fn processes(
    trace: &Trace,
    stands: &[Stand],
    size: u32,
    ended: &[Rank],
    wait: impl Fn(&Stand) -> Option<Wait>,
) -> Vec<Process> {
    let mut threads: Vec<Vec<&Stand>> = vec![Vec::new(); size as usize];
    for stand in stands {
        let rank = trace.locations[stand.location.index()].rank;
        if let Some(threads) = threads.get_mut(rank.0 as usize) {
            threads.push(stand);
        }
    }
    let inside = |wait: &Wait| {
        let mut of = wait.needs.iter().flat_map(|need| &need.of);
        of.all(|&rank| rank < size as usize)
    };
    let process = |(rank, threads): (u32, &Vec<&Stand>)| {
        let mut standing = threads.iter().map(|stand| stand.standing);
        if ended.contains(&Rank(rank)) || standing.any(|it| it == Standing::Finalized) {
            return Process::Over;
        }
        let waits = threads.iter().map(|stand| wait(stand).filter(inside));
        match waits.collect::<Option<Vec<Wait>>>() {
            Some(waits) if !waits.is_empty() => Process::Waits(waits),
            _ => Process::GoesOn,
        }
    };
    (0..).zip(&threads).map(process).collect()
}

/// Returns what a call is told to wait for.
fn told(stand: &Stand, all: bool) -> Option<Wait> {
    let need = |waits: &WaitsFor| Need {
        of: waits.ranks.iter().map(|rank| rank.0 as usize).collect(),
        any: waits.any,
    };
    let needs: Vec<Need> = stand.waits_for.iter().map(need).collect();
    (!needs.is_empty()).then_some(Wait { needs, all })
}

/// Collective operations in which every member needs something of every other.
pub const OF_ALL: [&str; 5] = [
    "barrier",
    "allreduce",
    "allgather",
    "alltoall",
    "reduce_scatter_block",
];
/// In these all others need something of the root.
const OF_ROOT: [&str; 3] = ["bcast", "scatter", "scatterv"];
/// In these the root needs something of all others.
const FOR_ROOT: [&str; 2] = ["reduce", "gather"];

/// Returns what a call waits for whatever its MPI does.
fn proven(trace: &Trace, stand: &Stand, agree: bool) -> Option<Wait> {
    let name = errors::plain_name(errors::region_name(trace, stand.call?));
    let receives = stand.waits_for.iter().all(|waits| waits.receives);
    match name.as_str() {
        _ if stand.untold => None,
        // It need not mean all that is under way.
        "wait" | "waitall" | "waitany" | "waitsome" => told(stand, false).filter(|_| receives),
        "ssend" => told(stand, true),
        _ if receives => told(stand, true),
        name => members(trace, stand, name).filter(|_| agree),
    }
}

/// The same for a collective operation.
fn members(trace: &Trace, stand: &Stand, name: &str) -> Option<Wait> {
    let enter = stand.call?;
    let location = &trace.locations[enter.location.index()];
    let posted = location.events.posted(enter.index as usize + 1);
    let root = posted.and_then(|posted| {
        let comm = trace.definitions.communicators.get(posted.comm.index())?;
        let within = comm.remote.is_none();
        comm.members.get(posted.source? as usize).filter(|_| within)
    });
    // Of nothing to exchange they may return at once.
    let empty = posted.is_some_and(|posted| posted.capacity == Some(0));
    let wait = told(stand, true)?;
    match root {
        _ if empty && name != "barrier" => None,
        _ if OF_ALL.contains(&name) => Some(wait),
        Some(root) if FOR_ROOT.contains(&name) => (*root == location.rank).then_some(wait),
        Some(root) if OF_ROOT.contains(&name) && *root != location.rank => {
            let root = root.0 as usize;
            let needs = vec![Need {
                of: vec![root],
                any: true,
            }];
            let missing = wait.needs.iter().any(|need| need.of.contains(&root));
            missing.then_some(Wait { needs, all: true })
        }
        _ => None,
    }
}

/// Returns when the call was left that an event entered.
pub fn left(trace: &Trace, enter: EventRef) -> Option<Timestamp> {
    let events = &trace.locations[enter.location.index()].events;
    let (kinds, args) = (events.kinds(), events.args());
    let enter = enter.index as usize;
    let leave = (enter..events.len())
        .find(|&index| kinds[index] == EventKind::Leave && args[index] == args[enter]);
    leave.map(|index| events.times()[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranks that certainly wait for ever, and those that are presumed to.
    #[track_caller]
    fn check(text: &str, ended: &[u32], certain: &[usize], presumed: &[usize]) -> Picture {
        let trace = Trace::parse(text).unwrap();
        let size = trace.ranks().len() as u32;
        let ended: Vec<Rank> = ended.iter().copied().map(Rank).collect();
        let found = picture(&trace, &trace.matching(), size, &ended, true);
        assert_eq!(found.certain.waiting(), certain, "certain");
        assert_eq!(found.presumed.waiting(), presumed, "presumed");
        let nothing = picture(&trace, &trace.matching(), size, &ended, false);
        assert_eq!(nothing.certain.waiting(), [0usize; 0], "not whole");
        found
    }

    #[test]
    fn two_that_receive_from_each_other_wait_for_ever() {
        let text = "
            0: 1 enter(MPI_Recv) !posted(1)
            1: 1 enter(MPI_Recv) !posted(0)";
        let found = check(text, &[], &[0, 1], &[0, 1]);
        assert_eq!(found.certain.circles(), [[0, 1]]);
    }

    #[test]
    fn a_thread_that_has_not_called_mpi_yet_may_send() {
        let text = "
            0: 1 enter(MPI_Init_thread) 1 leave(MPI_Init_thread) 2 enter(MPI_Recv) !posted(1)
            1: 1 enter(MPI_Init_thread) 1 leave(MPI_Init_thread) 2 enter(MPI_Recv) !posted(0)";
        assert!(check(text, &[], &[], &[0, 1]).threads);
    }

    #[test]
    fn a_message_that_is_under_way_is_no_wait() {
        check(
            "0: 1 enter(MPI_Recv) !posted(1)
             1: 1 enter(MPI_Send) 1 send>0 2 leave(MPI_Send) 3 enter(MPI_Recv) !posted(0)",
            &[],
            &[],
            &[],
        );
    }

    #[test]
    fn a_send_may_be_buffered_and_a_synchronous_one_not() {
        for (send, certain) in [("MPI_Send", &[][..]), ("MPI_Ssend", &[0, 1])] {
            let text = format!(
                "0: 1 enter({send}) 1 send>1
                 1: 1 enter({send}) 1 send>0"
            );
            check(&text, &[], certain, &[0, 1]);
        }
    }

    #[test]
    fn who_waits_for_one_that_computes_or_has_ended() {
        let text = "
            0: 1 enter(MPI_Recv) !posted(1)
            1: 1 enter(MPI_Send) 1 send>2 2 leave(MPI_Send) 3 enter(work)
            2: 1 enter(MPI_Recv) !posted(1) 2 recv<1 3 leave(MPI_Recv) 4 enter(work)";
        check(text, &[], &[], &[]);
        check(text, &[1], &[0], &[0]);
    }

    #[test]
    fn receives_from_anybody_are_stuck_only_if_nobody_is_left() {
        let wildcards = "
            0: 1 enter(MPI_Recv) !posted(any)
            1: 1 enter(MPI_Recv) !posted(any)";
        let third = |what: &str| format!("{wildcards}\n2: 1 enter({what}");
        check(&third("MPI_Recv) !posted(0)"), &[], &[0, 1, 2], &[0, 1, 2]);
        check(&third("work)"), &[], &[], &[]);
    }

    #[test]
    fn who_has_not_come_to_a_collective_operation_is_waited_for() {
        let text = |call: &str, root: &str| {
            format!(
                "0: 1 enter({call}) 2 ?{{ !posted({root})
                 1: 1 enter({call}) 2 ?{{ !posted({root})
                 2: 1 enter(MPI_Recv) !posted(0)"
            )
        };
        check(&text("MPI_Barrier", "0"), &[], &[0, 1, 2], &[0, 1, 2]);
        // The root of a broadcast need not wait for anybody; all others wait for it.
        check(&text("MPI_Bcast", "0"), &[], &[], &[0, 1, 2]);
        check(&text("MPI_Bcast", "2"), &[], &[0, 1, 2], &[0, 1, 2]);
        check(&text("MPI_Reduce", "0"), &[], &[0, 2], &[0, 1, 2]);
    }

    #[test]
    fn different_operations_on_one_communicator_are_an_error() {
        let text = "
            0: 1 enter(MPI_Barrier) 2 ?{ !posted(0)
            1: 1 enter(MPI_Bcast) 2 ?{ !posted(0)";
        let found = check(text, &[], &[], &[0, 1]);
        assert_eq!(found.disagreements.len(), 1);
        assert_eq!(found.disagreements[0].kind, ErrorKind::CollectiveOrder);
    }

    #[test]
    fn which_requests_a_wait_means_is_not_known() {
        let waits = |call: &str| {
            format!(
                "0: 1 enter(MPI_Irecv) 2 irecv#1 !posted(1) 3 leave(MPI_Irecv) 4 enter({call})
                 1: 1 enter(MPI_Recv) !posted(0)"
            )
        };
        check(&waits("MPI_Waitall"), &[], &[0, 1], &[0, 1]);
        let with_send = waits("MPI_Waitall").replace(
            "4 enter",
            "4 enter(MPI_Isend) 5 isend>1#2 6 leave(MPI_Isend) 7 enter",
        );
        let with_send = with_send.replace("!posted(0)", "!posted(0,tag=3)");
        check(&with_send, &[], &[], &[0, 1]);
    }
}
