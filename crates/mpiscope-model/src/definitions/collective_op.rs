//! The collective operations, those that OTF2 numbers and those that it does not.

macro_rules! collective_ops {
    (
        numbered { $($op:ident = $number:literal $name:literal, $doc:literal;)* }
        versions { $($own:ident = $like:literal $own_name:literal, $own_doc:literal;)* }
    ) => {
        /// Collective operations, under OTF2's numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum CollectiveOp {
            $(#[doc = $doc] $op,)*
            $(#[doc = $own_doc] $own,)*
            /// An operation this table does not name, by its number.
            Other(u8),
        }

        impl CollectiveOp {
            /// The operations that have a name.
            pub const NAMED: &'static [CollectiveOp] =
                &[$(CollectiveOp::$op,)* $(CollectiveOp::$own),*];

            /// Returns the operation of an OTF2 number.
            pub fn from_number(number: u8) -> CollectiveOp {
                match number {
                    $($number => CollectiveOp::$op,)*
                    other => CollectiveOp::Other(other),
                }
            }

            /// Returns the operation's OTF2 number, or that of the operation
            /// it is a version of.
            pub fn number(self) -> u8 {
                match self {
                    $(CollectiveOp::$op => $number,)*
                    $(CollectiveOp::$own => $like,)*
                    CollectiveOp::Other(number) => number,
                }
            }

            /// Returns the name in lower case, without `MPI_`.
            pub fn name(self) -> &'static str {
                match self {
                    $(CollectiveOp::$op => $name,)*
                    $(CollectiveOp::$own => $own_name,)*
                    CollectiveOp::Other(_) => "collective",
                }
            }
        }
    };
}

collective_ops! {
numbered {
    Barrier = 0 "barrier", "MPI_Barrier";
    Bcast = 1 "bcast", "MPI_Bcast";
    Gather = 2 "gather", "MPI_Gather";
    Gatherv = 3 "gatherv", "MPI_Gatherv";
    Scatter = 4 "scatter", "MPI_Scatter";
    Scatterv = 5 "scatterv", "MPI_Scatterv";
    Allgather = 6 "allgather", "MPI_Allgather";
    Allgatherv = 7 "allgatherv", "MPI_Allgatherv";
    Alltoall = 8 "alltoall", "MPI_Alltoall";
    Alltoallv = 9 "alltoallv", "MPI_Alltoallv";
    Alltoallw = 10 "alltoallw", "MPI_Alltoallw";
    Allreduce = 11 "allreduce", "MPI_Allreduce";
    Reduce = 12 "reduce", "MPI_Reduce";
    ReduceScatter = 13 "reduce_scatter", "MPI_Reduce_scatter";
    Scan = 14 "scan", "MPI_Scan";
    Exscan = 15 "exscan", "MPI_Exscan";
    ReduceScatterBlock = 16 "reduce_scatter_block", "MPI_Reduce_scatter_block";
    CreateHandle = 17 "create_handle", "Creation of a handle, such as a communicator's.";
    DestroyHandle = 18 "destroy_handle", "Destruction of a handle.";
    Allocate = 19 "allocate", "Collective allocation.";
    Deallocate = 20 "deallocate", "Collective deallocation.";
    CreateHandleAndAllocate = 21 "create_handle_and_allocate", "Creation with allocation.";
    DestroyHandleAndDeallocate = 22 "destroy_handle_and_deallocate", "Destruction with deallocation.";
}
versions {
    NeighborAllgather = 6 "neighbor_allgather", "MPI_Neighbor_allgather";
    NeighborAllgatherv = 7 "neighbor_allgatherv", "MPI_Neighbor_allgatherv";
    NeighborAlltoall = 8 "neighbor_alltoall", "MPI_Neighbor_alltoall";
    NeighborAlltoallv = 9 "neighbor_alltoallv", "MPI_Neighbor_alltoallv";
    NeighborAlltoallw = 10 "neighbor_alltoallw", "MPI_Neighbor_alltoallw";
    Fence = 0 "fence", "A collective operation on a window that synchronizes, such as MPI_Win_fence.";
    ThreadBarrier = 0 "thread_barrier", "A barrier of a team of threads.";
    Init = 0 "init", "MPI_Init";
    Finalize = 0 "finalize", "MPI_Finalize";
}
}

impl CollectiveOp {
    /// Returns whether data go along the edges of a topology only (MPI 4.1, §8.6).
    pub fn is_among_neighbors(self) -> bool {
        use CollectiveOp::*;
        matches!(
            self,
            NeighborAllgather
                | NeighborAllgatherv
                | NeighborAlltoall
                | NeighborAlltoallv
                | NeighborAlltoallw
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_keeps_its_number() {
        for number in 0..=255 {
            assert_eq!(CollectiveOp::from_number(number).number(), number);
        }
        assert_eq!(CollectiveOp::NAMED.len(), 32);
    }
}
