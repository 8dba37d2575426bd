//! The least time a message takes, by how near sender and receiver are.
//!
//! Messages fall into [classes](Class) by what the two ends share: process,
//! clock, host, rack. Each class has a minimum latency, found in the trace
//! ([`estimate`](crate::estimate)) or given by the caller; single pairs of
//! hosts may be given another. Every figure knows its source.

use std::fmt;

use mpiscope_model::plain::Plain;
use mpiscope_model::{plain, Duration};

/// How near sender and receiver of a message are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Threads of one process that read one clock.
    SameProcess,
    /// Processes that read one clock.
    SameClock,
    /// Different clocks of one host.
    SameHost,
    /// Hosts of one rack, or whatever lies between host and machine.
    SameRack,
    /// Hosts that have only the machine in common, or of which nothing is known.
    Far,
}

impl Class {
    /// All classes, nearest first.
    pub const ALL: [Class; 5] = [
        Class::SameProcess,
        Class::SameClock,
        Class::SameHost,
        Class::SameRack,
        Class::Far,
    ];
    /// The classes of messages between different clocks.
    pub const BETWEEN_CLOCKS: [Class; 3] = [Class::SameHost, Class::SameRack, Class::Far];

    /// Returns its name in options and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Class::SameProcess => "same-process",
            Class::SameClock => "same-clock",
            Class::SameHost => "same-host",
            Class::SameRack => "same-rack",
            Class::Far => "far",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::SameProcess => "threads of a process",
            Class::SameClock => "processes of one clock",
            Class::SameHost => "clocks of one host",
            Class::SameRack => "hosts of one rack",
            Class::Far => "different hosts",
        })
    }
}

/// Minimum latencies and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latencies {
    classes: [Latency; Class::ALL.len()],
    /// Pairs of hosts that have one of their own.
    pub pairs: Vec<PairLatency>,
}

/// The minimum latency of messages between processes of two hosts, in both
/// directions, or of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairLatency {
    /// Names of the hosts, which may be the same.
    pub hosts: [String; 2],
    /// Their latency.
    pub latency: Latency,
}

/// One minimum latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// The latency that is used.
    pub value: Duration,
    /// Where it comes from.
    pub source: LatencySource,
    /// The clocks whose messages or measurement told it.
    pub clocks: Option<(u32, u32)>,
}

/// Where a minimum latency comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencySource {
    /// The caller said so.
    Configured,
    /// Threads share memory; one tick.
    Memory,
    /// The shortest message, less the safety margin.
    ShortestMessage,
    /// Half of the shortest pair of opposite messages, less the margin.
    ShortestExchange,
    /// Half of the shortest round trip of an offset measurement, less the margin.
    OffsetMeasurement,
    /// Lowered from what was found, which contradicts the trace.
    Lowered,
    /// Nothing in the trace tells; one tick.
    Unknown,
}

impl LatencySource {
    pub(crate) const ALL: [LatencySource; 7] = [
        LatencySource::Configured,
        LatencySource::Memory,
        LatencySource::ShortestMessage,
        LatencySource::ShortestExchange,
        LatencySource::OffsetMeasurement,
        LatencySource::Lowered,
        LatencySource::Unknown,
    ];
}

/// Its place in the list of all.
impl Plain for LatencySource {
    fn put(self, bytes: &mut Vec<u8>) {
        (self as u8).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<LatencySource> {
        let number = u8::take(bytes)?;
        LatencySource::ALL.get(usize::from(number)).copied()
    }
}

plain! { Latency { value, source, clocks } }

/// Which messages a minimum latency is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Between {
    /// Those of a class.
    Class(Class),
    /// Those between two hosts.
    Hosts([String; 2]),
}

impl fmt::Display for Between {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Between::Class(class) => write!(f, "{class}"),
            Between::Hosts([a, b]) => write!(f, "{a} and {b}"),
        }
    }
}

impl Latencies {
    /// Returns the latency of a class.
    pub fn of(&self, class: Class) -> Latency {
        self.classes[class as usize]
    }

    /// Sets the latency of a class.
    pub fn set(&mut self, class: Class, latency: Latency) {
        self.classes[class as usize] = latency;
    }

    /// Returns the least of the known ones between different clocks: no
    /// message from clock to clock is faster.
    pub(crate) fn between_clocks(&self) -> Duration {
        let latencies = Class::BETWEEN_CLOCKS.map(|class| self.of(class));
        let known = latencies
            .iter()
            .filter(|it| it.source != LatencySource::Unknown);
        known.map(|it| it.value).min().unwrap_or(Duration::TICK)
    }
}

impl Default for Latencies {
    fn default() -> Latencies {
        let mut classes = [Latency::default(); Class::ALL.len()];
        classes[Class::SameProcess as usize].source = LatencySource::Memory;
        Latencies {
            classes,
            pairs: Vec::new(),
        }
    }
}

impl Latency {
    /// A latency from this source.
    pub fn new(value: Duration, source: LatencySource) -> Latency {
        Latency {
            value,
            source,
            clocks: None,
        }
    }
}

impl Default for Latency {
    fn default() -> Latency {
        Latency::new(Duration::TICK, LatencySource::Unknown)
    }
}

impl fmt::Display for LatencySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LatencySource::Configured => "as configured",
            LatencySource::Memory => "memory",
            LatencySource::ShortestMessage => "shortest message",
            LatencySource::ShortestExchange => "shortest exchange",
            LatencySource::OffsetMeasurement => "offset measurement",
            LatencySource::Lowered => "lowered: longer ones contradict the trace",
            LatencySource::Unknown => "unknown",
        })
    }
}
