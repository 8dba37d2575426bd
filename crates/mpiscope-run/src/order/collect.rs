//! The record of a rank from its buffers: by the rank itself in MPI_Finalize,
//! or afterwards from what a dead process left.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::buffer::{self, Content, TURNS};
use super::file::{write_streams, Streams};
use super::stream::append_last;
use super::{Origin, Unrecorded};
use crate::shared_memory;
use crate::Error;

/// A line of notes in a buffer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Whose choices these are; in the buffer of the first thread.
    Identity {
        /// The run.
        origin: Origin,
        /// World rank.
        rank: u32,
        /// The program.
        program: String,
    },
    /// Something whose order cannot be recorded.
    Unrecorded(Unrecorded),
}

impl Note {
    /// Returns the line.
    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// What was found in the buffers of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collected {
    /// Ranks whose choices were written, in order.
    pub ranks: Vec<u32>,
    /// Whether a writer of them still runs: its process.
    pub running: Option<u32>,
    /// What is to be said, in sentences.
    pub notes: Vec<String>,
}

/// Writes the choices that `buffers`, all of one process, hold into the run;
/// returns the rank.
///
/// # Errors
/// When a buffer cannot be read, or the file not be written. The buffers stay.
pub fn write_process(run: &Path, buffers: &[PathBuf]) -> Result<u32, Error> {
    let mut contents = Vec::new();
    for path in buffers {
        contents.extend(buffer::read(path, run)?.threads());
    }
    let notes = notes(&contents);
    let identity = notes.iter().find_map(|note| match note {
        Note::Identity {
            origin,
            rank,
            program,
        } => Some((origin, *rank, program.clone())),
        Note::Unrecorded(_) => None,
    });
    let Some((origin, rank, program)) = identity else {
        let path = buffers.first().map_or(run, |path| path.as_path());
        return Err(Error::damaged(
            path,
            "it does not say whose choices it holds",
        ));
    };
    let (turns, threads): (Vec<_>, Vec<_>) =
        contents.iter().partition(|content| content.thread == TURNS);
    let streams = Streams {
        rank,
        program,
        finished: threads.iter().any(|content| content.finished),
        threads: threads
            .iter()
            .map(|content| (content.thread, content.lineage, stream_of(content)))
            .collect(),
        turns: turns.first().map_or_else(Vec::new, |c| c.stream.clone()),
        unrecorded: notes
            .iter()
            .filter_map(|note| match note {
                Note::Unrecorded(what) => Some(what.clone()),
                Note::Identity { .. } => None,
            })
            .collect(),
    };
    write_streams(run, origin, &streams)?;
    Ok(rank)
}

/// Returns a thread's stream, with what its last call took if it never returned.
fn stream_of(content: &Content) -> Vec<u8> {
    let mut stream = content.stream.clone();
    if !content.finished && !content.ended {
        append_last(&mut stream, &content.took, content.reached);
    }
    stream
}

fn notes(contents: &[Content]) -> Vec<Note> {
    let lines = contents.iter().flat_map(|c| c.notes.split(|&b| b == b'\n'));
    lines
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// Removes the buffers of a process, and what did not fit into them.
pub fn remove(run: &Path, buffers: &[PathBuf]) {
    for path in buffers {
        let _ = fs::remove_file(buffer::spill_path(run, path));
        let _ = fs::remove_file(path);
    }
}

/// Writes the choices of all processes that died on this host, and removes their buffers.
///
/// # Errors
/// When a file cannot be written.
pub fn collect(run: &Path, run_id: &str) -> Result<Collected, Error> {
    let folder = shared_memory::folder(run_id);
    let mut collected = Collected::default();
    let mut processes: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let places = crate::directory::places(run, run_id);
    for path in places.iter().flat_map(|place| buffer::list(place)) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        // Named host-pid-number.
        let process = stem.rsplit_once('-').map_or(&*stem, |(process, _)| process);
        processes.entry(process.to_owned()).or_default().push(path);
    }
    for buffers in processes.into_values() {
        if let Some(pid) = buffers.iter().find_map(|path| writer_of(path)) {
            collected.running = Some(pid);
            continue;
        }
        match write_process(run, &buffers) {
            Ok(rank) => {
                collected.ranks.push(rank);
                remove(run, &buffers);
            }
            Err(error @ Error::Io { .. }) => return Err(error),
            Err(error) => collected.notes.push(format!("{error}; left where it is")),
        }
    }
    collected.ranks.sort_unstable();
    shared_memory::remove(&folder);
    Ok(collected)
}

/// Returns the process that maps a buffer, if it lives.
fn writer_of(path: &Path) -> Option<u32> {
    let name = path.file_stem()?.to_string_lossy();
    let pid: u32 = name.rsplit('-').nth(1)?.parse().ok()?;
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
    maps.contains(&*path.to_string_lossy()).then_some(pid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::stream::{Encoder, Sink};
    use crate::order::{read, Taken, Undetermined};

    #[test]
    fn a_dead_process_leaves_what_it_had_committed() {
        let run = tempfile::tempdir().unwrap();
        let run_id = format!("test-{}-{:p}", std::process::id(), &run);
        let folder = shared_memory::folder(&run_id);
        fs::create_dir_all(&folder).unwrap();
        let note = Note::Identity {
            origin: Origin {
                run_id: run_id.clone(),
                world_size: 2,
                ..Origin::default()
            },
            rank: 1,
            program: "heat".into(),
        };
        let unrecorded = Unrecorded {
            what: Undetermined::OneSided,
            function: "MPI_Accumulate".into(),
            site: String::new(),
        };
        for (number, thread) in [(0, 0), (1, TURNS)] {
            let name = format!("host-0-{number}.order");
            let mut writer =
                buffer::Writer::create(&folder, &name, run.path(), (thread, 0), None).unwrap();
            if number == 0 {
                writer.note(&note.line());
                writer.note(&Note::Unrecorded(unrecorded.clone()).line());
            }
            let taken = Taken {
                source: 0,
                tag: None,
            };
            Encoder::default().receive(&mut writer, 0, taken);
            writer.append(&[0]);
        }
        let collected = collect(run.path(), &run_id).unwrap();
        assert_eq!((collected.ranks, collected.running), (vec![1], None));
        assert!(!folder.exists());
        let record = read(run.path()).unwrap();
        assert_eq!(record.missing(), [0]);
        let order = record.rank(1).unwrap();
        assert_eq!(order.threads[0].receives.len(), 2);
        assert_eq!((order.turns.len(), order.finished), (2, false));
        assert_eq!(order.unrecorded, [unrecorded]);
    }
}
