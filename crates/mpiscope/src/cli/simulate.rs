//! Arguments of `mpiscope simulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::duration::{seconds, with_unit};

/// Arguments of `mpiscope simulate`. What is not given is as the preset has it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Simulate {
    /// A program (halo, pairs, workers, collectives, mix) or a preset such as `partial`
    #[arg(value_name = "PROGRAM|PRESET", required_unless_present = "list")]
    pub what: Option<String>,
    /// List programs and presets
    #[arg(long)]
    pub list: bool,
    /// Directory of the run [default: PROGRAM.mpiscope, numbered if it exists]
    #[arg(short, long, value_name = "RUN")]
    pub output: Option<PathBuf>,
    /// Replace an earlier run of that name
    #[arg(long)]
    pub force: bool,
    /// Print JSON in place of text
    #[arg(long)]
    pub json: bool,
    /// The program.
    #[command(flatten)]
    pub program: Program,
    /// The network.
    #[command(flatten)]
    pub network: Network,
    /// The clocks.
    #[command(flatten)]
    pub clocks: Clocks,
    /// The offset measurements.
    #[command(flatten)]
    pub offsets: Offsets,
}

/// What runs, and where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Program")]
pub struct Program {
    /// Other seed, other trace of the same kind
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Processes
    #[arg(short = 'n', long, value_name = "N")]
    pub ranks: Option<u32>,
    /// Nodes they run on
    #[arg(long, value_name = "N")]
    pub hosts: Option<u32>,
    /// Which rank runs where
    #[arg(long, value_enum)]
    pub placement: Option<Placement>,
    /// How often the program does what it does
    #[arg(long, value_name = "N")]
    pub iterations: Option<u32>,
    /// True time at which the program starts, such as 600s
    #[arg(long, value_name = "T", value_parser = seconds)]
    pub start: Option<f64>,
    /// How long it computes, such as 25
    #[arg(long, value_name = "T", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// How much shorter the work of a rank may be than that of another, such as 0.02
    #[arg(long, value_name = "SHARE")]
    pub imbalance: Option<f64>,
    /// Groups of ranks that have nothing to do with each other
    #[arg(long, value_name = "N")]
    pub components: Option<u32>,
    /// A host whose ranks only compute
    #[arg(long, value_name = "HOST")]
    pub silent: Option<u32>,
    /// A host that stops recording, such as 3@612s
    #[arg(long, value_name = "HOST@T", value_parser = at)]
    pub ends: Option<(u32, f64)>,
    /// Iterations in which nobody records, such as 20..30: the second is recorded again
    #[arg(long, value_name = "FROM..TO", value_parser = pause)]
    pub pause: Option<(u32, u32)>,
    /// Point-to-point messages are sent, but not recorded
    #[arg(long)]
    pub unseen: bool,
}

/// How long messages take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
pub struct Network {
    /// Least time between hosts, such as 1.5us
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub latency: Option<f64>,
    /// Least time within a host
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub latency_within: Option<f64>,
    /// Mean random delay between hosts
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub jitter: Option<f64>,
    /// Mean random delay within a host
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub jitter_within: Option<f64>,
    /// Delays follow a power law of this exponent: the smaller, the heavier the tail
    #[arg(long, value_name = "A")]
    pub tail: Option<f64>,
    /// Each direction of each link is slower by a time of its own, at most this
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub asymmetry: Option<f64>,
    /// Share of links congested all the time and the mean delay there, such as 0.25:20us
    #[arg(long, value_name = "SHARE:T", value_parser = share)]
    pub congestion: Option<(f64, f64)>,
    /// Hosts leave collective operations later by this, per bit that is set in their number
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub exit_bias: Option<f64>,
}

/// How wrong clocks are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Clocks")]
pub struct Clocks {
    /// Every rank has a clock of its own
    #[arg(long)]
    pub clock_per_rank: bool,
    /// Rank 0's clock shows true time
    #[arg(long)]
    pub perfect_master: bool,
    /// Clocks begin between 0 and this
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub offset: Option<f64>,
    /// Standard deviation of the constant drift, such as 20ppm
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub drift: Option<f64>,
    /// Standard deviation of the wander about it, such as 0.1ppm
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub wander: Option<f64>,
    /// Time in which a wandering rate forgets where it was
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub wander_tau: Option<f64>,
    /// Largest amplitude of waves of 300 to 900 s
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub wave: Option<f64>,
    /// A time daemon changes the rate by this every 64 s, such as 0.3ppm
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub slew: Option<f64>,
    /// A clock that is set: host, true time, and by how much, such as 3@612s:-2ms; may be repeated
    #[arg(long, value_name = "HOST@T:BY", value_parser = step)]
    pub step: Vec<(u32, f64, f64)>,
    /// A reading is late by at most this
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub read_jitter: Option<f64>,
}

/// When and how well clocks were compared with rank 0's.
#[derive(Debug, Args)]
#[command(next_help_heading = "Offset measurements")]
pub struct Offsets {
    /// True times of the measurements, such as 0,600,1200s, or none [default: at 0, and as long
    /// after the program as its start is after 0]
    #[arg(long, value_name = "T,T…", value_parser = times)]
    pub measure: Option<Times>,
    /// Standard deviation of their errors
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub measure_error: Option<f64>,
}

/// Times in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Times(pub Vec<f64>);

/// Which rank runs on which host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Placement {
    /// Neighbouring ranks share a host
    Block,
    /// Neighbouring ranks are on different hosts
    Cyclic,
    /// As it comes
    Random,
}

const EXAMPLES: &str = "\
Examples:
  mpiscope simulate halo -n 64 --hosts 8 --seconds 30
  mpiscope simulate halo --start 600 --seconds 25 --measure 0,1200 --wander 0.1ppm -o a.mpiscope
  mpiscope simulate partial --slew 0.3ppm --seed 2
  mpiscope simulate --list
  mpiscope sync --truth a.mpiscope        how far measured and corrected times are from the truth

Times take ns, us, ms or s, rates ppm; points in time and --seconds are seconds without.
Exit codes: 0 done, 2 wrong usage or cannot be written.";

/// Reads a rate in parts per million.
fn rate(text: &str) -> Result<f64, String> {
    let digits = text.strip_suffix("ppm").map(str::trim_end);
    let value = digits.and_then(|digits| digits.parse::<f64>().ok());
    value
        .filter(|ppm| (0.0..=1000.0).contains(ppm))
        .map(|ppm| ppm * 1e-6)
        .ok_or_else(|| "a rate such as 20ppm, at most 1000ppm, is expected".to_owned())
}

fn times(text: &str) -> Result<Times, String> {
    match text {
        "none" => Ok(Times(Vec::new())),
        _ => text
            .split(',')
            .map(seconds)
            .collect::<Result<_, _>>()
            .map(Times),
    }
}

fn share(text: &str) -> Result<(f64, f64), String> {
    let (share, delay) = text
        .split_once(':')
        .ok_or_else(|| "a share and a delay such as 0.25:20us are expected".to_owned())?;
    let share = share.parse::<f64>().ok();
    let share = share.ok_or_else(|| "a share such as 0.25 is expected".to_owned())?;
    Ok((share, with_unit(delay)?))
}

fn pause(text: &str) -> Result<(u32, u32), String> {
    let ends = text.split_once("..");
    let ends = ends.and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    ends.filter(|(from, to)| from < to)
        .ok_or_else(|| "two iterations such as 20..30 are expected".to_owned())
}

fn at(text: &str) -> Result<(u32, f64), String> {
    let (host, time) = text
        .split_once('@')
        .ok_or_else(|| "a host and a time such as 3@612s are expected".to_owned())?;
    let host = host.parse::<u32>();
    let host = host.map_err(|_| "the number of a host is expected before @".to_owned())?;
    Ok((host, seconds(time)?))
}

fn step(text: &str) -> Result<(u32, f64, f64), String> {
    let (place, by) = text
        .split_once(':')
        .ok_or_else(|| "host, time and step such as 3@612s:-2ms are expected".to_owned())?;
    let (host, time) = at(place)?;
    let by = match by.strip_prefix('-') {
        Some(by) => -with_unit(by)?,
        None => with_unit(by.strip_prefix('+').unwrap_or(by))?,
    };
    Ok((host, time, by))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_with_their_units() {
        assert_eq!(rate("20ppm"), Ok(20.0 * 1e-6));
        assert_eq!(times("0,1200s"), Ok(Times(vec![0.0, 1200.0])));
        assert_eq!(times("none"), Ok(Times(vec![])));
        assert_eq!(share("0.25:20us"), Ok((0.25, 20.0 * 1e-6)));
        assert_eq!(step("3@612s:-2ms"), Ok((3, 612.0, -2.0 * 1e-3)));
        assert_eq!(pause("20..30"), Ok((20, 30)));
        assert_eq!(step("3@612s:+2ms"), Ok((3, 612.0, 2.0 * 1e-3)));
    }

    #[test]
    fn what_is_no_value_is_told_what_it_should_be() {
        let expected = |error: Result<_, String>| error.is_err_and(|e| e.contains("expected"));
        assert!(expected(rate("20").map(drop)) && expected(rate("nanppm").map(drop)));
        assert!(expected(times("0,soon").map(drop)) && expected(share("1").map(drop)));
        assert!(expected(pause("30..20").map(drop)) && expected(pause("3").map(drop)));
        assert!(expected(step("3@5s").map(drop)) && expected(step("a@5s:1s").map(drop)));
    }
}
