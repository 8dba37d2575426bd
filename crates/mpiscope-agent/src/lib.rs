//! The preloaded library: sees every MPI call of an unmodified program.
//!
//! It is not linked to any MPI. Each exported `MPI_X` and `mpi_x_` finds the
//! implementation's own `PMPI_X` when it is first called (`exports`), reads
//! the clock, writes records into a shared-memory buffer and passes the call
//! through (`observe`). What a call means beyond enter and leave is a row in
//! a table of hooks (`hooks`). In `MPI_Finalize` the ranks write the archive
//! together (`finalize`).
//!
//! We are a guest in the user's process: no I/O, no blocking lock and no
//! allocation on the common path, no panic across the border, and whatever
//! goes wrong ends our observation, never the program.

mod base;
mod count;
mod facts;
mod mark;
mod mpi;
mod order;
mod payload;
mod peers;
mod races;
mod top;
mod trace;
