//! Arguments of `mpiscope whatif`.

use std::path::PathBuf;

use clap::Args;

use super::clock::Clock;
use crate::duration::with_unit;

/// Arguments of `mpiscope whatif`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Whatif {
    /// A run directory, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// WHAT takes so many times as long, such as solve=0.5, solve@solver.c:88=0.5,
    /// MPI_Recv@cg.c:40..MPI_Send@cg.c:44=2 or computation=0.9; may be repeated
    #[arg(long, value_name = "WHAT=FACTOR", value_parser = scaled)]
    pub scale: Vec<Scaled>,
    /// --scale on these world ranks alone, such as 0,2-3
    #[arg(long, value_name = "LIST", requires = "scale")]
    pub rank: Option<String>,
    /// All ranks compute equally long between two operations in which all wait for all; with WHAT
    /// only that is balanced; may be repeated
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true,
          default_missing_value = "computation")]
    pub balance: Vec<String>,
    /// The network has this latency, such as 1us or 0 [default: as in the run]
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub latency: Option<f64>,
    /// The network has this bandwidth, such as 25GB/s, 100Gbit/s or inf [default: as in the run]
    #[arg(long, value_name = "B", value_parser = bandwidth)]
    pub bandwidth: Option<f64>,
    /// Nobody waits in this call, such as MPI_Allreduce@cg.c:40; may be repeated
    #[arg(long, value_name = "CALL")]
    pub no_wait: Vec<String>,
    #[command(flatten)]
    pub clock: Clock,
    /// Rows of each table at most
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Print JSON in place of text
    #[arg(long)]
    pub json: bool,
}

impl Whatif {
    /// Returns whether anything is to be different.
    pub fn changes_something(&self) -> bool {
        let lists = [self.balance.len(), self.no_wait.len(), self.scale.len()];
        lists.iter().any(|it| *it > 0) || self.latency.is_some() || self.bandwidth.is_some()
    }
}

/// What takes how many times as long.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaled {
    /// As it was named.
    pub what: String,
    /// By what its time is multiplied.
    pub factor: f64,
}

fn scaled(text: &str) -> Result<Scaled, String> {
    const EXPECTED: &str = "WHAT=FACTOR is expected, such as solve@solver.c:88=0.5";
    let (what, factor) = text.rsplit_once('=').ok_or(EXPECTED)?;
    let number = factor.trim().parse::<f64>().ok();
    let factor = number.filter(|it| (0.0..=1e6).contains(it));
    let factor = factor.ok_or_else(|| format!("{EXPECTED}, with a factor from 0 to 1000000"))?;
    match what.trim() {
        "" => Err(EXPECTED.to_owned()),
        what => Ok(Scaled {
            what: what.to_owned(),
            factor,
        }),
    }
}

/// Reads a bandwidth; returns it in bytes a second.
fn bandwidth(text: &str) -> Result<f64, String> {
    const UNITS: [(&str, f64); 10] = [
        ("Gbit/s", 1e9 / 8.0),
        ("Mbit/s", 1e6 / 8.0),
        ("GiB/s", (1u64 << 30) as f64),
        ("MiB/s", (1u64 << 20) as f64),
        ("KiB/s", 1024.0),
        ("GB/s", 1e9),
        ("MB/s", 1e6),
        ("kB/s", 1e3),
        ("KB/s", 1e3),
        ("B/s", 1.0),
    ];
    if text == "inf" {
        return Ok(f64::INFINITY);
    }
    let of_unit = |(unit, factor): &(&str, f64)| {
        let number = text.strip_suffix(unit)?.trim().parse::<f64>().ok()?;
        Some(number * factor)
    };
    let found = UNITS.iter().find_map(of_unit);
    found
        .filter(|it| (1.0..1e18).contains(it))
        .ok_or_else(|| "a bandwidth such as 25GB/s, 100Gbit/s or inf is expected".to_owned())
}

const EXAMPLES: &str = "\
WHAT is a region of the program, a call of MPI or a line that samples tell, by name or by
name@file:line; the computation between two calls, CALL..CALL; or computation, which is all of it.
`analyze` names them, and its words are understood, too.

Examples:
  mpiscope whatif heat.mpiscope                  what mending each of the worst would gain
  mpiscope whatif heat.mpiscope --balance        all ranks compute equally long
  mpiscope whatif heat.mpiscope --scale 'relax=0.5' --latency 1us --bandwidth 25GB/s
  mpiscope whatif heat.mpiscope --scale 'computation=2' --rank 0
  mpiscope whatif heat.mpiscope --no-wait 'MPI_Allreduce@heat.c:40'

Exit codes: 0 done, 2 wrong usage or no trace there, 3 archive damaged or cut short (what could be
read is replayed).";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_follow_the_last_sign() {
        let read = |text: &str| scaled(text).map(|it| (it.what, it.factor));
        assert_eq!(read("solve@a.c:8=0.5"), Ok(("solve@a.c:8".into(), 0.5)));
        assert_eq!(read("operator= = 2"), Ok(("operator=".into(), 2.0)));
        for text in [
            "",
            "solve",
            "=2",
            "solve=",
            "solve=-1",
            "solve=nan",
            "solve=x",
        ] {
            assert!(scaled(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bandwidths_have_units() {
        assert_eq!(bandwidth("25GB/s"), Ok(25e9));
        assert_eq!(bandwidth("100 Gbit/s"), Ok(12.5e9));
        assert_eq!(bandwidth("1KiB/s"), Ok(1024.0));
        assert_eq!(bandwidth("inf"), Ok(f64::INFINITY));
        for text in ["", "25", "GB/s", "-1GB/s", "0B/s", "nanB/s", "infGB/s"] {
            assert!(bandwidth(text).is_err(), "{text}");
        }
    }
}
