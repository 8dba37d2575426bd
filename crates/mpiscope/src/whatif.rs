//! `mpiscope whatif`: how long a run would have taken if something had been different.

mod changes;
mod facts;
mod gains;
mod mendings;
pub mod names;
mod text;

use anyhow::Result;
use mpiscope_analysis::whatif::{Changes, Replay};
use mpiscope_archive::model::Duration;

use crate::cli::Whatif;
use crate::end_of_run::EndOfRun;
use crate::input::{self, Input};
use crate::progress::while_doing;
use crate::{say, traced};
use changes::Asked;
use facts::Facts;
pub use gains::part as gains;

#[cfg(test)]
pub use facts::Kind;
pub use facts::Mending;
pub use mendings::tried;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Whatif) -> Result<u8> {
    let input = match traced::open(&arguments.input, arguments.clock.measured) {
        Ok(input) => input,
        Err(error) => {
            if arguments.json {
                input::report_damaged("path", &arguments.input, &error)?;
            }
            return Err(error);
        }
    };
    let facts = while_doing("replaying", || facts(arguments, &input))?;
    let text = || text::text(&facts, traced::clock(&input), arguments);
    say::found(arguments.json, &facts, text, &facts.damage)
}

fn facts(arguments: &Whatif, input: &Input) -> Result<Facts> {
    let trace = &input.trace;
    let matching = trace.matching();
    let replay = Replay::of(trace, &matching);
    let asked = Asked::of(arguments, trace, &replay)?;
    let measured = replay.measured();
    let unchanged = replay.run(&Changes::default());
    let (length, unchanged_length) = (measured.length().0, unchanged.length().0);
    let mut facts = Facts {
        path: input.path.clone(),
        archive: input.anchor.clone(),
        clock: input.clock,
        ranks: measured.ranks.len() as u64,
        measured_ns: length,
        unchanged_ns: unchanged_length,
        unchanged_error_ns: unchanged_length.saturating_sub(length),
        changes: asked.said,
        predicted_ns: None,
        speedup: None,
        is_slower: None,
        warnings: Vec::new(),
        by_rank: Vec::new(),
        mendings: Vec::new(),
        without_gain: 0,
        assumptions: facts::assumptions(&replay),
        not_modelled: facts::not_modelled(&replay.left_out),
        left_out: replay.left_out.into(),
        damage: traced::damage(input),
    };
    facts.assumptions.extend(asked.assumptions);
    if !trace.definitions.told.calls {
        let left_out =
            "calls of MPI that are not in the trace: their time stays, as if it were work";
        facts.not_modelled.push(left_out.to_owned());
    }
    let time = measured.ranks.iter().map(|it| it.time);
    let time = time.fold(Duration::ZERO, |sum, it| sum + it);
    let processes = &trace.definitions.processes;
    (facts.not_modelled).extend(facts::without_processor(processes, time));
    let end = EndOfRun::of(input).and_then(|it| it.doubt());
    facts.not_modelled.extend(end);
    if arguments.changes_something() {
        let changed = replay.run(&asked.changes);
        let predicted = changed.length().0;
        facts.predicted_ns = Some(predicted);
        facts.speedup = (predicted > 0).then(|| length as f64 / predicted as f64);
        facts.by_rank = facts::ranks(&measured, &changed);
        let longer = predicted.saturating_sub(length);
        facts.is_slower = Some(longer > 0);
        if longer > 0 {
            let is_balanced = !arguments.balance.is_empty();
            facts.warnings.push(facts::slower(longer, is_balanced));
        }
    } else {
        let all = mendings::all(trace, &matching, &replay);
        let tried = all.len();
        facts.mendings = all.into_iter().filter(|it| it.gain_ns > 0).collect();
        facts.without_gain = (tried - facts.mendings.len()) as u64;
        let balanced = facts.mendings.iter().any(|it| it.options[0] == "--balance");
        let meetings = balanced.then(|| facts::meetings(replay.meetings()));
        facts.assumptions.extend(meetings);
    }
    Ok(facts)
}
