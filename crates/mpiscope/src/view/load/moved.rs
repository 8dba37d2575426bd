//! What rows of a run are shifted by, by hand, and what keeps it with the run.

use mpiscope_serve::Shifts;

use crate::correction::MovedByHand;
use crate::input::Input;
use crate::shifts::{by_location, listed, none_of, place, write, Shift};
use crate::{packed, say};

/// Returns the shifts of a run, and what is to be said of them.
pub fn of(input: &Input) -> (Shifts, Vec<String>) {
    let MovedByHand { kept, with, note } = MovedByHand::of(input);
    let all = |shifts: &[Shift]| by_location(&input.trace, shifts);
    let now = all(&kept);
    let shifts = match packed::given(&input.path) == input.path {
        false => Shifts::fixed(
            now,
            "the run is packed, and keeps no shifts: `mpiscope unpack` makes a run of it that does"
                .to_owned(),
        ),
        true => Shifts::kept(now, keep(input)),
    };
    let shifts = match &with {
        Some(with) => shifts.contained_in("corrected", all(with)),
        None => shifts,
    };
    (shifts, note.into_iter().collect())
}

/// Returns what keeps shifts beside the archive.
fn keep(input: &Input) -> Box<mpiscope_serve::Keep> {
    let place = place(input);
    let none = none_of(&input.trace);
    Box::new(move |all| {
        let shifts = listed(&none, all);
        write(&place, &shifts)
            .map_err(|error| format!("shifts are not kept: {}", say::chain(&error)))
    })
}
