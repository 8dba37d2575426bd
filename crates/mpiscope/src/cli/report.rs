//! Arguments of `mpiscope report`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args};

use crate::duration::seconds;
use crate::size;

/// Arguments of `mpiscope report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Report {
    /// Run directories, or anchor files of any OTF2 archives: all are shown on one page
    #[arg(value_name = "RUN|ARCHIVE", required = true)]
    pub inputs: Vec<PathBuf>,
    /// The file to write, or - for standard output [default: beside the first input: heat.html of
    /// heat.mpiscope]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How large it may be. What there is no room for is left out: first single calls far
    /// from what was found
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "25M")]
    pub size: u64,
    /// Leave out names of hosts, paths, the program with its arguments, and the text and places of
    /// sources; names of functions stay
    #[arg(long)]
    pub anonymize: bool,
    /// Replace an earlier report or picture of that name
    #[arg(long)]
    pub force: bool,
    /// Neither use nor keep what is known of the archive: look at it anew
    #[arg(long)]
    pub no_cache: bool,
    /// A picture in place of the page.
    #[command(flatten)]
    pub picture: Picture,
}

/// Which picture is drawn, and what of.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("picture").multiple(true))]
pub struct Picture {
    /// In place of the page draw time lines as SVG, for papers
    #[arg(
        long,
        value_name = "FILE",
        group = "picture",
        conflicts_with = "output"
    )]
    pub svg: Option<PathBuf>,
    /// In place of the page draw time lines as PNG; with --svg both
    #[arg(
        long,
        value_name = "FILE",
        group = "picture",
        conflicts_with = "output"
    )]
    pub png: Option<PathBuf>,
    /// Of a picture: from this time on, counted from the first event, such as 1.5 or 20ms
    #[arg(long, value_name = "T", value_parser = seconds, requires = "picture")]
    pub from: Option<f64>,
    /// Of a picture: until this time
    #[arg(long, value_name = "T", value_parser = seconds, requires = "picture")]
    pub to: Option<f64>,
    /// Of a picture: only these world ranks, such as 0,2-3
    #[arg(long, value_name = "LIST", requires = "picture")]
    pub rank: Option<String>,
    /// Of a picture: the times to use [default: the best that the run has]
    #[arg(long, requires = "picture",
          value_parser = PossibleValuesParser::new(["measured", "interpolated", "corrected", "true"]))]
    pub clock: Option<String>,
    /// Of a picture: how wide it is, in pixels of 1/96 inch
    #[arg(long, value_name = "N", default_value_t = 900, requires = "picture",
          value_parser = clap::value_parser!(u32).range(200..=10_000))]
    pub width: u32,
    /// Of a picture: how high it is, without the legend [default: as its rows ask for]
    #[arg(long, value_name = "N", requires = "picture",
          value_parser = clap::value_parser!(u32).range(50..=20_000))]
    pub height: Option<u32>,
    /// Of a PNG: how many pixels it has for each of these
    #[arg(long, value_name = "N", default_value_t = 2, requires = "png",
          value_parser = clap::value_parser!(u32).range(1..=4))]
    pub scale: u32,
    /// Of a picture: light words on a dark ground, as for slides
    #[arg(long, requires = "picture")]
    pub dark: bool,
}

impl Picture {
    /// Returns whether a picture is asked for.
    pub fn is_asked(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }
}

const EXAMPLES: &str = "\
Examples:
  mpiscope report heat.mpiscope                  leaves heat.html: open it in a browser, mail it
  mpiscope report -o why.html before.mpiscope after.mpiscope
  mpiscope report --anonymize --size 5M heat.mpiscope
  mpiscope report --svg heat.svg --png heat.png --from 20ms --to 35ms --rank 0-3 heat.mpiscope
                                                 a picture of that window, for a paper

Exit codes: 0 done, 2 wrong usage, no such run, one that is still being written, FILE exists,
or nothing to draw there, 3 an archive is too damaged to be shown.";
