//! What a rank received, as a number for each place in its program.
//!
//! Of a record with [`Depth::Hashes`](super::Depth::Hashes) an entry is: function, call site,
//! sum of the hashes of what the call received. The sums of all calls at one
//! place are summed: messages that came in another order come to the same.

use std::collections::BTreeMap;
use std::path::Path;

use super::{open, Cursor};
use crate::Error;

/// What was received at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Received {
    /// The first call there that received anything, counted among those of the rank.
    pub first: u64,
    /// The sum of all hashes.
    pub data: u64,
}

/// Reads what a rank received, by function and call site.
///
/// # Errors
/// When there is no record of it, or it is damaged.
pub fn received(run: &Path, rank: u32) -> Result<BTreeMap<(String, String), Received>, Error> {
    let path = super::path(run, rank);
    let (_, mut reader) = open(run, rank)?;
    let mut found: BTreeMap<(String, String), Received> = BTreeMap::new();
    loop {
        let entry = reader
            .next_call()
            .map_err(|error| Error::damaged(&path, error.to_string()))?;
        let Some(entry) = entry else { return Ok(found) };
        let number = entry.number;
        let mut cursor = Cursor(&entry.body);
        let mut next = || cursor.number();
        let (Some(function), Some(site), Some(data)) = (next(), next(), next()) else {
            let what = format!("entry {number} is not whole");
            return Err(Error::damaged(&path, what));
        };
        let key = (
            reader.word(function).to_owned(),
            reader.word(site).to_owned(),
        );
        let place = found.entry(key).or_insert(Received {
            first: number,
            data: 0,
        });
        place.data = place.data.wrapping_add(data);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{keep, Body, Encoder, Header, Note};
    use super::*;
    use crate::order::buffer::Writer;

    /// Returns what was received by `calls`: place and data of each.
    fn kept(calls: &[(&str, u64)]) -> BTreeMap<(String, String), Received> {
        let run = tempfile::tempdir().unwrap();
        let name = "h-1-0.payload";
        let buffer = run.path().join(name);
        let mut writer = Writer::create(run.path(), name, run.path(), (0, 0), None).unwrap();
        assert!(writer.note(&Note::Header(Header::default()).line()));
        let mut encoder = Encoder::default();
        for &(site, data) in calls {
            let mut body = Body::default();
            for word in ["MPI_Recv", site] {
                let number = encoder.word(&mut writer, word);
                body.number(number.into());
            }
            body.number(data);
            encoder.call(&mut writer, &body);
        }
        keep(run.path(), &buffer).unwrap();
        received(run.path(), 0).unwrap()
    }

    #[test]
    fn the_order_of_messages_at_one_place_does_not_count() {
        let calls = [("a", 1), ("b", 5), ("a", u64::MAX)];
        assert_eq!(kept(&calls), kept(&[calls[2], calls[1], calls[0]]));
        assert_ne!(kept(&calls), kept(&[("a", 1), ("b", 6), ("a", u64::MAX)]));
        assert_ne!(kept(&calls), kept(&[("b", 1), ("a", 5), ("b", u64::MAX)]));
        let first: Vec<u64> = kept(&calls).values().map(|place| place.first).collect();
        assert_eq!(first, [1, 2]);
    }
}
