//! A run whose processes may live, as it is now: its buffers become an archive
//! elsewhere, and nothing of the run is touched.
//!
//! ```text
//! buffers -> copies of what is committed -> plan -> archive in another folder
//!         -> who wrote them, and whether they still do
//! ```
//!
//! Ranks are looked at one after the other, so one may be seen later than
//! another. Those that wait for each other for ever are found all the same, and
//! only they: of ranks that were each seen waiting, the first to go on would do
//! so because of something that another one of them had done before it was seen,
//! and that is in the other's records.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::plan::{plan, Plan};
use crate::process::Process;
use crate::recover::{by_process, processes, write_locations, Buffers, Members};
use crate::run_info::{RunInfo, State};
use crate::stored::{self, Stored};
use crate::{archive, directory, shared_memory, Error};

/// A run as it was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Sight {
    /// Size of `MPI_COMM_WORLD`.
    pub world_size: u32,
    /// What was seen of each process, by world rank.
    pub ranks: Vec<Seen>,
    /// World ranks whose buffers are not to be seen from here.
    pub missing: Vec<u32>,
    /// Records that could not be kept, or not be read.
    pub lost: u64,
    /// Threads that are not recorded.
    pub threads_lost: u64,
    /// What else is to be said, in sentences.
    pub notes: Vec<String>,
}

/// A process as it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// World rank.
    pub rank: u32,
    /// Number of the process on its host.
    pub pid: u32,
    /// Its host.
    pub host: String,
    /// Whether it lives; nothing if that cannot be told from here.
    pub lives: Option<bool>,
    /// Nanoseconds from its last event until it was last seen alive: until now, if it
    /// lives on this host.
    pub after_last: i64,
}

/// Looks at a run, and makes an archive of what was seen in the folder `into`.
///
/// # Errors
/// When there are no buffers of calls to be seen, or the archive cannot be written.
pub fn look(run: &Path, run_id: &str, into: &Path) -> Result<Sight, Error> {
    let paths = paths(run, run_id);
    let (members, mut notes) = frozen(&paths, run, into)?;
    let members = processes(members, &mut notes);
    if members.is_empty() {
        let what = match notes.is_empty() {
            true => "no buffers of calls are to be seen from this host".to_owned(),
            false => format!("its buffers cannot be read: {}", notes.join("; ")),
        };
        return Err(Error::damaged(run, what));
    }
    let all: Vec<Process> = members.iter().map(|(process, _)| process.clone()).collect();
    let plan = plan(&all).map_err(|what| Error::damaged(run, what))?;
    archive::prepare(into)?;
    let written = write_locations(into, &members, &plan)?;
    notes.extend(written.iter().filter_map(|one| one.damage.clone()));
    let mut info = RunInfo {
        state: State::Recovered,
        run_id: run_id.to_owned(),
        ..RunInfo::default()
    };
    info.describe(&plan);
    archive::write_global(into, &plan, &written, &info)?;
    info.write(into)?;
    let last = |rank: u32| {
        let own = written.iter().filter(|one| one.location as u32 == rank);
        own.map(|one| one.last).max().unwrap_or(0)
    };
    Ok(Sight {
        world_size: plan.world_size,
        ranks: seen(&members, &plan, &paths, last),
        missing: plan.missing.clone(),
        lost: plan.lost + written.iter().map(|one| one.skipped).sum::<u64>(),
        threads_lost: plan.threads_lost,
        notes,
    })
}

/// How often buffers are copied anew whose processes gave up records meanwhile.
const TRIES: u32 = 10;

/// Copies buffers as they are now, those of a process as they are together: that all of them have
/// given up the same.
fn frozen(paths: &[PathBuf], run: &Path, into: &Path) -> Result<(Buffers, Vec<String>), Error> {
    let mut number = 0;
    loop {
        number += 1;
        let copies = into.join("copies").join(number.to_string());
        fs::create_dir_all(&copies).map_err(|e| Error::io(&copies, e))?;
        let mut notes = Vec::new();
        let freeze = |path: &Path| Stored::frozen(path, run, &copies);
        let members = by_process(paths, freeze, &mut notes);
        let is_one = |of: &Vec<Stored>| of.windows(2).all(|two| two[0].kept == two[1].kept);
        if members.values().all(is_one) || number == TRIES {
            return Ok((members, notes));
        }
        let _ = fs::remove_dir_all(&copies);
    }
}

/// Returns the buffers of a run that are to be seen from this host; of one that is just being
/// moved into the run, the one that is still in memory.
fn paths(run: &Path, run_id: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in directory::places(run, run_id)
        .iter()
        .flat_map(|place| stored::list(place))
    {
        if paths
            .iter()
            .all(|known| known.file_name() != path.file_name())
        {
            paths.push(path);
        }
    }
    paths
}

fn seen(members: &Members, plan: &Plan, paths: &[PathBuf], last: impl Fn(u32) -> u64) -> Vec<Seen> {
    let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let one = |(process, buffers): &(Process, Vec<Stored>)| {
        let identity = &process.identity;
        let names = |path: &&PathBuf| {
            let mut own = buffers.iter();
            own.any(|buffer| buffer.path.file_name() == path.file_name())
        };
        let own: Vec<&PathBuf> = paths.iter().filter(names).collect();
        let is_here = identity.boot_id.starts_with(boot_id.trim())
            || own
                .iter()
                .any(|it| it.starts_with(shared_memory::SHARED_MEMORY));
        let lives = is_here.then(|| lives(identity.pid, &own)).flatten();
        Seen {
            rank: identity.rank,
            pid: identity.pid,
            host: identity.host.clone(),
            lives,
            after_last: after_last(process, plan, last(identity.rank), lives == Some(true)),
        }
    };
    members.iter().map(one).collect()
}

/// Returns whether a process of this host lives: it maps the buffers that it writes to.
fn lives(pid: u32, buffers: &[&PathBuf]) -> Option<bool> {
    match fs::read_to_string(format!("/proc/{pid}/maps")) {
        Ok(maps) => {
            let mut own = buffers.iter();
            Some(own.any(|path| maps.contains(&*path.to_string_lossy())))
        }
        // Of processes in a container of their own nothing is seen here.
        Err(error) if error.kind() == ErrorKind::NotFound => Some(false),
        Err(_) => None,
    }
}

/// Returns how long after its last event a process was seen alive: the agent reads the clock
/// every second, and if it lives on this host that is now.
fn after_last(process: &Process, plan: &Plan, last: u64, lives_here: bool) -> i64 {
    let triple = process.triples.iter().max_by_key(|triple| triple.ticks);
    let orders = plan.orders.get(process.identity.rank as usize);
    let (Some(triple), Some(orders)) = (triple, orders) else {
        return 0;
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_nanos() as u64);
    let since = match lives_here {
        true => now.saturating_sub(triple.realtime),
        false => 0,
    };
    let seen = orders.clock.nanoseconds(triple.ticks).saturating_add(since);
    (seen as i64).saturating_sub(last as i64).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::Writer;
    use crate::process::{line, Definition, Identity, Region};
    use crate::record::{Fact, Record};
    use crate::ticks::Triple;

    fn writer(run: &Path, rank: u32, pid: u32) -> Writer {
        let name = format!("host-{pid}-{pid}-0.buffer");
        let folder = directory::buffers(run);
        fs::create_dir_all(&folder).unwrap();
        let mut writer = Writer::create(&folder, &name, run, 1 << 20, None).unwrap();
        let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
        let triple = |ticks| Triple {
            ticks,
            monotonic: ticks,
            realtime: ticks,
        };
        for definition in [
            Definition::Identity(Identity {
                rank,
                world_size: 3,
                pid,
                host: "here".into(),
                boot_id: boot_id.trim().into(),
                ..Identity::default()
            }),
            Definition::Region(Region {
                id: 1,
                name: "MPI_Recv".into(),
                role: 0,
                user: false,
            }),
            Definition::Triple(triple(0)),
            Definition::Triple(triple(5_000)),
        ] {
            writer.shared().define(&line(&definition));
        }
        writer.push(Record::new(1_000, Fact::Enter { region: 1, site: 0 }));
        writer
    }

    #[test]
    fn who_lives_is_told_from_who_does_not_and_the_run_stays_as_it_is() {
        let (run, into) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let _living = writer(run.path(), 0, std::process::id());
        drop(writer(run.path(), 1, u32::MAX >> 1));
        let before = stored::list(&directory::buffers(run.path()));
        let sight = look(run.path(), "", into.path()).unwrap();
        let lives: Vec<_> = sight.ranks.iter().map(|it| (it.rank, it.lives)).collect();
        assert_eq!(lives, [(0, Some(true)), (1, Some(false))]);
        assert_eq!(sight.missing, [2]);
        assert_eq!(sight.ranks[1].after_last, 4_000);
        assert!(sight.ranks[0].after_last > 4_000);
        assert_eq!(stored::list(&directory::buffers(run.path())), before);
        assert!(directory::anchor(into.path()).is_file());
        assert!(!directory::anchor(run.path()).exists());
    }

    #[test]
    fn a_run_without_buffers_has_nothing_to_see() {
        let (run, into) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let error = look(run.path(), "", into.path()).unwrap_err().to_string();
        assert!(error.contains("no buffers of calls"), "{error}");
    }
}
