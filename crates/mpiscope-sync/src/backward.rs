//! Backward amortization: a ramp before each jump.
//!
//! The forward sweep moves a receive by a jump, and what came before it stays:
//! the interval before the receive grows by all of it at once. A ramp spreads
//! the jump over what precedes it (Rabenseifner 1997; Linford 2007,
//! figure 3.1). From right to left the ideal line falls with a given slope,
//! until it meets the forward curve; there the interval begins, or with the
//! location's first event, which stays where it is:
//!
//! ```text
//!   displacement                 ______ jump
//!                           ·   /|
//!         ideal line   ·       / |     each part has a slope of its own, the
//!                 ·          _/  |___  flatter the farther left: before,
//!            ·          __x--          between and after the limits
//!       ·    ____x-----    limits of sends x
//!   ____:---'  forward curve
//! ```
//!
//! A send's limit is what its receivers leave it. The ramp is the greatest
//! convex curve below all limits that leads from the interval's begin to the
//! jump: seen from the jump the largest individual slope first, then on from
//! that send, as the papers have it. Nothing can be advanced farther without
//! taking as much from its neighbours. Receives inside a ramp may only gain
//! from it; where one jumps higher than the ramp passes, the ramp begins there,
//! and another leads up to it. So no interval is stretched twice.
//!
//! Only forward values enter the limits, so locations are smoothed in any
//! order, and a part of the trace smooths its own.

mod smoother;
#[cfg(test)]
mod tests;

use mpiscope_model::Timestamp;
use rayon::prelude::*;

use crate::exchange::{Crew, Exchange};
use crate::limits::{Limits, Matched};
use crate::ramp::Slope;
use crate::receipts::Received;
use crate::records::{Record, Records};
pub(crate) use smoother::Ramps;
use smoother::Smoother;

/// How jumps are smoothed.
pub(crate) struct Backward<'a> {
    pub matched: Matched<'a>,
    pub slope: Slope,
    /// Who smooths.
    pub crew: Crew<'a>,
}

/// What a part begins with, by its locations.
struct Mine<'a> {
    records: Vec<Vec<Record>>,
    times: Vec<&'a [Timestamp]>,
    received: Received,
}

/// What it comes to.
struct Smoothed {
    records: Vec<Vec<Record>>,
    ramps: Vec<Ramps>,
}

impl Backward<'_> {
    /// Raises the events before all jumps; returns the ramps of each location.
    pub fn smooth(
        &self,
        times: &[Vec<Timestamp>],
        received: Vec<Received>,
        records: &mut Records,
    ) -> Vec<Ramps> {
        let division = self.matched.known.division;
        let of = |&location: &u32| times[location as usize].as_slice();
        let parts = self.crew.here().zip(received);
        let parts = parts.map(|(part, received)| Mine {
            records: records.take(division, part),
            times: division.locations(part).iter().map(of).collect(),
            received,
        });
        let parts = parts.collect();
        let smoothed = self
            .crew
            .run(parts, |exchange, mine| self.part(exchange, mine));
        let mut ramps: Vec<Ramps> = times.iter().map(|_| Ramps::default()).collect();
        for (part, smoothed) in self.crew.here().zip(smoothed) {
            records.put_back(division, part, smoothed.records);
            for (&location, smoothed) in division.locations(part).iter().zip(smoothed.ramps) {
                ramps[location as usize] = smoothed;
            }
        }
        ramps
    }

    /// Smooths a part's locations. One that is alone in its process shares them among
    /// threads.
    fn part<E: Exchange>(&self, exchange: &E, mine: Mine) -> Smoothed {
        let mut records = mine.records;
        let limits = Limits::new(exchange, &self.matched, mine.received, &records);
        let smoother = || Smoother::new(self.slope, self.matched.known.pace, &limits);
        let alone_here = exchange.parts() == 1 || exchange.shares_nothing();
        let ramps = match alone_here {
            true => (records.par_iter_mut().zip(mine.times))
                .map_init(smoother, |smoother, (records, times)| {
                    smoother.smooth(times, records)
                })
                .collect(),
            false => {
                let mut smoother = smoother();
                let locations = records.iter_mut().zip(mine.times);
                let ramps = locations.map(|(records, times)| smoother.smooth(times, records));
                ramps.collect()
            }
        };
        Smoothed { records, ramps }
    }
}
