//! What to type for the next trace: the recorded command, with the options that it was traced with
//! and those that are proposed.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use mpiscope_run::slow::Slow;

use crate::cli::{Functions, Openmp, Polls};
use crate::input::Input;
use crate::launch::environment::{Launch, Order};
use crate::packed;
use crate::report::show;

/// What is proposed.
pub struct Proposal<'a> {
    /// The filter file.
    pub filter: Option<&'a Path>,
    /// A window, as `trace` takes it.
    pub window: Option<&'a str>,
    /// Bytes to be reserved.
    pub buffer: Option<u64>,
}

/// How the trace came about.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Origin {
    /// By `mpiscope trace`, whose command is known.
    Traced,
    /// By `mpiscope exec`, which somebody else started.
    Executed,
    /// Nothing ran.
    Simulated,
    /// By another tool, or by one that left the archive alone.
    #[default]
    Unknown,
}

/// What is known of how the run was started.
#[derive(Default)]
pub struct Next {
    /// The command, as it was typed.
    pub command: Option<Vec<String>>,
    /// With what `trace` recorded it; nothing where something else did.
    launch: Option<Launch>,
    /// The filter that it was recorded with; of a packed run it has no place.
    filter: Option<PathBuf>,
    /// The command has paths that are none from the folder that one is in.
    is_elsewhere: bool,
    origin: Origin,
}

impl Next {
    /// Reads it from the run.
    pub fn of(input: &Input) -> Next {
        let Some(run) = &input.run else {
            return Next::default();
        };
        let launch = Launch::of_run(run).filter(|_| !run.command.is_empty());
        let has_filter = launch.as_ref().is_some_and(|it| it.filter);
        let given = packed::given(&input.path);
        let filter = || input.path.join(mpiscope_run::filter::FILE);
        let is_packed = given != input.path;
        let has_paths = run.command.iter().any(|it| is_relative(it));
        Next {
            command: launch.is_some().then(|| run.command.clone()),
            is_elsewhere: launch.is_some() && has_paths && !is_beside(&given),
            filter: (has_filter && !is_packed).then(filter),
            origin: match &launch {
                _ if run.other.contains_key("simulated") => Origin::Simulated,
                Some(_) => Origin::Traced,
                None => Origin::Executed,
            },
            launch,
        }
    }

    /// Returns the options of `trace`, each word as one types it.
    pub fn options(&self, proposal: &Proposal) -> Vec<String> {
        let filter = proposal.filter.or(self.filter.as_deref());
        // It is found from the folder in which the command is typed, too.
        let filter = filter.map(|it| match self.is_elsewhere {
            true => show::word(&full(it)),
            false => show::word(it),
        });
        let launch = self.launch.as_ref();
        let buffer = match launch.and_then(|it| it.keep) {
            // What is kept is bounded already.
            Some(_) => None,
            None => proposal.buffer.map(size),
        };
        let earlier = launch.and_then(|it| it.window);
        let earlier = earlier.map(|it| {
            let until = it
                .until
                .map(|until| format!("{until}s"))
                .unwrap_or_default();
            format!("{}s..{until}", it.from)
        });
        let window = proposal.window.map(str::to_owned).or(earlier);
        let pairs = [
            ("--filter", filter),
            ("--window", window),
            ("--buffer", buffer),
        ];
        let pairs = pairs
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        let mut options: Vec<String> = pairs
            .flat_map(|(name, value)| [name.to_owned(), value])
            .collect();
        options.extend(launch.iter().flat_map(|it| as_recorded(it)));
        options
    }

    /// Returns the line to type.
    pub fn line(&self, options: &[String], proposal: &Proposal) -> String {
        let words = |words: &[String]| {
            let words = words.iter().map(|it| show::word(Path::new(it)));
            words.collect::<Vec<_>>().join(" ")
        };
        match (&self.command, self.origin) {
            (Some(command), _) => trace(options, &words(command)),
            (None, Origin::Executed) => variables(proposal),
            (None, _) => trace(options, "COMMAND"),
        }
    }

    /// Says what is to be known of the line.
    pub fn note(&self, proposal: &Proposal) -> Option<String> {
        let had_filter = self.launch.as_ref().is_some_and(|it| it.filter);
        let lacks_filter = had_filter && self.filter.is_none() && proposal.filter.is_none();
        let traced = self.origin == Origin::Traced;
        let order = self.launch.as_ref().and_then(|it| order(&it.order));
        let notes = [
            origin(self.origin),
            (traced && lacks_filter).then_some(
                "the run was traced with a filter, too, which `mpiscope unpack` gives back",
            ),
            self.is_elsewhere.then_some(
                "the command has relative paths, and the run does not lie in this folder: type the \
                 line where the program was started",
            ),
            order.filter(|_| traced),
        ];
        let notes: Vec<&str> = notes.into_iter().flatten().collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

fn origin(origin: Origin) -> Option<&'static str> {
    match origin {
        Origin::Traced => None,
        Origin::Executed => Some(
            "the run was started by `mpiscope exec`, and how is not known: set these before, and \
             start it as you did",
        ),
        Origin::Simulated => Some(
            "the run was simulated: put the program that it stands for in the place of COMMAND",
        ),
        Origin::Unknown => Some(
            "the archive does not tell the command: put what you type in the place of COMMAND; \
             Score-P reads the same file (SCOREP_FILTERING_FILE)",
        ),
    }
}

/// Says of a run whose order was not its own that the line leaves it alone.
fn order(order: &Order) -> Option<&'static str> {
    match order {
        Order::Off | Order::Record => None,
        Order::Replay { .. } => Some(
            "the run was a replay, and the line does not replay: messages may come in another order",
        ),
        Order::Alone { .. } => {
            Some("one rank was replayed by itself, and the line does not replay")
        }
        Order::Deterministic { .. } | Order::Enforce => Some(
            "the order of messages was made by a rule, which the line does not keep: they may come \
             in another order",
        ),
    }
}

/// Returns whether a word of a command is a path from the folder in which it was typed.
fn is_relative(word: &str) -> bool {
    let path = match word.starts_with('-') {
        true => word.split_once('=').map_or("", |(_, value)| value),
        false => word,
    };
    path.contains('/') && !path.starts_with('/') && !path.contains("://")
}

/// Returns whether a run lies in the folder that one is in; where that cannot be told it is taken for
/// granted.
fn is_beside(run: &Path) -> bool {
    let run = fs::canonicalize(run).ok();
    let here = std::env::current_dir().and_then(fs::canonicalize).ok();
    match (run.as_deref().and_then(Path::parent), here) {
        (Some(folder), Some(here)) => folder == here,
        _ => true,
    }
}

fn full(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn trace(options: &[String], command: &str) -> String {
    let options: String = options.iter().map(|it| format!(" {it}")).collect();
    format!("mpiscope trace{options} -- {command}")
}

/// Returns the variables that say the same under `mpiscope exec`; nothing where there is nothing
/// to say.
fn variables(proposal: &Proposal) -> String {
    let window = proposal
        .window
        .map(|it| it.replace("..", ":").replace('s', ""));
    let filter = proposal.filter;
    let filter = filter.map(|it| format!("MPISCOPE_FILTER={}", show::word(&full(it))));
    let buffer = proposal.buffer.map(|it| format!("MPISCOPE_BUFFER={it}"));
    let window = window.map(|it| format!("MPISCOPE_WINDOW={it}"));
    let all: Vec<String> = filter.into_iter().chain(window).chain(buffer).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("export {}", all.join(" ")),
    }
}

/// Returns the options that a run was recorded with, but for those that are proposed anew.
fn as_recorded(launch: &Launch) -> Vec<String> {
    let with = |name: &str, value: Option<String>| value.map(|it| [name.to_owned(), it]);
    let functions = match launch.functions {
        Functions::All => Some("all".to_owned()),
        Functions::Long => None,
        Functions::None => Some("none".to_owned()),
    };
    let only = (!launch.only_mpi.is_empty()).then(|| launch.only_mpi.join(","));
    let values = [
        with("--functions", functions),
        with(
            "--polls",
            (launch.polls == Polls::All).then(|| "all".to_owned()),
        ),
        with(
            "--openmp",
            (launch.openmp == Openmp::Off).then(|| "off".to_owned()),
        ),
        with("--only-mpi", only),
        with("--ranks", launch.ranks.clone()),
        with("--sample", launch.sample.map(|it| format!("{it}ns"))),
        with(
            "--counters",
            (!launch.counters.is_empty()).then(|| launch.counters.join(",")),
        ),
        with("--limit", launch.limit.map(|it| it.to_string())),
        with("--until-slow", launch.until_slow.as_ref().map(Slow::text)),
        with("--keep", launch.keep.map(|it| it.text())),
        with("--races", launch.online.then(|| "online".to_owned())),
    ];
    let no_order = launch.order == Order::Off && launch.keep.is_none();
    let alone = [
        (no_order, "--no-order"),
        (launch.monitor.is_some(), "--statistics"),
    ];
    let alone = alone.iter().filter(|(is_set, _)| *is_set);
    let values = values.into_iter().flatten().flatten();
    values
        .chain(alone.map(|(_, name)| (*name).to_owned()))
        .collect()
}

/// Writes a size as `trace` takes it: `64M`.
fn size(bytes: u64) -> String {
    match bytes % (1 << 20) {
        0 => format!("{}M", bytes >> 20),
        _ => bytes.to_string(),
    }
}

/// Writes a window as `trace` takes it, in four digits that do not make it smaller.
pub fn window(from_ns: i64, until_ns: i64) -> String {
    let (from, until) = (from_ns.max(0), until_ns.max(1));
    let grain = 10i64.pow((until.ilog10()).saturating_sub(3));
    let from = from / grain * grain;
    let until = until.saturating_add(grain - 1) / grain * grain;
    format!("{}s..{}s", seconds(from), seconds(until))
}

/// Writes nanoseconds in seconds, exactly.
fn seconds(ns: i64) -> String {
    let text = format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
