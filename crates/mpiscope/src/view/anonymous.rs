//! What says where, by whom and of what program a trace is, left out.

use std::collections::BTreeMap;

use mpiscope_archive::model::Trace;
use mpiscope_serve::About;

/// Whether names of hosts, paths, programs and sources are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// They are.
    Kept,
    /// They are not.
    LeftOut,
}

/// Facts that say nothing of where and what.
const PLAIN: [&str; 3] = ["MPI", "Processes", "Events"];

/// Takes names out of what events refer to.
pub fn trace(trace: &mut Trace) {
    let definitions = &mut trace.definitions;
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    for node in &mut definitions.system_tree {
        let number = counted.entry(node.class.clone()).or_default();
        node.name = format!("{} {number}", node.class);
        *number += 1;
    }
    for region in &mut definitions.regions {
        region.source_file.clear();
        (region.begin_line, region.end_line) = (0, 0);
    }
    definitions.call_sites.clear();
    for process in &mut definitions.processes {
        process.name = format!("rank {}", process.rank.0);
    }
}

/// Takes names out of what is known of a run; what may hold some is counted instead.
pub fn about(about: &mut About) {
    about.name = "run".to_owned();
    about
        .facts
        .retain(|(word, _)| PLAIN.contains(&word.as_str()));
    about.sources.clear();
    about.is_timeless = true;
    about
        .ended
        .iter_mut()
        .for_each(|(_, why)| *why = "ended early".to_owned());
    let count = std::mem::take(&mut about.notes).len();
    if count > 0 {
        about.notes = vec![format!(
            "{count} notes on the run are left out, as they may name files"
        )];
    }
}
