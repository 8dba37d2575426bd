//! Arguments of `mpiscope control`, and what `trace` takes of the kind.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::functions::Window;
use crate::duration::seconds;

/// Arguments of `mpiscope control`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Control {
    /// The directory of a run that is being traced
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// What its ranks are to do
    #[arg(value_name = "WHAT", value_enum)]
    pub what: OnOff,
    /// Only these world ranks, such as 0,2-3
    #[arg(long, value_name = "LIST")]
    pub rank: Option<String>,
    /// Print JSON in place of text
    #[arg(long)]
    pub json: bool,
}

/// Whether events are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnOff {
    /// Record from now on
    On,
    /// Do not record from now on
    Off,
}

/// Reads `FROM..UNTIL`, of which either may be missing.
pub(super) fn window(text: &str) -> Result<Window, String> {
    const EXPECTED: &str = "FROM..UNTIL is expected, such as 10s..60s, 90.. or ..500ms";
    let (from, until) = text.split_once("..").ok_or(EXPECTED)?;
    let of = |text: &str| match text.trim() {
        "" => Ok(None),
        text => seconds(text).map(Some).map_err(|_| EXPECTED.to_owned()),
    };
    let (from, until) = (of(from)?.unwrap_or(0.0), of(until)?);
    match until {
        Some(until) if until <= from => Err("UNTIL must be after FROM".to_owned()),
        until => Ok(Window { from, until }),
    }
}

const EXAMPLES: &str = "\
Examples:
  mpiscope control heat.mpiscope off             in another terminal, while the job runs
  mpiscope control heat.mpiscope on
  mpiscope control heat.mpiscope off --rank 8-63

A rank obeys within a second; one that is to record again begins with its next call of MPI. Messages
are matched across this as across MPI_Pcontrol. Ranks on other hosts are asked there.

Exit codes: 0 all of them did it; 1 some have not answered yet, or have reached --limit; 2 wrong usage, or no rank of the run
is being traced on this host.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read() {
        let read = |text| window(text).map(Window::text);
        assert_eq!(read("10s..60s"), Ok("10:60".to_owned()));
        assert_eq!(read("90.."), Ok("90:".to_owned()));
        assert_eq!(read("..500ms"), Ok("0:0.5".to_owned()));
        assert_eq!(read("1e-3..1"), Ok("0.001:1".to_owned()));
        assert!(read("10").is_err());
        assert!(read("5..5").is_err());
        assert!(read("x..5").is_err());
    }
}
