//! The neighbours of a process in a communicator's topology (MPI 4.1, §8.5).

use std::ffi::c_int;

use crate::mpi::{check, int, Code, Mpi};

/// A dimension of a Cartesian grid.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// How many processes lie along it.
    pub size: u32,
    /// Whether the last is beside the first.
    pub periodic: bool,
    /// Where this process lies.
    pub place: u32,
}

impl Mpi {
    /// Returns the dimensions of a Cartesian grid.
    ///
    /// # Safety
    /// MPI is up, and `comm` has such a topology.
    pub unsafe fn cart(&self, comm: usize) -> Result<Vec<Axis>, Code> {
        // SAFETY: MPI is up and has this topology; an int is written.
        let count = int(|n| unsafe { (self.calls.cartdim_get)(comm, n) })?;
        let [mut sizes, mut periods, mut places] = [(); 3].map(|()| room(count));
        // SAFETY: each array has room for `count` ints.
        check(unsafe {
            (self.calls.cart_get)(
                comm,
                count,
                sizes.as_mut_ptr(),
                periods.as_mut_ptr(),
                places.as_mut_ptr(),
            )
        })?;
        let axes = sizes.into_iter().zip(periods).zip(places);
        let axis = |((size, periodic), place)| Axis {
            size: natural(size),
            periodic: periodic != 0,
            place: natural(place),
        };
        Ok(axes.map(axis).collect())
    }

    /// Returns the neighbours of process `rank` in a graph.
    ///
    /// # Safety
    /// MPI is up, and `comm` has such a topology.
    pub unsafe fn graph_neighbors(&self, comm: usize, rank: u32) -> Result<Vec<u32>, Code> {
        let rank = rank as c_int;
        // SAFETY: MPI is up and has this topology; an int is written.
        let count = int(|n| unsafe { (self.calls.graph_neighbors_count)(comm, rank, n) })?;
        let mut neighbors = room(count);
        // SAFETY: the array has room for `count` ints.
        check(unsafe { (self.calls.graph_neighbors)(comm, rank, count, neighbors.as_mut_ptr()) })?;
        Ok(neighbors.into_iter().map(natural).collect())
    }

    /// Returns how many neighbours send to this process of a distributed
    /// graph, and to whom it sends.
    ///
    /// # Safety
    /// MPI is up, and `comm` has such a topology.
    pub unsafe fn dist_graph_neighbors(&self, comm: usize) -> Result<(u32, Vec<u32>), Code> {
        let (mut ins, mut outs, mut weighted) = (0, 0, 0);
        let count = self.calls.dist_graph_neighbors_count;
        // SAFETY: MPI is up and has this topology; three ints are written.
        check(unsafe { count(comm, &mut ins, &mut outs, &mut weighted) })?;
        let (mut sources, mut destinations) = (room(ins), room(outs));
        let (mut to_us, mut from_us) = (room(ins), room(outs));
        // SAFETY: the arrays have room for so many neighbours and weights.
        check(unsafe {
            (self.calls.dist_graph_neighbors)(
                comm,
                ins,
                sources.as_mut_ptr(),
                to_us.as_mut_ptr(),
                outs,
                destinations.as_mut_ptr(),
                from_us.as_mut_ptr(),
            )
        })?;
        let destinations = destinations.into_iter().map(natural).collect();
        Ok((natural(ins), destinations))
    }
}

/// Returns an array that MPI may fill; never one without an address.
fn room(count: c_int) -> Vec<c_int> {
    let mut room = Vec::with_capacity(natural(count).max(1) as usize);
    room.resize(natural(count) as usize, 0);
    room
}

fn natural(number: c_int) -> u32 {
    u32::try_from(number).unwrap_or(0)
}
