//! Records added up by what they have in common.

use std::collections::BTreeMap;

use mpiscope_model::statistics::{Figures, Kind, Peer, Record, Statistics};

use super::{rank_numbers, Index, Spread, Sum};

/// By what records are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Communication statement.
    Statement,
    /// With whom, of all communication.
    Peer,
    /// Procedure, apart for each statement that calls it.
    Procedure,
    /// Loop.
    Loop,
    /// Rank, of all communication.
    Rank,
}

/// What the records of a group have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    /// A communication statement or loop.
    Statement(usize),
    /// A procedure and who calls it.
    Procedure(usize, Option<usize>),
    /// A peer.
    Peer(Peer),
    /// A rank.
    Rank(u32),
}

/// Records with something in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What it is.
    pub of: Of,
    /// Their sum.
    pub figures: Figures,
    /// How its time differs between ranks.
    pub spread: Spread,
}

impl By {
    fn of(self, record: &Record, kind: Kind) -> Option<Of> {
        let communicates = kind == Kind::Communication;
        let of = match self {
            By::Statement if communicates => Of::Statement(record.statement),
            By::Peer if communicates => Of::Peer(record.peer),
            By::Rank if communicates => Of::Rank(record.rank),
            By::Loop if kind == Kind::Loop => Of::Statement(record.statement),
            By::Procedure if kind == Kind::Procedure => {
                Of::Procedure(record.statement, record.caller)
            }
            _ => return None,
        };
        Some(of)
    }
}

/// Adds up records, most time first.
pub fn groups(statistics: &Statistics, by: By) -> Vec<Group> {
    let index = Index::new(statistics);
    let ranks = rank_numbers(statistics);
    let mut sums: BTreeMap<Of, Sum> = BTreeMap::new();
    if by == By::Rank {
        // A rank that did not communicate is one, too.
        sums.extend(ranks.iter().map(|&rank| (Of::Rank(rank), Sum::default())));
    }
    for record in &statistics.records {
        let Some(statement) = statistics.statements.get(record.statement) else {
            continue;
        };
        if let Some(of) = by.of(record, statement.kind) {
            let sum = sums.entry(of).or_default();
            sum.add(record, index.at(record.rank));
        }
    }
    let group = |(of, sum): (Of, Sum)| Group {
        of,
        spread: sum.spread(&ranks),
        figures: sum.figures,
    };
    let mut groups: Vec<Group> = sums.into_iter().map(group).collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.figures.time), group.of));
    groups
}

#[cfg(test)]
mod tests {
    use super::super::testing::parse;
    use super::*;

    const RUN: &str = "procedure main 1-9
           loop for 2-8
             call work 3
             call MPI_Send 4
           call work 7
         procedure work 20-30
         @0 0 1x 900
         @0 1 1x 800
         @0 5<2 10x 600
         @0 5<4 1x 700
         @0 3>1 10x 50
         @0 3>2 5x 60
         @1 3>2 5x 30";

    fn check(by: By, expected: &[(Of, u64, u64)]) {
        let groups = groups(&parse(RUN), by);
        let row = |group: &Group| (group.of, group.figures.calls, group.figures.time);
        let found: Vec<_> = groups.iter().map(row).collect();
        assert_eq!(found, expected, "{by:?}");
    }

    #[test]
    fn records_are_added_up_by_what_was_asked_for() {
        check(By::Statement, &[(Of::Statement(3), 20, 140)]);
        check(
            By::Peer,
            &[
                (Of::Peer(Peer::Rank(2)), 10, 90),
                (Of::Peer(Peer::Rank(1)), 10, 50),
            ],
        );
        check(By::Rank, &[(Of::Rank(0), 15, 110), (Of::Rank(1), 5, 30)]);
        check(By::Loop, &[(Of::Statement(1), 1, 800)]);
    }

    #[test]
    fn a_procedure_is_told_apart_by_who_calls_it() {
        let expected = [
            (Of::Procedure(0, None), 1, 900),
            (Of::Procedure(5, Some(4)), 1, 700),
            (Of::Procedure(5, Some(2)), 10, 600),
        ];
        check(By::Procedure, &expected);
    }
}
