//! Arguments of `mpiscope state`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `mpiscope state`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct State {
    /// The directory of a traced run that lives, hangs, has died or has ended
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Print JSON in place of text
    #[arg(long)]
    pub json: bool,
    /// Look again so many seconds after each look, until the job has ended
    #[arg(long, value_name = "SECONDS", conflicts_with = "json", value_parser = interval)]
    pub watch: Option<f64>,
    /// Exit with 1 if such is found
    #[arg(long, value_name = "WHAT", value_enum)]
    pub fail_on: Option<FailOnState>,
}

/// What makes the command fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOnState {
    /// Ranks that certainly wait for ever
    Deadlock,
}

fn interval(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    value
        .filter(|seconds| (0.1..=86400.0).contains(seconds))
        .ok_or_else(|| "a number of seconds from 0.1 to 86400 is expected".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  mpiscope state heat.mpiscope                     in another terminal, while the job runs
  mpiscope state --watch 10 heat.mpiscope
  mpiscope state --json --fail-on deadlock heat.mpiscope

The job is only looked at: it is neither stopped nor slowed. Ranks on other hosts are seen there.

Exit codes: 0 looked, whatever was found; 1 what --fail-on names was found; 2 wrong usage, no
traced run; 3 damaged.";
