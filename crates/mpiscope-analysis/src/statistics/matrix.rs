//! Who sent how much to whom.

use mpiscope_model::statistics::{Kind, Peer, Side, Statistics};

/// What one rank, or several, sent another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cell {
    /// Messages.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Point-to-point messages between ranks, or between blocks of ranks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matrix {
    /// Ranks of each block: one after the other, the last may have fewer.
    pub block: u32,
    /// Ranks that there are.
    pub ranks: u32,
    /// Of each block of senders, for each of receivers.
    pub cells: Vec<Vec<Cell>>,
    /// What was sent to receivers that have no record of their own.
    pub others: Vec<Cell>,
}

/// Returns who sent how much to whom, with at most so many rows: more ranks are put together.
pub fn matrix(statistics: &Statistics, most: u32) -> Matrix {
    let highest = |peer: Peer| match peer {
        Peer::Rank(rank) => rank,
        _ => 0,
    };
    let own = statistics.ranks.iter().map(|rank| rank.rank);
    let peers = statistics.records.iter().map(|record| highest(record.peer));
    let ranks = own
        .chain(peers)
        .max()
        .map_or(0, |last| last.saturating_add(1));
    let block = ranks.div_ceil(most.max(1)).max(1);
    let size = ranks.div_ceil(block) as usize;
    let mut matrix = Matrix {
        block,
        ranks,
        cells: vec![vec![Cell::default(); size]; size],
        others: vec![Cell::default(); size],
    };
    let sends = statistics.records.iter().filter(|record| {
        let statement = statistics.statements.get(record.statement);
        record.side == Side::Sent && statement.is_some_and(|s| s.kind == Kind::Communication)
    });
    for record in sends {
        let from = (record.rank / block) as usize;
        let cell = match record.peer {
            Peer::Rank(to) => matrix
                .cells
                .get_mut(from)
                .and_then(|c| c.get_mut((to / block) as usize)),
            _ => matrix.others.get_mut(from),
        };
        if let Some(cell) = cell {
            cell.messages = cell.messages.saturating_add(record.figures.messages);
            cell.bytes = cell.bytes.saturating_add(record.figures.bytes);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::super::testing::parse;
    use super::*;

    const RUN: &str = "call MPI_Send 4
        @0 0>1 10x 5 80B
        @0 0>others 2x 5 30B
        @1 0>3 1x 5 8B
        @3 0>0 1x 5 4B";

    fn bytes(matrix: &Matrix) -> Vec<Vec<u64>> {
        let row = |cells: &Vec<Cell>| cells.iter().map(|cell| cell.bytes).collect();
        matrix.cells.iter().map(row).collect()
    }

    #[test]
    fn a_cell_holds_what_a_rank_sent_another() {
        let matrix = matrix(&parse(RUN), 16);
        assert_eq!((matrix.ranks, matrix.block), (4, 1));
        let expected = [[0, 80, 0, 0], [0, 0, 0, 8], [0; 4], [4, 0, 0, 0]];
        assert_eq!(bytes(&matrix), expected);
        assert_eq!(
            matrix.others[0],
            Cell {
                messages: 2,
                bytes: 30
            }
        );
    }

    #[test]
    fn more_ranks_than_rows_are_put_together() {
        let matrix = matrix(&parse(RUN), 2);
        assert_eq!((matrix.ranks, matrix.block), (4, 2));
        assert_eq!(bytes(&matrix), [[80, 8], [4, 0]]);
    }
}
