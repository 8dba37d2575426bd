//! One time for the clocks of several hosts: that of rank 0's, in nanoseconds.
//!
//! Each host's clock is put on it by its offset, measured in MPI_Init by the
//! shortest round trip, and by its rate, which is known the better the longer
//! the program runs. Within a host nobody needs it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mpi_abi::{Code, OwnComm};
use mpiscope_run::process::Ping;
use mpiscope_run::ticks::Triple;

use crate::base::clock;
use crate::mpi::process::Process;

/// From the ticks of a clock to the common time, and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockLine {
    /// A reading of the clock.
    pub ticks: u64,
    /// The common time then.
    pub at: i64,
    /// Nanoseconds of a tick.
    pub rate: f64,
}

impl ClockLine {
    /// Returns the common time of a reading.
    pub fn to(&self, ticks: u64) -> i64 {
        self.at + (ticks.wrapping_sub(self.ticks) as i64 as f64 * self.rate).round() as i64
    }

    /// Returns the reading of a common time; 0 before the clock began.
    pub fn from(&self, at: i64) -> u64 {
        let ticks = ((at - self.at) as f64 / self.rate).round() as i64;
        self.ticks.saturating_add_signed(ticks)
    }
}

/// This process's clock in the common time.
pub struct CommonClock {
    first: Triple,
    /// CommonClock time less the host's own.
    offset: i64,
    line: Mutex<ClockLine>,
}

impl CommonClock {
    /// Finds the common time; `ping` is this clock's measurement, if this rank made one.
    pub fn agree(
        process: &Process,
        comm: OwnComm,
        first: Triple,
        ping: Option<Ping>,
    ) -> Result<Self, Code> {
        let own = line(first, clock::triple(), 0);
        let mut words = [own.ticks, own.at as u64, own.rate.to_bits()];
        let mut bytes = words.map(u64::to_le_bytes).concat();
        comm.bcast(0, &mut bytes)?;
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = bytes.try_into().map_or(0, u64::from_le_bytes);
        }
        let master = ClockLine {
            ticks: words[0],
            at: words[1] as i64,
            rate: f64::from_bits(words[2]),
        };
        let offset = ping.map_or(0, |ping| {
            let middle = ping.sent + ping.received.saturating_sub(ping.sent) / 2;
            master.to(ping.master) - own.to(middle)
        });
        let all = comm.allgather(&offset.to_le_bytes())?;
        let speaker = process.identity.clock_representative as usize;
        let offset = all.chunks_exact(8).nth(speaker);
        let offset = offset
            .and_then(|bytes| bytes.try_into().ok())
            .map_or(0, i64::from_le_bytes);
        Ok(Self {
            first,
            offset,
            line: Mutex::new(line(first, clock::triple(), offset)),
        })
    }

    /// Knows the rate better after a later reading.
    pub fn renew(&self, latest: Triple) {
        *self.lock() = line(self.first, latest, self.offset);
    }

    /// Returns what is known now.
    pub fn line(&self) -> ClockLine {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, ClockLine> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn line(first: Triple, latest: Triple, offset: i64) -> ClockLine {
    let ticks = latest.ticks.saturating_sub(first.ticks).max(1);
    let nanoseconds = latest.monotonic.saturating_sub(first.monotonic).max(1);
    ClockLine {
        ticks: latest.ticks,
        at: latest.monotonic as i64 + offset,
        rate: nanoseconds as f64 / ticks as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_clocks_that_run_apart_tell_one_time() {
        let at = |ticks, monotonic| Triple {
            ticks,
            monotonic,
            realtime: 0,
        };
        // One ticks at 2 GHz from 0 on, the other at 4 GHz and began 1 µs later.
        let one = line(at(1000, 500), at(201_000, 100_500), 0);
        let other = line(at(4000, 1000), at(400_000, 100_000), 1000);
        assert_eq!((one.to(4000), other.to(4000)), (2000, 2000));
        assert_eq!((one.from(2000), other.from(2000)), (4000, 4000));
        assert_eq!(other.from(-1_000_000_000), 0);
    }
}
