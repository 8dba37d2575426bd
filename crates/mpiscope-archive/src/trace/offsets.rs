//! Times by the clock offsets that an archive holds.
//!
//! Tools that measured offsets leave their times as the clocks showed them, and expect readers to
//! apply the offsets (Score-P; `otf2_evt_reader_apply_clock_correction` of libotf2). Who means to
//! correct clocks takes them for measurements; all others for what they are.

use mpiscope_model::{ClockDomain, Timestamp, Trace};
use otf2::clock::ClockCorrection;
use rayon::prelude::*;

/// Returns the times of all events with the offsets of their clocks applied, as readers of libotf2 do:
/// linearly between two of them and beyond. Nothing if that changes none.
pub fn applied_offsets(trace: &Trace) -> Option<Vec<Vec<Timestamp>>> {
    let mut of_location = vec![ClockCorrection::default(); trace.locations.len()];
    for domain in &trace.clocks {
        let correction = correction(domain);
        for location in &domain.locations {
            of_location[location.index()] = correction.clone();
        }
    }
    if of_location.iter().all(ClockCorrection::is_identity) {
        return None;
    }
    let locations = trace.locations.par_iter().zip(&of_location);
    let times = locations.map(|(location, correction)| {
        let mut cursor = correction.cursor();
        let times = location.events.times().iter();
        times
            .map(|time| Timestamp(cursor.apply(time.0 as u64) as i64))
            .collect()
    });
    Some(times.collect())
}

fn correction(domain: &ClockDomain) -> ClockCorrection {
    let measured = domain.measurements.iter();
    if measured.clone().all(|it| it.offset.0 == 0) {
        return ClockCorrection::default();
    }
    let offsets: Vec<(u64, i64)> = measured.map(|it| (it.time.0 as u64, it.offset.0)).collect();
    ClockCorrection::between(&offsets)
}

#[cfg(test)]
mod tests {
    use mpiscope_model::clock::OffsetMeasurement;
    use mpiscope_model::{Duration, LocationIndex};

    use super::*;

    /// Two ranks, of which the second one's clock was compared so: when, and by how much it is behind.
    fn trace(offsets: &[(i64, i64)]) -> Trace {
        let mut trace = Trace::parse("0: 0 100 200\n1: 0 100 200 300").unwrap();
        let measurement = |&(time, offset)| OffsetMeasurement {
            time: Timestamp(time),
            offset: Duration(offset),
            half_width: Duration(5),
        };
        let domain = |location, measurements| ClockDomain {
            locations: vec![LocationIndex(location)],
            measurements,
        };
        let measured = offsets.iter().map(measurement).collect();
        trace.clocks = vec![domain(0, Vec::new()), domain(1, measured)];
        trace
    }

    #[test]
    fn offsets_are_applied_between_and_beyond() {
        let times = applied_offsets(&trace(&[(0, 50), (200, 70)])).unwrap();
        assert_eq!(times[0], [0, 100, 200].map(Timestamp));
        assert_eq!(times[1], [50, 160, 270, 380].map(Timestamp));
    }

    #[test]
    fn where_there_are_none_nothing_changes() {
        for offsets in [&[] as &[(i64, i64)], &[(0, 50)], &[(0, 0), (200, 0)]] {
            assert_eq!(applied_offsets(&trace(offsets)), None, "{offsets:?}");
        }
    }
}
