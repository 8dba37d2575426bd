//! The rows of collective operations: each has a blocking, a nonblocking and
//! a persistent form, some also for neighbours of a topology.

use mpi_abi::id;

use super::{after, both, Hook};
use crate::base::tables::Shared;
use crate::facts::collective as c;

/// The blocking form of OTF2's operation `OP`.
const fn blocking<const OP: u8>() -> Hook {
    both(c::before::<OP>, c::after::<OP>)
}

/// Its nonblocking form.
const fn nonblocking<const OP: u8>() -> Hook {
    both(c::initiate::<OP>, c::initiated::<OP>)
}

/// Its persistent form.
const fn persistent<const OP: u8>() -> Hook {
    after(c::initialised::<OP>)
}

/// The blocking form among neighbours.
const fn neighbors<const OP: u8>() -> Hook {
    both(
        c::before_among_neighbors::<OP>,
        c::after_among_neighbors::<OP>,
    )
}

/// The nonblocking form among neighbours.
const fn ineighbors<const OP: u8>() -> Hook {
    both(
        c::initiate_among_neighbors::<OP>,
        c::initiated_among_neighbors::<OP>,
    )
}

/// The persistent form among neighbours.
const fn persistent_neighbors<const OP: u8>() -> Hook {
    after(c::initialised_among_neighbors::<OP>)
}

pub(super) const ROWS: &[Shared<Hook>] = &[
    (&[id::MPI_BARRIER], blocking::<0>()),
    (&[id::MPI_IBARRIER], nonblocking::<0>()),
    (&[id::MPI_BARRIER_INIT], persistent::<0>()),
    (&[id::MPI_BCAST, id::MPI_BCAST_C], blocking::<1>()),
    (&[id::MPI_IBCAST, id::MPI_IBCAST_C], nonblocking::<1>()),
    (
        &[id::MPI_BCAST_INIT, id::MPI_BCAST_INIT_C],
        persistent::<1>(),
    ),
    (&[id::MPI_GATHER, id::MPI_GATHER_C], blocking::<2>()),
    (&[id::MPI_IGATHER, id::MPI_IGATHER_C], nonblocking::<2>()),
    (
        &[id::MPI_GATHER_INIT, id::MPI_GATHER_INIT_C],
        persistent::<2>(),
    ),
    (&[id::MPI_GATHERV, id::MPI_GATHERV_C], blocking::<3>()),
    (&[id::MPI_IGATHERV, id::MPI_IGATHERV_C], nonblocking::<3>()),
    (
        &[id::MPI_GATHERV_INIT, id::MPI_GATHERV_INIT_C],
        persistent::<3>(),
    ),
    (&[id::MPI_SCATTER, id::MPI_SCATTER_C], blocking::<4>()),
    (&[id::MPI_ISCATTER, id::MPI_ISCATTER_C], nonblocking::<4>()),
    (
        &[id::MPI_SCATTER_INIT, id::MPI_SCATTER_INIT_C],
        persistent::<4>(),
    ),
    (&[id::MPI_SCATTERV, id::MPI_SCATTERV_C], blocking::<5>()),
    (
        &[id::MPI_ISCATTERV, id::MPI_ISCATTERV_C],
        nonblocking::<5>(),
    ),
    (
        &[id::MPI_SCATTERV_INIT, id::MPI_SCATTERV_INIT_C],
        persistent::<5>(),
    ),
    (&[id::MPI_ALLGATHER, id::MPI_ALLGATHER_C], blocking::<6>()),
    (
        &[id::MPI_IALLGATHER, id::MPI_IALLGATHER_C],
        nonblocking::<6>(),
    ),
    (
        &[id::MPI_ALLGATHER_INIT, id::MPI_ALLGATHER_INIT_C],
        persistent::<6>(),
    ),
    (
        &[id::MPI_NEIGHBOR_ALLGATHER, id::MPI_NEIGHBOR_ALLGATHER_C],
        neighbors::<6>(),
    ),
    (
        &[id::MPI_INEIGHBOR_ALLGATHER, id::MPI_INEIGHBOR_ALLGATHER_C],
        ineighbors::<6>(),
    ),
    (
        &[
            id::MPI_NEIGHBOR_ALLGATHER_INIT,
            id::MPI_NEIGHBOR_ALLGATHER_INIT_C,
        ],
        persistent_neighbors::<6>(),
    ),
    (&[id::MPI_ALLGATHERV, id::MPI_ALLGATHERV_C], blocking::<7>()),
    (
        &[id::MPI_IALLGATHERV, id::MPI_IALLGATHERV_C],
        nonblocking::<7>(),
    ),
    (
        &[id::MPI_ALLGATHERV_INIT, id::MPI_ALLGATHERV_INIT_C],
        persistent::<7>(),
    ),
    (
        &[id::MPI_NEIGHBOR_ALLGATHERV, id::MPI_NEIGHBOR_ALLGATHERV_C],
        neighbors::<7>(),
    ),
    (
        &[id::MPI_INEIGHBOR_ALLGATHERV, id::MPI_INEIGHBOR_ALLGATHERV_C],
        ineighbors::<7>(),
    ),
    (
        &[
            id::MPI_NEIGHBOR_ALLGATHERV_INIT,
            id::MPI_NEIGHBOR_ALLGATHERV_INIT_C,
        ],
        persistent_neighbors::<7>(),
    ),
    (&[id::MPI_ALLTOALL, id::MPI_ALLTOALL_C], blocking::<8>()),
    (
        &[id::MPI_IALLTOALL, id::MPI_IALLTOALL_C],
        nonblocking::<8>(),
    ),
    (
        &[id::MPI_ALLTOALL_INIT, id::MPI_ALLTOALL_INIT_C],
        persistent::<8>(),
    ),
    (
        &[id::MPI_NEIGHBOR_ALLTOALL, id::MPI_NEIGHBOR_ALLTOALL_C],
        neighbors::<8>(),
    ),
    (
        &[id::MPI_INEIGHBOR_ALLTOALL, id::MPI_INEIGHBOR_ALLTOALL_C],
        ineighbors::<8>(),
    ),
    (
        &[
            id::MPI_NEIGHBOR_ALLTOALL_INIT,
            id::MPI_NEIGHBOR_ALLTOALL_INIT_C,
        ],
        persistent_neighbors::<8>(),
    ),
    (&[id::MPI_ALLTOALLV, id::MPI_ALLTOALLV_C], blocking::<9>()),
    (
        &[id::MPI_IALLTOALLV, id::MPI_IALLTOALLV_C],
        nonblocking::<9>(),
    ),
    (
        &[id::MPI_ALLTOALLV_INIT, id::MPI_ALLTOALLV_INIT_C],
        persistent::<9>(),
    ),
    (
        &[id::MPI_NEIGHBOR_ALLTOALLV, id::MPI_NEIGHBOR_ALLTOALLV_C],
        neighbors::<9>(),
    ),
    (
        &[id::MPI_INEIGHBOR_ALLTOALLV, id::MPI_INEIGHBOR_ALLTOALLV_C],
        ineighbors::<9>(),
    ),
    (
        &[
            id::MPI_NEIGHBOR_ALLTOALLV_INIT,
            id::MPI_NEIGHBOR_ALLTOALLV_INIT_C,
        ],
        persistent_neighbors::<9>(),
    ),
    (&[id::MPI_ALLTOALLW, id::MPI_ALLTOALLW_C], blocking::<10>()),
    (
        &[id::MPI_IALLTOALLW, id::MPI_IALLTOALLW_C],
        nonblocking::<10>(),
    ),
    (
        &[id::MPI_ALLTOALLW_INIT, id::MPI_ALLTOALLW_INIT_C],
        persistent::<10>(),
    ),
    (
        &[id::MPI_NEIGHBOR_ALLTOALLW, id::MPI_NEIGHBOR_ALLTOALLW_C],
        neighbors::<10>(),
    ),
    (
        &[id::MPI_INEIGHBOR_ALLTOALLW, id::MPI_INEIGHBOR_ALLTOALLW_C],
        ineighbors::<10>(),
    ),
    (
        &[
            id::MPI_NEIGHBOR_ALLTOALLW_INIT,
            id::MPI_NEIGHBOR_ALLTOALLW_INIT_C,
        ],
        persistent_neighbors::<10>(),
    ),
    (&[id::MPI_ALLREDUCE, id::MPI_ALLREDUCE_C], blocking::<11>()),
    (
        &[id::MPI_IALLREDUCE, id::MPI_IALLREDUCE_C],
        nonblocking::<11>(),
    ),
    (
        &[id::MPI_ALLREDUCE_INIT, id::MPI_ALLREDUCE_INIT_C],
        persistent::<11>(),
    ),
    (&[id::MPI_REDUCE, id::MPI_REDUCE_C], blocking::<12>()),
    (&[id::MPI_IREDUCE, id::MPI_IREDUCE_C], nonblocking::<12>()),
    (
        &[id::MPI_REDUCE_INIT, id::MPI_REDUCE_INIT_C],
        persistent::<12>(),
    ),
    (
        &[id::MPI_REDUCE_SCATTER, id::MPI_REDUCE_SCATTER_C],
        blocking::<13>(),
    ),
    (
        &[id::MPI_IREDUCE_SCATTER, id::MPI_IREDUCE_SCATTER_C],
        nonblocking::<13>(),
    ),
    (
        &[id::MPI_REDUCE_SCATTER_INIT, id::MPI_REDUCE_SCATTER_INIT_C],
        persistent::<13>(),
    ),
    (&[id::MPI_SCAN, id::MPI_SCAN_C], blocking::<14>()),
    (&[id::MPI_ISCAN, id::MPI_ISCAN_C], nonblocking::<14>()),
    (
        &[id::MPI_SCAN_INIT, id::MPI_SCAN_INIT_C],
        persistent::<14>(),
    ),
    (&[id::MPI_EXSCAN, id::MPI_EXSCAN_C], blocking::<15>()),
    (&[id::MPI_IEXSCAN, id::MPI_IEXSCAN_C], nonblocking::<15>()),
    (
        &[id::MPI_EXSCAN_INIT, id::MPI_EXSCAN_INIT_C],
        persistent::<15>(),
    ),
    (
        &[id::MPI_REDUCE_SCATTER_BLOCK, id::MPI_REDUCE_SCATTER_BLOCK_C],
        blocking::<16>(),
    ),
    (
        &[
            id::MPI_IREDUCE_SCATTER_BLOCK,
            id::MPI_IREDUCE_SCATTER_BLOCK_C,
        ],
        nonblocking::<16>(),
    ),
    (
        &[
            id::MPI_REDUCE_SCATTER_BLOCK_INIT,
            id::MPI_REDUCE_SCATTER_BLOCK_INIT_C,
        ],
        persistent::<16>(),
    ),
];
