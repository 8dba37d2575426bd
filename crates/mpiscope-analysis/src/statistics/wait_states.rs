//! Wait states as far as statistics tell them: how long partners were waited
//! for at each statement, and in which way by the call and the side.

use std::collections::BTreeMap;

use mpiscope_model::statistics::{
    Figures, Kind as KindOfStatement, Peer, Record, Side, Statistics,
};

use crate::wait_states::Kind;

/// Waiting at one statement in one way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Waiting {
    /// Number of the statement.
    pub statement: usize,
    /// The way; nothing of calls that deal with several messages at once.
    pub kind: Option<Kind>,
    /// The records' sum.
    pub figures: Figures,
    /// How long each rank waited that executed it, none at all included.
    pub ranks: BTreeMap<u32, u64>,
    /// How long each rank was waited for, where the partner is one rank.
    pub peers: BTreeMap<u32, u64>,
}

/// What waiting in a collective operation is called, by the end of its name;
/// in all others everybody waits for everybody.
const OPERATIONS: &[(&str, Kind)] = &[
    ("barrier", Kind::Barrier),
    ("bcast", Kind::LateBroadcast),
    ("scatter", Kind::LateBroadcast),
    ("scatterv", Kind::LateBroadcast),
    ("reduce", Kind::EarlyReduce),
    ("gather", Kind::EarlyReduce),
    ("gatherv", Kind::EarlyReduce),
    ("scan", Kind::EarlyScan),
    ("exscan", Kind::EarlyScan),
];

/// What begins the names of other functions that none leaves before all have come.
const OTHERS: &[(&str, Kind)] = &[
    ("comm_", Kind::Collective),
    ("win_fence", Kind::Fence),
    ("win_create", Kind::WindowCreation),
    ("win_allocate", Kind::WindowCreation),
    ("win_", Kind::Collective),
    ("cart_", Kind::Collective),
    ("graph_", Kind::Collective),
    ("dist_", Kind::Collective),
    ("finalize", Kind::Finalization),
];

/// Returns what waiting in a call is called: a receive waits for its sender, a
/// send for its receiver.
pub fn kind(name: &str, side: Side) -> Option<Kind> {
    let name = name.to_ascii_lowercase();
    let name = name.strip_prefix("mpi_").unwrap_or(&name);
    let name = name.strip_suffix("_c").unwrap_or(name);
    let other = OTHERS.iter().find(|(begin, _)| name.starts_with(begin));
    match side {
        Side::Received => Some(Kind::LateSender),
        Side::Sent => Some(Kind::LateReceiver),
        // The completion of one that is nonblocking does not tell which it was.
        Side::Collective if name.starts_with("wait") || name.starts_with("test") => None,
        _ if other.is_some() => other.map(|(_, kind)| *kind),
        Side::Collective => {
            let of = OPERATIONS.iter().find(|(operation, _)| *operation == name);
            Some(of.map_or(Kind::NxN, |(_, kind)| *kind))
        }
        Side::None => None,
    }
}

/// Adds up waiting by statement and way, in the order of statements.
pub fn wait_states(statistics: &Statistics) -> Vec<Waiting> {
    let mut found: BTreeMap<(usize, Option<Kind>), Waiting> = BTreeMap::new();
    let communicates = |record: &&Record| {
        super::kind(statistics, record.statement) == Some(KindOfStatement::Communication)
    };
    for record in statistics.records.iter().filter(communicates) {
        let statement = record.statement;
        let kind = kind(&statistics.statements[statement].name, record.side);
        let waiting = found.entry((statement, kind)).or_default();
        (waiting.statement, waiting.kind) = (statement, kind);
        waiting.figures.add(&record.figures);
        let delay = record.figures.delay;
        add(&mut waiting.ranks, record.rank, delay);
        if let (Peer::Rank(peer), true) = (record.peer, delay > 0) {
            add(&mut waiting.peers, peer, delay);
        }
    }
    found.into_values().collect()
}

/// How often and how long one rank waited for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair {
    /// Calls in which that was told apart.
    pub calls: u64,
    /// How long, together.
    pub waiting: u64,
}

/// Returns who waited for whom, where the partner is one rank.
pub fn pairs(statistics: &Statistics) -> BTreeMap<(u32, u32), Pair> {
    let mut pairs: BTreeMap<(u32, u32), Pair> = BTreeMap::new();
    for record in statistics
        .records
        .iter()
        .filter(|record| record.figures.delay > 0)
    {
        if let Peer::Rank(peer) = record.peer {
            let pair = pairs.entry((record.rank, peer)).or_default();
            pair.calls = pair.calls.saturating_add(record.figures.separated);
            pair.waiting = pair.waiting.saturating_add(record.figures.delay);
        }
    }
    pairs
}

fn add(sums: &mut BTreeMap<u32, u64>, rank: u32, time: u64) {
    let sum = sums.entry(rank).or_default();
    *sum = sum.saturating_add(time);
}

#[cfg(test)]
mod tests {
    use super::super::testing::parse;
    use super::*;

    #[test]
    fn the_call_and_its_side_tell_the_way_of_waiting() {
        let check = |name: &str, side, expected| assert_eq!(kind(name, side), expected, "{name}");
        check("MPI_Recv", Side::Received, Some(Kind::LateSender));
        check("MPI_Wait", Side::Received, Some(Kind::LateSender));
        check("MPI_Ssend", Side::Sent, Some(Kind::LateReceiver));
        check("MPI_Barrier", Side::Collective, Some(Kind::Barrier));
        check("MPI_Bcast_c", Side::Collective, Some(Kind::LateBroadcast));
        check("MPI_Gatherv", Side::Collective, Some(Kind::EarlyReduce));
        check("MPI_Exscan", Side::Collective, Some(Kind::EarlyScan));
        check("MPI_Allreduce", Side::Collective, Some(Kind::NxN));
        check("MPI_Comm_dup", Side::Collective, Some(Kind::Collective));
        check("MPI_Finalize", Side::None, Some(Kind::Finalization));
        check("MPI_Wait", Side::Collective, None);
        check("MPI_Waitall", Side::None, None);
    }

    #[test]
    fn waiting_is_added_up_by_statement_and_way() {
        let all = parse(
            "procedure main 1-9
               call MPI_Sendrecv 3
             @0 1>1 2x 40 wait 30
             @1 1>0 2x 80 wait 10
             @1 1>2 2x 80 wait 5",
        );
        let found = wait_states(&all);
        assert_eq!(found.len(), 1);
        let waiting = &found[0];
        assert_eq!(waiting.kind, Some(Kind::LateReceiver));
        assert_eq!((waiting.figures.delay, waiting.figures.separated), (45, 6));
        assert_eq!(waiting.ranks, BTreeMap::from([(0, 30), (1, 15)]));
        assert_eq!(waiting.peers, BTreeMap::from([(0, 10), (1, 30), (2, 5)]));
        let pair = pairs(&all)[&(1, 2)];
        assert_eq!((pair.calls, pair.waiting), (2, 5));
    }
}
