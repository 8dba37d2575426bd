//! The run directory: what a run of an observed program leaves behind, and
//! how it becomes an archive.
//!
//! ```text
//! wrapper -> record -> buffer ........ in the program, one buffer a thread
//!            stored -> collect ....... what a process says of itself
//!                      plan .......... rank 0: one archive for all
//!                      drain ......... each rank: buffer -> event file
//!                      archive ....... rank 0: definitions, anchor
//! recover: the same from the files of a run that died
//! sight: the same while it lives, elsewhere
//! ```
//!
//! All of it may lie in the process of the observed program. What needs a trace in memory, and
//! threads of its own, is in `mpiscope-archive`.
//!
//! In `MPI_Finalize` this reads
//!
//! ```no_run
//! # use mpiscope_run::{archive, drain, plan, process::Process, run_info::RunInfo, stored::Stored};
//! # fn gather<T>(_: T) -> Vec<T> { vec![] }
//! # fn scatter<T>(all: Vec<T>) -> Option<T> { all.into_iter().next() }
//! # fn finalize(run: &std::path::Path, mut info: RunInfo, buffers: Vec<Stored>) -> Option<()> {
//! let (process, notes) = Process::collect(&buffers);
//! let plan = plan::plan(&gather(process.clone())).ok()?; // on rank 0
//! archive::prepare(run).ok()?; // on rank 0
//! let orders = scatter(plan.orders.clone())?;
//! let written = drain::write_locations(run, &process, &buffers, &orders).ok()?;
//! let written = gather(written).concat();
//! info.describe(&plan); // on rank 0
//! archive::write_global(run, &plan, &written, &info).ok()?;
//! info.write(run).ok()?;
//! # Some(())
//! # }
//! ```
#![deny(unsafe_code)]

pub mod archive;
pub mod attributes;
#[allow(unsafe_code)]
pub mod buffer;
pub mod call_sites;
pub mod clocks;
mod collect;
pub mod communicators;
pub mod control;
pub mod counters;
pub mod definitions;
pub mod directory;
pub mod drain;
pub mod endings;
mod error;
mod events;
pub mod fault;
pub mod files;
pub mod filter;
mod growing_file;
pub mod kept;
pub mod launched;
pub mod list;
pub mod living;
#[allow(unsafe_code)]
pub mod mapping;
pub mod metrics;
pub mod naming;
pub mod numbering;
pub mod order;
pub mod payload;
pub mod placement;
pub mod plan;
pub mod polled;
pub mod process;
pub mod record;
pub mod recover;
pub mod room;
pub mod run_info;
pub mod sampling;
pub mod scheduled;
#[allow(unsafe_code)]
pub mod shared_memory;
pub mod sight;
pub mod slow;
pub mod spawned;
pub mod statistics;
pub mod stored;
#[allow(unsafe_code)]
pub mod system;
pub mod teams;
pub mod ticks;
pub mod topologies;
pub mod windows;

pub use error::Error;

/// Version of this build; agent and command have the same.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What command and agent say to each other, in variables and files, before
/// there is a version number to tell; raised when its meaning changes.
pub const INTERFACE: u32 = 2;
/// How the agent's file says who it is: `[mpiscope-agent VERSION/INTERFACE]`.
pub const AGENT_MARK: &str = "[mpiscope-agent ";
