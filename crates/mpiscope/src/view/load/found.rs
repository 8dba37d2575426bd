//! What analyses find in a run, by all of its clocks.

use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::errors::Error;
use mpiscope_analysis::evidence::Evidence;
use mpiscope_analysis::finding::{self, Findings};
use mpiscope_analysis::iterations::{Iterations, Lengths, NoIterations};
use mpiscope_analysis::profile::{Asked, Profile};
use mpiscope_analysis::races::Races;
use mpiscope_analysis::verdict::{Verdict, Words};
use mpiscope_analysis::wait_states::wait_states_by;
use mpiscope_analysis::whatif::Replay;
use mpiscope_archive::model::Matching;
use mpiscope_serve::Part;
use mpiscope_tiles::{Run, Times};

use super::clocks::Column;
use super::proven::Proven;
use crate::analyze;
use crate::evidence;
use crate::input::Input;
use crate::progress::while_doing;
use crate::races;
use crate::traced::FEW;
use crate::uncertainty;
use crate::view::anonymous::Names;
use crate::whatif;

/// What no clock is needed for: errors, and what runs made of this one have proven.
pub struct Certain {
    errors: Vec<Error>,
    proven: Proven,
    is_whole: bool,
    is_silent: bool,
    clock_errors: ClockErrors,
}

impl Certain {
    /// Looks for it; `notes` say what has no place in the trace.
    pub fn of(
        input: &Input,
        matching: &Matching,
        notes: &mut Vec<String>,
        doing: &dyn Fn(&str) -> String,
    ) -> Certain {
        let evidence = Evidence::of(&input.trace, matching);
        notes.extend(evidence::sentences(&input.trace, &evidence));
        let errors = while_doing(&doing("looking for errors in"), || {
            races::errors(input, matching, &evidence)
        });
        Certain {
            errors,
            proven: Proven::of(input, notes),
            is_whole: input.damage.is_empty(),
            is_silent: !evidence.silent.is_empty(),
            clock_errors: uncertainty::of_corrected(input).unwrap_or_default(),
        }
    }
}

/// A run with its clocks, and what was found in it.
pub struct Found {
    pub run: Run,
    pub findings: Findings,
    /// By the best clock; or why there are none.
    pub iterations: Result<(Iterations, Lengths), String>,
    /// What time was lost to, by the best clock, in the words of `analyze`.
    pub verdict: Option<Words>,
    /// What is added up, by the best clock, in the words of `analyze`.
    pub analysis: Vec<Part>,
    /// Functions of MPI are in the trace of which nothing but their calls is told.
    is_silent: bool,
    /// Of corrected times.
    clock_errors: ClockErrors,
}

impl Found {
    /// Adds clocks to a run, the best first, and looks at it by each.
    pub fn of(
        run: Run,
        clocks: Vec<Column>,
        certain: Certain,
        names: Names,
        doing: &dyn Fn(&str) -> String,
    ) -> Found {
        let mut found = Found {
            run,
            findings: Findings::default(),
            iterations: Err("the run has no times".to_owned()),
            verdict: None,
            analysis: Vec::new(),
            is_silent: certain.is_silent,
            clock_errors: certain.clock_errors,
        };
        let trace = &found.run.trace;
        certain.proven.add(trace, names, &mut found.findings);
        finding::of_errors(trace, &certain.errors, &mut found.findings);
        for (number, column) in clocks.into_iter().enumerate() {
            let what = doing(&format!("looking at {} times of", column.0));
            while_doing(&what, || found.look(column, number == 0));
        }
        while_doing(&doing("looking for races in"), || {
            let Run {
                trace, matching, ..
            } = &found.run;
            let races = match certain.is_whole {
                true => Races::find(trace, matching),
                false => Races::find_in_part(trace, matching),
            };
            finding::of_races(trace, &races, &mut found.findings);
        });
        found
    }

    fn look(&mut self, (clock, times): Column, is_best: bool) {
        let (run, findings) = (&mut self.run, &mut self.findings);
        let times = Times::new(&run.trace, times);
        let raw = run.columns(&times);
        let trace = &run.trace;
        let waits = match is_best {
            true => {
                // Causes take their time: they are looked for where that is short.
                let few = trace.event_count() <= FEW;
                let replayed = analyze::is_replayed(trace, false);
                let replay = replayed.then(|| Replay::by(trace, &run.matching, &raw));
                let asked = Asked {
                    replay: replay.as_ref().map(|it| it as _),
                    causes: few,
                    errors: match clock {
                        "corrected" => std::mem::take(&mut self.clock_errors),
                        _ => ClockErrors::measured(trace),
                    },
                };
                let (profile, waits) = Profile::by(trace, &run.matching, &raw, &asked);
                let verdict = Verdict::of(trace, &run.matching, &profile);
                let verdict = verdict.with_silent(self.is_silent);
                let verdict = verdict.with_corrected(clock == "corrected");
                verdict.add_to(trace, findings);
                self.verdict = Some(verdict.words(trace));
                self.analysis = analyze::sums(trace, &run.matching, &profile, &asked.errors);
                self.analysis
                    .push(whatif::gains(trace, &run.matching, &raw));
                finding::of_waits(trace, &waits.concat(), &asked.errors, findings);
                finding::of_wrong_order(trace, &profile.wrong_order, findings);
                finding::of_path(trace, &profile.path, &raw, findings);
                finding::of_causes(trace, &profile, findings);
                self.iterations = match profile.iterations {
                    Some(found) => found.map_err(|reason| reason.to_string()),
                    None => Err(NoIterations::NoCalls.to_string()),
                };
                if let Ok((found, lengths)) = &self.iterations {
                    finding::of_iterations(trace, found, lengths, findings);
                }
                waits
            }
            false => wait_states_by(trace, &run.matching, &raw),
        };
        finding::of_reversed(&run.trace, &run.matching, clock, &raw, findings);
        drop(raw);
        run.add_view(clock, times, &waits);
    }
}
