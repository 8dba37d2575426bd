//! Which of the program's functions and polls are traced, whether its threads are, and when.

use clap::ValueEnum;
use mpi_abi::{Group, GROUPS};
use serde::{Deserialize, Serialize};

use crate::duration::with_unit;

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

/// What OpenMP's runtime tells of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Openmp {
    /// It is traced.
    #[default]
    On,
    /// It is not looked at.
    Off,
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

/// When to record, in seconds since `MPI_Init`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// From then on.
    pub from: f64,
    /// Until then; to the end if that is not given.
    pub until: Option<f64>,
}

impl Window {
    /// Returns it as the agent is told.
    pub fn text(self) -> String {
        let until = self.until.map(|until| until.to_string());
        format!("{}:{}", self.from, until.unwrap_or_default())
    }
}

/// Reads the processor time after which a thread is looked at, in nanoseconds.
pub(super) fn period(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "a duration from 10us to 10s is expected, such as 1ms";
    let seconds = with_unit(text).map_err(|_| EXPECTED)?;
    let nanoseconds = (seconds * 1e9).round() as u64;
    let makes_sense = (10_000..=10_000_000_000).contains(&nanoseconds);
    makes_sense
        .then_some(nanoseconds)
        .ok_or_else(|| EXPECTED.to_owned())
}

/// Counters that are read.
#[derive(Debug, Clone, Default)]
pub struct CounterNames(pub Vec<String>);

/// Reads a list of counters.
pub(super) fn counters(text: &str) -> Result<CounterNames, String> {
    mpiscope_run::counters::read(text).map(CounterNames)
}

/// Reads the name of a group of MPI's functions.
pub(super) fn mpi_group(text: &str) -> Result<String, String> {
    match Group::named(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!(
            "the groups are {}",
            GROUPS.map(|(name, _)| name).join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_durations_within_bounds() {
        assert_eq!(period("1ms"), Ok(1_000_000));
        assert_eq!(period("10us"), Ok(10_000));
        assert_eq!(period("0.5s"), Ok(500_000_000));
        for text in ["", "0", "1us", "1", "0.5", "1h", "11s", "-1ms", "nan"] {
            assert!(period(text).is_err(), "{text}");
        }
    }
}
