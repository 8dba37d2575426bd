//! From a run directory to statistics with source lines: files of ranks that
//! have ended, tables of those that still count, and of those that were killed.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use anyhow::{bail, ensure, Result};
use mpiscope_run::buffer;
use mpiscope_run::model::statistics::{Statement, Statistics};
use mpiscope_run::model::structure::Structure;
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::statistics::{self as records, unify, Process, Structures};

use crate::input::Damaged;
use crate::symbols::Modules;
use crate::{elf, monitor};

/// The statistics of a run at one moment.
#[derive(Default)]
pub struct Loaded {
    /// What is known of the run.
    pub info: RunInfo,
    /// The processes as they count.
    pub processes: Vec<Process>,
    /// What they counted, in source lines.
    pub statistics: Statistics,
    /// Ranks whose process still runs on this host.
    pub live: Vec<u32>,
    /// What is to be known besides, in sentences.
    pub notes: Vec<String>,
    /// What could not be read, in sentences.
    pub damage: Vec<String>,
}

/// Reads a run again and again; what modules say is remembered.
#[derive(Default)]
pub struct Loader {
    modules: Modules,
}

/// Reads the statistics of a run; what killed processes left is taken into it first.
pub fn load(run: &Path) -> Result<Loaded> {
    let info = information(run)?;
    if !info.run_id.is_empty() && writers(&info.run_id).is_empty() {
        monitor::collect(run, &info.run_id);
    }
    Loader::default().load(run)
}

/// Returns what is known of a run.
fn information(run: &Path) -> Result<RunInfo> {
    ensure!(run.is_dir(), "{}: no such run", run.display());
    Ok(RunInfo::read(run)?)
}

impl Loader {
    /// Reads what there is at this moment, and changes nothing.
    pub fn load(&mut self, run: &Path) -> Result<Loaded> {
        let info = information(run)?;
        let found = records::read_run(run, &info.run_id);
        let damage: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
        if found.processes.is_empty() {
            if !damage.is_empty() {
                bail!(Damaged(damage.join("; ")));
            }
            bail!(
                "{} holds no statistics: `mpiscope monitor` keeps them, `mpiscope trace --statistics` \
                 beside a trace; those of ranks that still run are on their hosts",
                run.display()
            );
        }
        let writers = writers(&info.run_id);
        let mut notes = Vec::new();
        let structures = structures(run, &found.processes, &mut notes);
        let name = |site: &mut _| self.modules.name(site);
        let statistics = unify(&found.processes, &structures, name);
        notes.extend(other_builds(&found.processes));
        notes.extend(incomplete(&statistics, &found.processes, &info));
        let mut live = found.live;
        let runs = |rank: &u32| {
            let process = found.processes.iter().find(|p| p.identity.rank == *rank);
            process.is_some_and(|process| writers.contains(&process.identity.pid))
        };
        live.retain(runs);
        Ok(Loaded {
            info,
            processes: found.processes,
            statistics,
            live,
            notes,
            damage,
        })
    }
}

/// Returns the processes on this host that hold tables of the run.
fn writers(run_id: &str) -> HashSet<u32> {
    if run_id.is_empty() {
        return HashSet::new();
    }
    let folder = buffer::directory(run_id);
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| {
        // HOST-PID-TID-NUMBER.statistics
        let name = entry.file_name().to_string_lossy().into_owned();
        name.rsplit('-').nth(2)?.parse::<u32>().ok()
    });
    let candidates: HashSet<u32> = pids.collect();
    let holds = |pid: &u32| {
        let maps = fs::read_to_string(format!("/proc/{pid}/maps"));
        maps.is_ok_and(|maps| maps.contains(&*folder.to_string_lossy()))
    };
    candidates.into_iter().filter(holds).collect()
}

/// Reads the structures that processes name by their hashes.
fn structures(run: &Path, processes: &[Process], notes: &mut Vec<String>) -> Structures {
    let hashes = processes.iter().flat_map(|process| &process.units);
    let hashes: std::collections::BTreeSet<&String> = hashes.map(|(_, hash)| hash).collect();
    let mut structures = Structures::new();
    for hash in hashes {
        let path = records::structures(run).join(format!("{hash}.json"));
        let text = fs::read_to_string(&path).map_err(|error| error.to_string());
        let read = text.and_then(|text| Structure::parse(&text).map_err(|error| error.to_string()));
        match read {
            Ok(structure) => {
                structures.insert(hash.clone(), Statement::of(&structure));
            }
            Err(error) => notes.push(format!(
                "{}: {error}: the statements of one source file have no names",
                path.display()
            )),
        }
    }
    structures
}

/// Says which modules are not those that ran any more: their lines would be wrong ones.
fn other_builds(processes: &[Process]) -> Vec<String> {
    let modules = processes.iter().flat_map(|process| &process.modules);
    let mut seen: BTreeMap<(&str, &str), String> = BTreeMap::new();
    for module in modules.filter(|module| !module.path.is_empty()) {
        let key = (module.path.as_str(), module.build_id.as_str());
        seen.entry(key)
            .or_insert_with(|| match elf::build_id(Path::new(&module.path)) {
                Err(_) => format!(
                    "{} is not there any more: its lines are not known",
                    module.path
                ),
                Ok(id) if id != module.build_id => format!(
                    "{} is another build than the one that ran (build id {}, then {}): \
                     its lines are not told, they would be wrong",
                    module.path,
                    or_none(&id),
                    or_none(&module.build_id)
                ),
                Ok(_) => String::new(),
            });
    }
    seen.into_values().filter(|note| !note.is_empty()).collect()
}

fn or_none(id: &str) -> &str {
    if id.is_empty() {
        "none"
    } else {
        id
    }
}

/// Says what is missing from the numbers.
fn incomplete(statistics: &Statistics, processes: &[Process], info: &RunInfo) -> Vec<String> {
    let mut notes = Vec::new();
    let world = processes.iter().map(|p| p.identity.world_size).max();
    let world = info.world_size.max(world.unwrap_or(0));
    let there: HashSet<u32> = processes.iter().map(|p| p.identity.rank).collect();
    let missing: Vec<u32> = (0..world).filter(|rank| !there.contains(rank)).collect();
    if !missing.is_empty() {
        notes.push(format!(
            "of rank {} there are no statistics here: it runs on another host, or left none",
            crate::show::ranges(&missing)
        ));
    }
    let refused: u64 = statistics.ranks.iter().map(|rank| rank.refused).sum();
    if refused > 0 {
        notes.push(format!(
            "{} had no room and were counted with others: `monitor --entries` makes room",
            crate::show::counted(refused, "statement or peer")
        ));
    }
    let lost: u64 = processes.iter().map(|process| process.notes_lost).sum();
    if lost > 0 {
        let lost = crate::show::counted(lost, "name");
        notes.push(format!(
            "{lost} of functions, modules or groups are not known"
        ));
    }
    notes
}
