//! What a location did between moments that follow one another, such as those between iterations.

use mpiscope_model::LocationIndex;

use crate::bins::Done;
use crate::cursor::Cursor;
use crate::run::Clocked;

impl Clocked<'_> {
    /// Returns what a location did from each moment to the next; moments never go back.
    pub fn divided(&self, location: LocationIndex, moments: &[u64]) -> Vec<Done> {
        let Some((first, rest)) = moments.split_first() else {
            return Vec::new();
        };
        let line = self.outline(location);
        let mut cursor = Cursor::new(&line);
        cursor.go_to(*first);
        let mut before = cursor.done();
        let part = |moment: &u64| {
            cursor.go_to(*moment);
            let now = cursor.done();
            let part = now.since(&before);
            before = now;
            part
        };
        rest.iter().map(part).collect()
    }
}
