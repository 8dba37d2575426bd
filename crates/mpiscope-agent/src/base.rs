//! What every other layer stands on: the clock, what a thread keeps, who is at
//! work, and how the user is told.

pub mod clock;
pub mod code_place;
pub mod counters;
pub mod definitions;
pub mod fit;
pub mod guard;
pub mod helper;
pub mod host;
pub mod jump;
pub mod lineage;
mod lookup;
pub mod nesting;
pub mod notice;
pub mod own;
pub mod path;
pub mod python;
pub mod raw_call;
pub mod scheduled;
pub mod shared;
pub mod site;
pub mod symbols;
pub mod tables;
pub mod threads;
pub mod timer_signal;
pub mod variable;
