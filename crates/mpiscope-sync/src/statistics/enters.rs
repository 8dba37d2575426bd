//! The last senders of a collective operation, as a receiver sees them.

use mpiscope_model::LocationIndex;

/// The latest sender, and the latest that differs from it in a number such as
/// that of its clock: whichever number a receiver excludes, the latest of the
/// others is one of the two.
#[derive(Clone, Copy, Default)]
pub(super) struct Latest {
    first: Option<(i64, u32, LocationIndex)>,
    second: Option<(i64, LocationIndex)>,
}

impl Latest {
    pub fn add(&mut self, time: i64, number: u32, location: LocationIndex) {
        match self.first {
            Some((first, of, _)) if of == number && first >= time => {}
            Some((first, of, _)) if of != number && first >= time => {
                if self.second.is_none_or(|(second, _)| second < time) {
                    self.second = Some((time, location));
                }
            }
            Some((first, of, at)) if of != number => {
                self.second = Some((first, at));
                self.first = Some((time, number, location));
            }
            _ => self.first = Some((time, number, location)),
        }
    }

    /// Returns the latest sender of any number but this.
    pub fn other_than(&self, number: u32) -> Option<(i64, LocationIndex)> {
        match self.first {
            Some((time, of, location)) if of != number => Some((time, location)),
            _ => self.second,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_latest_of_all_other_numbers_is_known(
            senders in proptest::collection::vec((0u32..4, -9i64..9), 0..20),
            number in 0u32..5,
        ) {
            let mut latest = Latest::default();
            for &(number, time) in &senders {
                latest.add(time, number, LocationIndex(number));
            }
            let others = senders.iter().filter(|it| it.0 != number);
            let expected = others.map(|it| it.1).max();
            prop_assert_eq!(latest.other_than(number).map(|it| it.0), expected);
        }
    }
}
