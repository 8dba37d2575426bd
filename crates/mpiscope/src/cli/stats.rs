//! Arguments of `mpiscope stats`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `mpiscope stats`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Stats {
    /// A run directory, of a program that has ended, was killed or still runs
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Add up by this, in place of the tree of the program
    #[arg(long, value_enum, value_name = "WHAT")]
    pub by: Option<ByWhat>,
    /// Only what this rank did
    #[arg(long, value_name = "RANK")]
    pub rank: Option<u32>,
    /// Only what stands in this line: its records by caller and peer, and what it contains
    #[arg(long, value_name = "FILE:LINE", value_parser = place)]
    pub of: Option<SourceLine>,
    /// How large the messages of each statement were
    #[arg(long)]
    pub messages: bool,
    /// Who sent how much to whom; of more than 16 ranks neighbouring ones are put together
    #[arg(long)]
    pub matrix: bool,
    /// Rows and columns of the matrix at most
    #[arg(long, value_name = "N", default_value_t = 16, requires = "matrix",
          value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub blocks: u32,
    /// Print JSON in place of text
    #[arg(long, conflicts_with_all = ["by", "of", "messages", "matrix"])]
    pub json: bool,
    /// Print a filter for `trace --filter`: procedures that were entered often and were soon over
    #[arg(long, conflicts_with_all = ["by", "of", "messages", "matrix", "json", "tables", "graph"])]
    pub propose_filter: bool,
    /// Write the tree as a flame graph, an SVG picture
    #[arg(long, value_name = "FILE")]
    pub flame: Option<PathBuf>,
    /// Write the tree as a profile for https://www.speedscope.app
    #[arg(long, value_name = "FILE")]
    pub speedscope: Option<PathBuf>,
    /// Write what was counted as tables into a folder, for data frames: statements, messages,
    /// procedures, loops and ranks, each a Parquet file
    #[arg(long, value_name = "DIR")]
    pub parquet: Option<PathBuf>,
    /// Print the structure of the sources that `mpiscope cc` compiled, as tables: procedures and
    /// their loops, communication statements and calls, and the same of loops
    #[arg(long, conflicts_with_all = ["by", "of", "json", "graph"])]
    pub tables: bool,
    /// Print it as a graph from main, in which calls expand into what they call
    #[arg(long, conflicts_with_all = ["by", "of", "json"])]
    pub graph: bool,
}

/// By what records are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ByWhat {
    /// Communication statement
    Statement,
    /// With whom, of all communication
    Peer,
    /// Procedure, apart for each statement that calls it
    Procedure,
    /// Loop
    Loop,
    /// Rank, of all communication
    Rank,
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLine {
    /// The file, or the end of its path.
    pub file: String,
    /// The line.
    pub line: u32,
}

fn place(text: &str) -> Result<SourceLine, String> {
    let parts = text.rsplit_once(':').filter(|(file, _)| !file.is_empty());
    let parsed = parts.and_then(|(file, line)| Some((file, line.parse().ok()?)));
    parsed
        .map(|(file, line)| SourceLine {
            file: file.to_owned(),
            line,
        })
        .ok_or_else(|| "a file and a line are expected, as in heat.c:42".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  mpiscope stats heat.mpiscope                       the program as a tree, most time first
  mpiscope stats --by statement heat.mpiscope
  mpiscope stats --by peer --rank 3 heat.mpiscope    with whom rank 3 spent its time
  mpiscope stats --of heat.c:42 heat.mpiscope        one statement, procedure or loop
  mpiscope stats --graph heat.mpiscope               what calls what, without figures
  mpiscope stats --flame heat.svg heat.mpiscope
  mpiscope stats --propose-filter heat.mpiscope > heat.filter
  mpiscope stats --parquet tables heat.mpiscope      for pandas: tables/statements.parquet and so on

Exit codes: 0 done, 2 wrong usage or the run has no statistics, 3 some of them are damaged (what
could be read is printed).";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_and_a_line() {
        let expected = SourceLine {
            file: "src/a:b.c".into(),
            line: 42,
        };
        assert_eq!(place("src/a:b.c:42"), Ok(expected));
        for text in ["heat.c", ":3", "heat.c:", "heat.c:x", "heat.c:-1"] {
            assert!(place(text).is_err(), "{text}");
        }
    }
}
