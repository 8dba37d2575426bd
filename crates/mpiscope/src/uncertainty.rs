//! Half-widths between the correction, which finds them, and the file beside
//! the corrected archive, which keeps them; and what analysis makes of these.

use std::path::Path;

use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_archive::model::{Duration, Trace};
use mpiscope_archive::uncertainty::{LocationClock, Uncertainty as Kept, Window};
use mpiscope_archive::Error;
use mpiscope_sync::{Uncertainty, Widths as InWindow, UNKNOWN};
use serde::{Deserialize, Serialize};

use crate::input::{Input, TimeBase};
use crate::report::show;

/// How large half-widths are, over all windows and clocks but the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Widths {
    /// What 99 of 100 differences of a clock from the first do not exceed, in
    /// the median over windows; nothing if none is known.
    pub median_ns: Option<i64>,
    /// The same in the window in which least is known.
    pub interval_worst_ns: Option<i64>,
    /// In what share of all windows and clocks no such interval is known.
    pub interval_unknown: f64,
    /// What no difference exceeds, wherever that is known; nothing if it is
    /// known nowhere.
    pub worst_ns: Option<i64>,
    /// In what share of all windows and clocks it is not.
    pub worst_unknown: f64,
}

impl Widths {
    /// Looks at the half-widths of a correction.
    pub fn of(uncertainty: &Uncertainty) -> Widths {
        let mut intervals = against_first(uncertainty, &uncertainty.intervals);
        let bounds = against_first(uncertainty, &uncertainty.bounds);
        let share = |widths: &[Duration]| {
            let unknown = widths.iter().filter(|width| **width == UNKNOWN).count();
            unknown as f64 / widths.len().max(1) as f64
        };
        let (interval_unknown, worst_unknown) = (share(&intervals), share(&bounds));
        let known = bounds.into_iter().filter(|width| *width != UNKNOWN);
        let worst = known.max().filter(|worst| *worst > Duration::ZERO);
        intervals.retain(|width| *width != UNKNOWN && *width > Duration::ZERO);
        intervals.sort_unstable();
        let middle = intervals.len().saturating_sub(1) / 2;
        Widths {
            median_ns: intervals.get(middle).map(|width| width.0),
            interval_worst_ns: intervals.last().map(|width| width.0),
            interval_unknown,
            worst_ns: worst.map(|width| width.0),
            worst_unknown,
        }
    }

    /// Says it; nothing if there is only one clock.
    pub fn sentence(&self) -> Option<String> {
        let duration = |ns: i64| show::duration(ns as f64);
        let percent = |share: f64| show::percent(100.0 * share);
        let (Some(median), Some(least)) = (self.median_ns, self.interval_worst_ns) else {
            let unknown = "what clocks are wrong by is unknown: no messages tell";
            return (self.worst_unknown > 0.0).then(|| unknown.to_owned());
        };
        let (worst, unknown) = match (self.worst_ns, self.worst_unknown) {
            (None, _) => (String::new(), "; the worst is unknown".to_owned()),
            (Some(worst), 0.0) => (format!(", {} at worst", duration(worst)), String::new()),
            (Some(worst), share) => (
                format!(", {} at worst", duration(worst)),
                format!("; for {} of the time the worst is unknown", percent(share)),
            ),
        };
        let unknown = match self.interval_unknown {
            0.0 => unknown,
            share => format!(
                "{unknown}; for {} of clocks and time nothing of this is known",
                percent(share)
            ),
        };
        Some(format!(
            "clocks are right to within {} in 99 % of cases ({} where least is known){worst}, \
             against the first{unknown}",
            duration(median),
            duration(least),
        ))
    }
}

/// Returns the half-widths of all clocks but the first, in all windows.
fn against_first(uncertainty: &Uncertainty, widths: &[InWindow]) -> Vec<Duration> {
    let first = uncertainty.master;
    let in_window = |widths: &InWindow| -> Vec<Duration> {
        let others = (0..widths.of_clock.len() as u32).filter(|clock| *clock != first);
        others.map(|clock| widths.between(first, clock)).collect()
    };
    widths.iter().flat_map(in_window).collect()
}

/// Returns what is kept; times of the archive are `shift` later.
pub fn keep(trace: &Trace, uncertainty: &Uncertainty, shift: i64) -> Kept {
    let clocks = trace.locations.iter().zip(&uncertainty.clock_of);
    let clocks = clocks.map(|(location, &clock)| LocationClock {
        location: location.id,
        clock,
    });
    let of_clock = |widths: &InWindow| -> Vec<Option<i64>> {
        let known = |width: &Duration| Some(width.0).filter(|_| *width != UNKNOWN);
        widths.of_clock.iter().map(known).collect()
    };
    let of_pairs = |widths: &InWindow| -> Vec<(u32, u32, i64)> {
        let pairs = widths.pairs.iter();
        pairs.map(|it| (it.low, it.high, it.half_width.0)).collect()
    };
    let windows = uncertainty.bounds.iter().zip(&uncertainty.intervals);
    let windows = windows.map(|(bounds, intervals)| Window {
        to_master_ns: of_clock(bounds),
        pairs: of_pairs(bounds),
        interval_ns: of_clock(intervals),
        interval_pairs: of_pairs(intervals),
    });
    Kept {
        clocks: clocks.collect(),
        begin_ns: uncertainty.begin.0.saturating_add(shift),
        window_ns: uncertainty.window.0,
        windows: windows.collect(),
        ..Kept::default()
    }
}

/// Returns by how much times of an archive can be wrong: as the file beside corrected ones says, and
/// of others that those of one clock are right; and what is wrong with that file.
pub fn of_input(input: &Input) -> (ClockErrors, Option<String>) {
    let is_corrected = input.clock == Some(TimeBase::Corrected);
    let folder = input.anchor.parent().filter(|_| is_corrected);
    let kept = folder.map_or(Ok(None), |it| beside(&input.trace, it));
    let note = kept.as_ref().err().map(|error| {
        let run = show::word(&input.path);
        format!("by how much clocks can be wrong is not known: {error}; `mpiscope sync {run}` finds it anew")
    });
    let kept = kept.ok().flatten();
    (
        kept.unwrap_or_else(|| ClockErrors::measured(&input.trace)),
        note,
    )
}

/// Returns by how much a run's corrected times can be wrong; nothing if it is not corrected.
pub fn of_corrected(input: &Input) -> Option<ClockErrors> {
    beside(&input.trace, &input.corrected()?).ok()?
}

/// Reads the file in an archive's folder, if there is one.
fn beside(trace: &Trace, folder: &Path) -> Result<Option<ClockErrors>, Error> {
    Ok(Kept::read(folder)?.map(|kept| errors(trace, &kept)))
}

/// Returns what is kept as analysis knows it.
pub fn errors(trace: &Trace, kept: &Kept) -> ClockErrors {
    let window = [kept.begin_ns, kept.window_ns];
    ClockErrors::told(trace, kept.clock_numbers(), window, kept.intervals())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_archive::model::Timestamp;
    use mpiscope_sync::PairWidth;

    fn widths(of_clock: [Duration; 2], pair: Option<i64>) -> InWindow {
        let pair = pair.map(|half_width| PairWidth {
            low: 0,
            high: 1,
            half_width: Duration(half_width),
        });
        InWindow {
            of_clock: of_clock.into(),
            pairs: pair.into_iter().collect(),
        }
    }

    fn example() -> Uncertainty {
        Uncertainty {
            clock_of: vec![0, 1, 1],
            master: 0,
            begin: Timestamp(100),
            window: Duration(50),
            bounds: vec![
                widths([Duration(0), Duration(7)], Some(5)),
                widths([Duration(0), UNKNOWN], None),
            ],
            intervals: vec![
                widths([Duration(0), Duration(2)], None),
                widths([Duration(0), Duration(3)], Some(1)),
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
        assert_eq!(second.interval_ns, [Some(0), Some(3)]);
        assert_eq!(second.interval_pairs, [(0, 1, 1)]);
    }

    #[test]
    fn half_widths_are_summed_up() {
        let widths = Widths::of(&example());
        let intervals = (widths.median_ns, widths.interval_worst_ns);
        assert_eq!(intervals, (Some(1), Some(2)));
        assert_eq!((widths.worst_ns, widths.worst_unknown), (Some(5), 0.5));
        expect_test::expect!["clocks are right to within 1 ns in 99 % of cases (2 ns where least is known), 5 ns at worst, against the first; for 50 % of the time the worst is unknown"]
            .assert_eq(&widths.sentence().unwrap());
        assert_eq!(Widths::of(&Uncertainty::default()).sentence(), None);
    }

    #[test]
    fn clocks_of_which_nothing_is_known_are_counted() {
        let mut uncertainty = example();
        uncertainty.intervals[1] = widths([Duration(0), UNKNOWN], None);
        let widths = Widths::of(&uncertainty);
        assert_eq!(widths.interval_unknown, 0.5);
        let sentence = widths.sentence().unwrap();
        assert!(
            sentence.ends_with("; for 50 % of clocks and time nothing of this is known"),
            "{sentence}"
        );
    }

    #[test]
    fn a_bound_that_nothing_tells_is_said_to_be_unknown() {
        let mut uncertainty = example();
        uncertainty.bounds.remove(0);
        let widths = Widths::of(&uncertainty);
        assert_eq!((widths.worst_ns, widths.worst_unknown), (None, 1.0));
        assert!(widths.sentence().unwrap().ends_with("the worst is unknown"));
    }
}
