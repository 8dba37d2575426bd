//! How well a fit knows clocks that run smoothly: what changes if it may use
//! half of the messages alone.
//!
//! If the noise of both halves is independent, the fit to all of them, which is
//! between the fits to either, is as far from the truth in the mean as from each.
//! What both halves lean on alike is looked at by a fit that does without.

use mpiscope_model::Timestamp;

use super::map::ClockMap;

/// Share of what is found in the neighbourhood; the rest is that of all clocks at
/// all times, as few windows tell little.
const LOCAL: f64 = 0.5;

/// Returns for each time the standard deviation of each clock's error, in ns. All
/// that clocks have in common is no error of one against another.
pub(super) fn deviations(
    maps: &[ClockMap],
    half: &[ClockMap],
    without: &[ClockMap],
    times: &[Timestamp],
    near: usize,
) -> Vec<Vec<f64>> {
    let clocks = maps.len();
    let square = |time: &Timestamp| {
        let mut squares = apart(maps, half, *time);
        if !without.is_empty() {
            let more = apart(half, without, *time);
            squares
                .iter_mut()
                .zip(more)
                .for_each(|(square, more)| *square += more);
        }
        squares
    };
    let squares: Vec<Vec<f64>> = times.iter().map(square).collect();
    let count = (times.len() * clocks).max(1) as f64;
    let all = squares.iter().flatten().sum::<f64>() / count;
    let deviation = |clock: usize, time: usize| {
        let around = &squares[time.saturating_sub(near)..(time + near + 1).min(times.len())];
        let sum: f64 = around.iter().map(|squares| squares[clock]).sum();
        (LOCAL * sum / around.len() as f64 + (1.0 - LOCAL) * all).sqrt()
    };
    (0..times.len())
        .map(|time| (0..clocks).map(|clock| deviation(clock, time)).collect())
        .collect()
}

/// The squares of what clocks differ by from map to map, less what all of them do.
fn apart(maps: &[ClockMap], others: &[ClockMap], time: Timestamp) -> Vec<f64> {
    let moved = |(map, other): (&ClockMap, &ClockMap)| {
        let local = map.inverse(time);
        (other.map(local) - map.map(local)).0 as f64
    };
    let moved: Vec<f64> = maps.iter().zip(others).map(moved).collect();
    let clocks = moved.len() as f64;
    let mean = moved.iter().sum::<f64>() / clocks;
    // One clock of two that differ is known by the other alone.
    let share = clocks / (clocks - 1.0).max(1.0);
    let square = |moved: &f64| share * (moved - mean).powi(2);
    moved.iter().map(square).collect()
}
