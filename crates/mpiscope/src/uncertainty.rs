//! Half-widths between the correction, which finds them, and the file beside
//! the corrected archive, which keeps them.

use mpiscope_run::model::{Duration, Trace};
use mpiscope_run::uncertainty::{LocationClock, Uncertainty as Kept, Window};
use mpiscope_sync::{Uncertainty, UNKNOWN};
use serde::{Deserialize, Serialize};

use crate::show;

/// How large half-widths are, over all windows and clocks but the master's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Widths {
    /// What half of them do not exceed; nothing if none is known.
    pub median_ns: Option<i64>,
    /// The largest.
    pub worst_ns: Option<i64>,
}

impl Widths {
    /// Looks at the half-widths of a correction.
    pub fn of(uncertainty: &Uncertainty) -> Widths {
        let all = uncertainty.to_master.iter().flatten();
        let known = all.filter(|width| **width != UNKNOWN && **width > Duration::ZERO);
        let mut known: Vec<i64> = known.map(|width| width.0).collect();
        if known.is_empty() {
            return Widths::default();
        }
        let middle = (known.len() - 1) / 2;
        let (_, &mut median, above) = known.select_nth_unstable(middle);
        Widths {
            median_ns: Some(median),
            worst_ns: Some(above.iter().copied().max().unwrap_or(median)),
        }
    }

    /// Says it; nothing if nothing is known.
    pub fn sentence(&self) -> Option<String> {
        let (median, worst) = (self.median_ns?, self.worst_ns?);
        let [median, worst] = [median, worst].map(|ns| show::duration(ns as f64));
        Some(format!(
            "clocks are right to within {median} (median), {worst} at worst, against the first, \
             by an estimate that busy machines exceed"
        ))
    }
}

/// Returns what is kept; times of the archive are `shift` later.
pub fn keep(trace: &Trace, uncertainty: &Uncertainty, shift: i64) -> Kept {
    let clocks = trace.locations.iter().zip(&uncertainty.clock_of);
    let clocks = clocks.map(|(location, &clock)| LocationClock {
        location: location.id,
        clock,
    });
    let known = |width: &Duration| Some(width.0).filter(|_| *width != UNKNOWN);
    let windows = uncertainty.to_master.iter().zip(&uncertainty.pairs);
    let windows = windows.map(|(to_master, pairs)| Window {
        to_master_ns: to_master.iter().map(known).collect(),
        pairs: pairs
            .iter()
            .map(|it| (it.low, it.high, it.half_width.0))
            .collect(),
    });
    Kept {
        clocks: clocks.collect(),
        begin_ns: uncertainty.begin.0.saturating_add(shift),
        window_ns: uncertainty.window.0,
        windows: windows.collect(),
        ..Kept::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_run::model::Timestamp;
    use mpiscope_sync::PairWidth;

    fn example() -> Uncertainty {
        Uncertainty {
            clock_of: vec![0, 1, 1],
            begin: Timestamp(100),
            window: Duration(50),
            to_master: vec![vec![Duration(0), Duration(7)], vec![Duration(0), UNKNOWN]],
            pairs: vec![
                vec![PairWidth {
                    low: 0,
                    high: 1,
                    half_width: Duration(5),
                }],
                vec![],
            ],
        }
    }

    #[test]
    fn what_nothing_tells_is_kept_as_nothing() {
        let trace = Trace::parse("clock 0:\nclock 1 2:\n0: 1\n1: 1\n2: 1").unwrap();
        let kept = keep(&trace, &example(), 9);
        assert_eq!((kept.begin_ns, kept.window_ns), (109, 50));
        let clocks: Vec<(u64, u32)> = kept
            .clocks
            .iter()
            .map(|it| (it.location, it.clock))
            .collect();
        assert_eq!(clocks, [(0, 0), (1, 1), (2, 1)]);
        let [first, second] = &kept.windows[..] else {
            panic!("{kept:?}");
        };
        assert_eq!(first.to_master_ns, [Some(0), Some(7)]);
        assert_eq!(first.pairs, [(0, 1, 5)]);
        assert_eq!(second.to_master_ns, [Some(0), None]);
    }

    #[test]
    fn half_widths_are_summed_up() {
        let widths = Widths::of(&example());
        assert_eq!((widths.median_ns, widths.worst_ns), (Some(7), Some(7)));
        assert_eq!(Widths::of(&Uncertainty::default()).sentence(), None);
    }
}
