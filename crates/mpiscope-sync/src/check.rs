//! Looks whether times obey the clock condition, by means of its own.
//!
//! Nothing here is shared with the correction, nor with the matching it uses,
//! but for the minimum latencies that both are given:
//! messages are paired by number on their channel, collective operations are
//! looked at pair by pair, or where many pairs are wrong as a [crowd](crate::crowd), and
//! each other wait is found by walking through the events as they stand. A
//! mistake would have to be made twice to stay hidden.
//!
//! A part of the trace ([`part`]) looks at the events of its own processes alone;
//! what others need of them it tells them, with the times. What is found is
//! summed up in integers, so it is the same for any number of parts.

mod calls;
mod collectives;
mod counting;
mod found;
mod known;
mod members;
mod messages;
mod neighbors;
mod operations;
mod part;
mod party;
mod regions;
mod report;
mod seen;
mod signals;
mod synchronous;
#[cfg(test)]
mod tests;
mod threads;
mod traffic;
mod view;
mod waits;
mod window_locks;
mod windows;

use mpiscope_model::{Assumptions, Processes, Timestamp, Trace};

pub use report::{Tally, Violations};

use crate::exchange::Exchange;
use crate::table::LatencyTable;
use known::Known;
use view::View;

/// Checks `times`, one column per location, against the clock condition.
///
/// Missing times count as unchecked: a shorter column is looked at as far as
/// it goes.
pub fn check(trace: &Trace, times: &[Vec<Timestamp>], latencies: &LatencyTable) -> Violations {
    check_assuming(&Assumptions::default(), trace, times, latencies)
}

/// Checks times where not the usual calls are taken to be barriers.
pub fn check_assuming(
    assumptions: &Assumptions,
    trace: &Trace,
    times: &[Vec<Timestamp>],
    latencies: &LatencyTable,
) -> Violations {
    check_together(assumptions, trace, times, latencies, None)
}

/// Does so as one of several processes, each of which has the times of the
/// locations that [`Correction::part_of`](crate::Correction) gives it; all get
/// to know what is found.
pub fn check_together(
    assumptions: &Assumptions,
    trace: &Trace,
    times: &[Vec<Timestamp>],
    latencies: &LatencyTable,
    processes: Option<&dyn Processes>,
) -> Violations {
    let crew = known::crew(trace, processes);
    let known = Known::new(assumptions, trace, latencies, crew.parts());
    let found = crew.run(vec![(); crew.here().len()], |exchange, ()| {
        part::part(exchange, &View::new(&known, exchange.me(), trace, times))
    });
    let all = found.into_iter().next().flatten();
    all.unwrap_or_default().violations()
}
