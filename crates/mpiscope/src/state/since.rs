//! When a rank came to where it is.

use std::time::{SystemTime, UNIX_EPOCH};

use mpiscope_analysis::errors::{Stand, Standing};
use mpiscope_analysis::waiting_for::of_trace::left;
use mpiscope_archive::model::{EventRef, Rank, Timestamp, Trace};

/// Returns for how long a thread has been in its call, or outside of MPI: `after_last` is how long
/// after the rank's last event it was seen alive.
pub fn since(trace: &Trace, stand: &Stand, after_last: i64) -> Option<i64> {
    let call = stand.call?;
    match stand.standing {
        Standing::Within | Standing::Finalized => waited(trace, call, after_last),
        Standing::Outside => after(trace, call, left(trace, call)?, after_last),
    }
}

/// Returns how long ago an event of a rank was.
pub fn waited(trace: &Trace, event: EventRef, after_last: i64) -> Option<i64> {
    after(trace, event, trace.time(event), after_last)
}

fn after(trace: &Trace, event: EventRef, began: Timestamp, after_last: i64) -> Option<i64> {
    let rank = trace.locations[event.location.index()].rank;
    let since = (last(trace, rank)? - began.0).saturating_add(after_last);
    Some(since.max(0))
}

/// Returns the time of a rank's last event.
fn last(trace: &Trace, rank: Rank) -> Option<i64> {
    let own = trace.locations.iter().filter(|it| it.rank == rank);
    own.filter_map(|it| it.events.times().last())
        .max()
        .map(|time| time.0)
}

/// Returns nanoseconds since 1970.
pub fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}

/// Writes a moment as `2026-11-26 09:44:54 UTC`.
pub fn moment(nanoseconds: u64) -> String {
    let seconds = nanoseconds / 1_000_000_000;
    let (day, second) = ((seconds / 86_400) as i64, seconds % 86_400);
    // The calendar repeats itself every 400 years, which are counted from the first of March.
    let day = day + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_by_the_calendar() {
        for (seconds, shown) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_764_149_094, "2025-11-26 09:24:54 UTC"),
            (4_107_542_399, "2100-02-28 23:59:59 UTC"),
        ] {
            assert_eq!(moment(seconds * 1_000_000_000), shown);
        }
    }
}
