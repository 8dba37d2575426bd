//! By which clock a trace is analyzed: what one names is what one gets, unless
//! one asks for other times. Those that no archive holds are computed.

use anyhow::{ensure, Context, Result};
use mpiscope_run::model::{Matching, Timestamp, Trace};
use mpiscope_sync::{correct_matched, presync, Config};

use crate::cli::Analyze;
use crate::clocks::Told;
use crate::input::{Input, TimeBase};
use crate::show;

/// Reads what is to be analyzed, with the times that were asked for; returns
/// what is to be known of them, too.
pub fn open(arguments: &Analyze) -> Result<(Input, Vec<String>)> {
    let path = arguments.input.as_path();
    let mut input = match arguments.clock {
        None if path.is_dir() => Input::open_corrected(path)?,
        Some(TimeBase::Corrected) if arguments.clocks.is_none() => Input::open_corrected(path)?,
        _ => Input::open(path)?,
    };
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
        Some(clock) if clock != TimeBase::Measured => compute(&mut input, clock, arguments)?,
        _ => Vec::new(),
    };
    Ok((input, notes))
}

/// Gives a measured trace the times of one clock.
fn compute(input: &mut Input, clock: TimeBase, arguments: &Analyze) -> Result<Vec<String>> {
    let matching = input.trace.matching();
    let told = Told::of(&mut input.trace, &matching, arguments.clocks);
    let times = times(&input.trace, &matching, clock)
        .with_context(|| format!("cannot correct {}", input.anchor.display()))?;
    for (location, times) in input.trace.locations.iter_mut().zip(times) {
        location.events.set_times(times);
    }
    input.clock = Some(clock);
    let computed = format!(
        "these times were computed for this report; `mpiscope sync {}` writes an archive of \
         corrected ones",
        show::word(&input.path)
    );
    let notes = told.sentences().map(str::to_owned).chain([computed]);
    Ok(notes.collect())
}

fn times(trace: &Trace, matching: &Matching, clock: TimeBase) -> Result<Vec<Vec<Timestamp>>> {
    let config = Config::default();
    Ok(match clock {
        TimeBase::Measured => trace.times(),
        TimeBase::Interpolated => presync(trace, matching, &config)?.times,
        TimeBase::Corrected => correct_matched(trace, matching, &config)?.corrected,
    })
}
