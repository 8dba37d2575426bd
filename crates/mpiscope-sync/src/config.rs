//! What a caller may choose.

use mpiscope_model::{Assumptions, Duration};

use crate::latency::Class;

/// Choices of [`correct`](crate::correct); the default is right for most traces.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What to do before the clock condition is looked at.
    pub presync: PresyncMode,
    /// How fast a shifted location returns to its own clock.
    pub control: Control,
    /// The least time between two events of a location, as Rabenseifner 1997
    /// has it (δ). Unless given, events are never moved apart: no time appears
    /// between them that their clock did not show.
    pub delta: Option<Duration>,
    /// Length of the ramp before a jump, in lengths of the jump; 0 for none.
    /// The larger, the less intervals grow, and the more events move.
    pub interval: f64,
    /// Drift between two measurements beyond which they are not believed.
    pub max_slope: f64,
    /// Minimum latencies to use in place of those found in the trace.
    pub latency: LatencyOverride,
    /// Share of a found latency that is used: an estimate too long drags the
    /// whole trace forward, one too short leaves fast messages alone.
    pub latency_safety: f64,
    /// Which calls are barriers though no standard says so.
    pub assumptions: Assumptions,
    /// What is added to interpolated times before the clock condition is looked at, by location;
    /// those that are not there get nothing. It is what somebody says that the clocks of these
    /// locations are still off by. As it comes after the interpolation no fit takes it for an
    /// error of the clock and takes it away again, and locations of one clock may differ in it.
    pub shifts: Vec<Duration>,
    /// How many threads work on it; unless given, those of the current rayon
    /// pool. The result is the same.
    pub threads: Option<usize>,
    /// Into how many parts the trace is divided for the sweeps forward and
    /// backward, each with a thread of its own. The result is the same. Two parts
    /// together took 1.6 to 1.9 times the processor time of one forward, and about
    /// four times backward, which takes a quarter of that: all limits are told,
    /// though few are asked for. So one sweeps all unless told otherwise; these are
    /// the stages that need help least. Backward, one part shares its locations
    /// among all threads.
    pub parts: usize,
    /// Whether all that parts tell each other goes through bytes, as it would
    /// between processes; slower, and the result is the same.
    pub in_bytes: bool,
}

/// How 1 − γ of Rabenseifner 1997, in seconds per second, is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Control {
    /// As given.
    Fixed {
        /// 1 − γ.
        kappa: f64,
    },
    /// As the papers have it: passes, each with a tenfold 1 − γ, until no
    /// location ends displaced by more than a share of its length.
    Paper {
        /// γ of the first pass.
        gamma: f64,
        /// The share.
        epsilon: f64,
    },
    /// From the drift that interpolation left; raised while displacements grow
    /// without end, and latencies lowered if that does not help.
    #[default]
    Adaptive,
}

impl Control {
    /// Returns 1 − γ of the first pass, if it is known beforehand.
    pub fn kappa(&self) -> Option<f64> {
        match *self {
            Control::Fixed { kappa } => Some(kappa),
            Control::Paper { gamma, .. } => Some(1.0 - gamma),
            Control::Adaptive => None,
        }
    }
}

/// 1 − γ where neither caller nor trace says.
///
/// It must exceed the drift that is left after interpolation, else one fast
/// clock drags all others along for good; and what is above that shrinks
/// intervals and makes new violations. Scalasca's 1e-5 is far above what the
/// wander of crystal clocks leaves. Measured with `examples/kappa.rs`: 64
/// locations on 16 clocks, whose frequencies wander by 0.1 ppm within minutes,
/// offsets measured at 0 and 1200 s; 20 s in the middle traced, or all of it.
/// Mean error in µs of the duration of messages and of global time:
///
/// | kappa | interpolated | 1e-4 | 1e-5 | 1e-6 | 1e-7 | 1e-8 |
/// |---|---|---|---|---|---|---|
/// | 20 s, messages | 22.2 | 3.6 | 1.0 | 0.43 | 0.27 | 0.27 |
/// | 20 s, global | 20.7 | 25.9 | 32.1 | 33.5 | 33.9 | 33.9 |
/// | 1200 s, messages | 14.3 | 12.8 | 10.0 | 2.5 | 0.98 | 0.94 |
/// | 1200 s, global | 14.0 | 13.6 | 11.4 | 22.1 | 41.6 | 78.0 |
///
/// 1e-6 is the smallest above the wander. Below it the durations of messages
/// gain another half, but global time runs away in long runs; with wander five
/// times as large the order is the same. Where messages tell the drift that is
/// left, [`Control::Adaptive`] takes that: 2e-7 and 4e-7 above, with errors of
/// 0.29 and 1.4 µs in the durations of messages.
pub const DEFAULT_KAPPA: f64 = 1e-6;

impl Default for Config {
    fn default() -> Config {
        Config {
            presync: PresyncMode::default(),
            control: Control::default(),
            delta: None,
            interval: 100.0,
            max_slope: 1e-3,
            latency: LatencyOverride::default(),
            latency_safety: 0.9,
            assumptions: Assumptions::default(),
            shifts: Vec::new(),
            threads: None,
            parts: 1,
            in_bytes: false,
        }
    }
}

/// How clocks are mapped to the master's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PresyncMode {
    /// Nothing: times stay as recorded.
    None,
    /// Add the first offset: right at the begin, off by the drift later.
    Align,
    /// Interpolate linearly between measurements.
    Linear,
    /// The line between the convex hulls of the messages of both directions
    /// (Duda et al. 1987), over a spanning tree of clocks (Jézéquel 1989).
    Hull,
    /// The line through the fastest messages of either half of the trace
    /// (Hofmann and Hilgers 1998), over a spanning tree of clocks.
    MinMax,
    /// The most probable course of every clock, from all messages and
    /// measurements; linear interpolation where messages tell too little.
    #[default]
    Fit,
}

impl PresyncMode {
    /// All, in their order.
    pub(crate) const ALL: [PresyncMode; 6] = [
        PresyncMode::None,
        PresyncMode::Align,
        PresyncMode::Linear,
        PresyncMode::Hull,
        PresyncMode::MinMax,
        PresyncMode::Fit,
    ];
}

/// Minimum latencies given by the caller; the others are found in the trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatencyOverride {
    /// By class, in the order of [`Class::ALL`].
    pub classes: [Option<Duration>; Class::ALL.len()],
    /// Between processes of two hosts, in both directions, or of one host; by
    /// their names. Where the trace contradicts one, it is lowered.
    pub pairs: Vec<([String; 2], Duration)>,
}

impl LatencyOverride {
    /// Returns the same latency for all messages between processes.
    pub fn all(value: Duration) -> LatencyOverride {
        LatencyOverride::by_clock(value, value)
    }

    /// Returns one latency for messages within clocks, one between clocks.
    pub fn by_clock(same: Duration, different: Duration) -> LatencyOverride {
        let mut given = LatencyOverride::default();
        given.classes[Class::SameClock as usize] = Some(same);
        for class in Class::BETWEEN_CLOCKS {
            given.classes[class as usize] = Some(different);
        }
        given
    }
}
