//! A run that the processes of a job look at together: where they find that nothing races in it and
//! nothing is wrong, that is the report. Else the first looks for what it is, with all events.

use anyhow::Error;
use mpiscope_analysis::evidence::Evidence;
use mpiscope_analysis::races::nothing_to_find;
use mpiscope_archive::model::Processes;
use mpiscope_archive::trace::anchor_of;

use super::cannot_tell;
use super::facts::{Facts, Findings};
use crate::cli::Races;
use crate::correction::shared;
use crate::input;
use crate::job::forgive;
use crate::progress::while_doing;
use crate::stamp::Stamp;

/// Looks at a run as one of several processes; nothing if somebody has to look more closely. Returns
/// files beside the archive that it follows from, too.
pub fn look(arguments: &Races, job: &dyn Processes) -> Option<(Findings, Vec<Stamp>)> {
    let path = input::run_of(&arguments.input);
    let anchor = anchor_of(&path).map_err(Error::from);
    // What is wrong with an archive is said by who reads all of it.
    let input = forgive(shared::open_archive(path, anchor, false, job)).flatten()?;
    let trace = &input.trace;
    let is_clean = while_doing("looking for races", || {
        let matching = trace.matching_among(job)?;
        let evidence = Evidence::among(trace, &matching, Some(job));
        let is_told = input.damage.is_empty() && cannot_tell::all(&input, &evidence).is_empty();
        let all = job.share_all(vec![is_told]).concat();
        Some(nothing_to_find(trace, &matching, job) && !all.contains(&false))
    });
    (is_clean == Some(true)).then(|| {
        let facts = Facts {
            path: input.path.clone(),
            archive: input.anchor.clone(),
            stood: Vec::new(),
            racing: Some(0),
            hazards: Some(0),
            alternatives: Some(0),
            races: Vec::new(),
            errors: Vec::new(),
            contradictions: 0,
            cannot_tell: Vec::new(),
            not_kept: input.not_kept(),
            damage: Vec::new(),
        };
        (Findings { facts, hung: false }, input.modules)
    })
}
