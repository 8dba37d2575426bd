//! `run.json`: what is known of a run besides its events.
//!
//! The file is written when the run starts and renewed as more becomes known.
//! Readers tolerate fields they do not know, and keep them when they write
//! the file again.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::clocks::{Domain, LocalClock};
use crate::control::{self, Switchings};
use crate::counters::Counters;
use crate::files::FileUse;
use crate::plan::{LeftOut, Plan};
use crate::polled::{self, Polled};
use crate::process::MpiLibrary;
use crate::sampling::Samples;
use crate::Error;

/// Version of the file; raised when a field changes its meaning.
pub const VERSION: u32 = 1;
/// Name of the file in the run directory.
pub const FILE: &str = "run.json";

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The program runs, or died without a word.
    #[default]
    Running,
    /// The program finished and its archive is complete.
    Finished,
    /// The archive was made afterwards from the buffers.
    Recovered,
}

/// The content of `run.json`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunInfo {
    /// [`VERSION`].
    pub version: u32,
    /// How far it has come.
    pub state: State,
    /// Names the run's buffers.
    pub run_id: String,
    /// Version of the agent.
    pub agent_version: String,
    /// The command as typed.
    pub command: Vec<String>,
    /// The program.
    pub program: String,
    /// The MPI library.
    pub mpi: MpiLibrary,
    /// Hosts, by their first rank.
    pub hosts: Vec<String>,
    /// Size of `MPI_COMM_WORLD`.
    pub world_size: u32,
    /// Locations: threads that recorded.
    pub locations: u64,
    /// World ranks that left no events.
    pub missing: Vec<u32>,
    /// Start, nanoseconds since 1970.
    pub started: Option<u64>,
    /// End, nanoseconds since 1970.
    pub finished: Option<u64>,
    /// Events in the archive.
    pub events: u64,
    /// Events that could not be kept.
    pub events_lost: u64,
    /// Functions of its MPI that the program could call unobserved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unobserved: Vec<String>,
    /// Threads that there was no room to record.
    pub threads_lost: u64,
    /// Definitions of regions, communicators or call sites that could not be kept.
    pub definitions_lost: u64,
    /// Instrumented functions whose entries were not recorded any more, most entries first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// Functions of MPI, regions and instrumented functions that the user had left out, most
    /// entries first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filtered: Vec<LeftOut>,
    /// Functions of MPI that the program called within calls of MPI, in callbacks: they have no
    /// events.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<LeftOut>,
    /// World ranks that have used a communicator with processes of another MPI_COMM_WORLD: what is
    /// exchanged there has no events.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<u32>,
    /// World ranks that began by themselves, as they had a session before MPI_Init or without it, and
    /// ended as they should.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<u32>,
    /// Polls that found nothing and are told together, most first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub polls: Vec<Polled>,
    /// When recording was switched, not by the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub switched: Vec<Switchings>,
    /// Samples of where threads computed, if they were to be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<Samples>,
    /// Counters of the processor and the system, if any were to be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// Files that were opened, that of most bytes first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileUse>,
    /// The archive as written.
    pub archive: Option<Archive>,
    /// Clock domains, the master's first; their faults are the known truth.
    pub clocks: Vec<Domain>,
    /// What a reader of the archive should know.
    pub notes: Vec<String>,
    /// Of a run that died: how long ranks were seen alive after their last events.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lived_on: Vec<LivedOn>,
    /// The agent's own overhead.
    pub agent: Option<Value>,
    /// The buffers that an archive was made of afterwards, by the names of their files: what
    /// other hosts leave may be found later.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recovered_from: Vec<String>,
    /// Exit code of the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// What the correction did.
    pub correction: Option<Value>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A rank that was seen alive after its last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LivedOn {
    /// World rank.
    pub rank: u32,
    /// From its last event until it was last seen, which is done every second.
    pub nanoseconds: u64,
}

/// Figures of writing the archive.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Archive {
    /// Bytes of all its files.
    pub bytes: u64,
    /// Events.
    pub events: u64,
    /// How long it took to write.
    pub seconds: f64,
}

impl RunInfo {
    /// Reads `run.json` of a run directory.
    ///
    /// # Errors
    /// When it cannot be read, is no JSON, or is of a later version.
    pub fn read(run: &Path) -> Result<Self, Error> {
        let path = run.join(FILE);
        let text = fs::read(&path).map_err(|e| Error::io(&path, e))?;
        let info: Self = serde_json::from_slice(&text).map_err(|e| {
            Error::damaged(&path, format!("expected the facts of a run as JSON: {e}"))
        })?;
        if info.version > VERSION {
            let what = format!(
                "it has version {}, this mpiscope reads {VERSION}",
                info.version
            );
            return Err(Error::damaged(&path, what));
        }
        Ok(info)
    }

    /// Writes `run.json`; readers see the old file or the new one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, run: &Path) -> Result<(), Error> {
        let info = Self {
            version: VERSION,
            ..self.clone()
        };
        let path = run.join(FILE);
        let mut text = serde_json::to_vec_pretty(&info)
            .map_err(|e| Error::damaged(&path, format!("its content is no JSON: {e}")))?;
        text.push(b'\n');
        write_atomically(&path, &text)
    }

    /// Takes over what a plan knows.
    pub fn describe(&mut self, plan: &Plan) {
        self.program.clone_from(&plan.program);
        self.mpi.clone_from(&plan.mpi);
        self.hosts.clone_from(&plan.hosts);
        self.world_size = plan.world_size;
        self.locations = plan.processes.iter().map(|p| p.threads.len() as u64).sum();
        self.missing.clone_from(&plan.missing);
        self.events_lost = plan.lost;
        self.threads_lost = plan.threads_lost;
        self.definitions_lost = plan.definitions_lost;
        self.left_out.clone_from(&plan.left_out);
        self.filtered.clone_from(&plan.filtered);
        self.within.clone_from(&plan.within);
        self.beyond.clone_from(&plan.beyond);
        self.switched.clone_from(&plan.switched);
        self.samples.clone_from(&plan.samples);
        self.counters.clone_from(&plan.counters);
        self.clocks.clone_from(&plan.domains);
        self.notes.clone_from(&plan.notes);
    }

    /// Says what of the run was not kept, each loss in a sentence: whatever a report
    /// tells is told of the rest.
    pub fn not_kept(&self) -> Vec<String> {
        let lost = self.lost().into_iter();
        let lost = lost.map(|what| format!("not complete: {what}"));
        lost.chain(self.may_lack())
            .chain(self.soon_over())
            .chain(self.not_wanted())
            .chain(self.in_callbacks())
            .chain(self.beyond_the_world())
            .chain(control::sentences(&self.switched))
            .chain(self.samples.iter().flat_map(Samples::not_kept))
            .chain(self.counters.iter().flat_map(Counters::not_kept))
            .collect()
    }

    /// Says how many polls that found nothing are told together: a count, no loss.
    pub fn polls_told(&self) -> Option<String> {
        polled::sentence(&self.polls)
    }

    /// Says how many samples there are of where threads computed, if there were to be any.
    pub fn samples_told(&self) -> Option<String> {
        self.samples.as_ref().map(Samples::sentence)
    }

    /// Says which counters there are, if any were to be read.
    pub fn counters_told(&self) -> Option<String> {
        self.counters.as_ref().map(Counters::sentence)
    }

    /// Counts what is known to be lost, each kind in a clause.
    pub fn lost(&self) -> Vec<String> {
        let counted = [
            (self.missing.len() as u64, "rank", "left nothing"),
            (
                self.threads_lost,
                "thread",
                "had no room and is not recorded",
            ),
            (self.events_lost, "event", "could not be kept"),
            (self.definitions_lost, "definition", "could not be kept"),
        ];
        let counted = counted.iter().filter(|(count, ..)| *count > 0);
        let lost = counted.map(|(count, what, why)| match count {
            1 => format!("1 {what} {why}"),
            _ => format!("{count} {what}s {}", why.replace("is not", "are not")),
        });
        lost.collect()
    }

    /// Says that the program may have called functions of its MPI past the agent, if it can.
    pub fn may_lack(&self) -> Option<String> {
        const SHOWN: usize = 4;
        let names = &self.unobserved;
        let shown = names[..names.len().min(SHOWN)].join(", ");
        let more = match names.len() {
            0 => return None,
            1..=SHOWN => String::new(),
            all => format!(" and {} more", all - SHOWN),
        };
        Some(format!(
            "perhaps not complete: the program can call functions of its MPI that are not observed: {shown}{more}"
        ))
    }

    /// Says which instrumented functions were left out at last.
    fn soon_over(&self) -> Option<String> {
        let (all, shown) = most(self.left_out.iter())?;
        Some(format!(
            "not complete: at least {all} entries of functions that are many and soon over are left out, their time \
             is that of their callers: {shown}; `trace --functions all` keeps them"
        ))
    }

    /// Returns whether calls of MPI have no events.
    pub fn leaves_out_calls(&self) -> bool {
        LeftOut::lacks_calls(&self.filtered, &self.within, &self.beyond)
    }

    /// Says that ranks have used communicators with processes of another MPI_COMM_WORLD.
    fn beyond_the_world(&self) -> Option<String> {
        let whose = match self.beyond[..] {
            [] => return None,
            [rank] => format!("rank {rank} exchanges"),
            ref several => format!("{} ranks exchange", several.len()),
        };
        Some(format!(
            "not complete: what {whose} with processes of another MPI_COMM_WORLD (MPI_Comm_spawn, \
             MPI_Comm_connect) is not recorded, and those processes are no part of this run"
        ))
    }

    /// Says what the program called within calls of MPI.
    fn in_callbacks(&self) -> Option<String> {
        let (all, shown) = most(self.within.iter())?;
        let (calls, have) = match all {
            1 => ("call", "has"),
            _ => ("calls", "have"),
        };
        Some(format!(
            "not complete: {all} {calls} of MPI that the program made within another, in callbacks, {have} no \
             events: {shown}; other messages are matched as if they had"
        ))
    }

    /// Says what the user had left out.
    fn not_wanted(&self) -> Option<String> {
        let of_mpi = most(self.filtered.iter().filter(|it| it.is_of_mpi()));
        let others = most(self.filtered.iter().filter(|it| !it.is_of_mpi()));
        let of_mpi = of_mpi.map(|(all, shown)| format!("{all} calls of MPI: {shown}"));
        let others =
            others.map(|(all, shown)| format!("{all} entries of functions and regions: {shown}"));
        let all: Vec<String> = of_mpi.into_iter().chain(others).collect();
        let all = all.join("; ");
        (!all.is_empty())
            .then(|| format!("not complete: as was asked for, these are left out: {all}"))
    }

    /// Returns the known truth: from the time a rank claimed to the time (nanoseconds) that
    /// rank 0's clock showed at that moment. Known only where all clocks are
    /// one counter and differ by declared faults alone.
    pub fn truth(&self) -> Option<impl Fn(u32, i64) -> i64> {
        let master = self.clocks.first().filter(|d| d.ranks.contains(&0))?.clock;
        let one_counter = self.clocks.iter().all(|d| d.clock.map == master.map);
        let faulty = self.clocks.iter().any(|d| d.clock.fault.is_some());
        if !one_counter || !faulty {
            return None;
        }
        let mut clocks: Vec<(u32, LocalClock)> = self
            .clocks
            .iter()
            .flat_map(|domain| domain.ranks.iter().map(|&rank| (rank, domain.clock)))
            .collect();
        clocks.sort_by_key(|(rank, _)| *rank);
        Some(move |rank: u32, local: i64| {
            let at = clocks.binary_search_by_key(&rank, |(rank, _)| *rank);
            match at {
                Ok(at) => master.map(clocks[at].1.host(local)),
                Err(_) => local,
            }
        })
    }
}

/// Counts entries, and says of what most are; nothing if there are none.
fn most<'a>(all: impl Iterator<Item = &'a LeftOut>) -> Option<(u64, String)> {
    const SHOWN: usize = 3;
    let all: Vec<&LeftOut> = all.collect();
    let entries = all.iter().map(|one| one.entries);
    let entries = entries.fold(0, u64::saturating_add);
    let shown = all.iter().take(SHOWN);
    let shown = shown.map(|one| match one.entries {
        1 => format!("{} (once)", one.function),
        times => format!("{} ({times} times)", one.function),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let more = match all.len() {
        0 => return None,
        1..=SHOWN => String::new(),
        number => format!(" and {} more", number - SHOWN),
    };
    Some((entries, shown + &more))
}

/// Writes a file beside its place, then moves it there.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), Error> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    let (process, number) = (std::process::id(), WRITTEN.fetch_add(1, Ordering::Relaxed));
    let temporary = path.with_file_name(format!(".{name}.{process}.{number}"));
    let write = || {
        let mut file = fs::File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(|e| {
        let _ = fs::remove_file(&temporary);
        Error::io(path, e)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Fault;

    #[test]
    fn unknown_fields_survive_rewriting() {
        let run = tempfile::tempdir().unwrap();
        fs::write(
            run.path().join(FILE),
            r#"{"version":1,"program":"heat","colour":"red"}"#,
        )
        .unwrap();
        let mut info = RunInfo::read(run.path()).unwrap();
        info.state = State::Finished;
        info.write(run.path()).unwrap();
        let again = RunInfo::read(run.path()).unwrap();
        assert_eq!(again.other["colour"], "red");
        assert_eq!(again, info);
    }

    #[test]
    fn what_is_no_run_is_named() {
        let run = tempfile::tempdir().unwrap();
        let missing = RunInfo::read(run.path()).unwrap_err().to_string();
        assert!(missing.contains("run.json"), "{missing}");
        for (text, word) in [("heat", "JSON"), (r#"{"version":99}"#, "version 99")] {
            fs::write(run.path().join(FILE), text).unwrap();
            let message = RunInfo::read(run.path()).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
    }

    #[test]
    fn what_was_not_kept_is_said() {
        let mut info = RunInfo::default();
        assert!(info.not_kept().is_empty());
        (info.threads_lost, info.missing) = (2, vec![3]);
        let expected = [
            "not complete: 1 rank left nothing",
            "not complete: 2 threads had no room and are not recorded",
        ];
        assert_eq!(info.not_kept(), expected);
        info.unobserved = (0..6).map(|k| format!("MPIX_{k}")).collect();
        let last = info.not_kept().pop().unwrap();
        assert!(last.ends_with("MPIX_3 and 2 more"), "{last}");
    }

    #[test]
    fn the_truth_is_the_fault_undone() {
        let domain = |ranks: &[u32], offset: Option<f64>| Domain {
            ranks: ranks.to_vec(),
            clock: LocalClock {
                fault: offset.map(|offset| Fault {
                    offset,
                    ..Fault::default()
                }),
                ..LocalClock::default()
            },
            ..Domain::default()
        };
        let mut info = RunInfo {
            clocks: vec![domain(&[0, 2], None), domain(&[1], Some(350.0))],
            ..RunInfo::default()
        };
        let truth = info.truth().unwrap();
        assert_eq!(truth(1, 1_350), 1_000);
        assert_eq!(truth(2, 1_000), 1_000);
        info.clocks[0].clock.fault = Some(Fault {
            offset: 5.0,
            ..Fault::default()
        });
        assert_eq!(info.truth().unwrap()(1, 1_350), 1_005);
        info.clocks[1].clock.map.rate = 2.0;
        assert!(info.truth().is_none(), "two counters");
        info.clocks = vec![domain(&[0], None)];
        assert!(info.truth().is_none(), "nothing to know");
    }
}
