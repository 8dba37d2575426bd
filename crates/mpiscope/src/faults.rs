//! Clock faults that the user asked for, looked at where a mistake can still be mended.
//!
//! The ranks read `MPISCOPE_CLOCK_FAULT` themselves, but only after the job has
//! waited in its queue: what cannot be read is refused before the launch.
//! Which ranks there are is known only at the end.

use std::collections::BTreeMap;

use anyhow::{anyhow, Context, Result};
use mpiscope_run::fault::{self, Fault};

use crate::launch::environment::CLOCK_FAULT;
use crate::report::show;

/// What the user asked for.
#[derive(Debug, Default)]
pub struct Faults {
    /// As typed; nothing if there is no such variable.
    pub text: Option<String>,
    by_rank: BTreeMap<u32, Fault>,
}

impl Faults {
    /// Reads `MPISCOPE_CLOCK_FAULT`.
    pub fn from_environment() -> Result<Faults> {
        let Some(value) = std::env::var_os(CLOCK_FAULT) else {
            return Ok(Faults::default());
        };
        let text = value.to_str().context("MPISCOPE_CLOCK_FAULT is no text")?;
        Faults::parse(text)
    }

    fn parse(text: &str) -> Result<Faults> {
        let by_rank = fault::parse(text).map_err(|wrong| anyhow!("{CLOCK_FAULT}: {wrong}"))?;
        Ok(Faults {
            text: Some(text.to_owned()),
            by_rank,
        })
    }

    /// Says which ranks are named that a world of this size does not have.
    pub fn beyond(&self, world_size: u32) -> Option<String> {
        let ranks: Vec<u32> = self
            .by_rank
            .range(world_size..)
            .map(|(rank, _)| *rank)
            .collect();
        let world = show::counted(world_size.into(), "rank");
        (!ranks.is_empty()).then(|| {
            format!(
                "{CLOCK_FAULT} names rank {}, but the world has {world}",
                show::ranges(&ranks)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_told_with_the_variable_and_what_was_expected() {
        let error = Faults::parse("1:offset=fast").unwrap_err().to_string();
        for word in [CLOCK_FAULT, "fast", "expected"] {
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn ranks_that_do_not_exist_are_told() {
        let faults = Faults::parse("1:offset=1ms;3-5:drift=1ppm").unwrap();
        assert_eq!(faults.beyond(6), None);
        assert_eq!(
            faults.beyond(4).unwrap(),
            "MPISCOPE_CLOCK_FAULT names rank 4-5, but the world has 4 ranks"
        );
        assert_eq!(Faults::default().beyond(0), None);
    }
}
