//! Waits for single events. Several rules may tell one; it counts once, where
//! it ends.

use super::found::Found;
use super::view::{At, View};
use crate::exchange::Exchange;

/// Waits, each by what was waited for and where that ended.
pub(super) struct Waits<'a> {
    view: View<'a>,
    /// By the part that they end in.
    by_part: Vec<Vec<(At, At)>>,
}

impl<'a> Waits<'a> {
    pub fn new(view: &View<'a>) -> Waits<'a> {
        Waits {
            view: *view,
            by_part: vec![Vec::new(); view.known.division.parts()],
        }
    }

    /// Adds one.
    pub fn add(&mut self, (sent, received): (At, At)) {
        let part = self.view.known.part_of(received.location);
        self.by_part[part].push((sent, received));
    }

    /// Looks at all that end in this part.
    pub fn look<E: Exchange>(self, exchange: &E, found: &mut Found) {
        let mut waits = together(exchange.all_to_all(self.by_part));
        waits.sort_unstable();
        waits.dedup();
        for (sent, received) in waits {
            self.view.pair(sent, received, false, found);
        }
    }
}

impl Extend<(At, At)> for Waits<'_> {
    fn extend<I: IntoIterator<Item = (At, At)>>(&mut self, waits: I) {
        waits.into_iter().for_each(|wait| self.add(wait));
    }
}

/// What all parts told in one list; that of a single part is it.
pub(super) fn together<T>(told: Vec<Vec<T>>) -> Vec<T> {
    let all = told.into_iter().reduce(|mut all, mut some| {
        all.append(&mut some);
        all
    });
    all.unwrap_or_default()
}
