//! The processes of a job, by MPI.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::thread::{available_parallelism, sleep, spawn};
use std::time::Duration;

use anyhow::Result;
use mpi_abi::{Code, Family, Library, LibraryVersion, Mpi, OwnComm};
use mpiscope_archive::model::Processes;
use mpiscope_run::launched::Started;

use super::{library, processors, unfit};
use crate::launch::program::family_name;
use crate::say;

/// The tag of what the first tells the others at its end.
const END: i32 = 1;

/// The tag of what the first tells the others before.
const TOLD: i32 = 2;

/// This process among the others.
pub struct Ranks {
    mpi: &'static Mpi,
    comm: OwnComm<'static>,
    threads: usize,
    /// The processors of each.
    processors: Vec<Vec<u8>>,
    /// How often they told each other something, and how many bytes this one told others.
    exchanges: AtomicU64,
    told: AtomicU64,
}

impl Ranks {
    /// Opens the MPI of the launcher and starts it.
    pub fn start(started: &Started) -> Result<Ranks> {
        let library = library::of(started).map_err(|error| unfit(started, error.to_string()))?;
        let mpi = Library::open(&library).and_then(|()| Mpi::load());
        let mpi = mpi.map_err(|error| unfit(started, format!("{error}; {}", library::REMEDY)))?;
        fits(started, mpi.abi.family, mpi)?;
        if let Some((name, value)) = transport(|name| std::env::var(name).ok()) {
            std::env::set_var(name, value);
        }
        let comm = saying_if_long(started, || mpi.start())
            .map_err(|error| unfit(started, error.to_string()))?;
        if comm.size() as u32 != started.processes {
            let _ = comm.finish();
            let why = format!(
                "{} ({}) sees {} of them. The launcher belongs to another MPI; {}",
                mpi.library().path().display(),
                LibraryVersion::parse(mpi.library_version()),
                comm.size(),
                library::REMEDY
            );
            return Err(unfit(started, why));
        }
        let mut ranks = Ranks {
            mpi,
            comm,
            threads: 1,
            processors: Vec::new(),
            exchanges: AtomicU64::new(0),
            told: AtomicU64::new(0),
        };
        ranks.processors = ranks.share(processors::own().into_bytes());
        ranks.threads = ranks.own_threads();
        Ok(ranks)
    }

    /// Returns the processors of each process, as [they](processors::own) name them.
    pub fn processors(&self) -> &[Vec<u8>] {
        &self.processors
    }

    /// Returns how many threads this process may use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Finds that: processors are shared by those that may run on the same ones.
    fn own_threads(&self) -> usize {
        let own = &self.processors[self.me()];
        let sharing = self.processors.iter().filter(|it| *it == own).count();
        let here = available_parallelism().map_or(1, NonZeroUsize::get);
        (here / sharing.max(1)).max(1)
    }

    /// Returns how often processes told each other something so far, and how many bytes this one
    /// told others.
    pub fn exchanged(&self) -> (u64, u64) {
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        (count(&self.exchanges), count(&self.told))
    }

    /// Tells all others with which exit code the first has ended.
    pub fn tell_end(&self, code: u8) {
        for other in 1..self.comm.size() {
            self.surely(self.comm.send(other, END, &[code]));
        }
    }

    /// Sleeps until the first tells with which exit code it has ended.
    pub fn hear_of_end(&self) -> u8 {
        let mut code = [0];
        self.sleep_until_told(0, END, Duration::from_millis(2));
        self.surely(self.comm.recv(0, END, &mut code));
        code[0]
    }

    /// Sleeps until another process tells something, for so long at a time.
    fn sleep_until_told(&self, by: i32, tag: i32, nap: Duration) {
        while !self.surely(self.comm.iprobe(by, tag)) {
            sleep(nap);
        }
    }

    /// Tells another process something of a length that it does not know.
    fn tell_one(&self, other: usize, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        self.surely(self.comm.send(other as i32, TOLD, &length));
        self.surely(self.comm.send(other as i32, TOLD, bytes));
        self.told.fetch_add(bytes.len() as u64, Ordering::Relaxed);
    }

    /// Hears what another process tells so; sleeps until it does.
    fn hear(&self, other: usize) -> Vec<u8> {
        self.sleep_until_told(other as i32, TOLD, Duration::from_micros(200));
        let mut length = [0; 8];
        self.surely(self.comm.recv(other as i32, TOLD, &mut length));
        let mut bytes = vec![0; u64::from_le_bytes(length) as usize];
        self.surely(self.comm.recv(other as i32, TOLD, &mut bytes));
        bytes
    }

    /// Leaves the job, as all processes do.
    pub fn leave(&self) {
        let _ = self.comm.finish();
    }

    /// Ends all processes.
    pub fn abort(&self, code: u8) -> ! {
        self.mpi.abort(code.into())
    }

    fn surely<T>(&self, result: Result<T, Code>) -> T {
        result.unwrap_or_else(|code| {
            self.end_all(
                crate::exit::CANNOT,
                &format!("the others cannot be reached: {code}"),
            )
        })
    }
}

impl Processes for Ranks {
    fn count(&self) -> usize {
        self.comm.size() as usize
    }

    fn me(&self) -> usize {
        self.comm.rank() as usize
    }

    fn all_to_all(&self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let lengths = outgoing.iter().map(|bytes| bytes.len() as u64);
        let to_me = outgoing
            .get(self.me())
            .map_or(0, |bytes| bytes.len() as u64);
        self.exchanges.fetch_add(1, Ordering::Relaxed);
        self.told
            .fetch_add(lengths.sum::<u64>() - to_me, Ordering::Relaxed);
        self.surely(self.comm.all_to_all(&outgoing))
    }

    fn tell(&self, of_first: Vec<u8>) -> Vec<u8> {
        self.exchanges.fetch_add(1, Ordering::Relaxed);
        let (by, to) = tree(self.me(), self.count());
        let told = by.map_or(of_first, |by| self.hear(by));
        to.for_each(|other| self.tell_one(other, &told));
        told
    }

    fn on_host(&self, work: &mut (dyn FnMut() + Send)) {
        let threads = rayon::current_num_threads();
        let more = processors::threads_of_host(&self.processors, threads);
        if more <= threads {
            return work();
        }
        let named = self.processors.clone();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(more);
        let pool = pool.start_handler(move |_| processors::use_all(&named));
        match pool.build() {
            Ok(pool) => pool.install(work),
            Err(_) => work(),
        }
    }
}

/// Returns by whom a process is told what the first tells all, and whom it tells then: in each turn
/// all who know tell one more.
fn tree(me: usize, count: usize) -> (Option<usize>, impl Iterator<Item = usize>) {
    let turn = me.checked_ilog2();
    let by = turn.map(|turn| me - (1 << turn));
    let turns = turn.map_or(0, |turn| turn + 1)..usize::BITS;
    let to = turns.map(move |turn| me.saturating_add(1 << turn));
    (by, to.take_while(move |other| *other < count))
}

/// Returns what to tell Open MPI about how to carry messages, if nobody has: within one host it is
/// shared memory in any case, and looking for networks takes most of the time that it starts in.
fn transport(text: impl Fn(&str) -> Option<String>) -> Option<(&'static str, &'static str)> {
    const CARRIER: &str = "OMPI_MCA_pml";
    let all = text("OMPI_COMM_WORLD_SIZE")?;
    let here = text("OMPI_COMM_WORLD_LOCAL_SIZE")?;
    (all == here && text(CARRIER).is_none()).then_some((CARRIER, "ob1"))
}

/// Starts MPI, which waits for all processes, and says so where that takes long.
fn saying_if_long<T>(started: &Started, start: impl FnOnce() -> T) -> T {
    /// Launchers of many hosts take their time.
    const LONG: Duration = Duration::from_secs(20);
    let Started {
        variable,
        processes,
        ..
    } = *started;
    let (done, waits) = channel::<()>();
    spawn(move || {
        if waits.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
            say::aside(format!(
                "waiting for the other processes of the {processes} that a launcher started \
                 ({variable}={processes}). Where this one alone is to do it all: `env -u {variable} \
                 mpiscope …`"
            ));
        }
    });
    let started = start();
    drop(done);
    started
}

/// Refuses the library of one MPI under the launcher of another before it is started: each process
/// would take itself for the only one, or wait for a launcher that does not answer.
fn fits(started: &Started, family: Family, mpi: &Mpi) -> Result<()> {
    if library::families(started.launcher).contains(&family) {
        return Ok(());
    }
    let why = format!(
        "{} is a library of {}, and the launcher is not; {}",
        mpi.library().path().display(),
        family_name(family),
        library::REMEDY
    );
    Err(unfit(started, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_first_tells_all_are_told_once() {
        for count in 1..70 {
            let mut told_by = vec![None; count];
            for me in 0..count {
                tree(me, count).1.for_each(|other| {
                    assert_eq!(told_by[other].replace(me), None, "{other} of {count}");
                });
            }
            for (me, by) in told_by.into_iter().enumerate() {
                assert_eq!(tree(me, count).0, by, "{me} of {count}");
                assert_eq!(by.is_none(), me == 0, "{me} of {count}");
                assert!(by.is_none_or(|by| by < me), "{me} of {count}");
            }
        }
    }

    #[test]
    fn networks_are_looked_for_unless_all_are_on_one_host() {
        let check = |pairs: &[(&str, &str)]| {
            let text = |name: &str| Some(pairs.iter().find(|it| it.0 == name)?.1.to_owned());
            transport(text).is_some()
        };
        let all = ("OMPI_COMM_WORLD_SIZE", "4");
        let on_host = |count| ("OMPI_COMM_WORLD_LOCAL_SIZE", count);
        assert!(check(&[all, on_host("4")]));
        assert!(!check(&[all, on_host("2")]));
        assert!(!check(&[all, on_host("4"), ("OMPI_MCA_pml", "ucx")]));
        assert!(!check(&[("SLURM_STEP_NUM_TASKS", "4")]));
    }
}
