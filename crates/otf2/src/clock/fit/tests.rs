use proptest::prelude::*;

use super::*;
use crate::clock::ClockCorrection;

/// When a clock of 1970 shows our times: more than floating point holds exactly.
const EPOCH: u64 = 1_764_000_000_123_456_789;

/// Finds the offsets, and computes with them as readers do.
#[track_caller]
fn check(events: &[(u64, i64)]) -> Vec<(u64, i64)> {
    check_by(events, &[])
}

/// The same given knots.
#[track_caller]
fn check_by(events: &[(u64, i64)], knots: &[(u64, i64)]) -> Vec<(u64, i64)> {
    let offsets = fit(events.len(), |i| events[i], knots, usize::MAX).unwrap();
    let correction = ClockCorrection::between(&offsets);
    let mut cursor = correction.cursor();
    for (number, &(time, by)) in events.iter().enumerate() {
        let due = time.wrapping_add_signed(by);
        assert_eq!(cursor.apply(time), due, "event {number} by {offsets:?}");
        assert_eq!(correction.apply(time), due, "event {number}");
    }
    assert!(offsets.windows(2).all(|pair| pair[0].0 < pair[1].0));
    offsets
}

fn refused(events: &[(u64, i64)], most: usize) -> Inexact {
    fit(events.len(), |i| events[i], &[], most).unwrap_err()
}

/// A line of this slope, rounded, that events see at uneven times.
fn line(events: usize, begin: u64, spacing: u64, slope: f64) -> Vec<(u64, i64)> {
    let at = |i: u64| i * spacing + (i * i) % 17 * spacing / 20;
    let by = |time: u64| (slope * time as f64).round_ties_even() as i64;
    (0..events as u64)
        .map(|i| (begin + at(i), 5_000_000_000 + by(at(i))))
        .collect()
}

#[test]
fn a_clock_that_drifts_needs_few_offsets() {
    for slope in [0.0, 1e-9, -3e-8, 1e-6, 2.7e-5, -1.0037e-3] {
        for begin in [0, EPOCH] {
            let offsets = check(&line(100_000, begin, 700, slope));
            assert!(offsets.len() <= 12, "{slope}: {}", offsets.len());
        }
    }
}

#[test]
fn where_nothing_moves_there_are_none() {
    assert_eq!(check(&[]), []);
    assert_eq!(check(&[(5, 0), (5, 0), (9, 0)]), []);
}

#[test]
fn one_time_has_two_offsets() {
    assert_eq!(check(&[(5, -3)]), [(5, -3), (6, -3)]);
    assert_eq!(check(&[(5, 7), (5, 7)]).len(), 2);
    assert_eq!(refused(&[(u64::MAX, 1)], 9), Inexact::Far);
}

#[test]
fn a_jump_between_neighbouring_ticks_is_exact() {
    let offsets = check(&[(0, 0), (99, 0), (100, 40_000), (200, 40_000)]);
    assert!(offsets.len() <= 4, "{offsets:?}");
}

/// Lines that satisfy two neighbours lead far away until the next event: what ends there must let
/// another go on.
#[test]
fn steep_lines_do_not_lead_out_of_reach() {
    let steps = [
        (1, 0),
        (232, 0),
        (1, -2_604_368_852),
        (432_312, 0),
        (1, 1_889_620_108),
        (595_834, 0),
        (1, -2_489_794_269),
        (452_206, 0),
        (1, 2_131_808_234),
        (528_054, -190_041_645_988),
        (1, 0),
    ];
    let mut time = 0;
    let events = steps.map(|(step, by)| {
        time += step;
        (time, by)
    });
    check(&events);
}

#[test]
fn a_knot_out_of_reach_is_passed_over() {
    let events = [(100, 3), (200, 4), (900, 5)];
    let far = 1 << 50;
    for knots in [[(50, -far), (150, -far)], [(150, far), (300, far)]] {
        check_by(&events, &knots);
    }
}

#[test]
fn events_at_one_time_stay_together() {
    assert_eq!(refused(&[(1, 0), (3, 5), (3, 6)], 9), Inexact::Apart);
    assert_eq!(refused(&[(3, 5), (3, 6)], 9), Inexact::Apart);
}

#[test]
fn time_goes_forward() {
    assert_eq!(refused(&[(3, 0), (2, 1)], 9), Inexact::Decreasing);
    assert_eq!(refused(&[(3, 0), (5, 0), (4, 0)], 9), Inexact::Decreasing);
}

#[test]
fn what_floating_point_cannot_hold_is_refused() {
    assert_eq!(refused(&[(0, 1), (1 << 52, 1)], 9), Inexact::Far);
    assert_eq!(refused(&[(0, 0), (9, 1 << 50)], 9), Inexact::Far);
    assert_eq!(refused(&[(0, i64::MIN), (9, i64::MAX)], 9), Inexact::Far);
    check(&[(0, 1), ((1 << 52) - 1, 1 << 49)]);
}

#[test]
fn no_more_offsets_than_allowed() {
    let zigzag: Vec<(u64, i64)> = (0..100).map(|i| (10 * i, (i % 2) as i64 * 9)).collect();
    assert_eq!(refused(&zigzag, 50), Inexact::Many);
    assert!(check(&zigzag).len() <= 101);
}

/// A corrected location: a map in pieces, and events that were moved forward from it, whose
/// neighbours follow by whole ticks.
fn corrected() -> impl Strategy<Value = Vec<(u64, i64)>> {
    let step = prop_oneof![Just(0u64), 1..4u64, 50..2000u64, 1..1_000_000u64];
    let slope = prop_oneof![Just(0.0), -1e-4..1e-4, -2e-6..2e-6, Just(-0.5), Just(0.25)];
    let jump = prop_oneof![9 => Just(0i64), 1 => 1..60_000i64];
    let begin = prop_oneof![Just(0u64), Just(EPOCH), 0..1u64 << 62];
    let events = prop::collection::vec((step, slope, jump), 1..400);
    let decay = prop_oneof![Just(0.0), Just(1e-7), 1e-5..1e-2];
    (begin, events, decay, 1..80usize).prop_map(|(begin, events, decay, segment)| {
        let (mut time, mut base, mut slope) = (begin, -(begin as i64) / 3, 0.0);
        let (mut since, mut moved) = (begin, 0i64);
        let mut column: Vec<(u64, i64)> = Vec::new();
        for (number, (step, next_slope, jump)) in events.into_iter().enumerate() {
            time += step;
            if number % segment == 0 {
                base += (slope * (time - since) as f64).round_ties_even() as i64;
                (since, slope) = (time, next_slope);
            }
            moved = (moved - (decay * step as f64).floor() as i64).max(0);
            if step > 0 {
                moved += jump;
            }
            let on_line = (slope * (time - since) as f64).round_ties_even() as i64;
            let by = match column.last() {
                Some(last) if step == 0 => last.1,
                _ => base + on_line + moved,
            };
            column.push((time, by));
        }
        column
    })
}

/// Events every few ticks, corrected by lines between knots.
fn by_knots(knots: &[(u64, i64)]) -> Vec<(u64, i64)> {
    let correction = ClockCorrection::between(knots);
    let (begin, end) = (knots[0].0 + 3, knots[knots.len() - 1].0 - 5);
    let times = (begin..end).step_by(29);
    let moved = times.map(|time| (time, correction.apply(time).wrapping_sub(time) as i64));
    moved.collect()
}

#[test]
fn who_knows_the_knots_needs_no_others() {
    let knots: Vec<(u64, i64)> = (0..40)
        .map(|k: i64| (EPOCH + 20_011 * k as u64, 7_000 + k * k % 7))
        .collect();
    let mut events = by_knots(&knots);
    assert_eq!(check_by(&events, &knots), knots);
    assert!(check(&events).len() > 2 * knots.len());
    // One event is moved: offsets around it, and soon on as before.
    events[7000].1 += 50;
    let offsets = check_by(&events, &knots);
    assert!(offsets.len() < knots.len() + 30, "{}", offsets.len());
    assert_eq!(offsets.last(), knots.last());
}

proptest! {
    #[test]
    fn knots_that_tell_nothing_do_no_harm(
        events in corrected(),
        knots in prop::collection::vec((0..1u64 << 21, -1000i64..1000), 0..20),
        near in prop::collection::vec((any::<prop::sample::Index>(), -1i64..2), 0..20),
        sorted: bool
    ) {
        let begin = events.first().map_or(0, |event| event.0);
        let mut knots: Vec<(u64, i64)> =
            knots.into_iter().map(|(since, by)| (begin.saturating_add(since), by)).collect();
        if !events.is_empty() {
            knots.extend(near.iter().map(|(index, by)| {
                let (time, offset) = *index.get(&events);
                (time, offset.saturating_add(*by))
            }));
        }
        if sorted {
            knots.sort_unstable();
        }
        check_by(&events, &knots);
    }

    #[test]
    fn every_corrected_time_is_exact(events in corrected()) {
        let offsets = check(&events);
        prop_assert!(offsets.len() <= events.len() + 2);
    }

    #[test]
    fn so_are_times_without_any_order(
        events in prop::collection::vec((1..1u64 << 20, -1i64 << 40..1i64 << 40), 1..200)
    ) {
        let mut time = 0;
        let events: Vec<(u64, i64)> = events.into_iter().map(|(step, by)| {
            time += step;
            (time, by)
        }).collect();
        prop_assert!(check(&events).len() <= events.len() + 1);
    }

    #[test]
    fn nothing_given_makes_it_panic(
        events in prop::collection::vec((any::<u64>(), any::<i64>()), 0..20), sorted: bool
    ) {
        let mut events = events;
        if sorted {
            events.sort_unstable();
        }
        if fit(events.len(), |i| events[i], &[], 30).is_ok() {
            check(&events);
        }
    }
}
