//! Arguments of `mpiscope refine`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `mpiscope refine`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Refine {
    /// A run directory, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// Write what is proposed: the filter, and the line that traces with it, with window and buffer
    #[arg(long)]
    pub apply: bool,
    /// Where the filter goes, and beside it the line [default: NAME.filter and NAME.trace.sh beside
    /// the input]
    #[arg(short, long, value_name = "FILE", requires = "apply")]
    pub output: Option<PathBuf>,
    /// Replace earlier files of these names
    #[arg(long, requires = "apply")]
    pub force: bool,
    /// The next run takes so many times as long, and so have its events and its memory
    #[arg(long, value_name = "N", value_parser = times, default_value_t = 1.0)]
    pub times: f64,
    /// Trace so many iterations alone, the first ones apart: the line has their window [default:
    /// that of 10 is named beside it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: Option<u32>,
    /// Rows of the table at most
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Print JSON in place of text, with all rows and the filter
    #[arg(long)]
    pub json: bool,
}

/// Reads how many times as long a run takes.
fn times(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|it| (0.001..=1e6).contains(it))
        .ok_or_else(|| "a number from 0.001 to 1000000 is expected".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  mpiscope refine heat.mpiscope                    what the next trace can leave out
  mpiscope refine --apply heat.mpiscope            write it into heat.filter and heat.trace.sh
  mpiscope refine --apply -o my.filter --force heat.mpiscope
  mpiscope refine --iterations 20 heat.mpiscope    20 iterations alone
  mpiscope refine --times 100 heat.mpiscope        for a run 100 times as long

Exit codes: 0 done, also where there is nothing to leave out, 2 wrong usage, no trace there or FILE
exists, 3 archive damaged or cut short (what could be read is counted).";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_takes_some_times_as_long() {
        assert_eq!(times("100"), Ok(100.0));
        assert_eq!(times("0.5"), Ok(0.5));
        for text in ["", "0", "-1", "nan", "inf", "1e7", "x"] {
            assert!(times(text).is_err(), "{text}");
        }
    }
}
