//! The report of a trace that the processes of a job share.
//!
//! Each reads the events of its own locations alone, and what it finds it tells the first, which makes
//! the report. What follows from how things hang together in the whole trace (root causes, what mending
//! a loss gains, an ideal network, other clocks) is not divided, nor is a run that has samples, that died,
//! or whose messages only who has all events can match: the first does such by itself.

use std::path::{Path, PathBuf};

use anyhow::Result;
use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::errors::ends_in_call;
use mpiscope_analysis::evidence::{untold_operations_among, Evidence};
use mpiscope_analysis::profile::Profile;
use mpiscope_analysis::wait_states::tells_of_threads;
use mpiscope_archive::model::{Matching, Processes, Trace};
use mpiscope_archive::trace::anchor_of;

use super::facts::Facts;
use super::traced::{of_found, Found, Told};
use super::{clock, Opened};
use crate::cli::Analyze;
use crate::correction::shared;
use crate::end_of_run::EndOfRun;
use crate::input::{self, Input};
use crate::job::forgive;
use crate::progress::while_doing;
use crate::traced::{is_long, FEW};

/// Returns whether a run is worth dividing, and the question one that can be.
pub fn is_divided(arguments: &Analyze) -> bool {
    let Analyze {
        causes,
        gains,
        ideal,
        ..
    } = *arguments;
    let of_clocks = arguments.clock.is_some() || arguments.clocks.is_some();
    !(causes || gains || ideal || of_clocks) && is_long(&arguments.input)
}

/// Looks at a trace as one of several processes; the first gets the facts. Nothing if who has all
/// events has to.
pub fn facts(path: &Path, job: &dyn Processes) -> Option<Opened> {
    // What is wrong with it is said by who reads all, or another archive is read.
    let input = shared::open_archive(input::run_of(path), archive(path), false, job);
    let mut input = forgive(input).flatten()?.with_offsets();
    let matching = while_doing("matching messages", || input.trace.matching_among(job));
    let by_itself = matching.is_none() || needs_all(&input);
    if job.share_all(vec![by_itself]).concat().contains(&true) {
        return None;
    }
    let matching = matching?;
    let (errors, notes) = clock::of(&input);
    let (profile, told) = while_doing("analyzing", || {
        look(&mut input.trace, &matching, &errors, job)
    });
    let facts = match job.me() {
        0 => of_found(
            &input,
            Found {
                matching: &matching,
                profile: &profile,
                errors: &errors,
                told,
            },
            false,
            None,
        ),
        _ => Facts::default(),
    };
    Some(Opened {
        facts,
        notes,
        modules: input.modules,
    })
}

/// Returns the archive that is looked at where nobody says by which clock: of a run that is named as
/// such the corrected one, if there is one.
fn archive(path: &Path) -> Result<PathBuf> {
    match input::corrected_anchor(path) {
        Some(corrected) => Ok(corrected),
        None => Ok(anchor_of(&input::run_of(path))?),
    }
}

/// Returns whether there is something here that is not told to others.
fn needs_all(input: &Input) -> bool {
    let mut locations = input.trace.locations.iter();
    let has_samples = locations.any(|it| !it.events.samples().is_empty());
    // Fewer than are told where some could not be read.
    let is_short = input.trace.event_count() <= FEW;
    is_short || has_samples || ends_in_call(&input.trace) || EndOfRun::of(input).is_some()
}

fn look(
    trace: &mut Trace,
    matching: &Matching,
    errors: &ClockErrors,
    job: &dyn Processes,
) -> (Profile, Told) {
    let profile = Profile::together(trace, matching, errors.clone(), job);
    let told = Told {
        evidence: Evidence::among(trace, matching, Some(job)),
        pairwise: untold_operations_among(trace, matching, Some(job)),
        of_threads: {
            let all = job.share_all(vec![tells_of_threads(matching)]);
            all.concat().contains(&true)
        },
    };
    (profile, told)
}
