//! From sync events to all events.
//!
//! Between two sync events p and q an internal event x keeps what is left of
//! p's displacement O, and is on the ramp that leads to q's, whichever is
//! larger, with the ramp's slope S where no limit made it steeper:
//!
//! ```text
//! T(x) + max(0, O(p) − ⌊κ·(T(x) − T(p))⌋, O(q) − ⌈max(S, slope p–q)·(T(q) − T(x))⌉)
//! ```
//!
//! Applying the recurrence event by event would round down at each, and
//! differs from this by less than a tick per event.

use mpiscope_model::Timestamp;

use crate::backward::{fine, whole, Slope};
use crate::forward::Kappa;
use crate::records::Record;

/// How far events of a location were moved.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    pub events: u64,
    pub max: i64,
    pub sum: f64,
    /// Displacement of the last event over the length of the location.
    pub final_drift: f64,
}

/// Returns the corrected times of one location.
pub(crate) fn expand(
    interpolated: &[Timestamp],
    records: &[Record],
    kappa: Kappa,
    slope: Option<Slope>,
) -> (Vec<Timestamp>, Moved) {
    let mut column = interpolated.to_vec();
    let mut moved = Moved::default();
    for number in 0..=records.len() {
        let before = number.checked_sub(1).map(|number| &records[number]);
        let after = records.get(number);
        let begin = before.map_or(0, |record| record.event as usize);
        let end = after.map_or(column.len(), |record| record.event as usize);
        if let Some(before) = before {
            decay(&mut column[begin..end], before, kappa, &mut moved);
        }
        if let (Some(after), Some(slope)) = (after, slope) {
            let rest = before.map_or(0, |before| {
                let distance = after.time.saturating_sub(before.time);
                before.offset() - kappa.decay(distance)
            });
            if after.offset() > rest.max(0) {
                let inner = begin + usize::from(before.is_some() && begin < end);
                let ramp = Ramp::new(before, after, slope);
                let times = &mut column[inner..end];
                ramp.raise(times, &interpolated[inner..end], &mut moved);
            }
        }
    }
    if let (Some(first), Some(last), Some(end)) =
        (interpolated.first(), interpolated.last(), column.last())
    {
        let length = (last.0.saturating_sub(first.0)).max(1);
        moved.final_drift = end.0.saturating_sub(last.0) as f64 / length as f64;
    }
    (column, moved)
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

/// What leads up to a sync event.
struct Ramp<'a> {
    after: &'a Record,
    slope: Slope,
    /// Rise and length, if it has to be steeper than that.
    steep: Option<(i128, i128)>,
}

impl<'a> Ramp<'a> {
    fn new(before: Option<&Record>, after: &'a Record, slope: Slope) -> Ramp<'a> {
        let steep = before.and_then(|before| {
            let length = after.time.saturating_sub(before.time);
            let rise = after.offset().saturating_sub(before.offset());
            (fine(rise) > slope.rise(length)).then_some((i128::from(rise), i128::from(length)))
        });
        Ramp {
            after,
            slope,
            steep,
        }
    }

    /// Returns the displacement that leads to the record's; a step without any
    /// time for it comes last.
    fn at(&self, time: i64) -> i64 {
        let distance = self.after.time.saturating_sub(time);
        match self.steep {
            Some((_, 0)) => 0,
            None => whole(fine(self.after.offset()) - self.slope.rise(distance)),
            Some((rise, length)) => {
                let below = (rise * i128::from(distance) + length - 1).div_euclid(length);
                self.after.offset().saturating_sub(below as i64)
            }
        }
    }

    /// Raises the times between; from right to left, until they are higher.
    fn raise(&self, times: &mut [Timestamp], original: &[Timestamp], moved: &mut Moved) {
        for (time, original) in times.iter_mut().zip(original).rev() {
            let ramp = self.at(original.0);
            let offset = time.0.saturating_sub(original.0);
            if ramp <= offset {
                break;
            }
            time.0 = original.0.saturating_add(ramp);
            moved.events += u64::from(offset == 0);
            moved.sum += (ramp - offset) as f64;
        }
    }
}
