//! Archive to [`Trace`](model::Trace) and back: what the command does with a run, and the
//! observed program's process never.
//!
//! ```text
//! trace      archive -> Trace          write      Trace -> archive
//! corrected  archive -> archive with other times (uncertainty: and how wrong these can be)
//! call_sites functions and lines, written into the archive after the run
//! check      archive -> what of it is against the format, or refused by others
//! repair     a clean copy: what check finds, mended
//! choices    Trace -> order record     calls      Trace -> what a replay compares itself with
//! unify      what each process counted -> the statistics of the program
//! memory     a trace in a mapped file, larger than the machine's memory
//! ```
#![deny(unsafe_code)]

pub mod call_sites;
pub mod calls;
pub mod check;
pub mod choices;
pub mod corrected;
#[allow(unsafe_code)]
pub mod memory;
pub mod progress;
mod ranks;
pub mod repair;
mod source;
pub mod trace;
pub mod uncertainty;
pub mod unify;
pub mod write;

pub use mpiscope_run::Error;

/// The nouns that an archive is read into.
pub use mpiscope_model as model;
