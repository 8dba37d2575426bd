//! Traces of programs that never ran, on clocks whose errors are known.
//!
//! A real trace does not tell what time it was. Here everything is computed in
//! true time first and then written down as each clock would have shown it, so
//! that a correction can be compared with the truth.
//!
//! ```
//! use mpiscope_simulate::{simulate, Parameters};
//!
//! let simulated = simulate(&Parameters {
//!     ranks: 4,
//!     hosts: 2,
//!     iterations: 3,
//!     ..Parameters::default()
//! })?;
//! let rank = &simulated.trace.locations[1];
//! assert_eq!(rank.events.len(), 3 * 56 + 4);
//! assert_eq!(simulated.truth[1].len(), rank.events.len());
//! # Ok::<(), mpiscope_simulate::Error>(())
//! ```
//!
//! Two times deserve the name of truth. [`Simulated::truth`] is what happened:
//! in it, and in it alone, no message is faster than the network. What a
//! correction can find is when things happened *by the master's clock*, rank
//! 0's, for that is what all clocks are compared with:
//! [`Simulated::master_time`]. The two differ by the drift of one clock.
//!
//! The same parameters give the same trace on every machine, to the last bit;
//! a change that alters traces must say so in the changelog.
#![forbid(unsafe_code)]

mod check;
mod clock;
mod collective;
mod gathering;
mod machine;
mod network;
mod offsets;
pub mod parameters;
mod pause;
pub mod preset;
pub mod processes;
mod programs;
mod random;
mod world;

use mpiscope_model::{ClockDomain, Duration, Location, LocationIndex, Rank, Timestamp, Trace};

pub use check::Error;
pub use clock::Clock;
pub use parameters::Parameters;

use machine::{Machine, Process};
use world::World;

/// A trace and the truth about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// What the processes recorded.
    pub trace: Trace,
    /// True time of each event, one column per location.
    pub truth: Vec<Vec<Timestamp>>,
    /// The clocks, in the order of [`Trace::clocks`]; the first is the master's.
    pub clocks: Vec<Clock>,
    /// Host of each location.
    pub host_of: Vec<u32>,
    /// No message within a host was faster.
    pub same_host: Duration,
    /// No message between hosts was faster.
    pub between_hosts: Duration,
}

/// Runs a program that never was.
///
/// # Errors
/// When a parameter is beyond its limits.
pub fn simulate(parameters: &Parameters) -> Result<Simulated, Error> {
    parameters.check()?;
    let world = World::new(parameters);
    let clocks = clocks(parameters, &world);
    let mut machine = Machine::new(&world, &clocks, parameters);
    machine.reserve(programs::events_per_rank(parameters));
    programs::run(&mut machine, &world, parameters);
    let processes = machine.finish();
    let World {
        host_of,
        definitions,
        ..
    } = world;
    let mut simulated = Simulated {
        trace: Trace {
            definitions,
            ..Trace::default()
        },
        truth: Vec::new(),
        clocks,
        host_of,
        same_host: Duration(parameters.network.same_host.minimum_ns),
        between_hosts: Duration(parameters.network.between_hosts.minimum_ns),
    };
    simulated.add_locations(processes);
    simulated.add_clocks(parameters);
    Ok(simulated)
}

/// Makes the clock of each host, or of each rank.
fn clocks(parameters: &Parameters, world: &World) -> Vec<Clock> {
    let end = (parameters.end_s() * 1e9) as i64;
    let clock = |(number, host): (u32, u32)| {
        Clock::new(parameters.seed, number, host, &parameters.clocks, end)
    };
    match parameters.clocks.per_rank {
        true => (0..)
            .zip(world.host_of.iter().copied())
            .map(clock)
            .collect(),
        false => (0..parameters.hosts)
            .map(|host| clock((host, host)))
            .collect(),
    }
}

impl Simulated {
    /// Returns when each event happened by the master's clock, if that is read
    /// without delay: what a perfect correction would find. If that clock is
    /// set back, it stands still here until it shows a later time.
    pub fn master_time(&self) -> Vec<Vec<Timestamp>> {
        let master = &self.clocks[0];
        let column = |truth: &Vec<Timestamp>| {
            let mut latest = i64::MIN;
            let mut show = |time: &Timestamp| {
                latest = latest.max(master.show(time.0));
                Timestamp(latest)
            };
            truth.iter().map(&mut show).collect()
        };
        self.truth.iter().map(column).collect()
    }

    /// Returns the least time that a message takes between two locations.
    pub fn minimum_latency(&self, from: LocationIndex, to: LocationIndex) -> Duration {
        match self.host_of[from.index()] == self.host_of[to.index()] {
            true => self.same_host,
            false => self.between_hosts,
        }
    }

    fn add_locations(&mut self, processes: Vec<Process>) {
        for (rank, process) in (0..).zip(processes) {
            self.truth.push(process.truth);
            self.trace.locations.push(Location {
                id: rank.into(),
                name: format!("Rank {rank}"),
                rank: Rank(rank),
                events: process.events,
                ..Location::default()
            });
        }
    }

    fn add_clocks(&mut self, parameters: &Parameters) {
        let mut locations: Vec<Vec<LocationIndex>> = vec![Vec::new(); self.clocks.len()];
        for (rank, &host) in (0..).zip(&self.host_of) {
            let clock = if parameters.clocks.per_rank {
                rank
            } else {
                host
            };
            locations[clock as usize].push(LocationIndex(rank));
        }
        for (number, locations) in locations.into_iter().enumerate() {
            let host = self.host_of[locations[0].index()];
            let place = (number, host, host != self.host_of[0]);
            self.trace.clocks.push(ClockDomain {
                measurements: offsets::measure(parameters, &self.clocks, place),
                locations,
            });
        }
    }
}
