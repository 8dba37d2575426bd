//! Operations of many processes: each part tells of its calls in one order, a
//! round at a time, and each operation is looked at where all its members are
//! told, then forgotten.

use std::collections::BTreeMap;
use std::ops::Range;

use mpiscope_model::{CollectiveOp, CommId, Trace};

use super::counting::Numbers;
use super::found::Found;
use super::members::{agree, Member, Party};
use super::neighbors;
use super::party;
use super::seen::communicator;
use super::view::View;
use super::waits::{together, Waits};
use crate::exchange::{plain, Exchange, Plain, ROUND};

/// What operations are counted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Over {
    Communicator,
    Window,
    /// The making of a communicator, and of a window.
    NewCommunicator,
    NewWindow,
    /// The world, which is initialized and finalized once.
    Initialized,
    Finalized,
}

impl Plain for Over {
    fn put(self, bytes: &mut Vec<u8>) {
        (self as u8).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Over> {
        use Over::*;
        let all = [
            Communicator,
            Window,
            NewCommunicator,
            NewWindow,
            Initialized,
            Finalized,
        ];
        all.get(usize::from(u8::take(bytes)?)).copied()
    }
}

/// Where operations are counted: on a communicator or window of a number, or
/// by what was initialized there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Row {
    pub over: Over,
    pub number: u32,
    pub persistent: Option<u64>,
}

plain! { Row { over, number, persistent } }

impl Row {
    pub fn new(over: Over, number: u32) -> Row {
        Row {
            over,
            number,
            persistent: None,
        }
    }

    /// Whether its members are two groups that face each other.
    fn is_across(&self, trace: &Trace) -> bool {
        let comm = match self.over {
            Over::Communicator => Some(CommId(self.number)),
            Over::Window => {
                let windows = &trace.definitions.windows;
                windows.get(self.number as usize).map(|it| it.comm)
            }
            _ => None,
        };
        let comm = comm.and_then(|comm| communicator(trace, comm));
        comm.is_some_and(|comm| comm.remote.is_some())
    }
}

/// An operation: its row, and its number there.
type Key = (Row, u64);

/// The calls of one process, each with its row and its number there.
#[derive(Default)]
pub(super) struct Calls {
    rows: Numbers<Row>,
    calls: Vec<(u32, u64, Member)>,
}

impl Calls {
    /// Returns the number of a row for its calls.
    pub fn row(&mut self, row: Row) -> usize {
        self.rows.of(row)
    }

    /// Adds a call on the row of that number.
    pub fn add(&mut self, row: usize, number: u64, member: Member) {
        self.calls.push((row as u32, number, member));
    }
}

/// Looks at those operations that this part is home of; the waits of those
/// along edges of a topology are added to others.
pub(super) fn look<E: Exchange>(
    exchange: &E,
    view: &View,
    calls: Vec<Calls>,
    found: &mut Found,
    waits: &mut Waits,
) {
    let mut ordered = Ordered::new(calls);
    let mut members = Vec::new();
    loop {
        let proposed = exchange.all_gather(ordered.end_of_round());
        let last = proposed.into_iter().flatten().min();
        let outgoing = ordered.up_to(last, exchange.parts());
        let mut told = together(exchange.all_to_all(outgoing));
        told.sort_by_key(Call::key);
        for operation in told.chunk_by(|a, b| a.key() == b.key()) {
            members.clear();
            members.extend(operation.iter().map(|it| it.member));
            look_at(view, operation[0].row, &members, found, waits);
        }
        if last.is_none() {
            break;
        }
    }
}

/// Looks at one operation.
fn look_at(view: &View, row: Row, members: &[Member], found: &mut Found, waits: &mut Waits) {
    let party = Party {
        members,
        across: row.is_across(view.trace),
    };
    if !holds(view, &party) || !agree(&party) {
        return;
    }
    if row.over == Over::Communicator && neighbors::is_among_neighbors(&party) {
        waits.extend(neighbors::edges(view.trace, CommId(row.number), &party));
    } else {
        party::look(view, &party, found);
    }
}

/// Whether anything follows from an operation as things are assumed.
fn holds(view: &View, party: &Party) -> bool {
    use CollectiveOp::{CreateHandle, CreateHandleAndAllocate};
    let op = party.members.first().map(|member| member.op);
    view.known.assumptions.creation || !matches!(op, Some(CreateHandle | CreateHandleAndAllocate))
}

/// A member of an operation, as its part tells it.
#[derive(Clone, Copy)]
struct Call {
    row: Row,
    number: u64,
    member: Member,
}

plain! { Call { row, number, member } }

impl Call {
    fn key(&self) -> Key {
        (self.row, self.number)
    }

    /// The part that looks at it, of so many: they take turns.
    fn home(&self, parts: usize) -> usize {
        (self.number.wrapping_add(self.row.number.into()) % parts as u64) as usize
    }
}

/// A call's number in its row, the list it is in, and its place there.
type Numbered = (u64, (u32, u32));

/// The calls of a part in the order of rows and numbers.
struct Ordered {
    lists: Vec<Calls>,
    rows: Vec<(Row, Vec<Numbered>)>,
    /// The next to be told: its row, and its place there.
    next: (usize, usize),
}

impl Ordered {
    fn new(lists: Vec<Calls>) -> Ordered {
        let mut rows: BTreeMap<Row, Vec<Numbered>> = BTreeMap::new();
        for (list, of) in (0..).zip(&lists) {
            let mut shares: Vec<Vec<Numbered>> = vec![Vec::new(); of.rows.keys.len()];
            for (call, &(row, number, _)) in (0..).zip(&of.calls) {
                shares[row as usize].push((number, (list, call)));
            }
            for (row, share) in of.rows.keys.iter().zip(shares) {
                rows.entry(*row).or_default().extend(share);
            }
        }
        let sorted = |(row, calls)| (row, by_number(calls));
        Ordered {
            rows: rows.into_iter().map(sorted).collect(),
            lists,
            next: (0, 0),
        }
    }

    /// Returns the operation that a round's worth of calls ends with, if there
    /// are as many. All parts end a round with the first that any of them names.
    fn end_of_round(&self) -> Vec<Key> {
        let mut left = ROUND;
        let mut first = self.next.1;
        for (row, calls) in &self.rows[self.next.0..] {
            if let Some((number, _)) = calls.get(first + left - 1) {
                return vec![(*row, *number)];
            }
            left -= calls.len() - first;
            first = 0;
        }
        Vec::new()
    }

    /// Takes the calls of operations up to the last, or of all, by the part that
    /// is home of each.
    fn up_to(&mut self, last: Option<Key>, parts: usize) -> Vec<Vec<Call>> {
        let mut outgoing = vec![Vec::new(); parts];
        while let Some((row, calls)) = self.rows.get(self.next.0) {
            let rest = &calls[self.next.1..];
            let within = |call: &Numbered| last.is_none_or(|last| (*row, call.0) <= last);
            let count = rest.partition_point(within);
            let range = self.next.1..self.next.1 + count;
            self.tell(*row, calls, range, &mut outgoing);
            if count < rest.len() {
                self.next.1 += count;
                break;
            }
            self.next = (self.next.0 + 1, 0);
        }
        outgoing
    }

    fn tell(&self, row: Row, calls: &[Numbered], range: Range<usize>, outgoing: &mut [Vec<Call>]) {
        for &(number, (list, call)) in &calls[range] {
            let (_, _, member) = self.lists[list as usize].calls[call as usize];
            let told = Call {
                row,
                number,
                member,
            };
            outgoing[told.home(outgoing.len())].push(told);
        }
    }
}

/// Sorts by number, equal ones as they come: by counting, if there are no more
/// numbers than a few for each.
fn by_number<T: Copy + Default>(calls: Vec<(u64, T)>) -> Vec<(u64, T)> {
    let most = calls.iter().map(|call| call.0).max().unwrap_or(0);
    if most >= 2 * calls.len() as u64 {
        let mut calls = calls;
        calls.sort_by_key(|call| call.0);
        return calls;
    }
    let mut next = vec![0usize; most as usize + 2];
    for call in &calls {
        next[call.0 as usize + 1] += 1;
    }
    for number in 1..next.len() {
        next[number] += next[number - 1];
    }
    let mut sorted = vec![(0, T::default()); calls.len()];
    for call in calls {
        let place = &mut next[call.0 as usize];
        sorted[*place] = call;
        *place += 1;
    }
    sorted
}
