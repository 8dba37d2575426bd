//! What analyses find in a run, by all of its clocks.

use mpiscope_analysis::critical_path::critical_path_by;
use mpiscope_analysis::errors::Error;
use mpiscope_analysis::evidence::Evidence;
use mpiscope_analysis::finding::{self, Findings};
use mpiscope_analysis::iterations::{Iterations, Lengths};
use mpiscope_analysis::profile::Profile;
use mpiscope_analysis::races::Races;
use mpiscope_analysis::wait_states::WaitState;
use mpiscope_archive::model::{Matching, Timestamp};
use mpiscope_tiles::{Run, Times};

use super::clocks::Column;
use super::proven::Proven;
use crate::analyze::FEW;
use crate::evidence;
use crate::input::Input;
use crate::progress::while_doing;
use crate::races;
use crate::view::anonymous::Names;

/// What no clock is needed for: errors, and what runs made of this one have proven.
pub struct Certain {
    errors: Vec<Error>,
    proven: Proven,
    is_whole: bool,
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
        notes.extend(evidence::impossible(&evidence));
        let errors = while_doing(&doing("looking for errors in"), || {
            races::errors(input, matching, &evidence)
        });
        Certain {
            errors,
            proven: Proven::of(input, notes),
            is_whole: input.damage.is_empty(),
        }
    }
}

/// A run with its clocks, and what was found in it.
pub struct Found {
    pub run: Run,
    pub findings: Findings,
    /// By the best clock; or why there are none.
    pub iterations: Result<(Iterations, Lengths), String>,
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
        let (path, waits) = critical_path_by(&run.trace, &run.matching, &raw);
        if is_best {
            finding::of_waits(&run.trace, &waits.concat(), findings);
            finding::of_path(&run.trace, &path, &raw, findings);
            // What takes its time is looked for where that is short.
            if run.trace.event_count() <= FEW {
                let causes = Profile::causes_by(&run.trace, &run.matching, &raw, &waits);
                finding::of_causes(&run.trace, &causes, findings);
            }
            self.iterations = iterations(run, &raw, &waits);
            if let Ok((found, lengths)) = &self.iterations {
                finding::of_iterations(&run.trace, found, lengths, findings);
            }
        }
        finding::of_reversed(&run.trace, &run.matching, clock, &raw, findings);
        drop(raw);
        run.add_view(clock, times, &waits);
    }
}

/// Returns where the program repeats itself, and how evenly by these times; or why it does not.
fn iterations(
    run: &Run,
    times: &[&[Timestamp]],
    waits: &[Vec<WaitState>],
) -> Result<(Iterations, Lengths), String> {
    let found = Iterations::by(&run.trace, &run.matching, times);
    let found = found.map_err(|reason| reason.to_string())?;
    let lengths = found.measure_by(&run.trace, times, waits);
    Ok((found, lengths))
}
