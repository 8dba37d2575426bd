//! What is known of a run besides its events.

use std::path::Path;

use mpiscope_serve::About;

use super::sources;
use crate::end_of_run::EndOfRun;
use crate::input::Input;
use crate::packed;
use crate::report::show;

/// Returns what is known of a run, which is shown by this name.
pub fn of(input: &Input, name: &str) -> About {
    let end = EndOfRun::of(input);
    let ended = end.iter().flat_map(|end| &end.ranks);
    let ended = ended.map(|it| (it.rank, it.predicate())).collect();
    let mut notes = input.damage.clone();
    notes.extend(input.not_kept());
    notes.extend(input.run.iter().flat_map(|run| run.notes.clone()));
    notes.extend(end.iter().flat_map(EndOfRun::sentences));
    About {
        name: name.to_owned(),
        is_timeless: false,
        facts: facts(input),
        notes,
        ended,
        // Both follow from what is found.
        verdict: None,
        analysis: Vec::new(),
        sources: sources::read(&input.trace.definitions.call_sites),
    }
}

fn facts(input: &Input) -> Vec<(String, String)> {
    let mut facts = vec![("Archive", path(&input.anchor))];
    if let Some(run) = &input.run {
        let known = [
            ("Program", run.program.clone()),
            ("Command", run.command.join(" ")),
            (
                "MPI",
                format!("{} {}", run.mpi.name, run.mpi.version)
                    .trim()
                    .to_owned(),
            ),
            ("Hosts", hosts(&run.hosts)),
        ];
        facts.extend(known.into_iter().filter(|(_, value)| !value.is_empty()));
    }
    facts.push(("Processes", show::count(input.ranks())));
    facts.push(("Events", show::count(input.trace.event_count() as u64)));
    let owned = facts.into_iter();
    owned
        .map(|(word, value)| (word.to_owned(), value))
        .collect()
}

/// Hosts that are named, at most.
const NAMED: usize = 32;

/// Names hosts, the first of very many.
fn hosts(hosts: &[String]) -> String {
    match hosts.len() {
        few if few <= NAMED => hosts.join(", "),
        many => format!("{} and {} more", hosts[..NAMED].join(", "), many - NAMED),
    }
}

fn path(path: &Path) -> String {
    packed::given(path).display().to_string()
}
