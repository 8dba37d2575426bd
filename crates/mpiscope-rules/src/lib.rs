//! The rules by which the observed process keeps account while it runs, without MPI: which
//! requests are outstanding, who knows of what, which receives could have taken another message,
//! what a replay is to choose next.
//!
//! The agent asks them from within calls of MPI, so nothing here waits, and what calls often ask
//! for is compiled in place there. They hold no memory that others share and no address of the
//! program's, so they are tested as any library.
#![forbid(unsafe_code)]

pub mod keep;
pub mod posts;
mod recency;
pub mod replay_cursor;
pub mod requests;
pub mod turns;
pub mod unrecorded;
pub mod vector_clock;
pub mod virtual_time;
pub mod window;

pub use recency::Recency;
