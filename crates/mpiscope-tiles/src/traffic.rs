//! How much went from where to where, and how large messages are, of any number of messages.

use std::ops::Range;

use mpiscope_model::{LocationIndex, Message};
use rustc_hash::FxHashMap;

use crate::messages::Hull;
use crate::rows::{RowKind, Rows};
use crate::run::Clocked;

/// Blocks of events whose messages are added up once and for all.
pub(crate) const CHUNK: u32 = 8;
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
    /// Adds a message of so many bytes.
    pub(crate) fn add_message(&mut self, clock: &Clocked, message: Message, bytes: u64) {
        let row = |location: LocationIndex| {
            let row = clock.run.rows.of_location[location.index()];
            matrix_row(&clock.run.rows, row)
        };
        let amount = Amount { count: 1, bytes };
        let pair = (row(message.send.location), row(message.receive.location));
        self.pairs.entry(pair).or_default().add(amount);
        let class = bytes.checked_ilog2().map_or(0, |it| it as usize + 1);
        self.add_size(class, amount);
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
}

/// What the messages amount to that begin at a location, for every few blocks of its events.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfLocation {
    /// How many pairs and sizes there are until the end of each chunk.
    pub ends: Vec<(u32, u32)>,
    pub pairs: Vec<((u32, u32), Amount)>,
    pub sizes: Vec<(u32, Amount)>,
    /// That of the chunk that is not complete.
    open: Traffic,
}

impl OfLocation {
    /// Makes it of what it consists of.
    pub fn of(
        ends: Vec<(u32, u32)>,
        pairs: Vec<((u32, u32), Amount)>,
        sizes: Vec<(u32, Amount)>,
    ) -> OfLocation {
        OfLocation {
            ends,
            pairs,
            sizes,
            open: Traffic::default(),
        }
    }

    /// Adds a message that begins in the block at hand.
    pub fn add(&mut self, clock: &Clocked, message: Message) {
        let bytes = clock.told(message.send).bytes;
        self.open.add_message(clock, message, bytes);
    }

    /// Goes on to the next block.
    pub fn end_block(&mut self, block: u32) {
        if (block + 1).is_multiple_of(CHUNK) {
            self.end_chunk();
        }
    }

    fn end_chunk(&mut self) {
        let open = std::mem::take(&mut self.open);
        let from = self.pairs.len();
        self.pairs.extend(open.pairs);
        self.pairs[from..].sort_unstable_by_key(|it| it.0);
        let sizes = (0..).zip(open.sizes);
        self.sizes.extend(sizes.filter(|(_, it)| it.count > 0));
        self.ends
            .push((self.pairs.len() as u32, self.sizes.len() as u32));
    }

    /// Completes the last chunk.
    pub fn finish(&mut self) {
        if self.open != Traffic::default() {
            self.end_chunk();
        }
        self.pairs.shrink_to_fit();
        self.sizes.shrink_to_fit();
    }

    pub fn bytes(&self) -> usize {
        8 * self.ends.len()
            + self.pairs.len() * size_of::<((u32, u32), Amount)>()
            + self.sizes.len() * size_of::<(u32, Amount)>()
    }

    /// Adds what a chunk amounts to.
    fn chunk(&self, chunk: usize, to: &mut Traffic) {
        let Some(end) = self.ends.get(chunk) else {
            return;
        };
        let begin = chunk.checked_sub(1).map_or((0, 0), |it| self.ends[it]);
        for (pair, amount) in &self.pairs[begin.0 as usize..end.0 as usize] {
            to.pairs.entry(*pair).or_default().add(*amount);
        }
        for (class, amount) in &self.sizes[begin.1 as usize..end.1 as usize] {
            to.add_size(*class as usize, *amount);
        }
    }
}

impl Clocked<'_> {
    /// Adds the messages that begin at a location in a window.
    pub(crate) fn add_traffic(
        &self,
        location: LocationIndex,
        window: &Range<u64>,
        to: &mut Traffic,
    ) {
        let messages = &self.view.messages;
        let hulls = &messages.hulls[location.index()];
        let chunks = hulls.chunks(CHUNK as usize).enumerate();
        for (chunk, hulls) in chunks {
            let mut hull = Hull::NEVER;
            let own = hulls.iter().map(|(_, own)| own);
            own.for_each(|it| {
                hull.begin = hull.begin.min(it.begin);
                hull.end = hull.end.max(it.end);
            });
            if hull.is_in(window) {
                messages.traffic[location.index()].chunk(chunk, to);
            } else if hull.touches(window) {
                let first = chunk as u32 * CHUNK;
                self.begun(
                    location,
                    first..first + CHUNK,
                    window,
                    |recorded, message| {
                        to.add_message(self, message, recorded.told(message.send).bytes);
                    },
                );
            }
        }
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
