//! Arguments of `mpiscope scale`.

use std::path::PathBuf;

use clap::Args;
use mpiscope_analysis::scaling::Kind;

use super::clock::Clock;

/// Arguments of `mpiscope scale`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Scale {
    /// Traced runs of one program on different numbers of ranks, or of different sizes of the
    /// problem on equally many, or anchor files of OTF2 archives, in any order; several of one
    /// number or size are repetitions
    #[arg(value_name = "RUN|ARCHIVE", required = true)]
    pub inputs: Vec<PathBuf>,
    /// The problem is the same in all runs [default: as runs tell, else this]
    #[arg(long, conflicts_with = "weak")]
    pub strong: bool,
    /// The problem grows with the ranks
    #[arg(long)]
    pub weak: bool,
    /// Compare with the runs on so many ranks [default: those on fewest]
    #[arg(long, value_name = "RANKS")]
    pub reference: Option<u64>,
    /// The size of the problem of each run, in the order of the runs; of runs on one number of ranks
    /// [default: the only argument of the program that differs, if it is a number]
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', value_parser = size)]
    pub sizes: Vec<f64>,
    /// Also runs that seem to be of different programs, that died, or that are not complete
    #[arg(long)]
    pub anyway: bool,
    /// Write a picture of speedup and efficiencies, or of how times grow
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub clock: Clock,
    /// Rows of the table of lines at most
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Print JSON in place of text
    #[arg(long)]
    pub json: bool,
}

impl Scale {
    /// Returns what was asked for.
    pub fn kind(&self) -> Option<Kind> {
        match (self.strong, self.weak) {
            (true, _) => Some(Kind::Strong),
            (_, true) => Some(Kind::Weak),
            _ => None,
        }
    }
}

/// Reads a size: any number above 0.
fn size(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok();
    let number = number.filter(|it| it.is_finite() && *it > 0.0);
    number.ok_or_else(|| "a size is a number above 0".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  for n in 1 2 4 8; do mpiscope trace -o heat.$n -- mpirun -n $n ./heat; done
  mpiscope scale heat.?                      where does it stop scaling?
  mpiscope scale --weak --svg heat.svg heat.?
  mpiscope scale --reference 2 heat.?        compared with 2 ranks
  mpiscope scale --sizes 1,2,4 a b c         which lines grow fastest with the size?

Exit codes: 0 when compared, 2 when they cannot be compared (runs on one number of ranks and of one
size, or of sizes that do not go with the ranks; different programs, runs that died or are not
complete, unless --anyway), 3 when one is damaged, also with --anyway.";
