//! `mpiscope cc`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `mpiscope cc`.
#[derive(Debug, Args)]
#[command(after_help = CC_EXAMPLES)]
pub struct Cc {
    /// Which loops get probes
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = LoopsWith::Calls)]
    pub loops: LoopsWith,
    /// Whether calls tell from which statement they come
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = CallsWith::All)]
    pub calls: CallsWith,
    /// No probes in procedures, or source files, that fit this pattern (* and ?); may be repeated
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Probes only in procedures, or source files, that fit this pattern; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
    /// Keep the instrumented sources in this directory
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Print the instrumented sources, and compile nothing
    #[arg(long)]
    pub show: bool,
    /// Also write the structure of the sources to this file, a line of JSON each
    #[arg(long, value_name = "FILE")]
    pub structure: Option<PathBuf>,
    /// Name what is left alone, and why
    #[arg(short, long)]
    pub verbose: bool,
    /// The compiler, or the command in front of it, with all its arguments
    #[arg(
        value_name = "COMPILER",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub command: Vec<OsString>,
}

/// Loops that get probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LoopsWith {
    /// No loops
    None,
    /// Loops that contain calls or communication
    Calls,
    /// All loops
    All,
}

/// Calls that are announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CallsWith {
    /// No calls: what a procedure costs is not told apart by caller
    None,
    /// All calls that the text shows
    All,
}

const CC_EXAMPLES: &str = "\
Examples:
  mpiscope cc mpicc -O2 -c solver.c            the object has probes; link as ever
  mpiscope cc --loops all mpif90 heat.f90 -o heat
  make CC='mpiscope cc mpicc' FC='mpiscope cc mpif90'
  mpiscope cc --show mpicc -c solver.c         what the compiler would get
  ln -s $(which mpiscope) mpiscope-mpicc       for CMake: -DCMAKE_C_COMPILER=$PWD/mpiscope-mpicc,
                                               options in MPISCOPE_CC='--loops all'

The exit code and the messages are the compiler's, of your source as it is. What does not compile
with probes is compiled without. Without `mpiscope monitor`, a probe tests one pointer.

Exit codes: the compiler's own; 2 for wrong usage of `mpiscope cc` itself, or if the compiler cannot
be executed.";
