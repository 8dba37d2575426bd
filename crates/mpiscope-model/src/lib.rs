//! The nouns of the field as types: time, definitions, events, clocks, messages.
//!
//! A [`Trace`] is what a run left behind: one stream of [`Events`] per
//! location, the [`Definitions`] its events refer to, and the
//! [`ClockDomain`]s its time stamps were read from. Analyses take a `&Trace`
//! and return facts; reading and writing archives is another crate's work.
//!
//! Small traces are best written as text ([`fixture`]):
//!
//! ```
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 10 enter(work) 20 send>1 30 leave(work)
//!     1: 18 recv<0
//! ")?;
//! assert_eq!(trace.locations.len(), 2);
//!
//! let matching = trace.matching();
//! let message = matching.messages[0];
//! let flight = trace.time(message.receive) - trace.time(message.send);
//! assert_eq!(flight.0, -2, "received before it was sent");
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod clock;
pub mod definitions;
pub mod events;
pub mod fixture;
pub mod matching;
pub mod messages;
pub mod plain;
pub mod processes;
pub mod requests;
pub mod statistics;
pub mod structure;
pub mod time;
pub mod trace;

pub use clock::{ClockDomain, OffsetMeasurement};
pub use definitions::{
    CallSite, CallSiteId, CollectiveOp, CommId, Communicator, Definitions, GroupId, LocationIndex,
    Metric, MetricId, Paradigm, Process, Rank, Region, RegionId, RegionRole, Scheduled,
    SystemTreeNode, TeamId, Told, WinId, Window,
};
pub use events::{
    Collective, Event, EventKind, Events, LockTurn, MetricValue, Note, Number, OneSidedEvent,
    PointToPoint, PostedCall, RequestId, Sample, TaskNumber, ThreadEvent, ThreadNumber,
    WinCollective, WinLock,
};
pub use messages::{
    Assumptions, Bound, BoundKind, CollectiveInstance, CollectiveMember, Counts, Home, Matching,
    Message,
};
pub use mpiscope_hash as hash;
pub use processes::Processes;
pub use structure::Structure;
pub use time::{Duration, Timestamp};
pub use trace::{EventRef, Location, LocationKind, Trace};
