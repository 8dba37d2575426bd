//! From sync events to all events.
//!
//! Between two sync events p and q an internal event x keeps what is left of
//! p's displacement: T(x) + max(0, o(p) − ⌊κ·(T(x) − T(p))⌋). Applying the
//! recurrence event by event would round down at each, and differs from this
//! by less than a tick per event.

use mpiscope_model::Timestamp;

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
) -> (Vec<Timestamp>, Moved) {
    let mut column = interpolated.to_vec();
    let mut moved = Moved::default();
    for (number, record) in records.iter().enumerate() {
        let offset = record.corrected.saturating_sub(record.time);
        if offset <= 0 {
            continue;
        }
        let next = records.get(number + 1);
        let end = next.map_or(column.len(), |next| next.event as usize);
        let mut sum = 0i64;
        for time in &mut column[record.event as usize..end] {
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
    if let (Some(first), Some(last), Some(end)) =
        (interpolated.first(), interpolated.last(), column.last())
    {
        let length = (last.0.saturating_sub(first.0)).max(1);
        moved.final_drift = end.0.saturating_sub(last.0) as f64 / length as f64;
    }
    (column, moved)
}
