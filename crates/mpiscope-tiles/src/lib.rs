//! What a display of a run needs to know, at any zoom, at a cost that does not depend on how long
//! the run is. Pure: a trace goes in, tiles come out; who asks, and how answers travel, others know.
//!
//! ```text
//! class, rows      what states there are, and what a line of the display shows
//! times            the times of one clock
//! state            what a location does, event by event
//! sums             running sums beside every 128th event: what a location did until any moment
//! bins             those, cut into equal parts of time, for one location or for many
//! shares, spans, messages, collectives        tiles
//! summary, search, details, divided           questions
//! ```
//!
//! There is no pyramid of bins for single locations. Beside every 128th event stands what the
//! location did until then; what it did until any other moment follows from at most 127 events
//! more, and what it did between two moments is a difference. So bins of any width are exact, short
//! phases with many events are as quick as long quiet ones, and a location with few events takes
//! little memory. Only rows that stand for many locations have bins ([`groups`]).
//!
//! ```
//! use mpiscope_model::Trace;
//! use mpiscope_tiles::{Class, Run};
//!
//! let trace = Trace::parse("
//!     0: 0 enter(MPI_Recv) 52 recv<1 60 leave(MPI_Recv) 256
//!     1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send) 200
//! ")?;
//! let mut run = Run::new(trace);
//! run.add_clock("measured", None);
//! let clock = run.clock("measured").unwrap();
//! let row = clock.run.rows.of_location[0];
//! let done = clock.done(row, 0, 256);
//! assert_eq!(done.of(Class::PointToPoint), 60);
//! assert_eq!(done.waiting(), 50);
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod bins;
pub mod blocks;
pub mod class;
pub mod coded;
pub mod collectives;
mod cursor;
pub mod details;
mod divided;
pub mod encode;
mod groups;
mod intervals;
mod kept;
mod line;
pub mod messages;
mod partners;
mod paths;
mod recorded;
pub mod rows;
mod run;
pub mod search;
pub mod shares;
mod sites;
pub mod spans;
mod state;
pub mod summary;
mod sums;
pub mod tile;
pub mod times;
mod traffic;
mod varint;
mod waits;

pub use bins::Done;
pub use class::Class;
pub use encode::NONE;
pub use rows::{Row, RowKind, Rows};
pub use run::{Clocked, Run, View};
pub use tile::Tile;
pub use times::Times;
