//! Collective operations (MPI 4.1, chapter 6) and their byte counts.
//!
//! A table with a row per operation says which data must be of one type and how
//! many bytes this member sends and receives. Counts follow what
//! analyzers of OTF2 expect: every block that the operation moves for this
//! member, its own included, unless `MPI_IN_PLACE` spares it; the root of a
//! broadcast sends a block to each member and receives one. Nonblocking and
//! persistent ones (`nonblocking`) have the same arguments at the same places.

use mpiscope_run::record::{Begun, Collective, Fact, AMONG_NEIGHBORS, NO_CAPACITY, NO_ROOT};

mod data;
mod neighbors;
mod nonblocking;

pub use nonblocking::{complete, initialised, initiate, initiated, start};

use super::call::ObservedCall;
use crate::mpi::collective::{collective, Operation};
use crate::mpi::comms::Comm;
use data::{Data, NOTHING};

/// Root in an intercommunicator, as OTF2 spells it: this process (`MPI_ROOT`).
const ROOT_SELF: u32 = u32::MAX - 1;
/// The same: another process of this process's group (`MPI_PROC_NULL`).
const ROOT_THIS_GROUP: u32 = u32::MAX - 2;

/// The operations whose members may send nothing to some.
const ALLTOALLV: u8 = Operation::Alltoallv as u8;
const ALLTOALLW: u8 = Operation::Alltoallw as u8;
/// The same among neighbours.
const NEIGHBOR_ALLTOALLV: u8 = ALLTOALLV | AMONG_NEIGHBORS;
const NEIGHBOR_ALLTOALLW: u8 = ALLTOALLW | AMONG_NEIGHBORS;

/// How one operation is read from its arguments.
struct Row {
    /// The data whose type every member must agree in.
    data: fn(&View) -> Data,
    bytes: fn(&View) -> (u64, u64),
}

/// One row per OTF2 CollectiveOp, at its number.
const ROWS: [Row; 17] = [
    row(data::nothing, |_| (0, 0)),
    row(data::bcast, bcast),
    row(data::gather, gather),
    row(data::gatherv, gatherv),
    row(data::scatter, scatter),
    row(data::scatterv, scatterv),
    row(data::among_all, one_block_each),
    row(data::allgatherv, allgatherv),
    row(data::among_all, one_block_each),
    row(data::alltoallv, alltoallv),
    row(data::alltoallw, alltoallw),
    row(data::reduced, allreduce),
    row(data::reduced, reduce),
    row(data::reduce_scatter, reduce_scatter),
    row(data::reduced, scan),
    row(data::reduced, exscan),
    row(data::reduced, reduce_scatter_block),
];

const fn row(data: fn(&View) -> Data, bytes: fn(&View) -> (u64, u64)) -> Row {
    Row { data, bytes }
}

/// Returns the number of the operation that a call makes, as records have it, and its row.
fn operation(call: &ObservedCall) -> Option<(u8, &'static Row)> {
    let it = collective(call.function)?;
    let op = it.operation as u8;
    match it.is_among_neighbors {
        false => Some((op, &ROWS[usize::from(op)])),
        true => Some((op | AMONG_NEIGHBORS, neighbors::row_of(op)?)),
    }
}

/// Before a blocking operation.
pub fn before(call: &mut ObservedCall) {
    if let Some((begun, bytes)) = begun(call) {
        call.record(Fact::CollectiveBegin(begun, bytes));
    }
}

/// Returns what the arguments say before the operation, and the bytes that
/// all members must agree in.
fn begun(call: &mut ObservedCall) -> Option<(Begun, u64)> {
    let (op, row) = operation(call)?;
    let comm = call.comm(call.shape().comm()?)?;
    let root = call.shape().root().map(|at| call.int(at));
    let view = View {
        part: part(call, comm, root),
        call,
        comm,
    };
    // Who is outside need not pass datatypes that exist.
    let data = match view.part {
        Part::Outside => NOTHING,
        _ => (row.data)(&view),
    };
    let blocks = view.agreed_blocks(op);
    let (signature, block) = data::signature(call, data);
    let begun = Begun {
        comm: comm.id,
        root: root.map_or(NO_ROOT, |root| spell_root(call, comm, root)),
        signature,
    };
    let bytes = blocks.zip(block);
    let bytes = bytes.map_or(NO_CAPACITY, |(blocks, block)| blocks.saturating_mul(block));
    Some((begun, bytes.min(NO_CAPACITY)))
}

/// After it. It ends even if it failed, because a begin needs its end.
pub fn after(call: &mut ObservedCall, ok: bool) {
    if let Some(ended) = described(call, ok) {
        call.record(Fact::CollectiveEnd(ended));
    }
}

/// Returns what the arguments say of the whole operation; of one that failed
/// MPI is asked nothing, as it may have rejected them.
fn described(call: &mut ObservedCall, ok: bool) -> Option<Collective> {
    let (op, row) = operation(call)?;
    let comm = call.comm(call.shape().comm()?)?;
    let root = call.shape().root().map(|at| call.int(at));
    let view = View {
        part: part(call, comm, root),
        call,
        comm,
    };
    let (sent, received) = if ok { (row.bytes)(&view) } else { (0, 0) };
    let dense = ok && view.is_dense(op);
    let root = root.map_or(NO_ROOT, |root| spell_root(call, comm, root));
    Some(Collective {
        op,
        comm: comm.id,
        root,
        sent,
        received,
        signature: 0,
        dense,
    })
}

/// What this process is in a rooted operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The root.
    Root,
    /// Exchanges data with the root.
    Member,
    /// In the root's group of an intercommunicator, without data.
    Outside,
}

fn part(call: &ObservedCall, comm: &Comm, root: Option<i32>) -> Part {
    let abi = &call.mpi.abi;
    match root {
        Some(root) if comm.inter && root == abi.root => Part::Root,
        Some(root) if comm.inter && root == abi.proc_null => Part::Outside,
        Some(root) if !comm.inter && root == comm.rank as i32 => Part::Root,
        _ => Part::Member,
    }
}

fn spell_root(call: &ObservedCall, comm: &Comm, root: i32) -> u32 {
    let abi = &call.mpi.abi;
    match root {
        root if comm.inter && root == abi.root => ROOT_SELF,
        root if comm.inter && root == abi.proc_null => ROOT_THIS_GROUP,
        root if (0..comm.size as i32).contains(&root) => root as u32,
        _ => NO_ROOT, // MPI has rejected it
    }
}

/// A collective call in the words of its byte counts.
struct View<'a, 'b> {
    call: &'a ObservedCall<'b>,
    comm: &'a Comm,
    part: Part,
}

impl View<'_, '_> {
    /// Bytes of `count` elements of the datatype at the next argument.
    fn block(&self, count: usize, datatype: usize) -> u64 {
        self.call.bytes(self.call.count(count), datatype)
    }

    /// Bytes of all blocks of an array of counts, one for each member.
    fn blocks(&self, counts: usize, datatype: usize) -> u64 {
        self.blocks_of(self.comm.size, counts, datatype)
    }

    fn blocks_of(&self, members: u32, counts: usize, datatype: usize) -> u64 {
        let sum: u64 = (0..members as usize)
            .map(|k| self.call.count_at(counts, k))
            .sum();
        self.call.bytes(sum, datatype)
    }

    fn own_block(&self, counts: usize, datatype: usize) -> u64 {
        let count = self.call.count_at(counts, self.comm.rank as usize);
        self.call.bytes(count, datatype)
    }

    /// Whether this is an alltoallv or alltoallw that sends something to every
    /// other member, or neighbour: then it holds back all of them, and else
    /// perhaps nobody.
    fn is_dense(&self, op: u8) -> bool {
        let in_place = self.call.in_place(0);
        let (counts, types) = if in_place { (5, 7) } else { (1, 3) };
        let size = |k| match op & !AMONG_NEIGHBORS {
            ALLTOALLW => self.call.type_size_at(types, k),
            _ => self.call.type_size(types),
        };
        let gives = |k: usize| self.call.count_at(counts, k) > 0 && size(k) > 0;
        match op {
            ALLTOALLV | ALLTOALLW => {
                let own = (!self.comm.inter).then_some(self.comm.rank as usize);
                (0..self.comm.size as usize).all(|k| Some(k) == own || gives(k))
            }
            NEIGHBOR_ALLTOALLV | NEIGHBOR_ALLTOALLW => self.destinations().all(gives),
            _ => false,
        }
    }

    /// How many members data is exchanged with, this one included.
    fn members(&self) -> u64 {
        u64::from(self.comm.size)
    }

    /// The same without this one if `buffer` is `MPI_IN_PLACE`.
    fn others(&self, buffer: usize) -> u64 {
        self.members() - u64::from(self.call.in_place(buffer))
    }

    fn root(&self, bytes: impl FnOnce() -> u64) -> u64 {
        if self.part == Part::Root {
            bytes()
        } else {
            0
        }
    }

    /// Whether this process contributes to, or gets from, the root: in an
    /// intracommunicator the root does too, in an intercommunicator it does not.
    fn member(&self, bytes: impl FnOnce() -> u64) -> u64 {
        match self.part {
            Part::Member => bytes(),
            Part::Root if !self.comm.inter => bytes(),
            _ => 0,
        }
    }
}

fn bcast(v: &View) -> (u64, u64) {
    let block = v.block(1, 2);
    (v.root(|| block * v.members()), v.member(|| block))
}

fn gather(v: &View) -> (u64, u64) {
    let own = || if v.call.in_place(0) { 0 } else { v.block(1, 2) };
    (v.member(own), v.root(|| v.others(0) * v.block(4, 5)))
}

fn gatherv(v: &View) -> (u64, u64) {
    let in_place = v.call.in_place(0);
    let own = || if in_place { 0 } else { v.block(1, 2) };
    let all = || v.blocks(4, 6) - if in_place { v.own_block(4, 6) } else { 0 };
    (v.member(own), v.root(all))
}

fn scatter(v: &View) -> (u64, u64) {
    let own = || if v.call.in_place(3) { 0 } else { v.block(4, 5) };
    (v.root(|| v.others(3) * v.block(1, 2)), v.member(own))
}

fn scatterv(v: &View) -> (u64, u64) {
    let in_place = v.call.in_place(4);
    let own = || if in_place { 0 } else { v.block(5, 6) };
    let all = || v.blocks(1, 3) - if in_place { v.own_block(1, 3) } else { 0 };
    (v.root(all), v.member(own))
}

/// Allgather and alltoall: a block to and from each member.
fn one_block_each(v: &View) -> (u64, u64) {
    let received = v.others(0) * v.block(4, 5);
    if v.call.in_place(0) {
        (received, received)
    } else {
        (v.members() * v.block(1, 2), received)
    }
}

fn allgatherv(v: &View) -> (u64, u64) {
    let all = v.blocks(4, 6);
    if v.call.in_place(0) {
        let own = v.own_block(4, 6);
        (v.others(0) * own, all - own)
    } else {
        (v.members() * v.block(1, 2), all)
    }
}

fn alltoallv(v: &View) -> (u64, u64) {
    let received = v.blocks(5, 7);
    if v.call.in_place(0) {
        let others = received - v.own_block(5, 7);
        (others, others)
    } else {
        (v.blocks(1, 3), received)
    }
}

fn alltoallw(v: &View) -> (u64, u64) {
    let total = |counts, types, skip: Option<u64>| -> u64 {
        (0..v.members())
            .filter(|&k| Some(k) != skip)
            .map(|k| match v.call.count_at(counts, k as usize) {
                0 => 0,
                count => count.saturating_mul(v.call.type_size_at(types, k as usize)),
            })
            .sum()
    };
    if v.call.in_place(0) {
        let others = total(5, 7, Some(u64::from(v.comm.rank)));
        (others, others)
    } else {
        (total(1, 3, None), total(5, 7, None))
    }
}

fn allreduce(v: &View) -> (u64, u64) {
    let bytes = v.others(0) * v.block(2, 3);
    (bytes, bytes)
}

fn reduce(v: &View) -> (u64, u64) {
    let block = v.block(2, 3);
    let own = || if v.call.in_place(0) { 0 } else { block };
    (v.member(own), v.root(|| v.others(0) * block))
}

fn reduce_scatter(v: &View) -> (u64, u64) {
    let own = v.own_block(2, 3);
    // Of an intercommunicator, too, the counts are those of the own group (MPI 4.1, §6.10.2).
    let all = v.blocks_of(v.comm.local_size, 2, 3);
    let sent = if v.call.in_place(0) { all - own } else { all };
    (sent, v.others(0) * own)
}

fn reduce_scatter_block(v: &View) -> (u64, u64) {
    let bytes = v.others(0) * v.block(2, 3);
    (bytes, bytes)
}

fn scan(v: &View) -> (u64, u64) {
    let (block, rank) = (v.block(2, 3), u64::from(v.comm.rank));
    let own = u64::from(!v.call.in_place(0));
    let after = v.members() - rank - 1;
    ((after + own) * block, (rank + own) * block)
}

fn exscan(v: &View) -> (u64, u64) {
    let (block, rank) = (v.block(2, 3), u64::from(v.comm.rank));
    ((v.members() - rank - 1) * block, rank * block)
}
