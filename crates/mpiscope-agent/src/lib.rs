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

/// Tells the command which build this file is of, before it is loaded.
#[used]
static MPISCOPE_AGENT_VERSION: [u8; 32] = mark();

/// One digit is written.
const _: () = assert!(mpiscope_run::INTERFACE < 10);

/// Returns `[mpiscope-agent VERSION/INTERFACE]`, filled up with zeros.
const fn mark() -> [u8; 32] {
    let interface = [b'0' + mpiscope_run::INTERFACE as u8, b']'];
    let parts = [
        mpiscope_run::AGENT_MARK.as_bytes(),
        mpiscope_run::VERSION.as_bytes(),
        b"/",
        &interface,
    ];
    let (mut mark, mut at, mut part) = ([0; 32], 0, 0);
    while part < parts.len() {
        let mut k = 0;
        while k < parts[part].len() {
            mark[at] = parts[part][k];
            (at, k) = (at + 1, k + 1);
        }
        part += 1;
    }
    mark
}

mod call;
mod clock;
mod collective;
mod comm_hooks;
mod comms;
mod completion;
mod config;
mod domains;
mod exports;
mod finalize;
mod helper;
mod hooks;
mod midrun;
mod modules;
mod notice;
mod observe;
mod offsets;
mod online;
mod order;
mod persistent;
mod point_to_point;
mod probe;
mod requests;
mod session;
mod site;
mod start;
mod switch;
mod thread;
mod types;
mod unseen;
