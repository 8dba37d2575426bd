//! The slots of ranks on other hosts, read by MPI's one-sided communication.
//!
//! Every rank exposes its own slot of the page in a window (MPI 4.1, §12.2.1),
//! open to all from MPI_Init on (§12.5.3), and publishes in it as it does for
//! its own host. Whoever waits reads the slots of the ranks of other hosts
//! again and again, by MPI_Rget and MPI_Test, into copies of its own.
//!
//! *Nobody is blocked by that.* An MPI without asynchronous progress answers
//! when the other rank is in MPI. Until then the copy stays as it is, and says
//! what was true: virtual time only grows, so what is sent later is sent later
//! than it says. A rank that computes for long is so known late, which holds up
//! a choice until that rank comes to MPI; and it does, in MPI_Finalize at the
//! latest, which no rank leaves before all are there. Patience does not end
//! that wait: who does not answer computes, as far as anybody can tell.
//!
//! *What is read is true.* A read is not atomic, so a copy changes only by two
//! reads one after the other that agree; both were begun in this wait. Of a
//! rank that runs the virtual time is that of the moment before the first, less
//! the greater intrusion of both. Whoever was found waiting counts as having
//! looked for messages only after two more such pairs.

use std::mem::size_of;
use std::sync::atomic::{AtomicU64, Ordering};

use mpi_abi::{id, Code, FunctionId, Mpi, OwnComm};

use super::super::common_clock::ClockLine;
use super::{Slot, ENDED, NOTHING, RUNS, WAITS};
use crate::base::clock::ticks;
use crate::base::raw_call::pmpi_c;

/// Turns that a pair of reads counts as, if the rank has made as many: two are a proof.
const PAIR: u64 = 5;

/// A clock in the time of all hosts, where others see it.
#[derive(Default)]
#[repr(C)]
pub struct ShownLine([AtomicU64; 3]);

impl ShownLine {
    /// Shows it.
    pub fn show(&self, line: ClockLine) {
        let words = [line.ticks, line.at as u64, line.rate.to_bits()];
        for (place, word) in self.0.iter().zip(words) {
            place.store(word, Ordering::Release);
        }
    }

    /// Returns it, once it was shown.
    fn get(&self) -> Option<ClockLine> {
        let [ticks, at, rate] = self.0.each_ref().map(|word| word.load(Ordering::Acquire));
        (rate != 0).then_some(ClockLine {
            ticks,
            at: at as i64,
            rate: f64::from_bits(rate),
        })
    }
}

/// What this process sees of ranks on other hosts.
pub struct Window {
    mpi: &'static Mpi,
    handle: usize,
    views: Vec<View>,
}

/// One of them.
struct View {
    rank: usize,
    request: usize,
    /// Where MPI writes the slot.
    memory: Box<Slot>,
    /// When that was asked for; 0 if before this wait.
    asked: u64,
    /// The read before it, and when that was asked for.
    before: Option<(u64, Seen)>,
    /// Turns that the rank had made in the latest pair.
    turns: u64,
    /// Pairs so far, each as so many turns.
    counted: u64,
}

/// What a read has found.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    state: u32,
    moves: u64,
    waits: u64,
    passes: u64,
    goes_on: u64,
    standing: u64,
    intrusion: u64,
    freed: u64,
    line: Option<ClockLine>,
}

impl Seen {
    fn of(slot: &Slot) -> Self {
        let (standing, intrusion) = slot.shown.words();
        Self {
            state: slot.state.load(Ordering::Acquire),
            moves: slot.moves.load(Ordering::Acquire),
            waits: slot.waits.load(Ordering::Acquire),
            passes: slot.passes.load(Ordering::Acquire),
            goes_on: slot.goes_on.load(Ordering::Acquire),
            standing,
            intrusion,
            freed: slot.freed.load(Ordering::Acquire),
            line: slot.line.get(),
        }
    }

    /// Whether both were read while nothing changed but what always does.
    fn agrees(&self, later: &Self) -> bool {
        (self.state, self.moves, self.waits) == (later.state, later.moves, later.waits)
            && self.line == later.line
            && (self.standing == later.standing || self.standing == 0 && later.standing == 0)
    }

    /// Returns a virtual time, by its own clock, before which it sends nothing any more.
    fn at_least(&self, later: &Self, clock: u64) -> u64 {
        match self.standing {
            0 => clock.saturating_sub(self.intrusion.max(later.intrusion)),
            standing => standing,
        }
    }
}

/// Makes a call.
fn pass<const N: usize>(function: FunctionId, args: [usize; N]) -> Result<(), Code> {
    match pmpi_c(function, args).unwrap_or(-1) {
        0 => Ok(()),
        code => Err(Code(code)),
    }
}

impl Window {
    /// Exposes this rank's slot, and prepares to read those of `far` ranks; all ranks call this.
    pub fn open(comm: OwnComm<'static>, own: &'static Slot, far: &[usize]) -> Result<Self, Code> {
        let mpi = comm.mpi();
        let mut handle = 0usize;
        let (at, base) = (&raw mut handle as usize, std::ptr::from_ref(own) as usize);
        let info = mpi.abi.info_null;
        pass(
            id::MPI_WIN_CREATE,
            [base, size_of::<Slot>(), 1, info, comm.handle(), at],
        )?;
        let handle = mpi.abi.normalise(handle);
        pass(id::MPI_WIN_SET_ERRHANDLER, [handle, mpi.abi.errors_return])?;
        pass(id::MPI_WIN_LOCK_ALL, [0, handle])?;
        let view = |&rank: &usize| View {
            rank,
            request: mpi.abi.request_null,
            memory: Box::default(),
            asked: 0,
            before: None,
            turns: 0,
            counted: 0,
        };
        Ok(Self {
            mpi,
            handle,
            views: far.iter().map(view).collect(),
        })
    }

    /// A wait begins: what was read before says nothing of now, but that virtual time has passed.
    pub fn begin(&mut self, copies: &[Slot]) {
        for view in &mut self.views {
            (view.asked, view.before) = (0, None);
            if let Some(copy) = copies.get(view.rank) {
                if copy.state.load(Ordering::Relaxed) != ENDED {
                    copy.state.store(RUNS, Ordering::Relaxed);
                }
            }
        }
    }

    /// Takes in what was read and reads on; returns whether somebody has left choices to MPI.
    /// `line` is our clock.
    pub fn refresh(&mut self, copies: &[Slot], line: Option<ClockLine>) -> bool {
        let mut freed = false;
        for view in &mut self.views {
            let Some(copy) = copies.get(view.rank) else {
                continue;
            };
            if copy.state.load(Ordering::Relaxed) == ENDED || !view.is_there(self.mpi) {
                continue;
            }
            let seen = Seen::of(&view.memory);
            freed |= seen.freed != 0;
            if let (true, Some(line)) = (view.asked != 0, line) {
                view.take(seen, copy, line);
            }
            view.ask(self.mpi, self.handle);
        }
        freed
    }

    /// Closes the window; all ranks come here.
    pub fn close(&mut self) {
        for view in &mut self.views {
            let request = &raw mut view.request as usize;
            // It is answered: all ranks are here, or on their way in MPI.
            let _ = pass(id::MPI_WAIT, [request, self.mpi.abi.status_ignore]);
        }
        let _ = pass(id::MPI_WIN_UNLOCK_ALL, [self.handle]);
        let _ = pass(id::MPI_WIN_FREE, [&raw mut self.handle as usize]);
    }
}

impl View {
    /// Whether MPI has written the slot, or was not asked for it.
    fn is_there(&mut self, mpi: &Mpi) -> bool {
        if self.request == mpi.abi.request_null {
            return true;
        }
        let mut flag = 0i32;
        let (request, flag_at) = (&raw mut self.request as usize, &raw mut flag as usize);
        let done = pass(id::MPI_TEST, [request, flag_at, mpi.abi.status_ignore]);
        self.request = mpi.abi.normalise(self.request);
        done.is_ok() && flag != 0
    }

    fn ask(&mut self, mpi: &Mpi, window: usize) {
        self.asked = ticks();
        let (to, bytes) = (
            std::ptr::from_mut(&mut *self.memory) as usize,
            size_of::<Slot>(),
        );
        let request = &raw mut self.request as usize;
        let byte = mpi.abi.byte;
        let args = [to, bytes, byte, self.rank, 0, bytes, byte, window, request];
        if pass(id::MPI_RGET, args).is_err() {
            self.request = mpi.abi.request_null;
            self.asked = 0;
        }
        self.request = mpi.abi.normalise(self.request);
    }

    /// Takes in a read; the copy follows if it agrees with the one before.
    fn take(&mut self, seen: Seen, copy: &Slot, own: ClockLine) {
        let Some((asked, first)) = self.before.replace((self.asked, seen)) else {
            return;
        };
        let Some(line) = seen.line.filter(|_| first.agrees(&seen)) else {
            return;
        };
        self.before = None; // pairs do not overlap
        let here = |virtual_time: u64| own.from(line.to(virtual_time));
        let clock = line.from(own.to(asked));
        copy.shown.stand_later(here(first.at_least(&seen, clock)));
        if seen.passes >= self.turns + 2 * PAIR {
            (self.turns, self.counted) = (seen.passes, self.counted + PAIR);
        }
        let goes_on = match (seen.goes_on, seen.state) {
            (NOTHING, _) => NOTHING,
            (at, WAITS) => here(at),
            _ => NOTHING,
        };
        copy.goes_on.store(goes_on, Ordering::Relaxed);
        copy.waits.store(seen.waits, Ordering::Relaxed);
        copy.passes.store(self.counted, Ordering::Relaxed);
        copy.moves.store(seen.moves, Ordering::Relaxed);
        copy.state.store(seen.state, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(standing: u64, intrusion: u64, passes: u64) -> Seen {
        Seen {
            state: WAITS,
            moves: 1,
            waits: 1,
            passes,
            goes_on: NOTHING,
            standing,
            intrusion,
            freed: 0,
            line: Some(ClockLine {
                ticks: 0,
                at: 100,
                rate: 1.0,
            }),
        }
    }

    /// Our clock is that of all hosts; the other's is 100 behind.
    const OWN: ClockLine = ClockLine {
        ticks: 0,
        at: 0,
        rate: 1.0,
    };

    fn view() -> View {
        View {
            rank: 0,
            request: 0,
            memory: Box::default(),
            asked: 0,
            before: None,
            turns: 0,
            counted: 0,
        }
    }

    /// Takes reads in, asked for at these times.
    fn take(view: &mut View, copy: &Slot, reads: &[(u64, Seen)]) {
        for &(asked, seen) in reads {
            view.asked = asked;
            view.take(seen, copy, OWN);
        }
    }

    #[test]
    fn of_a_rank_that_runs_nothing_later_than_before_both_reads_is_believed() {
        let (mut view, copy) = (view(), Slot::unknown());
        assert_eq!(copy.shown.at(1000), 1);
        take(&mut view, &copy, &[(500, seen(0, 40, 0))]);
        assert_eq!(copy.shown.at(1000), 1, "one read is none");
        take(&mut view, &copy, &[(600, seen(0, 60, 0))]);
        assert_eq!(copy.shown.at(1000), 440);
        // It stands at 300 by its clock; later it runs: both do not agree.
        take(
            &mut view,
            &copy,
            &[(700, seen(600, 60, 0)), (800, seen(0, 90, 0))],
        );
        assert_eq!(copy.shown.at(1000), 440);
    }

    #[test]
    fn a_rank_has_looked_for_messages_after_two_more_pairs_of_reads() {
        let (mut view, copy) = (view(), Slot::unknown());
        let turns = |copy: &Slot| copy.passes.load(Ordering::Relaxed);
        let pair = |passes| [(500, seen(300, 0, passes)), (510, seen(300, 0, passes + 1))];
        take(&mut view, &copy, &pair(100));
        let before = turns(&copy);
        take(&mut view, &copy, &pair(103));
        assert_eq!(turns(&copy), before, "too few turns");
        take(&mut view, &copy, &pair(120));
        assert!(turns(&copy) <= before + 8);
        take(&mut view, &copy, &pair(140));
        assert!(turns(&copy) > before + 8);
        assert_eq!(copy.shown.at(1000), 400);
    }
}
