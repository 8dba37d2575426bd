//! Which of the program's functions are traced.

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
