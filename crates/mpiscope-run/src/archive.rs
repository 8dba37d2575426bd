//! The parts of an archive that belong to no location: global definitions and,
//! last of all, the anchor, which makes the files an archive.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use otf2::{Anchor, Definition};

use crate::drain::{write_empty_location, Written, NAME};
use crate::plan::{location, Plan};
use crate::run_info::{RunInfo, State};
use crate::Error;

/// Creates the directory that locations are written into; rank 0 does this
/// before any rank writes. What an interrupted attempt left there is removed.
///
/// # Errors
/// When it cannot be created.
pub fn prepare(directory: &Path) -> Result<(), Error> {
    let anchor = directory.join(NAME).with_extension("otf2");
    let markers = directory.join(NAME).with_extension("marker");
    let locations = directory.join(NAME);
    for (path, removed) in [
        (&anchor, fs::remove_file(&anchor)),
        (&markers, fs::remove_file(&markers)),
        (&locations, fs::remove_dir_all(&locations)),
    ] {
        match removed {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(path, e)),
            _ => {}
        }
    }
    fs::create_dir_all(&locations).map_err(|e| Error::io(&locations, e))
}

/// Writes the global definitions and the anchor; returns the anchor's path.
/// Locations of the plan that nobody wrote become empty ones.
///
/// # Errors
/// When a file cannot be written.
pub fn write_global(
    directory: &Path,
    plan: &Plan,
    written: &[Written],
    info: &RunInfo,
) -> Result<PathBuf, Error> {
    let done: BTreeSet<u64> = written.iter().map(|w| w.location).collect();
    let locations = (0..).zip(&plan.processes).flat_map(|(rank, process)| {
        process
            .threads
            .iter()
            .map(move |&thread| location(rank, thread))
    });
    for location in locations.filter(|id| !done.contains(id)) {
        write_empty_location(directory, location)?;
    }
    let definitions = plan.finish(written);
    write_definitions(directory, &definitions, otf2::write::DEFINITION_CHUNK)?;
    let skipped: u64 = written.iter().map(|w| w.skipped).sum();
    let mut anchor = counted(&definitions);
    anchor.creator = creator(info);
    anchor.description = text(&info.command.join(" "));
    anchor.machine = text(plan.hosts.first().map_or("", |host| host));
    anchor.properties = properties(plan, info, plan.lost + skipped);
    write_anchor(directory, &anchor)
}

fn creator(info: &RunInfo) -> String {
    let version = match info.agent_version.as_str() {
        "" => env!("CARGO_PKG_VERSION"),
        version => version,
    };
    text(&format!("mpiscope {version}"))
}

/// OTF2's own properties as its documentation asks for them, then ours.
fn properties(plan: &Plan, info: &RunInfo, lost: u64) -> Vec<(String, String)> {
    let recovered = info.state == State::Recovered;
    let complete = lost == 0 && plan.missing.is_empty() && !recovered;
    let mpi = format!("{} {}", plan.mpi.name, plan.mpi.version);
    [
        ("OTF2::MPI_COMMUNICATION_COMPLETE", complete.to_string()),
        ("OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", "true".into()),
        ("OTF2::THREAD_CREATE_WAIT_EVENT_COMPLETE", "true".into()),
        ("OTF2::THREAD_LOCK_EVENT_COMPLETE", "true".into()),
        ("OTF2::PTHREAD_LOCATION_REUSED", "false".into()),
        ("MPISCOPE::VERSION", env!("CARGO_PKG_VERSION").into()),
        ("MPISCOPE::RUN", info.run_id.clone()),
        ("MPISCOPE::PROGRAM", plan.program.clone()),
        ("MPISCOPE::MPI", mpi.trim().into()),
        ("MPISCOPE::RECOVERED", recovered.to_string()),
        ("MPISCOPE::SIGNATURES", hashes(&plan.signatures)),
        ("MPISCOPE::EVENTS_LOST", lost.to_string()),
        ("MPISCOPE::RANKS_MISSING", plan.missing.len().to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), text(&value)))
    .into_iter()
    .filter(has_value)
    .collect()
}

/// Names type signatures, in the order in which events number them.
fn hashes(signatures: &[u64]) -> String {
    let hashes = signatures.iter().map(|hash| format!("{hash:016x}"));
    hashes.collect::<Vec<_>>().join(" ")
}

/// libotf2 3.0.2 refuses an archive with a property that has no value.
pub fn has_value((_, value): &(String, String)) -> bool {
    !value.is_empty()
}

/// No string of an archive holds NUL.
fn text(text: &str) -> String {
    text.replace('\0', " ")
}

/// Returns an anchor that knows how many definitions there are.
pub fn counted(definitions: &[Definition]) -> Anchor {
    let is_location = |d: &&Definition| matches!(d, Definition::Location { .. });
    let mut anchor = Anchor::default();
    anchor.locations = definitions.iter().filter(is_location).count() as u64;
    anchor.definitions = definitions.len() as u64;
    anchor
}

/// Writes the global definitions of an archive.
pub fn write_definitions(
    directory: &Path,
    definitions: &[Definition],
    chunk: u64,
) -> Result<(), Error> {
    otf2::write::global_definitions(directory, NAME, definitions, chunk)?;
    Ok(())
}

/// Writes the anchor beside its place, then moves it there: a reader finds an
/// archive or none.
pub fn write_anchor(directory: &Path, anchor: &Anchor) -> Result<PathBuf, Error> {
    let aside = directory.join(format!(".anchor.{}", std::process::id()));
    fs::create_dir_all(&aside).map_err(|e| Error::io(&aside, e))?;
    let result = otf2::write::anchor(&aside, NAME, anchor)
        .map_err(Error::from)
        .and_then(|from| {
            let to = directory.join(NAME).with_extension("otf2");
            fs::rename(from, &to).map_err(|e| Error::io(&to, e))?;
            Ok(to)
        });
    let _ = fs::remove_dir_all(&aside);
    result
}
