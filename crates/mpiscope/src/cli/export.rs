//! Arguments of `mpiscope export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::size;

/// Arguments of `mpiscope export`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Export {
    /// A run directory, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: To,
    /// Where it goes [default: beside the input: NAME-parquet, NAME-csv, NAME.perfetto-trace,
    /// NAME.speedscope.json]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Replace an earlier export of that name
    #[arg(long)]
    pub force: bool,
    /// The times as the clocks showed them [default: those of the archive that is named; of a run
    /// the corrected ones, if it has been corrected]
    #[arg(long)]
    pub measured: bool,
    /// Rows of all locations in one order, by time, of equal times by location [default: one
    /// location after the other]; of tables
    #[arg(long)]
    pub merged: bool,
    /// Memory to use, such as 64M: what does not fit lies in a file beside the input while the
    /// command runs; the output is the same
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,
}

/// What a run is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// A folder of tables for DuckDB, pandas, polars, Spark: events, messages, collective
    /// operations, wait states, and what these refer to
    Parquet,
    /// A time line with message arrows for https://ui.perfetto.dev
    Perfetto,
    /// The same tables as text
    Csv,
    /// Call stacks over time, location by location, for https://www.speedscope.app
    Speedscope,
}

const EXAMPLES: &str = "\
Examples:
  mpiscope export --to parquet heat.mpiscope        tables in heat-parquet/
  duckdb -c \"SELECT region, count(*) FROM 'heat-parquet/events.parquet' WHERE event = 'enter'
             GROUP BY region\"
  mpiscope export --to perfetto heat.mpiscope       heat.perfetto-trace, for ui.perfetto.dev
  mpiscope export --to speedscope -o heat.json heat.mpiscope
  mpiscope export --to csv --measured heat.mpiscope
  mpiscope export --to csv --merged heat.mpiscope    events of all ranks in the order of time
  mpiscope export --to parquet -o tables scorep/traces.otf2

Exit codes: 0 done, 2 wrong usage, no trace there or OUT exists, 3 archive damaged or cut short
(what could be read is written).";
