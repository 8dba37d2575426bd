//! How much went from where to where, and how large messages are, of any number of messages.

use rustc_hash::FxHashMap;

use crate::messages::told;
use crate::rows::{RowKind, Rows};
use crate::run::Run;

/// Messages of a chunk that is added up once and for all.
pub(crate) const CHUNK: usize = 1 << 16;
/// Processes of which a matrix has a row each; of more it has rows for hosts.
const MOST_PROCESSES: usize = 64;

/// How many messages and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// Messages.
    pub count: u64,
    /// Payload.
    pub bytes: u64,
}

impl Amount {
    fn add(&mut self, other: Amount) {
        self.count += other.count;
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

/// What some messages amount to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// By rows of the matrix.
    pub pairs: FxHashMap<(u32, u32), Amount>,
    /// By size: empty ones, then those of up to 1, 3, 7, … bytes.
    pub sizes: Vec<Amount>,
}

impl Traffic {
    /// Adds messages up that suit, by the rows of sender and receiver.
    pub(crate) fn of(run: &Run, messages: &[u32], suits: impl Fn(u32, u32) -> bool) -> Traffic {
        let mut traffic = Traffic::default();
        for number in messages {
            let message = &run.matching.messages[*number as usize];
            let row =
                |location: mpiscope_model::LocationIndex| run.rows.of_location[location.index()];
            let (from, to) = (row(message.send.location), row(message.receive.location));
            if suits(from, to) {
                let bytes = told(&run.trace, message).bytes;
                let amount = Amount { count: 1, bytes };
                let pair = (matrix_row(&run.rows, from), matrix_row(&run.rows, to));
                traffic.pairs.entry(pair).or_default().add(amount);
                traffic.add_size(
                    bytes.checked_ilog2().map_or(0, |it| it as usize + 1),
                    amount,
                );
            }
        }
        traffic
    }

    fn add_size(&mut self, class: usize, amount: Amount) {
        if self.sizes.len() <= class {
            self.sizes.resize(class + 1, Amount::default());
        }
        self.sizes[class].add(amount);
    }

    pub(crate) fn add(&mut self, other: &Traffic) {
        for (pair, amount) in &other.pairs {
            self.pairs.entry(*pair).or_default().add(*amount);
        }
        for (class, amount) in other.sizes.iter().enumerate() {
            self.add_size(class, *amount);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pairs.len() * size_of::<((u32, u32), Amount)>()
            + self.sizes.len() * size_of::<Amount>()
    }
}

/// Returns the row of the matrix that stands for a row: its process, or of many processes its host.
fn matrix_row(rows: &Rows, mut row: u32) -> u32 {
    if rows.processes > MOST_PROCESSES {
        return rows.host[row as usize];
    }
    while rows.list[row as usize].kind != RowKind::Process {
        match rows.list[row as usize].parent {
            Some(parent) => row = parent,
            None => break,
        }
    }
    row
}
