//! From ticks to nanoseconds: one rate and one anchor per clock domain.
//!
//! Records carry raw ticks (the time-stamp counter, or nanoseconds of
//! `CLOCK_MONOTONIC`). A [`Triple`] reads the ticks and the kernel's two
//! clocks together; two triples far apart give the rate. All ranks that read
//! one clock must use the *same* map, bit for bit, or their order would
//! change: that is why the map belongs to the domain.

use serde::{Deserialize, Serialize};

/// Ticks and the kernel's clocks, read together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[repr(C)]
pub struct Triple {
    /// Raw ticks of the recording clock.
    pub ticks: u64,
    /// `CLOCK_MONOTONIC`, nanoseconds.
    pub monotonic: u64,
    /// `CLOCK_REALTIME`, nanoseconds since 1970.
    pub realtime: u64,
}

/// Which counter the ticks were read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// `CLOCK_MONOTONIC`: ticks are nanoseconds.
    #[default]
    Monotonic,
    /// The time-stamp counter, constant and non-stop, which the kernel itself uses.
    Tsc,
}

/// A linear map from ticks to nanoseconds since 1970 on the host's own clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TickMap {
    /// Ticks at the anchor.
    pub ticks: u64,
    /// Nanoseconds since 1970 at the anchor.
    pub nanoseconds: i64,
    /// Nanoseconds per tick.
    pub rate: f64,
}

impl TickMap {
    /// Fits the map to the first and last of a clock's triples.
    ///
    /// `CLOCK_MONOTONIC` ticks have rate 1 exactly. Returns nothing without a
    /// triple, or for a counter with only one.
    pub fn fit(source: Source, triples: &[Triple]) -> Option<Self> {
        let first = triples.iter().min_by_key(|t| t.ticks)?;
        let last = triples.iter().max_by_key(|t| t.ticks)?;
        let rate = match source {
            Source::Monotonic => 1.0,
            Source::Tsc if last.ticks > first.ticks && last.monotonic > first.monotonic => {
                (last.monotonic - first.monotonic) as f64 / (last.ticks - first.ticks) as f64
            }
            Source::Tsc => return None,
        };
        Some(Self {
            ticks: first.ticks,
            nanoseconds: i64::try_from(first.realtime).ok()?,
            rate,
        })
    }

    /// Maps ticks to nanoseconds; weakly increasing.
    pub fn apply(&self, ticks: u64) -> i64 {
        let since = ticks.wrapping_sub(self.ticks) as i64;
        self.nanoseconds
            .saturating_add((since as f64 * self.rate).floor() as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triples_give_the_rate() {
        let at = |ticks, monotonic| Triple {
            ticks,
            monotonic,
            realtime: 5_000_000 + monotonic,
        };
        let map = TickMap::fit(Source::Tsc, &[at(3_000, 1_000), at(6_000, 2_000)]).unwrap();
        assert_eq!(map.apply(3_000), 5_001_000);
        assert_eq!(map.apply(4_500), 5_001_500);
        assert_eq!(map.apply(0), 5_000_000);
    }

    #[test]
    fn a_counter_with_one_triple_has_no_rate() {
        assert_eq!(TickMap::fit(Source::Tsc, &[Triple::default()]), None);
        assert!(TickMap::fit(Source::Monotonic, &[Triple::default()]).is_some());
    }
}
