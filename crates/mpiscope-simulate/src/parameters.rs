//! What to simulate. Names of fields tell their units; all parts of the
//! parameters may be changed one by one from a [preset](crate::preset) or from
//! the defaults, which are those of a tidy cluster.

use serde::{Deserialize, Serialize};

/// Everything that a simulated trace depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// Other seed, other trace of the same kind.
    pub seed: u64,
    /// Processes.
    pub ranks: u32,
    /// Nodes they run on.
    pub hosts: u32,
    /// Which rank runs where.
    pub placement: Placement,
    /// What they do.
    pub program: Program,
    /// How often they do it.
    pub iterations: u32,
    /// True time at which the program starts.
    pub start_s: f64,
    /// How long it computes; if communication takes longer than is left of an
    /// iteration, the program takes longer too.
    pub seconds: f64,
    /// How long a rank computes in each iteration, if that is not what is left of `seconds`: the same
    /// however long messages take.
    pub computing_ns: Option<i64>,
    /// What calls take by themselves.
    pub calls: Calls,
    /// How much shorter the work of a rank may be than that of another, as a
    /// share of it.
    pub imbalance: f64,
    /// Groups of ranks that have nothing to do with each other.
    pub components: u32,
    /// A host whose ranks only compute.
    pub silent_host: Option<u32>,
    /// A host that stops recording before the program ends.
    pub early_end: Option<EarlyEnd>,
    /// Iterations during which nobody records.
    pub pause: Option<Pause>,
    /// Point-to-point messages are recorded. If not, they take their time
    /// unseen.
    pub messages_recorded: bool,
    /// How long messages take.
    pub network: Network,
    /// How wrong clocks are.
    pub clocks: Clocks,
    /// When and how well clocks were compared with the master's, rank 0's.
    pub offsets: Offsets,
}

/// What the ranks do in every iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Program {
    /// Neighbours on a two-dimensional torus exchange their borders, everybody
    /// exchanges with somebody at random, and a collective operation follows:
    /// 56 events per rank, 12 of which tell of other ranks.
    Halo,
    /// Ranks meet in random pairs; one sends, and sometimes the other answers.
    Pairs,
    /// Rank 0 of each component gives out work to whoever asks first.
    Workers,
    /// One collective operation after the other, all kinds in turn, some with
    /// members that contribute nothing.
    Collectives,
    /// All of these in turn.
    Mix,
}

/// Which rank runs on which host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// Neighbouring ranks share a host.
    Block,
    /// Neighbouring ranks are on different hosts.
    Cyclic,
    /// As it comes.
    Random,
}

/// A host that stops recording: it was killed, say, or its buffers were full.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EarlyEnd {
    /// The host.
    pub host: u32,
    /// True time of its last event.
    pub at_s: f64,
}

/// Iterations during which nobody records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// The first of them, from 0.
    pub from: u32,
    /// The first that is recorded again.
    pub to: u32,
}

/// What calls take besides waiting and messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// Each call; a quarter of that lies between two calls.
    pub own_ns: i64,
    /// MPI_Init, at least; at most half as much again.
    pub init_ns: i64,
}

/// How long messages take. A collective operation is as fast as one message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Network {
    /// Between ranks of one host.
    pub same_host: Link,
    /// Between hosts.
    pub between_hosts: Link,
    /// Shape of the tail of all delays: exponential if absent, else a power
    /// law (Lomax) of this exponent, above 1; the smaller, the heavier.
    pub tail: Option<f64>,
    /// Each direction of each pair of hosts takes a time of its own longer, at
    /// most this.
    pub asymmetry_ns: i64,
    /// Share of directed pairs of hosts that are congested all the time.
    pub congested_links: f64,
    /// Mean delay that congestion adds to a message.
    pub congestion_ns: f64,
    /// Ranks leave collective operations later by this, for every bit that is
    /// set in the number of their host.
    pub exit_bias_ns: i64,
}

/// Messages between two places.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// No message is faster.
    pub minimum_ns: i64,
    /// Mean of the random delay beyond that.
    pub jitter_ns: f64,
}

/// How wrong clocks are. Frequencies are in parts of one: 1e-6 is 1 ppm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clocks {
    /// Every rank has a clock of its own, else every host.
    pub per_rank: bool,
    /// The clock of rank 0 shows true time.
    pub perfect_master: bool,
    /// Offsets at true time 0 lie between 0 and this.
    pub offset_s: f64,
    /// Standard deviation of the constant drift.
    pub drift: f64,
    /// Standard deviation of the wander about it.
    pub wander: f64,
    /// Time in which a wandering frequency forgets where it was.
    pub wander_tau_s: f64,
    /// Largest amplitude of the slow waves, of 300 to 900 s.
    pub wave: f64,
    /// What a time daemon adds to the frequency, or takes away.
    pub slew: f64,
    /// How often it changes its mind.
    pub slew_every_s: f64,
    /// Clocks that are set while the program runs.
    pub steps: Vec<Step>,
    /// A reading is late by at most this.
    pub read_jitter_ns: u32,
    /// Times are recorded as the clock shows them, even if that lies before
    /// the event before; else they are held.
    pub backward: bool,
}

/// A clock that is set while the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The host whose clocks are set.
    pub host: u32,
    /// True time at which.
    pub at_s: f64,
    /// How much later they show from then on; may be negative.
    pub by_s: f64,
}

/// When and how well clocks were compared with the master's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offsets {
    /// True times of the measurements; there may be none.
    pub times_s: Vec<f64>,
    /// Standard deviation of their errors. Half of the round trip is at least
    /// the error and the minimum latency together.
    pub error_ns: f64,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            seed: 1,
            ranks: 64,
            hosts: 8,
            placement: Placement::Block,
            program: Program::Halo,
            iterations: 100,
            start_s: 1.0,
            seconds: 10.0,
            computing_ns: None,
            calls: Calls {
                own_ns: 40,
                init_ns: 200_000,
            },
            imbalance: 0.02,
            components: 1,
            silent_host: None,
            early_end: None,
            pause: None,
            messages_recorded: true,
            network: Network::default(),
            clocks: Clocks::default(),
            offsets: Offsets {
                times_s: vec![0.0, 12.0],
                error_ns: 300.0,
            },
        }
    }
}

impl Default for Network {
    fn default() -> Network {
        Network {
            same_host: Link {
                minimum_ns: 500,
                jitter_ns: 200.0,
            },
            between_hosts: Link {
                minimum_ns: 1500,
                jitter_ns: 1000.0,
            },
            tail: None,
            asymmetry_ns: 0,
            congested_links: 0.0,
            congestion_ns: 0.0,
            exit_bias_ns: 0,
        }
    }
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks {
            offset_s: 5.0,
            drift: 20e-6,
            wander: 0.1e-6,
            wave: 0.05e-6,
            read_jitter_ns: 30,
            ..Clocks::perfect()
        }
    }
}

impl Clocks {
    /// Clocks that all show true time.
    pub fn perfect() -> Clocks {
        Clocks {
            per_rank: false,
            perfect_master: false,
            offset_s: 0.0,
            drift: 0.0,
            wander: 0.0,
            wander_tau_s: 200.0,
            wave: 0.0,
            slew: 0.0,
            slew_every_s: 64.0,
            steps: Vec::new(),
            read_jitter_ns: 0,
            backward: false,
        }
    }
}
