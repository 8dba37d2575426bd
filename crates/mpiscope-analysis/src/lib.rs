//! Facts about a trace that no single event tells: what happened before what,
//! which receives could have got another message, and what MPI forbids.
//!
//! Everything here is a pure function of a [`Trace`](mpiscope_model::Trace)
//! and its [`Matching`](mpiscope_model::Matching).
#![forbid(unsafe_code)]

pub mod breakdown;
mod by_event;
mod clock;
pub mod clock_errors;
mod collectives;
pub mod compare;
pub mod computation;
pub mod counters;
pub mod critical_path;
pub mod described;
pub mod efficiency;
pub mod errors;
pub mod evidence;
pub mod finding;
mod gallop;
pub mod happened_before;
mod inbox;
pub mod iterations;
pub mod last_calls;
pub mod meaning;
pub mod merged;
pub mod nesting;
mod paths;
mod processes;
pub mod profile;
pub mod races;
pub mod refine;
pub mod root_causes;
mod rounded;
pub mod scaling;
mod sharers;
pub mod statistics;
mod timeline;
pub mod verdict;
pub mod wait_states;
pub mod waiting_for;
pub mod whatif;

pub use timeline::is_mpi;
