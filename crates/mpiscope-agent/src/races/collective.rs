//! Collective operations: what a process knows goes where data go.
//!
//! Who enters announces that to those who wait for it; who leaves looks what
//! was announced to it. What follows from an operation is what its data need
//! (MPI 4.1, chapter 6): nobody leaves a broadcast before its root has entered,
//! nor the root a reduction before all others have; of zero bytes nothing
//! follows, except in a barrier.

use mpi_abi::{Direction, FunctionId, Kind};

use super::channels::COLLECTIVE;
use super::online::{with, Online};
use super::requests::{Pending, Persistent};
use crate::mpi::call::Lang;
use crate::order::call::OrderedCall;
use crate::order::call::Row;

/// Who waits for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Everybody for all.
    Everybody,
    /// All for the root.
    FromRoot,
    /// The root for all.
    ToRoot,
    /// Those of higher rank for the lower.
    Prefix,
}

/// How one operation is read from its arguments.
#[derive(Clone, Copy)]
pub struct Form {
    /// Who waits for whom.
    pub flow: Flow,
    /// Whether this process gives any data to those who wait for it.
    pub gives: fn(&View) -> bool,
    /// Whether it gets any.
    pub gets: fn(&View) -> bool,
}

/// Others of a communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Peers {
    Nobody,
    All,
    One(u32),
    Lower,
    Higher,
}

/// What an operation means to this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Place of its communicator.
    comm: usize,
    to: Peers,
    from: Peers,
}

/// A call in the words of its data.
pub struct View<'a, 'b> {
    call: &'a OrderedCall<'b>,
    /// Members that data go to.
    members: usize,
    /// Members of the own group.
    own_group: usize,
    rank: usize,
    /// Whether data stay in the group.
    within: bool,
}

impl View<'_, '_> {
    /// Element `k` of the counts at argument `i`.
    fn count(&self, i: usize, k: usize) -> i64 {
        match self.call.function.function().is_large_count() {
            false => i64::from(self.call.int_at(i, k)),
            true => {
                let counts = self.call.raw(i) as *const i64;
                // SAFETY: the standard makes this argument an array of `MPI_Count` that is as long.
                unsafe { counts.add(k).read_unaligned() }
            }
        }
    }

    /// Whether elements of the datatype at an argument, the `k`th there if they
    /// are many, have any bytes.
    fn has_bytes(&self, i: usize, k: Option<usize>) -> bool {
        let (call, mpi) = (self.call, self.call.mpi);
        let datatype = match (call.lang, k) {
            (Lang::C, None) => mpi.abi.normalise(call.raw(i)),
            (Lang::C, Some(k)) => call.request_at(i, k), // an array of handles, too
            // SAFETY: MPI is up while calls are observed.
            (Lang::Fortran, k) => unsafe { mpi.fortran.datatype(call.int_at(i, k.unwrap_or(0))) },
        };
        // SAFETY: the program passes this datatype to MPI in the same call. Null is legal where
        // there is nothing to send, and fatal to ask about.
        datatype != mpi.abi.datatype_null && unsafe { mpi.type_size(datatype) } != Ok(0)
    }

    /// Whether there is anything in `count` elements of the type at the next argument.
    pub fn block(&self, count: usize) -> bool {
        let large = self.call.function.function().is_large_count();
        let elements = match (large, self.call.lang) {
            (false, _) => i64::from(self.call.int(count)),
            (true, Lang::C) => self.call.raw(count) as i64,
            (true, Lang::Fortran) => self.count(count, 0),
        };
        elements > 0 && self.has_bytes(count + 1, None)
    }

    /// The same of an array of counts, one for each member, with one type.
    pub fn blocks(&self, counts: usize, datatype: usize) -> bool {
        (0..self.members).any(|k| self.count(counts, k) > 0) && self.has_bytes(datatype, None)
    }

    /// The same of counts of the own group.
    pub fn own_blocks(&self, counts: usize, datatype: usize) -> bool {
        (0..self.own_group).any(|k| self.count(counts, k) > 0) && self.has_bytes(datatype, None)
    }

    /// The same of this member's element.
    pub fn own_block(&self, counts: usize, datatype: usize) -> bool {
        self.count(counts, self.rank) > 0 && self.has_bytes(datatype, None)
    }

    /// The same of an array of types.
    pub fn blocks_of_types(&self, counts: usize, types: usize) -> bool {
        (0..self.members).any(|k| self.count(counts, k) > 0 && self.has_bytes(types, Some(k)))
    }

    /// Whether something goes to every other member: then an alltoallv (or,
    /// with an array of `types`, alltoallw) holds back all, and else perhaps nobody.
    pub fn is_dense(&self, types: bool) -> bool {
        let (counts, datatype) = if self.in_place(0) { (5, 7) } else { (1, 3) };
        let mut others = (0..self.members).filter(|&k| !self.within || k != self.rank);
        others.all(|k| self.count(counts, k) > 0 && self.has_bytes(datatype, types.then_some(k)))
    }

    /// Whether a buffer is `MPI_IN_PLACE`.
    pub fn in_place(&self, i: usize) -> bool {
        match self.call.lang {
            Lang::C => self.call.raw(i) == self.call.mpi.abi.in_place,
            Lang::Fortran => self.call.mpi.fortran.is_in_place(self.call.raw(i)),
        }
    }
}

/// Reads what a call means; nothing if its communicator is not followed.
fn plan(call: &OrderedCall, form: &Form) -> Option<Plan> {
    let handle = call.comm_handle(call.shape().comm()?);
    let root = call.shape().root().map(|root| call.int(root));
    let group = with(|online| {
        let at = online.comms.place(handle)?;
        let comm = online.comms.get(at)?;
        let sizes = (comm.peers.len(), comm.own_group());
        Some((at, sizes, comm.rank(), comm.is_across()))
    });
    let (at, (members, own_group), rank, across) = group.flatten()?;
    let abi = &call.mpi.abi;
    let is_root = match across {
        true => root == Some(abi.root),
        false => root == Some(rank as i32),
    };
    let is_outside = across && root == Some(abi.proc_null);
    let (to, from) = match form.flow {
        Flow::Everybody => (Peers::All, Peers::All),
        Flow::Prefix => (Peers::Higher, Peers::Lower),
        _ if is_outside => (Peers::Nobody, Peers::Nobody),
        Flow::FromRoot if is_root => (Peers::All, Peers::Nobody),
        Flow::ToRoot if is_root => (Peers::Nobody, Peers::All),
        flow => match u32::try_from(root?).ok()? {
            root if flow == Flow::FromRoot => (Peers::Nobody, Peers::One(root)),
            root => (Peers::One(root), Peers::Nobody),
        },
    };
    let view = View {
        call,
        members,
        own_group,
        rank: rank as usize,
        within: !across,
    };
    let if_any = |peers, any: fn(&View) -> bool| match peers {
        Peers::Nobody => peers,
        _ if any(&view) => peers,
        _ => Peers::Nobody,
    };
    Some(Plan {
        comm: at,
        to: if_any(to, form.gives),
        from: if_any(from, form.gets),
    })
}

impl Online {
    /// Enters an operation; returns its number on its communicator.
    pub(super) fn enter(&mut self, plan: &Plan) -> u64 {
        let Some(comm) = self.comms.get_mut(plan.comm) else {
            return 0;
        };
        comm.collectives += 1;
        let number = comm.collectives;
        self.each(plan.comm, plan.to, |online, peer| {
            online.announce(plan.comm, peer, COLLECTIVE);
        });
        number
    }

    /// Leaves it.
    pub(super) fn leave(&mut self, plan: &Plan, number: u64) {
        self.each(plan.comm, plan.from, |online, peer| {
            online.learn(plan.comm, peer, number);
        });
    }

    fn each(&mut self, at: usize, peers: Peers, mut visit: impl FnMut(&mut Self, u32)) {
        let Some(comm) = self.comms.get(at) else {
            return;
        };
        let (own, all) = (comm.own, comm.peers.len() as u32);
        let range = match (peers, own) {
            (Peers::Nobody, _) => 0..0,
            (Peers::All, _) => 0..all,
            (Peers::One(one), _) => one..one + 1,
            (Peers::Lower, own) => 0..own.unwrap_or(0),
            (Peers::Higher, own) => own.map_or(all, |own| own + 1)..all,
        };
        for peer in range.filter(|&peer| Some(peer) != own) {
            visit(self, peer);
        }
    }
}

/// A collective operation: one that waits, one with a request, or one that is
/// only prepared.
pub fn collective(call: &mut OrderedCall, row: Row, form: &Form) -> usize {
    let Some(plan) = plan(call, form) else {
        return row(call);
    };
    let Some(request) = request_of(call.function) else {
        let number = with(|online| online.enter(&plan));
        let result = row(call);
        if let (true, Some(number)) = (call.ok(result), number) {
            with(|online| online.leave(&plan, number));
        }
        return result;
    };
    let is_prepared = call.function.function().name.contains("_init");
    let number = with(|online| if is_prepared { 0 } else { online.enter(&plan) });
    let result = row(call);
    if let (true, Some(number)) = (call.ok(result), number) {
        let handle = call.request_at(request, 0);
        with(|online| match is_prepared {
            true => {
                let request = Persistent::Collective(plan);
                online.requests.insert_persistent(handle, request);
            }
            false => online
                .requests
                .insert(handle, Pending::Collective(plan, number)),
        });
    }
    result
}

/// Returns where a call writes a request.
fn request_of(function: FunctionId) -> Option<usize> {
    let is = |arg: &mpi_abi::Arg| arg.kind == Kind::Request && arg.direction == Direction::Out;
    function.function().args.iter().position(is)
}
