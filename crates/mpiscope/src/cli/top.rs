//! Arguments of `mpiscope top`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `mpiscope top`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Top {
    /// A run directory, of a program that runs, has ended or was killed
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Seconds between two looks
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = interval)]
    pub interval: f64,
    /// Look once, print it as text and end
    #[arg(long)]
    pub once: bool,
    /// With --once: print JSON in place of text
    #[arg(long, requires = "once")]
    pub json: bool,
    /// Print metrics as OpenMetrics text, once; with --output again and again
    #[arg(long, conflicts_with_all = ["once"])]
    pub openmetrics: bool,
    /// Write the metrics into this file each interval, until the program has ended: for the
    /// textfile collector of Prometheus' node exporter
    #[arg(long, value_name = "FILE", requires = "openmetrics")]
    pub output: Option<PathBuf>,
}

fn interval(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    value
        .filter(|seconds| (0.05..=3600.0).contains(seconds))
        .ok_or_else(|| "a number of seconds from 0.05 to 3600 is expected".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  mpiscope top heat.mpiscope                    keys: arrows, Enter, Tab, s(ort), p(ause), q(uit)
  mpiscope top --once heat.mpiscope             where each rank is, and whom it waits for
  mpiscope top --once --json heat.mpiscope
  mpiscope top --openmetrics --output /var/lib/node_exporter/heat.prom --interval 15 heat.mpiscope

Exit codes: 0 done, 2 wrong usage or the run has no statistics, 3 they are damaged.";
