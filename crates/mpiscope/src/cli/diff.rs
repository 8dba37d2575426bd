//! Arguments of `mpiscope diff`.

use std::path::PathBuf;

use clap::Args;

use super::clock::Clock;

/// Arguments of `mpiscope diff`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Diff {
    /// Compare the order of messages instead: of two runs, which need an order record or a trace
    #[arg(long, conflicts_with_all = ["baseline", "candidate", "level", "least", "top", "measured",
          "junit", "sarif", "write_baseline", "anyway"])]
    pub order: bool,
    /// A traced or monitored run, the anchor file of any OTF2 archive, or a file of --write-baseline
    #[arg(value_name = "A", conflicts_with_all = ["baseline", "candidate"])]
    pub a: Option<PathBuf>,
    /// Another of the same program
    #[arg(value_name = "B", conflicts_with_all = ["baseline", "candidate"])]
    pub b: Option<PathBuf>,
    /// Runs of the one side: A
    #[arg(long, value_name = "A", num_args = 1..)]
    pub baseline: Vec<PathBuf>,
    /// Runs of the other side: B
    #[arg(long, value_name = "B", num_args = 1.., requires = "baseline")]
    pub candidate: Vec<PathBuf>,
    /// How often runs of equal builds may be taken for different ones, as a probability
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = probability)]
    pub level: f64,
    /// The least change that matters, in percent of the time of all ranks
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, value_parser = percent)]
    pub least: f64,
    /// Exit with 1 if that is so: time, computation, waiting, mpi, iteration, warm-up, or a call or
    /// region by name, with a change such as 'time +5%' or 'relax -2%'; may be repeated. With
    /// --order: difference
    #[arg(long, value_name = "CONDITION")]
    pub fail_on: Vec<String>,
    /// --fail-on also where the difference may be noise
    #[arg(long, requires = "fail_on")]
    pub anyway: bool,
    /// Write what was measured of A, to be named in place of its runs later
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a SARIF 2.1.0 report
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    #[command(flatten)]
    pub clock: Clock,
    /// Rows of the table at most
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl Diff {
    /// Returns all that is read.
    pub fn inputs(&mut self) -> Vec<&mut PathBuf> {
        let sides = self.a.iter_mut().chain(self.b.iter_mut());
        let sets = self.baseline.iter_mut().chain(self.candidate.iter_mut());
        sides.chain(sets).collect()
    }

    /// Returns the paths of A's and B's runs.
    pub fn sides(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let side = |one: &Option<PathBuf>, set: &Vec<PathBuf>| {
            one.iter().chain(set).cloned().collect::<Vec<_>>()
        };
        (
            side(&self.a, &self.baseline),
            side(&self.b, &self.candidate),
        )
    }
}

/// A change that is not wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As it was typed.
    pub typed: String,
    /// Of what.
    pub name: String,
    /// By how much: 0.05 for `+5%`.
    pub change: f64,
    /// It got longer, not shorter.
    pub longer: bool,
}

impl Condition {
    /// Reads `time +5%`.
    pub fn parse(text: &str) -> Result<Condition, String> {
        let expected =
            || format!("--fail-on {text}: a name and a change are expected, such as 'time +5%'");
        let percent = text.trim().strip_suffix('%').ok_or_else(expected)?;
        let at = percent.rfind(['+', '-']).ok_or_else(expected)?;
        let (name, change) = percent.split_at(at);
        let size = change[1..].trim().parse::<f64>().ok();
        let size = size
            .filter(|it| (0.0..=1e6).contains(it))
            .ok_or_else(expected)?;
        match name.trim() {
            "" => Err(expected()),
            name => Ok(Condition {
                typed: text.trim().to_owned(),
                name: name.to_owned(),
                change: size / 100.0,
                longer: change.starts_with('+'),
            }),
        }
    }
}

fn probability(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    value
        .filter(|it| (1e-4..=0.5).contains(it))
        .ok_or_else(|| "a probability from 0.0001 to 0.5 is expected".to_owned())
}

fn percent(text: &str) -> Result<f64, String> {
    let value = text.strip_suffix('%').unwrap_or(text).trim();
    let value = value.parse::<f64>().ok();
    value
        .filter(|it| (0.0..=100.0).contains(it))
        .ok_or_else(|| "a percentage from 0 to 100 is expected".to_owned())
}

const EXAMPLES: &str = "\
Runs of both sides belong in turn: A, B, A, B … What the machine does to all runs of one side alone
looks like the build. Five runs on each side are the fewest that can be sure at 0.01.

Examples:
  mpiscope diff --baseline a1 a2 a3 a4 a5 --candidate b1 b2 b3 b4 b5
  mpiscope diff --baseline a? --write-baseline baseline.json       a small file to commit
  mpiscope diff --baseline baseline.json --candidate b? --fail-on 'time +5%' --junit diff.xml
  mpiscope diff old.mpiscope new.mpiscope                          by their iterations, with a caveat
  mpiscope diff --order good.mpiscope bad.mpiscope --fail-on difference

Exit codes: 0 when compared, 1 by --fail-on, 2 when they cannot be compared (another number of
ranks, neither trace nor statistics; with --order another program, neither record nor trace) or
--fail-on cannot be answered (too few runs), 3 when one is damaged.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_a_name_and_a_change() {
        let read = |text: &str| Condition::parse(text).map(|it| (it.name, it.change, it.longer));
        assert_eq!(read("time +5%"), Ok(("time".into(), 0.05, true)));
        assert_eq!(read("time+5%"), Ok(("time".into(), 0.05, true)));
        assert_eq!(
            read("MPI_Recv@a-b.c:4 -2.5 %"),
            Ok(("MPI_Recv@a-b.c:4".into(), 0.025, false))
        );
        for text in [
            "",
            "time",
            "time +5",
            "+5%",
            "time +x%",
            "time +-5%%",
            "difference",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
