//! Which of the program's functions, and which of its polls, are traced.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Functions that the compiler instrumented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Functions {
    /// All of them.
    All,
    /// But for those that are many and soon over.
    #[default]
    Long,
    /// None.
    None,
}

/// Calls that ask whether something is there, and find nothing (MPI_Test, MPI_Iprobe and their kin).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polls {
    /// Each is told by itself.
    All,
    /// Those that follow each other are counted, and told together.
    #[default]
    Compressed,
}
