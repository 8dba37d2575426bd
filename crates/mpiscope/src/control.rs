//! `mpiscope control RUN on|off`: recording of a running job, switched.

use std::path::Path;
use std::time::Duration;

use anyhow::{anyhow, bail, Context, Result};
use mpiscope_run::control::{self, Traced, Wish};
use mpiscope_run::run_info::RunInfo;
use serde_json::json;

use crate::cli::{Control, OnOff};
use crate::debug::ranks::Ranks;
use crate::exit::FINDINGS;
use crate::launch::environment::Launch;
use crate::report::show;
use crate::{elsewhere, finish, input, say};

/// The agent looks every second; a host that is overloaded is given more.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs the command; returns its exit code.
pub fn run(arguments: &Control) -> Result<u8> {
    let run = input::run_of(&arguments.run);
    let info =
        RunInfo::read(&run).with_context(|| format!("{} is no run of mpiscope", run.display()))?;
    let mut processes = control::processes(&run, &info.run_id);
    if processes.is_empty() {
        bail!("{}", nobody(&run, &info));
    }
    let seen: Vec<u32> = processes.iter().map(|process| process.rank).collect();
    if let Some(list) = &arguments.rank {
        let here: Ranks = processes.iter().map(|process| process.rank).collect();
        let wanted = Ranks::parse(list, &here).map_err(|error| anyhow!("--rank {error}"))?;
        processes.retain(|process| wanted.contains(process.rank));
    }
    let wish = match arguments.what {
        OnOff::On => Wish::On,
        OnOff::Off => Wish::Off,
    };
    control::ask(&mut processes, wish, PATIENCE)
        .with_context(|| format!("{}: its ranks cannot be asked", run.display()))?;
    let answer = Answer::of(&processes);
    match arguments.json {
        true => say::report(serde_json::to_string_pretty(&answer.json(arguments.what))?)?,
        false => say::report(answer.text(arguments.what))?,
    }
    if let Some(others) = elsewhere::not_seen(&run, &seen) {
        say::aside(format!(
            "note: {others} are not reached from here: type the same there"
        ));
    }
    let is_done = answer.silent.is_empty() && answer.at_limit.is_empty();
    Ok(if is_done { 0 } else { FINDINGS })
}

/// Says why there is nobody to ask.
fn nobody(run: &Path, info: &RunInfo) -> String {
    let (shown, word) = (run.display(), show::word(run));
    if finish::is_complete(run) {
        return format!("{shown} has ended: there is nothing to switch");
    }
    if Launch::is_tracing(info) == Some(false) {
        return format!(
            "{shown} has no events that could be switched: `mpiscope trace` records some"
        );
    }
    format!(
        "no rank of {shown} is being traced on this host: they have not come to MPI_Init yet, have \
         died, or run on other hosts (run `mpiscope control {word} …` there)"
    )
}

/// Who did what was asked, who records no more, who has not answered, and who has ended before.
#[derive(Default)]
struct Answer {
    obeyed: Vec<u32>,
    at_limit: Vec<u32>,
    silent: Vec<u32>,
    ended: Vec<u32>,
}

impl Answer {
    fn of(processes: &[Traced]) -> Self {
        let mut answer = Self::default();
        for process in processes {
            let ranks = match process.answer() {
                Some(true) => &mut answer.obeyed,
                Some(false) => &mut answer.at_limit,
                None if process.lives() => &mut answer.silent,
                None => &mut answer.ended,
            };
            ranks.push(process.rank);
        }
        answer
    }

    fn text(&self, what: OnOff) -> String {
        let named = |ranks: &[u32]| {
            let all: Ranks = ranks.iter().copied().collect();
            match ranks.len() {
                1 => format!("rank {all}"),
                _ => format!("ranks {all}"),
            }
        };
        let mut lines = Vec::new();
        if !self.obeyed.is_empty() {
            let done = match what {
                OnOff::On => "recorded again from the next call of MPI on",
                OnOff::Off => "not recorded any more",
            };
            lines.push(format!("{}: {done}", named(&self.obeyed)));
        }
        if !self.at_limit.is_empty() {
            lines.push(format!(
                "{}: not recorded, as --limit is reached",
                named(&self.at_limit)
            ));
        }
        if !self.silent.is_empty() {
            lines.push(format!(
                "{}: no answer yet; asked they are, and will obey once they run",
                named(&self.silent)
            ));
        }
        if !self.ended.is_empty() {
            lines.push(format!(
                "{}: ended before it came to that",
                named(&self.ended)
            ));
        }
        lines.join("\n")
    }

    fn json(&self, what: OnOff) -> serde_json::Value {
        json!({
            "recording": what == OnOff::On,
            "obeyed": self.obeyed,
            "at_limit": self.at_limit,
            "no_answer_yet": self.silent,
            "ended": self.ended,
        })
    }
}
