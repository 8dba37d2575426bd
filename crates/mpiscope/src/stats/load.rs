//! From a run directory to statistics with source lines: files of ranks that
//! have ended, tables of those that still count, and of those that were killed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{bail, ensure, Result};
use mpi_abi::FunctionId;
use mpiscope_archive::call_sites::{place, CallSite};
use mpiscope_archive::model::statistics::Statistics;
use mpiscope_archive::unify::unify;
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::shared_memory;
use mpiscope_run::statistics::{self as records, Process};

use super::lines::Lines;
use crate::input::Damaged;
use crate::report::show;
use crate::{end_of_run, monitor};

/// For how long another host may say nothing: it tells what it has every few seconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// The statistics of a run at one moment.
#[derive(Default)]
pub struct Loaded {
    /// What is known of the run.
    pub info: RunInfo,
    /// The processes as they count.
    pub processes: Vec<Process>,
    /// What they counted, in source lines.
    pub statistics: Statistics,
    /// Ranks whose process still runs, here or on a host that told of it just now.
    pub live: Vec<u32>,
    /// Ranks of other hosts that have told nothing for a while, and not that they ended.
    pub silent: Vec<u32>,
    /// The lines of the calls that ranks are in, or were in when they died.
    pub inside: HashMap<u32, String>,
    /// What is to be known besides, in sentences.
    pub notes: Vec<String>,
    /// What could not be read, in sentences.
    pub damage: Vec<String>,
}

/// Reads a run again and again.
#[derive(Default)]
pub struct Loader {
    lines: Lines,
}

/// Reads the statistics of a run; what killed processes left is taken into it first.
pub fn load(run: &Path) -> Result<Loaded> {
    let info = information(run)?;
    let holders = holders(&info.run_id);
    if !holders.is_empty() && holders.iter().all(|&(_, alive)| !alive) {
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
        let mut found = records::read_run(run, &info.run_id);
        found.processes.iter_mut().for_each(name_present_call);
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
        let holders = holders(&info.run_id);
        let mut notes = self.lines.learn(run, &found.processes);
        let structures = self.lines.take_structures();
        let statistics = unify(&found.processes, &structures, |site| self.lines.name(site));
        self.lines.keep(structures);
        notes.extend(self.lines.other_builds(&found.processes));
        notes.extend(incomplete(&statistics, &found.processes, &info));
        notes.extend(info.may_lack());
        let inside = self.inside(&found.processes);
        let (live, silent) = alive(&found, &holders);
        if live.is_empty() {
            notes.extend(end_of_run::last_words(run));
        }
        notes.extend(unfinished(&found.processes, &inside, &live));
        Ok(Loaded {
            info,
            processes: found.processes,
            statistics,
            live,
            silent,
            inside,
            notes,
            damage,
        })
    }
}

impl Loader {
    fn inside(&mut self, processes: &[Process]) -> HashMap<u32, String> {
        let mut inside = HashMap::new();
        for process in processes {
            let Some(thread) = process.threads.first() else {
                continue;
            };
            if thread.now.region.is_some() && !thread.finished {
                let mut site = place(&process.modules, thread.now.site);
                self.lines.name(&mut site);
                inside.insert(process.identity.rank, short(&site));
            }
        }
        inside
    }
}

/// Names the function that a process is in, if it has not yet returned from it once
/// and so has not told its name. Numbers are those of the table of functions: ours, if
/// it gives all the names that were told.
fn name_present_call(process: &mut Process) {
    let name = |id: u16| FunctionId(id).function().name;
    let same = process.regions.iter().all(|(id, known)| name(*id) == known);
    let present = process
        .threads
        .iter()
        .filter_map(|thread| thread.now.region);
    let nameless: Vec<u16> = present
        .filter(|id| !process.regions.iter().any(|(known, _)| known == id))
        .collect();
    if same && !process.regions.is_empty() {
        (process.regions).extend(nameless.into_iter().map(|id| (id, name(id).to_owned())));
    }
}

/// Writes a call site without its folders.
fn short(site: &CallSite) -> String {
    let text = site.to_string();
    text.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Returns the ranks that live, and those of other hosts of which nothing is known.
fn alive(found: &records::Run, holders: &HashSet<(u32, bool)>) -> (Vec<u32>, Vec<u32>) {
    let host = rustix::system::uname();
    let host = host.nodename().to_string_lossy();
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let recent = (now.saturating_sub(PATIENCE).as_nanos()) as u64;
    let (mut live, mut silent) = (Vec::new(), Vec::new());
    for process in &found.processes {
        let rank = process.identity.rank;
        let latest = process.threads.iter().map(|thread| thread.span[1].realtime);
        if !found.live.contains(&rank) {
            continue;
        } else if process.identity.host == host {
            live.extend(
                holders
                    .contains(&(process.identity.pid, true))
                    .then_some(rank),
            );
        } else if latest.max().unwrap_or(0) >= recent {
            live.push(rank);
        } else {
            silent.push(rank);
        }
    }
    (live, silent)
}

/// Returns the processes that made the tables of the run on this host, and whether
/// they live: they do as long as they have them in their memory.
fn holders(run_id: &str) -> HashSet<(u32, bool)> {
    if run_id.is_empty() {
        return HashSet::new();
    }
    let folder = shared_memory::folder(run_id);
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| {
        // HOST-PID-TID-NUMBER.statistics
        let name = entry.file_name().to_string_lossy().into_owned();
        name.rsplit('-').nth(2)?.parse::<u32>().ok()
    });
    let lives = |pid: u32| match fs::read_to_string(format!("/proc/{pid}/maps")) {
        Ok(maps) => maps.contains(&*folder.to_string_lossy()),
        Err(error) => error.kind() == ErrorKind::PermissionDenied,
    };
    let pids: HashSet<u32> = pids.collect();
    pids.into_iter().map(|pid| (pid, lives(pid))).collect()
}

/// Names the calls that ranks are in, or were in when they were last seen: their time so far counts.
fn unfinished(processes: &[Process], inside: &HashMap<u32, String>, live: &[u32]) -> Vec<String> {
    let mut calls: BTreeMap<(String, bool), (Vec<u32>, u64)> = BTreeMap::new();
    for process in processes {
        let rank = process.identity.rank;
        let Some(thread) = process.threads.first().filter(|it| !it.finished) else {
            continue;
        };
        if let Some(region) = thread.now.region {
            let name = process.region(region);
            let call = match inside.get(&rank) {
                Some(place) => format!("{name} at {place}"),
                None => name.to_owned(),
            };
            let ticks = thread.span[1].ticks.saturating_sub(thread.now.since);
            let spent = (ticks as f64 * process.nanoseconds_per_tick()) as u64;
            let (ranks, longest) = calls.entry((call, live.contains(&rank))).or_default();
            ranks.push(rank);
            *longest = spent.max(*longest);
        }
    }
    let sentence = |((call, lives), (ranks, longest)): ((String, bool), (Vec<u32>, u64))| {
        let (verb, so_far) = if lives {
            ("is", " so far")
        } else {
            ("ended", "")
        };
        let (ranks, spent) = (show::ranges(&ranks), show::duration(longest as f64));
        format!("rank {ranks} {verb} in {call}; the {spent} there{so_far} count below")
    };
    calls.into_iter().map(sentence).collect()
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
            "not complete: of rank {} there are no statistics here: it runs on another host, or left none",
            crate::report::show::ranges(&missing)
        ));
    }
    let threads: u64 = processes.iter().map(|p| u64::from(p.threads_refused)).sum();
    if threads > 0 {
        notes.push(format!(
            "not complete: of {} nothing is counted, as there was no room",
            crate::report::show::counted(threads, "thread")
        ));
    }
    let tables = || processes.iter().flat_map(|process| &process.threads);
    let shared: u64 = tables().map(|table| u64::from(table.threads)).sum();
    if shared > tables().count() as u64 {
        notes.push(format!(
            "threads that ran one after the other are counted as one: {} as {}",
            crate::report::show::count(shared),
            crate::report::show::count(tables().count() as u64)
        ));
    }
    let refused: u64 = statistics.ranks.iter().map(|rank| rank.refused).sum();
    if refused > 0 {
        notes.push(format!(
            "{} had no room and were counted with others: `monitor --entries` makes room",
            crate::report::show::counted(refused, "statement or peer")
        ));
    }
    let lost: u64 = processes.iter().map(|process| process.notes_lost).sum();
    if lost > 0 {
        let lost = crate::report::show::counted(lost, "name");
        notes.push(format!(
            "{lost} of functions, modules or groups are not known"
        ));
    }
    notes
}
