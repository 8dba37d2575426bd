//! The preloaded library: sees every MPI call of an unmodified program.
//!
//! It is not linked to any MPI. Each exported `MPI_X` and `mpi_x_` finds the
//! implementation's own `PMPI_X` when it is first called (`top/exports`) and
//! goes the way of the layers that are at work (`base/path`, `top/observe`).
//! What a call means beyond enter and leave is a row in a table of hooks
//! (`facts/hooks`). In `MPI_Finalize` the ranks write the archive together
//! (`trace/archive`). Each folder is a layer; ARCHITECTURE.md has their table.
//!
//! We are a guest in the user's process: no I/O, no blocking lock and no
//! allocation on the common path, no panic across the border, and whatever
//! goes wrong ends our observation, never the program.

mod base;
mod count;
mod facts;
mod mark;
#[cfg(test)]
#[path = "../../../tests/missing.rs"]
mod missing;
mod mpi;
mod order;
mod payload;
mod peers;
mod races;
mod top;
mod trace;
