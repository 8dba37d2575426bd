//! A part's own times, in one or several columns at once.

use mpiscope_model::{EventRef, LocationIndex, Timestamp};

use super::known::Known;
use super::moves::Receiver;
use crate::correction::Correction;
use crate::exchange::Told;
use crate::prefetch::prefetch;

/// What one part looks at.
pub(super) struct View<'a, const N: usize> {
    pub known: &'a Known<'a>,
    me: usize,
    /// Times of all locations, of which only the part's own are looked at; of
    /// two columns that are the same, one is.
    columns: [Vec<&'a [Timestamp]>; N],
    /// Whose receives were moved from `interpolated` to the last column.
    correction: Option<&'a Correction>,
}

impl<'a, const N: usize> View<'a, N> {
    pub fn new(
        known: &'a Known<'a>,
        me: usize,
        columns: [&[&'a [Timestamp]]; N],
        correction: Option<&'a Correction>,
    ) -> View<'a, N> {
        View {
            known,
            me,
            columns: shared(columns, known.division.locations(me)),
            correction,
        }
    }

    /// A location of this part as moves are looked at, if they are.
    pub fn receiver(&self, location: LocationIndex) -> Option<Receiver<'a>> {
        Some(Receiver::new(self.correction?, location))
    }

    pub fn part_of(&self, event: EventRef) -> usize {
        self.known.division.part_of(event.location.0)
    }

    #[inline]
    pub fn is_mine(&self, event: EventRef) -> bool {
        self.known.division.parts() == 1 || self.part_of(event) == self.me
    }

    /// Asks for the times of an event that is this part's own: those of several
    /// locations lie scattered.
    #[inline]
    pub fn look_ahead(&self, event: EventRef) {
        if self.is_mine(event) {
            let columns = self.columns(event.location);
            columns
                .iter()
                .for_each(|column| prefetch(column, event.index as usize));
        }
    }

    /// Returns the columns of a location of this part.
    #[inline]
    pub fn columns(&self, location: LocationIndex) -> [&'a [Timestamp]; N] {
        self.columns
            .each_ref()
            .map(|column| column[location.index()])
    }

    /// Returns the times of an event that is this part's own, in each column.
    #[inline]
    pub fn times(&self, event: EventRef) -> [i64; N] {
        self.columns(event.location)
            .map(|column| column[event.index as usize].0)
    }

    /// Returns the times of any event, which its part told unless it is this one.
    #[inline]
    pub fn own_or_told(&self, event: EventRef, told: &mut Told<[i64; N]>) -> [i64; N] {
        match self.is_mine(event) {
            true => self.times(event),
            false => told.next_of(self.part_of(event)).unwrap_or([0; N]),
        }
    }
}

/// Has a column that does not differ from the one before at one of these
/// locations lie where that one lies.
fn shared<'a, const N: usize>(
    columns: [&[&'a [Timestamp]]; N],
    locations: &[u32],
) -> [Vec<&'a [Timestamp]>; N] {
    let mut shared = columns.map(<[_]>::to_vec);
    for column in 1..N {
        let (before, after) = shared.split_at_mut(column);
        for location in locations.iter().map(|&location| location as usize) {
            if before[column - 1][location] == after[0][location] {
                after[0][location] = before[column - 1][location];
            }
        }
    }
    shared
}
