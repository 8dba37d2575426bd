//! Traces as text: small enough to draw in a test, exact enough to read back.
//!
//! One line per location, `RANK:` or `RANK.THREAD:`, then its events, each a
//! time and what happened. A time alone is an event of no interest; several
//! lines of one location continue each other; `//` begins a comment.
//!
//! ```
//! use mpiscope_model::Trace;
//!
//! let picture = "\
//! comm row: 0 1
//! clock 1: 0 +5 ±1, 100 +7 ±1
//! 0: 5 10 enter(solve) 20 send>1 30 leave(solve) 40 bcast(root=0,comm=row){ 50 }
//! 1: 12 irecv#1 18 wait<0#1 42 bcast(root=0,comm=row){ 52 }
//! ";
//! let trace = Trace::parse(picture)?;
//! assert_eq!(trace.print(&trace.times()), picture);
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```
//!
//! | text | event |
//! |---|---|
//! | `20` | Other |
//! | `20 send>1`, `20 isend>1#7` | MpiSend, MpiIsend to rank 1; request 7 |
//! | `20 recv<0`, `20 probe<0` | MpiRecv, MpiProbe: from rank 0 |
//! | `20 irecv#7`, `30 wait<0#7` | MpiIrecvRequest; MpiIrecv that completes it |
//! | `30 wait#7`, `30 test#7`, `30 cancel#7` | MpiIsendComplete, MpiRequestTest, MpiRequestCancelled |
//! | `20 barrier{ 30 }` | MpiCollectiveBegin, MpiCollectiveEnd; other operations in MPI's lower case |
//! | `20 ?{`, `30 }barrier` | a begin without end, an end without begin |
//! | `20 off`, `30 on` | MeasurementOnOff |
//! | `20 enter(solve)`, `30 leave(solve)` | Enter, Leave |
//!
//! Particulars follow in parentheses, without blanks: `send>1(tag=3,comm=row,bytes=8)`,
//! `recv<0(any,anytag)` for a receive with wildcards, `scatter(root=2,sent=8,received=0){`.
//! `send>1(seq=5)`, `barrier(seq=5){` if five went before on that channel,
//! recorded or not (of a collective operation its end knows).
//! Unless said, tags and bytes of messages are 0, bytes of collective
//! operations 1 (of a barrier 0), and the communicator is `world`, of all ranks.
//!
//! Lines that define: `comm row: 0 1` by world ranks, `comm bridge: 0 1 | 2 3`
//! with two groups, `comm me: self` for MPI_COMM_SELF; `clock 0 1:` for
//! locations that read one clock, followed by its offsets if it was compared:
//! `TIME OFFSET ±HALF_WIDTH`, between commas.

mod parse;
mod print;
mod scan;

pub use print::location_line;
pub use scan::Error;

/// Name of the communicator of all ranks.
const WORLD: &str = "world";
