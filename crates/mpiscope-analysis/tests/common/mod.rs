//! Slow and simple counterparts, and random programs.
#![allow(dead_code, reason = "each test uses its part")]

pub mod closure;
pub mod executions;
pub mod halves;
pub mod program;
pub mod sums;
pub mod together;
