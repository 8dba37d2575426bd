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

mod alone;
mod bypass;
mod call;
mod clock;
mod collective;
mod comm_hooks;
mod comms;
mod completion;
mod config;
mod domains;
mod ending;
mod exports;
mod finalize;
mod fit;
mod helper;
mod hooks;
mod lookup;
mod mark;
mod midrun;
mod modules;
mod monitor;
mod mpi;
mod notice;
mod observe;
mod offsets;
mod online;
mod order;
mod payload;
mod persistent;
mod point_to_point;
mod probe;
mod requests;
mod session;
mod site;
mod start;
mod switch;
mod tables;
mod thread;
mod threads;
mod types;
mod unseen;
mod windows;
mod words;
