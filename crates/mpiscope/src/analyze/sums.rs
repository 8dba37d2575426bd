//! The sums of the report as parts for the page of `view`, and for `report`: the same words and the
//! same tables as in the terminal.

use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::profile::Profile;
use mpiscope_archive::model::{Matching, Trace};
use mpiscope_serve::{Part, Table};

use super::facts::Facts;
use super::{causes, efficiency, iterations, patterns, text, traced};

/// Delays that the page has, at most: those of the highest costs.
const TOP: usize = 20;

/// Returns what a run's profile tells in sums.
pub fn of(
    trace: &Trace,
    matching: &Matching,
    profile: &Profile,
    errors: &ClockErrors,
) -> Vec<Part> {
    parts(&traced::sums(trace, matching, profile, errors))
}

fn parts(facts: &Facts) -> Vec<Part> {
    let all = [efficiencies(facts), waiting(facts), root_causes(facts)];
    all.into_iter().filter(|it| !it.is_empty()).collect()
}

fn efficiencies(facts: &Facts) -> Part {
    let whole = efficiency::text(facts);
    let phases = iterations::phase_lines(facts);
    Part {
        name: "efficiency".to_owned(),
        title: "Efficiencies".to_owned(),
        lines: whole.into_iter().chain(phases).collect(),
        ..Part::default()
    }
}

fn waiting(facts: &Facts) -> Part {
    let (header, rows) = text::kinds(facts);
    let nobody = text::no_waiting(facts).map(str::to_owned);
    Part {
        name: "wait_states".to_owned(),
        title: "Wait states".to_owned(),
        lines: nobody.into_iter().chain(patterns::lines(facts)).collect(),
        table: Table::some(header, rows),
        ..Part::default()
    }
}

fn root_causes(facts: &Facts) -> Part {
    let header = causes::HEADER.map(str::to_owned).into();
    let rows = causes::rows(facts, TOP);
    let more = causes::count(facts).saturating_sub(rows.len());
    Part {
        name: "root_causes".to_owned(),
        title: "Root causes".to_owned(),
        lines: causes::lines(facts),
        table: Table::some(header, rows.into_iter().map(Vec::from).collect()),
        more: (more > 0)
            .then(|| format!("… and {more} more: `mpiscope analyze --top {}`", TOP + more)),
    }
}
