//! The flight recorder (`trace --keep`): the helper thread gives up the oldest records while the
//! program runs, so that what is held of a process is bounded however long it lives.
//!
//! Writers know nothing of it. What is given up, and what is told in its place, [`Keeper`] decides;
//! that is written into the run, and only then the disk has its space back. A process that is killed
//! in between has told of records that are still there.
//!
//! Where threads record faster than the helper reads, one that spills waits when twice as much is
//! there as is to be kept, so that disk stays bounded, too; in the trace that is time of the spill.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use mpi_abi::FUNCTIONS;
use mpiscope_rules::keep::Keeper;
use mpiscope_run::buffer::{before_spills, Shared, RECORD};
use mpiscope_run::definitions::KEPT;
use mpiscope_run::kept::{Keep, Kept, Live};
use mpiscope_run::process::{Definition, Region};
use mpiscope_run::ticks::Triple;

use super::buffers;
use crate::base::{clock, definitions, helper, notice};
use crate::facts::constructs;
use crate::facts::session;
use crate::facts::switched;

/// Part of what is kept at least by which more is, until that is given up: each time costs reading
/// what is given up, and writing what is told of it.
const SLACK: u64 = 4;

/// Bytes beyond what is kept that nobody waits for.
const LITTLE: u64 = 4 << 20;

/// Returns how many records may be there before who spills waits; seconds may have any number.
fn most(keep: Keep) -> u64 {
    match keep {
        Keep::Bytes(bytes) => {
            let more = bytes.max(LITTLE);
            bytes.saturating_add(more) / RECORD as u64
        }
        Keep::Seconds(_) => u64::MAX,
    }
}

/// Returns how large a thread's window is then, if nobody says: what is in windows is held
/// besides.
pub fn window(keep: Keep) -> Option<usize> {
    match keep {
        Keep::Bytes(bytes) => Some((bytes / 8).clamp(1 << 20, 64 << 20) as usize),
        Keep::Seconds(_) => None,
    }
}

static KEEPING: Mutex<Option<Keeping>> = Mutex::new(None);
/// How many records were given up.
static GIVEN_UP: AtomicU64 = AtomicU64::new(0);
/// Where there are more than these besides, who spills waits.
static MOST: AtomicU64 = AtomicU64::new(u64::MAX);

/// No thread waits longer than this.
const PATIENCE: Duration = Duration::from_secs(1);

/// A thread is about to spill: waits as long as too much is there that can be given up.
fn wait() {
    helper::wake();
    let (began, given_up) = (Instant::now(), GIVEN_UP.load(Ordering::Relaxed));
    while is_behind() {
        if began.elapsed() >= PATIENCE {
            if GIVEN_UP.load(Ordering::Relaxed) == given_up {
                // Nobody waits for a helper that is not there, until it gives up something.
                MOST.store(u64::MAX, Ordering::Release);
            }
            return;
        }
        sleep(Duration::from_millis(1));
    }
}

fn is_behind() -> bool {
    let most = MOST.load(Ordering::Acquire);
    let committed = |it: &Shared| it.header().committed.0.load(Ordering::Relaxed);
    let records = || buffers::shared().iter().map(committed).sum::<u64>();
    most < u64::MAX && records().saturating_sub(GIVEN_UP.load(Ordering::Relaxed)) > most
}

/// What is kept of this process.
struct Keeping {
    keep: Keep,
    keeper: Keeper,
    began: Triple,
    /// How many records there were, and when, as none could be given up the last time.
    in_vain: Option<(u64, u64)>,
}

/// The number of the region in which receives are told once more; the one before is ours, too.
const REGION: u32 = FUNCTIONS.len() as u32 + 1;

/// Begins to keep no more than this, as recording begins.
pub fn begin(keep: Keep) {
    definitions::tell(&Definition::Region(Region {
        id: REGION,
        name: KEPT.into(),
        role: 1,
        user: false,
    }));
    let (session, first) = (session::get(), buffers::paths());
    if let (Some(session), Some(first)) = (session, first.first()) {
        // Whoever looks at the run meanwhile knows that records may be given up.
        let _ = Kept::default().write(&session.run, first);
    }
    *lock() = Some(Keeping {
        keep,
        keeper: Keeper::new(constructs::END, REGION),
        began: clock::triple(),
        in_vain: None,
    });
    MOST.store(most(keep), Ordering::Release);
    before_spills(wait);
}

/// What the helper thread does: gives up what is older than what is kept, if that is worth it.
pub fn look_around() {
    give_up(SLACK);
}

/// Recording has ended: nothing more is kept than is to be.
pub fn finish() {
    if let Some(keeping) = lock().as_mut() {
        keeping.in_vain = None;
    }
    give_up(u64::MAX);
}

/// Gives up what is too much by more than this part of what is kept.
fn give_up(slack: u64) {
    let mut keeping = lock();
    let Some(own) = keeping.as_mut() else {
        return;
    };
    if let Err(error) = own.give_up(slack) {
        MOST.store(u64::MAX, Ordering::Release);
        notice::tell(&format!(
            "--keep: older records are not given up any more, the run grows: {error}"
        ));
        *keeping = None;
    }
}

fn lock() -> std::sync::MutexGuard<'static, Option<Keeping>> {
    KEEPING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Keeping {
    fn give_up(&mut self, slack: u64) -> std::io::Result<()> {
        let Some(run) = session::get().map(|session| session.run.as_path()) else {
            return Ok(());
        };
        let mut buffers: Vec<Live> = buffers::all_shared()
            .into_iter()
            .map(|(path, shared)| Live::new(shared, path, run))
            .collect();
        let now = clock::triple();
        let until = match self.keep {
            Keep::Bytes(bytes) => self.beyond(&mut buffers, bytes / RECORD as u64, slack)?,
            Keep::Seconds(seconds) => self.before(&mut buffers, now, seconds, slack)?,
        };
        let Some(until) = until else { return Ok(()) };
        if self.keeper.give_up(&mut buffers, until)? {
            self.in_vain = None;
            return self.tell(&mut buffers, run, now);
        }
        // All of it may be of one team of threads: it is not read each time, nor waited for.
        MOST.store(u64::MAX, Ordering::Release);
        self.in_vain = Some((self.keeper.kept(&buffers), now.ticks));
        Ok(())
    }

    /// Returns up to when there are too many records, if there are.
    fn beyond(&self, buffers: &mut [Live], most: u64, slack: u64) -> std::io::Result<Option<u64>> {
        let kept = self.keeper.kept(buffers);
        let in_vain = self.in_vain.map_or(0, |(kept, _)| kept);
        let most_now = most.max(in_vain);
        if kept <= most_now.saturating_add(most_now / slack) {
            return Ok(None);
        }
        self.keeper.time_of_oldest(buffers, kept - most).map(Some)
    }

    /// Returns the time so many seconds before the latest record, if there are some that are much
    /// older. What came before a hang stays, however long that lasts.
    fn before(
        &self,
        buffers: &mut [Live],
        now: Triple,
        seconds: f64,
        slack: u64,
    ) -> std::io::Result<Option<u64>> {
        let ticks = |seconds: f64| (seconds * self.ticks_per_second(now)) as u64;
        let latest = self.keeper.latest(buffers)?.unwrap_or(0);
        // MPI_Finalize is recorded long after recording was switched off, and makes nothing older.
        let latest = switched::off_at().map_or(latest, |off| latest.min(off));
        let until = latest.saturating_sub(ticks(seconds));
        let too_old = until.saturating_sub(ticks(seconds) / slack);
        // As of bytes: what could not be given up is not read again before much more has come.
        let too_soon = |(kept, since): (u64, u64)| {
            now.ticks < since + ticks(seconds) / slack
                || self.keeper.kept(buffers) < kept.saturating_add(kept / slack)
        };
        if self.in_vain.is_some_and(too_soon) {
            return Ok(None);
        }
        let oldest = self.keeper.oldest(buffers)?;
        Ok(oldest.filter(|&oldest| oldest < too_old).map(|_| until))
    }

    fn ticks_per_second(&self, now: Triple) -> f64 {
        let ticks = now.ticks.saturating_sub(self.began.ticks).max(1) as f64;
        let nanoseconds = now.monotonic.saturating_sub(self.began.monotonic).max(1);
        ticks / nanoseconds as f64 * 1e9
    }

    /// Writes what is kept into the run; then the disk has the space of the rest back.
    fn tell(&mut self, buffers: &mut [Live], run: &Path, now: Triple) -> std::io::Result<()> {
        let name = |buffer: &Live| {
            let name = buffer.path().file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        let (mut kept, until) = self.keeper.tell(buffers, name)?;
        let ago = now.ticks.saturating_sub(until) as f64 / self.ticks_per_second(now);
        kept.seconds = (switched::elapsed().as_secs_f64() - ago).max(0.0);
        let Some(first) = buffers.first() else {
            return Ok(());
        };
        if let Err(error) = kept.write(run, first.path()) {
            // Nothing is freed before that succeeds, which is tried again.
            MOST.store(u64::MAX, Ordering::Release);
            notice::tell(&format!(
                "--keep: which records are given up cannot be written: {error}"
            ));
            return Ok(());
        }
        for buffer in buffers.iter() {
            let part = kept.part(buffer.path());
            if let Err(error) = buffer.free(part.map_or(0, |part| part.first)) {
                notice::tell(&format!(
                    "--keep: the disk does not have the space of older records back, the run grows: {error}"
                ));
            }
        }
        GIVEN_UP.store(kept.given_up(), Ordering::Relaxed);
        MOST.store(most(self.keep), Ordering::Release);
        Ok(())
    }
}
