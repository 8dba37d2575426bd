//! Runs in a browser: answers to the page's questions, and the server that they go through.
//!
//! [`answer`] is a pure function of what was loaded: a question goes in, bytes come out. [`Server`]
//! is thin: it listens on this machine alone, asks each request for the token, and hands it on.
//! What questions there are viewer/PROTOCOL.md says.
//!
//! ```text
//! question   an address taken apart           json     numbers that JSON can hold
//! answer     which question has which answer  meta, findings, iterations, … the answers
//! analysis   sums in the words of the terminal
//! guard      who may ask                      server, page                 how it travels
//! report     the page in one file, with answers in it
//! shifts     what the page may change, and who keeps it
//! long_answers  what is computed once, beside the others
//! ```
#![forbid(unsafe_code)]

mod analysis;
mod answer;
mod clocks;
mod details;
mod findings;
pub mod guard;
mod iterations;
mod live;
mod long_answers;
mod meta;
mod page;
mod question;
mod report;
mod server;
mod shifts;
mod site;
mod summary;
mod verdict;

pub use analysis::{Part, Table};
pub use answer::{answer, Answer};
pub use findings::Listed;
pub use question::Question;
pub use report::{report, Report};
pub use server::{Again, Place, Server};
pub use shifts::{Keep, Shifts};
pub use site::{About, Live, Shown, Site, Widths};
