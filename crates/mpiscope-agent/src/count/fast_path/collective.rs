//! The commonest collective operations, on MPI_COMM_WORLD. Bytes are those of `facts/collective`.

use mpi_abi::{id, FunctionId};
use mpiscope_run::record::{self, NO_ROOT};

use super::{Hot, Plan, Statistics, Thread, WORLD};
use crate::mpi::collective::Operation;

/// A collective operation.
#[derive(Clone, Copy)]
pub struct Collective {
    operation: Operation,
    root: u32,
    /// Sent and received by this member.
    pub bytes: u64,
}

/// Whether it is one of these.
pub const fn is_collective(function: FunctionId) -> bool {
    matches!(
        function,
        id::MPI_BARRIER | id::MPI_BCAST | id::MPI_ALLREDUCE | id::MPI_REDUCE
    )
}

impl Statistics {
    #[inline(always)]
    pub(super) fn plan_collective(
        &self,
        thread: &mut Thread,
        function: FunctionId,
        args: &[usize],
    ) -> Option<Plan> {
        let hot = self.hot.as_ref()?;
        let size = u64::from(hot.size);
        let mut block = |count: usize, datatype: usize| {
            let size = thread.types.of(thread.session, datatype & hot.mask).size;
            (count as i32).max(0) as u64 * size
        };
        let (comm, operation, root, bytes) = match (function, args) {
            (id::MPI_BARRIER, &[comm]) => (comm, Operation::Barrier, NO_ROOT, 0),
            (id::MPI_BCAST, &[_, count, datatype, root, comm]) => {
                let blocks = if hot.is_own(root) { size + 1 } else { 1 };
                let bytes = blocks * block(count, datatype);
                (comm, Operation::Bcast, hot.root(root)?, bytes)
            }
            (id::MPI_ALLREDUCE, &[send, _, count, datatype, _, comm]) => {
                let others = size - u64::from(send == hot.in_place);
                let bytes = 2 * others * block(count, datatype);
                (comm, Operation::Allreduce, NO_ROOT, bytes)
            }
            (id::MPI_REDUCE, &[send, _, count, datatype, _, root, comm]) => {
                let own = u64::from(send != hot.in_place);
                let others = if hot.is_own(root) { size - 1 + own } else { 0 };
                let bytes = (own + others) * block(count, datatype);
                (comm, Operation::Reduce, hot.root(root)?, bytes)
            }
            _ => return None,
        };
        let collective = Collective {
            operation,
            root,
            bytes,
        };
        (comm & hot.mask == hot.world).then_some(Plan::Collective(collective))
    }

    /// The operation begins: tells the other members.
    #[inline]
    pub(super) fn tell_entered(&mut self, collective: Collective) {
        let Collective { root, .. } = collective;
        self.with_clock(|clock, stamp, region| clock.meets(region, WORLD, root, stamp));
    }

    /// It has ended: hears when the others entered it.
    #[inline]
    pub(super) fn hear_entered(&mut self, collective: Collective) {
        let ended = record::Collective {
            op: collective.operation as u8,
            comm: WORLD,
            root: collective.root,
            sent: 0,
            received: 0,
            signature: 0,
            dense: false,
        };
        self.with_clock(|clock, _, _| clock.met(&ended));
    }
}

impl Hot {
    fn is_own(&self, root: usize) -> bool {
        root as i32 == self.rank as i32
    }

    /// Nothing for a root that MPI will reject.
    fn root(&self, root: usize) -> Option<u32> {
        let root = u32::try_from(root as i32).ok()?;
        (root < self.size).then_some(root)
    }
}
