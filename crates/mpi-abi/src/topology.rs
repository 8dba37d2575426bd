//! How many neighbours a process has in a communicator's topology (MPI 4.1, §8.5).

use std::ffi::c_int;

use crate::mpi::{check, int, Code, Mpi};

impl Mpi {
    /// Returns how many neighbours a process of a Cartesian grid has.
    ///
    /// # Safety
    /// MPI is up, and `comm` has such a topology.
    pub unsafe fn cart_neighbors(&self, comm: usize) -> Result<u32, Code> {
        // SAFETY: said by the caller; an int is written.
        let dimensions = int(|n| unsafe { (self.calls.cartdim_get)(comm, n) })?;
        Ok(2 * u32::try_from(dimensions).unwrap_or(0))
    }

    /// Returns how many neighbours process `rank` of a graph has.
    ///
    /// # Safety
    /// MPI is up, and `comm` has such a topology.
    pub unsafe fn graph_neighbors(&self, comm: usize, rank: u32) -> Result<u32, Code> {
        // SAFETY: said by the caller; an int is written.
        let count = int(|n| unsafe { (self.calls.graph_neighbors_count)(comm, rank as c_int, n) })?;
        Ok(u32::try_from(count).unwrap_or(0))
    }

    /// Returns how many neighbours send to this process of a distributed
    /// graph, and to how many it sends.
    ///
    /// # Safety
    /// MPI is up, and `comm` has such a topology.
    pub unsafe fn dist_graph_neighbors(&self, comm: usize) -> Result<(u32, u32), Code> {
        let (mut sources, mut destinations, mut weighted) = (0, 0, 0);
        // SAFETY: said by the caller; three ints are written.
        check(unsafe {
            (self.calls.dist_graph_neighbors_count)(
                comm,
                &mut sources,
                &mut destinations,
                &mut weighted,
            )
        })?;
        let count = |n: c_int| u32::try_from(n).unwrap_or(0);
        Ok((count(sources), count(destinations)))
    }
}
