//! Comparisons with the master's clock, as good as they are in life.

use mpiscope_model::{Duration, OffsetMeasurement, Timestamp};

use crate::clock::Clock;
use crate::parameters::Parameters;
use crate::random::{Purpose, Random};

/// Returns the offset measurements of clock `number`, which `host` reads;
/// `far` if that is not the master's host.
pub(crate) fn measure(
    parameters: &Parameters,
    clocks: &[Clock],
    (number, host, far): (usize, u32, bool),
) -> Vec<OffsetMeasurement> {
    if number == 0 {
        return Vec::new();
    }
    let mut random = Random::new(parameters.seed, Purpose::Offsets, number as u64);
    let link = match far {
        true => &parameters.network.between_hosts,
        false => &parameters.network.same_host,
    };
    let ended = parameters.early_end.filter(|end| end.host == host);
    let mut measurements: Vec<OffsetMeasurement> = parameters
        .offsets
        .times_s
        .iter()
        .map(|&at_s| {
            let at = (at_s * 1e9) as i64;
            let error = parameters.offsets.error_ns * random.normal();
            // A ping that took d there and e back errs by (d − e)/2, and both
            // take the minimum at least.
            let width = error.abs() + random.exponential(parameters.offsets.error_ns);
            let local = clocks[number].show(at);
            OffsetMeasurement {
                time: Timestamp(local),
                offset: Duration(clocks[0].show(at) - local + error as i64),
                half_width: Duration(link.minimum_ns + width.ceil() as i64),
            }
        })
        .zip(&parameters.offsets.times_s)
        .filter(|(_, &at_s)| ended.is_none_or(|end| at_s <= end.at_s))
        .map(|(measurement, _)| measurement)
        .collect();
    measurements.sort_by_key(|measurement| measurement.time);
    measurements.dedup_by_key(|measurement| measurement.time);
    measurements
}
