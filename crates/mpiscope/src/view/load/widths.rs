//! By how much corrected times can be wrong, as the file beside the corrected archive says.

use mpiscope_archive::model::{LocationIndex, Timestamp};
use mpiscope_serve::Widths;

use crate::input::Input;
use crate::uncertainty;

/// Returns what is known of it, in 99 of 100 cases and against the first clock; nothing where the
/// run is not corrected, or the file cannot be read.
pub fn of(input: &Input) -> Option<Box<Widths>> {
    let errors = uncertainty::of_corrected(input)?;
    Some(Box::new(move |location: LocationIndex, time: Timestamp| {
        let width = errors.of_location(location, time)?;
        u64::try_from(width.0).ok()
    }))
}
