//! Archives of other tools in every command: what they tell is told, and what they do not tell
//! is named.
#![forbid(unsafe_code)]

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod defined;
mod extrae;
mod eztrace;
mod receives_missing;
mod score_p;
mod tau;
mod view;
mod writer;
