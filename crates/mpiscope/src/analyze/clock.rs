//! By which clock a trace is analyzed: what one names is what one gets, unless
//! one asks for other times. Those that no archive holds are computed.

use std::path::Path;

use anyhow::{ensure, Context, Result};
use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_sync::{correct_matched, presync, Config};

use crate::cli::{Assumed, SameClock};
use crate::clocks::Told;
use crate::correction::{warnings, MovedByHand, Summary};
use crate::input::{Input, TimeBase};
use crate::report::show;
use crate::uncertainty;

/// Reads what is to be analyzed, with the times that were asked for; returns by how much these can be
/// wrong, and what is to be known of them, too.
pub fn open(
    path: &Path,
    clock: Option<TimeBase>,
    clocks: Option<SameClock>,
) -> Result<(Input, ClockErrors, Vec<String>)> {
    let mut input = match clock {
        None if path.is_dir() => Input::open_corrected(path)?.with_offsets(),
        None => Input::open(path)?.with_offsets(),
        Some(TimeBase::Corrected) if clocks.is_none() => Input::open_corrected(path)?,
        _ => Input::open(path)?,
    };
    let computes = input.clock != Some(TimeBase::Corrected)
        && clock.is_some_and(|clock| clock != TimeBase::Measured);
    ensure!(
        computes || clocks.is_none(),
        "--clocks says which locations read one clock where times are computed: name the run, or \
         its traces.otf2, and --clock interpolated or corrected"
    );
    let (errors, notes) = match clock {
        Some(clock) if input.clock == Some(TimeBase::Corrected) => {
            ensure!(
                clock == TimeBase::Corrected,
                "the times of {} are corrected, and the measured ones are in another archive: \
                 name the run, or its traces.otf2",
                path.display()
            );
            (None, Vec::new())
        }
        Some(clock) if computes => compute(&mut input, clock, clocks)?,
        _ => (None, Vec::new()),
    };
    let (errors, more) = match errors {
        Some(errors) => (errors, Vec::new()),
        None => of(&input),
    };
    Ok((input, errors, notes.into_iter().chain(more).collect()))
}

/// Returns by how much the times of an archive can be wrong, and what is to be known of them.
pub fn of(input: &Input) -> (ClockErrors, Vec<String>) {
    let (errors, note) = uncertainty::of_input(input);
    let is_corrected = input.clock == Some(TimeBase::Corrected);
    let moved = is_corrected.then(|| MovedByHand::of(input).note);
    (errors, note.into_iter().chain(moved.flatten()).collect())
}

/// Gives a measured trace the times of one clock, as the run's own correction found them if it
/// has one: by what that took for granted. Returns by how much these can be wrong, if that was found.
fn compute(
    input: &mut Input,
    clock: TimeBase,
    mut clocks: Option<SameClock>,
) -> Result<(Option<ClockErrors>, Vec<String>)> {
    let mut matching = input.trace.matching();
    if let Some(kept) = Summary::kept(input) {
        matching.assumptions = Assumed::all(&kept.assume);
        clocks = clocks.or(kept.clock_claims.asked());
    }
    let told = Told::of(&mut input.trace, &matching, clocks, None);
    let config = Config {
        assumptions: matching.assumptions,
        ..Config::default()
    };
    let trace = &input.trace;
    let context = || format!("cannot correct {}", input.anchor.display());
    let (times, errors, said) = match clock {
        TimeBase::Measured => (trace.times(), None, Vec::new()),
        TimeBase::Interpolated => {
            let found = presync(trace, &matching, &config).with_context(context)?;
            let said = found.warnings.iter().map(ToString::to_string);
            (found.times, None, said.collect())
        }
        TimeBase::Corrected => {
            let found = correct_matched(trace, &matching, &config).with_context(context)?;
            let said = warnings(trace, &matching, &found.report, None);
            let kept = uncertainty::keep(trace, &found.uncertainty, 0);
            let errors = uncertainty::errors(trace, &kept);
            (found.corrected, Some(errors), said)
        }
    };
    input.trace.set_times(times);
    input.clock = Some(clock);
    let computed = format!(
        "these times were computed for this report; `mpiscope sync {}` writes an archive of \
         corrected ones",
        show::word(&input.path)
    );
    let notes = told.sentences().map(str::to_owned).chain(said);
    Ok((errors, notes.chain([computed]).collect()))
}
