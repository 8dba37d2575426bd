//! The forms of collective operations: who waits for whom, and what of the data decides it.

use mpi_abi::FunctionId;

use super::collective::{Flow, Form, View};
use crate::mpi::collective::collective;

/// Returns the form of a collective operation among all members.
#[inline]
pub fn form(function: FunctionId) -> Option<&'static Form> {
    let it = collective(function).filter(|it| !it.is_among_neighbors)?;
    FORMS.get(it.operation as usize)
}

const fn row(flow: Flow, gives: fn(&View) -> bool, gets: fn(&View) -> bool) -> Form {
    Form { flow, gives, gets }
}

fn gives_to_all_v(v: &View) -> bool {
    match v.in_place(0) {
        true => v.own_block(4, 6),
        false => v.block(1),
    }
}

/// One per operation, at its number.
static FORMS: [Form; 17] = {
    use Flow::{Everybody, FromRoot, Prefix, ToRoot};
    [
        // MPI_Barrier
        row(Everybody, |_| true, |_| true),
        // MPI_Bcast
        row(FromRoot, |v| v.block(1), |v| v.block(1)),
        // MPI_Gather
        row(ToRoot, |v| !v.in_place(0) && v.block(1), |v| v.block(4)),
        // MPI_Gatherv
        row(ToRoot, |v| !v.in_place(0) && v.block(1), |v| v.blocks(4, 6)),
        // MPI_Scatter
        row(FromRoot, |v| v.block(1), |v| !v.in_place(3) && v.block(4)),
        // MPI_Scatterv
        row(
            FromRoot,
            |v| v.blocks(1, 3),
            |v| !v.in_place(4) && v.block(5),
        ),
        // MPI_Allgather
        row(
            Everybody,
            |v| v.block(if v.in_place(0) { 4 } else { 1 }),
            |v| v.block(4),
        ),
        // MPI_Allgatherv
        row(Everybody, gives_to_all_v, |v| v.blocks(4, 6)),
        // MPI_Alltoall
        row(
            Everybody,
            |v| v.block(if v.in_place(0) { 4 } else { 1 }),
            |v| v.block(4),
        ),
        // MPI_Alltoallv
        row(Everybody, |v| v.is_dense(false), |v| v.blocks(5, 7)),
        // MPI_Alltoallw
        row(Everybody, |v| v.is_dense(true), |v| v.blocks_of_types(5, 7)),
        // MPI_Allreduce
        row(Everybody, |v| v.block(2), |v| v.block(2)),
        // MPI_Reduce
        row(ToRoot, |v| !v.in_place(0) && v.block(2), |v| v.block(2)),
        // MPI_Reduce_scatter
        row(Everybody, |v| v.own_blocks(2, 3), |v| v.own_block(2, 3)),
        // MPI_Scan
        row(Prefix, |v| v.block(2), |v| v.block(2)),
        // MPI_Exscan
        row(Prefix, |v| v.block(2), |v| v.block(2)),
        // MPI_Reduce_scatter_block
        row(Everybody, |v| v.block(2), |v| v.block(2)),
    ]
};
