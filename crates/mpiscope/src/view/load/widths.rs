//! By how much corrected times can be wrong, as the file beside the corrected archive says.

use std::collections::HashMap;

use mpiscope_archive::model::{LocationIndex, Timestamp};
use mpiscope_archive::uncertainty::Uncertainty;
use mpiscope_serve::Widths;

use crate::input::Input;

/// Returns what is known of it, in 99 of 100 cases and against the first clock; nothing where the
/// run is not corrected, or the file cannot be read.
pub fn of(input: &Input) -> Option<Box<Widths>> {
    let kept = Uncertainty::read(&input.corrected()?).ok()??;
    let clocks: HashMap<u64, u32> = kept
        .clocks
        .iter()
        .map(|it| (it.location, it.clock))
        .collect();
    let locations = input.trace.locations.iter();
    let clock_of: Vec<Option<u32>> = locations.map(|it| clocks.get(&it.id).copied()).collect();
    Some(Box::new(move |location: LocationIndex, time: Timestamp| {
        let clock = clock_of.get(location.index()).copied().flatten()?;
        let since = time.0.saturating_sub(kept.begin_ns).max(0);
        let window = usize::try_from(since / kept.window_ns.max(1)).ok()?;
        let window = kept
            .windows
            .get(window.min(kept.windows.len().checked_sub(1)?))?;
        let width = window.interval_ns.get(clock as usize).copied().flatten()?;
        u64::try_from(width).ok()
    }))
}
