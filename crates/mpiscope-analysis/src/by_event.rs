//! Something of some of the events of a location, found by their numbers: of those that another
//! process has told of.

/// Values by event.
#[derive(Clone, Debug)]
pub(crate) struct ByEvent<T> {
    /// Ascending.
    all: Vec<(u32, T)>,
    /// Of each stretch of `1 << shift` events where those in it begin, and where the last ends.
    begins: Vec<u32>,
    shift: u32,
}

impl<T> Default for ByEvent<T> {
    fn default() -> ByEvent<T> {
        ByEvent {
            all: Vec::new(),
            begins: Vec::new(),
            shift: 0,
        }
    }
}

impl<T: Copy> ByEvent<T> {
    /// Adds more; of one event the first stays.
    pub fn add(&mut self, more: impl IntoIterator<Item = (u32, T)>) {
        self.all.extend(more);
        self.all.sort_by_key(|it| it.0);
        self.all.dedup_by_key(|it| it.0);
        let Some(&(last, _)) = self.all.last() else {
            return;
        };
        // About as many stretches as there are events, so that few are in each.
        self.shift = (last / self.all.len() as u32).checked_ilog2().unwrap_or(0);
        self.begins.clear();
        for (place, &(event, _)) in (0..).zip(&self.all) {
            let stretch = (event >> self.shift) as usize;
            self.begins
                .resize(self.begins.len().max(stretch + 1), place);
        }
        self.begins.push(self.all.len() as u32);
    }

    /// Returns what is known of an event.
    #[inline]
    pub fn get(&self, event: u32) -> Option<T> {
        let stretch = (event >> self.shift) as usize;
        let (&begin, &end) = (self.begins.get(stretch)?, self.begins.get(stretch + 1)?);
        let some = &self.all[begin as usize..end as usize];
        let place = some.binary_search_by_key(&event, |it| it.0).ok()?;
        Some(some[place].1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_added_first_is_found_and_nothing_else(
            all in prop::collection::vec((0..400u32, any::<u8>()), 0..60),
            more in prop::collection::vec((0..4000u32, any::<u8>()), 0..9),
        ) {
            let mut found = ByEvent::default();
            found.add(all.iter().copied());
            found.add(more.iter().copied());
            for event in 0..4100 {
                let mut told = all.iter().chain(&more);
                let expected = told.find(|it| it.0 == event).map(|it| it.1);
                prop_assert_eq!(found.get(event), expected, "{}", event);
            }
        }
    }
}
