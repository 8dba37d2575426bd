//! What says where, by whom and of what program a trace is, left out of it. Names of functions
//! and regions, and what the MPI is, stay.

use std::collections::BTreeMap;

use mpiscope_archive::model::{CallSite, Trace};

/// Communicators that every program has; others a program may name after what it likes.
const OF_MPI: [&str; 3] = ["MPI_COMM_WORLD", "MPI_COMM_SELF", "MPI_COMM_PARENT"];

/// Takes names out of what events refer to.
pub fn trace(trace: &mut Trace) {
    let has_samples = (trace.locations.iter()).any(|it| !it.events.samples().is_empty());
    let definitions = &mut trace.definitions;
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    for node in &mut definitions.system_tree {
        let number = counted.entry(node.class.clone()).or_default();
        node.name = format!("{} {number}", node.class);
        *number += 1;
    }
    for region in &mut definitions.regions {
        region.name = without_source(&region.name, &region.source_file);
        region.source_file.clear();
        (region.begin_line, region.end_line) = (0, 0);
    }
    definitions.call_sites.clear();
    // Where all samples are from now on.
    definitions
        .call_sites
        .extend(has_samples.then(CallSite::default));
    for process in &mut definitions.processes {
        process.name = format!("rank {}", process.rank.0);
    }
    let numbered = |names: &mut Vec<String>, what: &str| {
        let names = names.iter_mut().zip(0..);
        names.for_each(|(name, number)| *name = format!("{what} {number}"));
    };
    for (metric, number) in definitions.metrics.iter_mut().zip(0..) {
        metric.name = format!("metric {number}");
        metric.unit.clear();
    }
    numbered(&mut definitions.teams, "team");
    for (communicator, number) in definitions.communicators.iter_mut().zip(0..) {
        let name = &mut communicator.name;
        if !name.is_empty() && !OF_MPI.contains(&name.as_str()) {
            *name = format!("communicator {number}");
        }
    }
    for (window, number) in definitions.windows.iter_mut().zip(0..) {
        window.name = format!("window {number}");
    }
    for location in &mut trace.locations {
        location.name = format!("thread {}", location.thread);
        location.events.forget_call_sites();
        location.events.forget_values();
    }
}

/// Returns a name without the file that it is in: tools name a loop `!$omp for @heat.c:42`.
fn without_source(name: &str, file: &str) -> String {
    let name = name.split(" @").next().unwrap_or(name);
    let base = file.rsplit('/').next().unwrap_or(file);
    let names_file = [file, base]
        .into_iter()
        .any(|it| it.len() > 1 && name.contains(it));
    // What MPI's own functions are said to be in is no file.
    match name.contains('/') || names_file && file != "MPI" {
        true => "a region named after a file".to_owned(),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_archive::model::Communicator;

    #[test]
    fn names_of_files_are_no_names_of_functions() {
        let plain = |name| without_source(name, "/home/me/src/heat.c");
        assert_eq!(plain("solve"), "solve");
        assert_eq!(plain("!$omp for @heat.c:42"), "!$omp for");
        assert_eq!(plain("loop heat.c:42"), "a region named after a file");
        assert_eq!(plain("/home/me/a.out"), "a region named after a file");
        assert_eq!(without_source("MPI_Send", "MPI"), "MPI_Send");
    }

    #[test]
    fn nothing_is_left_that_names_a_place() {
        let mut named =
            Trace::parse("0: 1 enter(MPI_Send) !at(a/secret.c:7) 2 leave(MPI_Send)").unwrap();
        named.definitions.regions[0].source_file = "/home/secret.f".into();
        named.locations[0].name = "secret thread".into();
        let communicators = &mut named.definitions.communicators;
        communicators[0].name = "MPI_COMM_WORLD".into();
        communicators.extend(
            ["/secret/data.nc", "", "MPI_COMM_SELF"].map(|name| Communicator {
                name: name.into(),
                ..Communicator::default()
            }),
        );
        trace(&mut named);
        let text = format!("{named:?}");
        assert!(!text.contains("secret"), "{text}");
        let communicators = named.definitions.communicators.iter();
        let names: Vec<&str> = communicators.map(|it| it.name.as_str()).collect();
        let expected = ["MPI_COMM_WORLD", "communicator 1", "", "MPI_COMM_SELF"];
        assert_eq!(names, expected);
        assert!(!named.locations[0].events.has_call_sites());
    }
}
