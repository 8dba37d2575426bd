//! By which clock a trace is analyzed: what one names is what one gets, unless
//! one asks for other times. Those that no archive holds are computed.

use anyhow::{ensure, Context, Result};
use mpiscope_sync::{correct_matched, presync, Config};

use crate::cli::Analyze;
use crate::cli::Assumed;
use crate::clocks::Told;
use crate::correction::{warnings, Summary};
use crate::input::{Input, TimeBase};
use crate::report::show;

/// Reads what is to be analyzed, with the times that were asked for; returns
/// what is to be known of them, too.
pub fn open(arguments: &Analyze) -> Result<(Input, Vec<String>)> {
    let path = arguments.input.as_path();
    let mut input = match arguments.clock {
        None if path.is_dir() => Input::open_corrected(path)?,
        Some(TimeBase::Corrected) if arguments.clocks.is_none() => Input::open_corrected(path)?,
        _ => Input::open(path)?,
    };
    let computes = input.clock != Some(TimeBase::Corrected)
        && arguments
            .clock
            .is_some_and(|clock| clock != TimeBase::Measured);
    ensure!(
        computes || arguments.clocks.is_none(),
        "--clocks says which locations read one clock where times are computed: name the run, or \
         its traces.otf2, and --clock interpolated or corrected"
    );
    let notes = match arguments.clock {
        Some(clock) if input.clock == Some(TimeBase::Corrected) => {
            ensure!(
                clock == TimeBase::Corrected,
                "the times of {} are corrected, and the measured ones are in another archive: \
                 name the run, or its traces.otf2",
                path.display()
            );
            Vec::new()
        }
        Some(clock) if computes => compute(&mut input, clock, arguments)?,
        _ => Vec::new(),
    };
    Ok((input, notes))
}

/// Gives a measured trace the times of one clock, as the run's own correction found them if it
/// has one: by what that took for granted.
fn compute(input: &mut Input, clock: TimeBase, arguments: &Analyze) -> Result<Vec<String>> {
    let mut matching = input.trace.matching();
    let mut clocks = arguments.clocks;
    if let Some(kept) = Summary::kept(input) {
        matching.assumptions = Assumed::all(&kept.assume);
        clocks = clocks.or(kept.clock_claims.asked());
    }
    let told = Told::of(&mut input.trace, &matching, clocks);
    let config = Config {
        assumptions: matching.assumptions,
        ..Config::default()
    };
    let trace = &input.trace;
    let context = || format!("cannot correct {}", input.anchor.display());
    let (times, said) = match clock {
        TimeBase::Measured => (trace.times(), Vec::new()),
        TimeBase::Interpolated => {
            let found = presync(trace, &matching, &config).with_context(context)?;
            let said = found.warnings.iter().map(ToString::to_string);
            (found.times, said.collect())
        }
        TimeBase::Corrected => {
            let found = correct_matched(trace, &matching, &config).with_context(context)?;
            let said = warnings(trace, &matching, &found.report);
            (found.corrected, said)
        }
    };
    for (location, times) in input.trace.locations.iter_mut().zip(times) {
        location.events.set_times(times);
    }
    input.clock = Some(clock);
    let computed = format!(
        "these times were computed for this report; `mpiscope sync {}` writes an archive of \
         corrected ones",
        show::word(&input.path)
    );
    let notes = told.sentences().map(str::to_owned).chain(said);
    Ok(notes.chain([computed]).collect())
}
