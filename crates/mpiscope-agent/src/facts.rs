//! What a call means, as facts that others take: sends, receives, requests,
//! collective operations, communicators.
//!
//! A table has a row per function (`hooks`); its hooks read the arguments before
//! the real call and the results after it, and tell a [`Fact`] of what they
//! find. Whether facts become events or sums is the sinks' affair (`sinks`).
//!
//! [`Fact`]: mpiscope_run::record::Fact

pub mod around;
pub mod call;
mod collective;
mod comm_hooks;
mod completion;
pub mod constructs;
pub mod counters;
#[cfg(test)]
mod coverage;
mod damping;
pub mod files;
pub mod filter;
pub mod hooks;
mod metrics;
pub mod openmp;
pub mod openmp_tasks;
pub mod outermost;
mod persistent;
mod point_to_point;
mod polls;
pub mod probe;
pub mod pthreads;
pub mod regions;
pub mod samples;
pub mod session;
pub mod sinks;
pub mod slow;
pub mod switched;
pub mod thread;
pub mod unrecorded_messages;
mod windows;
pub mod within;
