//! From sync events to all events.
//!
//! Between two sync events p and q an internal event x keeps what is left of
//! p's displacement O, or is on the ramp that leads to q if one does and it is
//! higher there:
//!
//! ```text
//! T(x) + max(0, O(p) − ⌊κ·(T(x) − T(p))⌋, ⌊ramp(T(x))⌋)
//! ```
//!
//! but no later than q. Applying the recurrence event by event would round down
//! at each, and differs from this by less than a tick per event.

use mpiscope_model::Timestamp;

use crate::exchange::plain;
use crate::forward::Kappa;
use crate::ramp::Piece;
use crate::records::Record;

/// How far events of a location were moved.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    pub events: u64,
    pub max: i64,
    pub sum: f64,
    /// Displacement of the last event over the length of the location.
    pub final_drift: f64,
    /// How many jumps were smoothed.
    pub ramps: u64,
}

plain! { Moved { events, max, sum, final_drift, ramps } }

/// Returns the corrected times of one location; `ramps` are the parts of its
/// ramps, from left to right. How far events were moved is added to `moved`.
pub(crate) fn expand(
    interpolated: &[Timestamp],
    records: &[Record],
    kappa: Kappa,
    mut ramps: &[Piece],
    moved: &mut Moved,
) -> Vec<Timestamp> {
    let mut column = interpolated.to_vec();
    for number in 0..=records.len() {
        let before = number.checked_sub(1).map(|number| &records[number]);
        let after = records.get(number);
        let begin = before.map_or(0, |record| record.event as usize);
        let end = after.map_or(column.len(), |record| record.event as usize);
        if let Some(before) = before {
            decay(&mut column[begin..end], before, kappa, moved);
        }
        while let Some((_, later)) = ramps.split_first().filter(|it| it.0.end.records <= number) {
            ramps = later;
        }
        if let Some(ramp) = ramps.first().filter(|ramp| ramp.begin.records <= number) {
            let inner = begin + usize::from(before.is_some() && begin < end);
            let times = &mut column[inner..end];
            raise(times, &interpolated[inner..end], ramp, moved);
        }
        if let Some(after) = after {
            hold_back(&mut column[begin..end], after.corrected);
        }
    }
    if let (Some(first), Some(last), Some(end)) =
        (interpolated.first(), interpolated.last(), column.last())
    {
        let length = (last.0.saturating_sub(first.0)).max(1);
        moved.final_drift = end.0.saturating_sub(last.0) as f64 / length as f64;
    }
    column
}

/// Moves a sync event and those after it by what is left of its displacement.
fn decay(times: &mut [Timestamp], record: &Record, kappa: Kappa, moved: &mut Moved) {
    let offset = record.offset();
    let mut sum = 0i64;
    for time in times {
        let left = offset - kappa.decay(time.0.saturating_sub(record.time));
        if left <= 0 {
            break;
        }
        time.0 = time.0.saturating_add(left);
        moved.events += 1;
        sum = sum.saturating_add(left);
    }
    moved.max = moved.max.max(offset);
    moved.sum += sum as f64;
}

/// Keeps times from passing the sync event after them. A ramp may fall, as what is left of
/// a displacement does, and both are rounded: what is left may be a tick higher.
fn hold_back(times: &mut [Timestamp], latest: i64) {
    for time in times.iter_mut().rev().take_while(|time| time.0 > latest) {
        time.0 = latest;
    }
}

/// Raises times to a part of a ramp; from right to left, until they are higher.
fn raise(times: &mut [Timestamp], original: &[Timestamp], ramp: &Piece, moved: &mut Moved) {
    for (time, original) in times.iter_mut().zip(original).rev() {
        let ramp = ramp.at(original.0);
        let offset = time.0.saturating_sub(original.0);
        if ramp <= offset {
            break;
        }
        time.0 = original.0.saturating_add(ramp);
        moved.events += u64::from(offset == 0);
        moved.sum += (ramp - offset) as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Role;
    use crate::table::Hop;

    /// Two sync events on a ramp that falls as fast as displacements decay, each rounded down,
    /// and an enter at the time of the second.
    #[test]
    fn what_comes_before_a_sync_event_stays_before_it() {
        let record = |event: u32, time: i64, offset: i64| Record {
            time,
            corrected: time + offset,
            link: 0,
            event,
            peer: 0,
            hop: Hop::FAR,
            role: Role::Send,
            jump: false,
        };
        let records = [record(0, 0, 20_098), record(2, 130, 20_097)];
        let times = [0, 130, 130].map(Timestamp);
        let mut moved = Moved::default();
        let column = expand(&times, &records, Kappa::new(0.004), &[], &mut moved);
        assert_eq!(column, [20_098, 20_227, 20_227].map(Timestamp));
        assert_eq!(moved.events, 3);
    }
}
