//! The forms of collective operations: each has a blocking, a nonblocking and
//! a persistent one, with the same arguments at the same places.

use mpi_abi::{id, FunctionId};

use super::collective::{Flow, Form, View};
use crate::base::tables::{table, Shared, Table};

/// Returns the form of a collective operation.
#[inline]
pub fn form(function: FunctionId) -> Option<&'static Form> {
    TABLE[function.index()]
}

static TABLE: Table<&Form> = table(FORMS);

const fn form_of(flow: Flow, gives: fn(&View) -> bool, gets: fn(&View) -> bool) -> Form {
    Form { flow, gives, gets }
}

fn gives_to_all_v(v: &View) -> bool {
    match v.in_place(0) {
        true => v.own_block(4, 6),
        false => v.block(1),
    }
}

const FORMS: &[Shared<&Form>] = &[
    (
        &[id::MPI_BARRIER, id::MPI_IBARRIER, id::MPI_BARRIER_INIT],
        &form_of(Flow::Everybody, |_| true, |_| true),
    ),
    (
        &[
            id::MPI_BCAST,
            id::MPI_BCAST_C,
            id::MPI_IBCAST,
            id::MPI_IBCAST_C,
            id::MPI_BCAST_INIT,
            id::MPI_BCAST_INIT_C,
        ],
        &form_of(Flow::FromRoot, |v| v.block(1), |v| v.block(1)),
    ),
    (
        &[
            id::MPI_GATHER,
            id::MPI_GATHER_C,
            id::MPI_IGATHER,
            id::MPI_IGATHER_C,
            id::MPI_GATHER_INIT,
            id::MPI_GATHER_INIT_C,
        ],
        &form_of(
            Flow::ToRoot,
            |v| !v.in_place(0) && v.block(1),
            |v| v.block(4),
        ),
    ),
    (
        &[
            id::MPI_GATHERV,
            id::MPI_GATHERV_C,
            id::MPI_IGATHERV,
            id::MPI_IGATHERV_C,
            id::MPI_GATHERV_INIT,
            id::MPI_GATHERV_INIT_C,
        ],
        &form_of(
            Flow::ToRoot,
            |v| !v.in_place(0) && v.block(1),
            |v| v.blocks(4, 6),
        ),
    ),
    (
        &[
            id::MPI_SCATTER,
            id::MPI_SCATTER_C,
            id::MPI_ISCATTER,
            id::MPI_ISCATTER_C,
            id::MPI_SCATTER_INIT,
            id::MPI_SCATTER_INIT_C,
        ],
        &form_of(
            Flow::FromRoot,
            |v| v.block(1),
            |v| !v.in_place(3) && v.block(4),
        ),
    ),
    (
        &[
            id::MPI_SCATTERV,
            id::MPI_SCATTERV_C,
            id::MPI_ISCATTERV,
            id::MPI_ISCATTERV_C,
            id::MPI_SCATTERV_INIT,
            id::MPI_SCATTERV_INIT_C,
        ],
        &form_of(
            Flow::FromRoot,
            |v| v.blocks(1, 3),
            |v| !v.in_place(4) && v.block(5),
        ),
    ),
    (
        &[
            id::MPI_ALLGATHER,
            id::MPI_ALLGATHER_C,
            id::MPI_IALLGATHER,
            id::MPI_IALLGATHER_C,
            id::MPI_ALLGATHER_INIT,
            id::MPI_ALLGATHER_INIT_C,
        ],
        &form_of(
            Flow::Everybody,
            |v| v.block(if v.in_place(0) { 4 } else { 1 }),
            |v| v.block(4),
        ),
    ),
    (
        &[
            id::MPI_ALLGATHERV,
            id::MPI_ALLGATHERV_C,
            id::MPI_IALLGATHERV,
            id::MPI_IALLGATHERV_C,
            id::MPI_ALLGATHERV_INIT,
            id::MPI_ALLGATHERV_INIT_C,
        ],
        &form_of(Flow::Everybody, gives_to_all_v, |v| v.blocks(4, 6)),
    ),
    (
        &[
            id::MPI_ALLTOALL,
            id::MPI_ALLTOALL_C,
            id::MPI_IALLTOALL,
            id::MPI_IALLTOALL_C,
            id::MPI_ALLTOALL_INIT,
            id::MPI_ALLTOALL_INIT_C,
        ],
        &form_of(
            Flow::Everybody,
            |v| v.block(if v.in_place(0) { 4 } else { 1 }),
            |v| v.block(4),
        ),
    ),
    (
        &[
            id::MPI_ALLTOALLV,
            id::MPI_ALLTOALLV_C,
            id::MPI_IALLTOALLV,
            id::MPI_IALLTOALLV_C,
            id::MPI_ALLTOALLV_INIT,
            id::MPI_ALLTOALLV_INIT_C,
        ],
        &form_of(Flow::Everybody, |v| v.is_dense(false), |v| v.blocks(5, 7)),
    ),
    (
        &[
            id::MPI_ALLTOALLW,
            id::MPI_ALLTOALLW_C,
            id::MPI_IALLTOALLW,
            id::MPI_IALLTOALLW_C,
            id::MPI_ALLTOALLW_INIT,
            id::MPI_ALLTOALLW_INIT_C,
        ],
        &form_of(
            Flow::Everybody,
            |v| v.is_dense(true),
            |v| v.blocks_of_types(5, 7),
        ),
    ),
    (
        &[
            id::MPI_ALLREDUCE,
            id::MPI_ALLREDUCE_C,
            id::MPI_IALLREDUCE,
            id::MPI_IALLREDUCE_C,
            id::MPI_ALLREDUCE_INIT,
            id::MPI_ALLREDUCE_INIT_C,
        ],
        &form_of(Flow::Everybody, |v| v.block(2), |v| v.block(2)),
    ),
    (
        &[
            id::MPI_REDUCE,
            id::MPI_REDUCE_C,
            id::MPI_IREDUCE,
            id::MPI_IREDUCE_C,
            id::MPI_REDUCE_INIT,
            id::MPI_REDUCE_INIT_C,
        ],
        &form_of(
            Flow::ToRoot,
            |v| !v.in_place(0) && v.block(2),
            |v| v.block(2),
        ),
    ),
    (
        &[
            id::MPI_REDUCE_SCATTER,
            id::MPI_REDUCE_SCATTER_C,
            id::MPI_IREDUCE_SCATTER,
            id::MPI_IREDUCE_SCATTER_C,
            id::MPI_REDUCE_SCATTER_INIT,
            id::MPI_REDUCE_SCATTER_INIT_C,
        ],
        &form_of(
            Flow::Everybody,
            |v| v.own_blocks(2, 3),
            |v| v.own_block(2, 3),
        ),
    ),
    (
        &[
            id::MPI_SCAN,
            id::MPI_SCAN_C,
            id::MPI_ISCAN,
            id::MPI_ISCAN_C,
            id::MPI_SCAN_INIT,
            id::MPI_SCAN_INIT_C,
        ],
        &form_of(Flow::Prefix, |v| v.block(2), |v| v.block(2)),
    ),
    (
        &[
            id::MPI_EXSCAN,
            id::MPI_EXSCAN_C,
            id::MPI_IEXSCAN,
            id::MPI_IEXSCAN_C,
            id::MPI_EXSCAN_INIT,
            id::MPI_EXSCAN_INIT_C,
        ],
        &form_of(Flow::Prefix, |v| v.block(2), |v| v.block(2)),
    ),
    (
        &[
            id::MPI_REDUCE_SCATTER_BLOCK,
            id::MPI_REDUCE_SCATTER_BLOCK_C,
            id::MPI_IREDUCE_SCATTER_BLOCK,
            id::MPI_IREDUCE_SCATTER_BLOCK_C,
            id::MPI_REDUCE_SCATTER_BLOCK_INIT,
            id::MPI_REDUCE_SCATTER_BLOCK_INIT_C,
        ],
        &form_of(Flow::Everybody, |v| v.block(2), |v| v.block(2)),
    ),
];
