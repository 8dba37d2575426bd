//! The archive of a run that died: made from its buffers.
//!
//! Whatever was committed before the end is there. The buffers move into the
//! run directory first and stay there, so that nothing is lost if recovery
//! itself is interrupted, and it can be repeated.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::directory;
use crate::drain::{self, Written};
use crate::plan::{plan, Plan};
use crate::polled;
use crate::process::Process;
use crate::run_info::{Archive, LivedOn, RunInfo, State};
use crate::stored::{self, Stored};
use crate::Error;
use crate::{archive, shared_memory};

/// What recovery found.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// The anchor of the archive.
    pub anchor: PathBuf,
    /// Ranks of which something was found.
    pub ranks: u32,
    /// Ranks of which nothing was found.
    pub missing: Vec<u32>,
    /// Events in the archive.
    pub events: u64,
    /// Events that could not be kept or expressed.
    pub lost: u64,
    /// Whether each process that recorded began by itself, as in a program with sessions and without
    /// MPI_Init, and ended as it should: then its buffers are all that there was to be.
    pub ended: bool,
    /// What else is to be said, in sentences.
    pub notes: Vec<String>,
}

/// Makes the archive of a run from its buffers.
///
/// # Errors
/// When there is nothing to recover, the program still runs, or the archive
/// cannot be written. Buffers that cannot be read are left out and named in
/// [`Recovered::notes`].
pub fn recover(run: &Path) -> Result<Recovered, Error> {
    recover_guarded(run, |prepare| prepare())
}

/// The same; `hold` is handed what makes the archive's folder, to be done at once or not at all.
///
/// # Errors
/// As [`recover`].
pub fn recover_guarded(
    run: &Path,
    hold: impl FnOnce(&dyn Fn() -> Result<(), Error>) -> Result<(), Error>,
) -> Result<Recovered, Error> {
    let began = Instant::now();
    let mut notes = Vec::new();
    let mut info = read_info(run, &mut notes)?;
    move_buffers(&info.run_id, run, &mut notes)?;
    let paths = stored::list(&directory::buffers(run));
    let members = by_process(&paths, |path| Stored::open(path, run), &mut notes);
    if members.is_empty() {
        let what = match notes.is_empty() {
            true => "it has no buffers: there is nothing to recover".into(),
            false => format!("it has no readable buffers: {}", notes.join("; ")),
        };
        return Err(Error::damaged(run, what));
    }
    let mut members = processes(members, &mut notes);
    let has_ended = end_by_themselves(&mut members, &directory::ranks_recording(run));
    let processes: Vec<Process> = members.iter().map(|(p, _)| p.clone()).collect();
    let plan = plan(&processes).map_err(|what| Error::damaged(run, what))?;
    hold(&|| archive::prepare(run))?;
    let written = write_locations(run, &members, &plan)?;
    notes.extend(written.iter().filter_map(|w| w.damage.clone()));
    info.state = match has_ended {
        true => State::Finished,
        false => State::Recovered,
    };
    info.ended = ended(&members);
    info.recovered_from = paths.iter().map(|path| name(path)).collect();
    info.describe(&plan);
    info.lived_on = lived_on(&members, &plan, &written);
    let anchor = archive::write_global(run, &plan, &written, &info)?;
    account(&mut info, &written, notes, began);
    info.polls = polled::add_up(&plan, &written);
    info.files = plan.files.used(&written);
    info.write(run)?;
    // The program is gone: nobody records any more, and the file may be absent. Which ranks were to be
    // there the next one is to know, who recovers on another host.
    if has_ended
        || !members
            .iter()
            .all(|(process, _)| process.identity.by_itself)
    {
        directory::end_recording(run);
    }
    Ok(Recovered {
        anchor,
        ranks: members.len() as u32,
        missing: plan.missing,
        events: info.events,
        lost: info.events_lost,
        ended: has_ended,
        notes: info.notes,
    })
}

/// Returns whether a run's archive was made of its buffers, and there are others now: each host
/// has those of its own ranks.
pub fn has_more(run: &Path, run_id: &str) -> bool {
    let Ok(info) = RunInfo::read(run) else {
        return false;
    };
    let places = directory::places(run, run_id);
    let mut found = places.iter().flat_map(|place| stored::list(place));
    let is_new = |path: PathBuf| !info.recovered_from.contains(&name(&path));
    !info.recovered_from.is_empty() && found.any(is_new)
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A run that died early may have no `run.json`; buffers moved before are enough.
fn read_info(run: &Path, notes: &mut Vec<String>) -> Result<RunInfo, Error> {
    match RunInfo::read(run) {
        Ok(info) => Ok(info),
        Err(error) if run.is_dir() => {
            notes.push(error.to_string());
            Ok(RunInfo::default())
        }
        Err(error) => Err(error),
    }
}

fn move_buffers(run_id: &str, run: &Path, notes: &mut Vec<String>) -> Result<(), Error> {
    if run_id.is_empty() {
        return Ok(());
    }
    let source = shared_memory::folder(run_id);
    let found = stored::list(&source);
    let opened: Vec<_> = found
        .iter()
        .map(|path| (path, Stored::open(path, run)))
        .collect();
    for buffer in opened.iter().filter_map(|(_, opened)| opened.as_ref().ok()) {
        if is_mapped(buffer) {
            let what = format!("the program still runs (process {})", buffer.pid);
            return Err(Error::damaged(run, what));
        }
    }
    for (path, opened) in opened {
        match opened {
            Ok(_) => {
                shared_memory::keep(path, run)?;
                fs::remove_file(path).map_err(|e| Error::io(path, e))?;
            }
            Err(error) => notes.push(format!("{error}; left where it is: {}", path.display())),
        }
    }
    // Not while unreadable buffers remain in it.
    shared_memory::remove(&source);
    Ok(())
}

/// A buffer that its writer still maps belongs to a living program.
fn is_mapped(buffer: &Stored) -> bool {
    let maps = fs::read_to_string(format!("/proc/{}/maps", buffer.pid)).unwrap_or_default();
    maps.contains(&*buffer.path.to_string_lossy())
}

/// Buffers by process.
pub(crate) type Buffers = BTreeMap<String, Vec<Stored>>;

/// Processes, by world rank, with their buffers.
pub(crate) type Members = Vec<(Process, Vec<Stored>)>;

/// Opens buffers, by process: they are named host-pid-tid-number.
pub(crate) fn by_process(
    paths: &[PathBuf],
    open: impl Fn(&Path) -> Result<Stored, Error>,
    notes: &mut Vec<String>,
) -> Buffers {
    let mut processes = Buffers::new();
    for path in paths {
        match open(path) {
            Ok(buffer) => {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let process = stem.rsplitn(3, '-').last().unwrap_or(&stem);
                let threads = processes.entry(process.to_owned()).or_default();
                threads.extend(buffer.threads());
            }
            Err(error) => notes.push(error.to_string()),
        }
    }
    processes
}

/// Collects each process; those that do not say who they are, that are of
/// another world, or whose rank another has with more records, are left out.
pub(crate) fn processes(buffers: Buffers, notes: &mut Vec<String>) -> Members {
    let collected: Vec<(String, Process, Vec<Stored>)> = buffers
        .into_iter()
        .map(|(name, buffers)| {
            let (process, said) = Process::collect(&buffers);
            notes.extend(said);
            (name, process, buffers)
        })
        .collect();
    let world_size = usual_size(&collected);
    let records = |p: &Process| p.threads.iter().map(|t| t.records).sum::<u64>();
    let mut by_rank: BTreeMap<u32, (Process, Vec<Stored>)> = BTreeMap::new();
    for (name, process, buffers) in collected {
        let (rank, size) = (process.identity.rank, process.identity.world_size);
        let rival = by_rank.get(&rank).map(|(p, _)| records(p));
        if size == 0 {
            notes.push(format!("the buffers of {name} do not say whose they are"));
        } else if size != world_size || rank >= size {
            notes.push(format!(
                "the buffers of {name} say rank {rank} of {size}, but the world has {world_size} ranks"
            ));
        } else if rival.is_some_and(|rival| rival >= records(&process)) {
            notes.push(format!(
                "the buffers of {name} are of rank {rank}, as others with more events"
            ));
        } else if by_rank.insert(rank, (process, buffers)).is_some() {
            notes.push(format!(
                "several processes say they are rank {rank}; {name} has most events"
            ));
        }
    }
    by_rank.into_values().collect()
}

/// Settles what processes that began by themselves could not agree on, whose clock is whose; whether
/// all are there that began so, and ended as they should.
fn end_by_themselves(members: &mut Members, begun: &[u32]) -> bool {
    let mut speakers = BTreeMap::new();
    for (process, _) in members.iter_mut() {
        let identity = &mut process.identity;
        if identity.by_itself {
            let rank = identity.rank;
            identity.clock_representative = *speakers.entry(identity.clock()).or_insert(rank);
        }
    }
    let ended = ended(members);
    ended.len() == members.len() && begun.iter().all(|rank| ended.contains(rank))
}

/// Returns the ranks that began by themselves and ended as they should.
fn ended(members: &Members) -> Vec<u32> {
    let processes = members.iter().map(|(process, _)| process);
    let ended = processes.filter(|process| process.identity.by_itself && process.ended);
    ended.map(|process| process.identity.rank).collect()
}

/// Returns the size of the world that most processes state.
fn usual_size(collected: &[(String, Process, Vec<Stored>)]) -> u32 {
    let mut votes: BTreeMap<u32, usize> = BTreeMap::new();
    let sizes = collected.iter().map(|(_, p, _)| p.identity.world_size);
    for size in sizes.filter(|&size| size > 0) {
        *votes.entry(size).or_default() += 1;
    }
    votes
        .into_iter()
        .max_by_key(|vote| vote.1)
        .map_or(0, |vote| vote.0)
}

pub(crate) fn write_locations(
    run: &Path,
    members: &[(Process, Vec<Stored>)],
    plan: &Plan,
) -> Result<Vec<Written>, Error> {
    let mut written = Vec::new();
    for (process, buffers) in members {
        let Some(orders) = plan.orders.get(process.identity.rank as usize) else {
            continue;
        };
        written.extend(drain::write_locations(run, process, buffers, orders)?);
    }
    Ok(written)
}

/// Returns how long ranks lived on after their last events: the agent reads the
/// clock every second, whatever the program does.
fn lived_on(members: &[(Process, Vec<Stored>)], plan: &Plan, written: &[Written]) -> Vec<LivedOn> {
    let of = |(process, _): &(Process, Vec<Stored>)| {
        let rank = process.identity.rank;
        let orders = plan.orders.get(rank as usize)?;
        let seen = process.triples.iter().map(|triple| triple.ticks).max()?;
        let own = |written: &&Written| written.location as u32 == rank;
        let last = written
            .iter()
            .filter(own)
            .map(|written| written.last)
            .max()?;
        let nanoseconds = orders.clock.nanoseconds(seen).saturating_sub(last);
        (nanoseconds > 0).then_some(LivedOn { rank, nanoseconds })
    };
    members.iter().filter_map(of).collect()
}

fn account(info: &mut RunInfo, written: &[Written], notes: Vec<String>, began: Instant) {
    info.events = written.iter().map(|w| w.events).sum();
    info.events_lost += written.iter().map(|w| w.skipped).sum::<u64>();
    info.notes.extend(notes);
    info.archive = Some(Archive {
        bytes: written.iter().map(|w| w.bytes).sum(),
        events: info.events,
        seconds: began.elapsed().as_secs_f64(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_ended_if_all_that_began_by_themselves_did() {
        let member = |rank: u32, host: &str, ended: bool| {
            let mut process = Process::default();
            process.identity.rank = rank;
            process.identity.host = host.to_owned();
            process.identity.by_itself = true;
            process.ended = ended;
            (process, Vec::new())
        };
        let mut all = vec![
            member(1, "a", true),
            member(2, "b", true),
            member(3, "b", true),
        ];
        assert!(end_by_themselves(&mut all, &[1, 2, 3]));
        assert!(end_by_themselves(&mut all, &[]));
        let clocks = all.iter().map(|(it, _)| it.identity.clock_representative);
        assert_eq!(clocks.collect::<Vec<_>>(), [1, 2, 2]);
        assert!(
            !end_by_themselves(&mut all, &[0, 1, 2, 3]),
            "rank 0 is on another host"
        );
        all[1].0.ended = false;
        assert!(!end_by_themselves(&mut all, &[1, 2, 3]));
        assert_eq!(ended(&all), [1, 3]);
        all[1].0.ended = true;
        all[2].0.identity.by_itself = false;
        assert!(
            !end_by_themselves(&mut all, &[1, 2]),
            "one began in MPI_Init"
        );
    }
}
