//! What a rank received, as numbers.
//!
//! Of a record with [`Depth::Hashes`](super::Depth::Hashes) an entry is: function, call site,
//! sum of the hashes of what the call received, calls since the entry before. Where two runs made
//! the same calls, the first entry with another sum tells where one got other data
//! ([`first_difference`]). Else the sums of all calls at one place are summed: messages that came
//! in another order come to the same ([`received`]).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{open, Cursor, Kept};
use crate::Error;

/// What was received at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Received {
    /// The first call there that received anything, counted among those of the rank.
    pub first: u64,
    /// The sum of all hashes.
    pub data: u64,
}

/// A call that received something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Receiving {
    /// Counted from 1 among all calls of the rank.
    pub call: u64,
    /// Name of the MPI function.
    pub function: String,
    /// Where in the program: module and offset; empty if not known.
    pub site: String,
    data: u64,
}

/// The entries of a record, one after the other.
struct Entries {
    path: PathBuf,
    reader: Kept,
    calls: u64,
}

impl Entries {
    fn open(run: &Path, rank: u32) -> Result<Self, Error> {
        let (_, reader) = open(run, rank)?;
        Ok(Self {
            path: super::path(run, rank),
            reader,
            calls: 0,
        })
    }

    /// Returns the next one and its number.
    fn next(&mut self) -> Result<Option<(u64, Receiving)>, Error> {
        let entry = self.reader.next_call();
        let entry = entry.map_err(|error| Error::damaged(&self.path, error.to_string()))?;
        let Some(entry) = entry else { return Ok(None) };
        let number = entry.number;
        let mut cursor = Cursor(&entry.body);
        let mut next = || cursor.number();
        let all = (next(), next(), next(), next());
        let (Some(function), Some(site), Some(data), Some(calls)) = all else {
            let what = format!("entry {number} is not whole");
            return Err(Error::damaged(&self.path, what));
        };
        self.calls += calls;
        let receiving = Receiving {
            call: self.calls,
            function: self.reader.word(function).to_owned(),
            site: self.reader.word(site).to_owned(),
            data,
        };
        Ok(Some((number, receiving)))
    }
}

/// Returns the first call of a rank that received other data than in another run of the same
/// calls; where calls differ, nothing more is compared.
///
/// # Errors
/// When there is no record of one of them, or it is damaged.
pub fn first_difference(run: &Path, other: &Path, rank: u32) -> Result<Option<Receiving>, Error> {
    let (mut run, mut other) = (Entries::open(run, rank)?, Entries::open(other, rank)?);
    while let (Some((_, was)), Some((_, is))) = (run.next()?, other.next()?) {
        if (was.call, &was.function) != (is.call, &is.function) {
            break;
        }
        if was.data != is.data {
            return Ok(Some(is));
        }
    }
    Ok(None)
}

/// Reads what a rank received, by function and call site.
///
/// # Errors
/// When there is no record of it, or it is damaged.
pub fn received(run: &Path, rank: u32) -> Result<BTreeMap<(String, String), Received>, Error> {
    let mut entries = Entries::open(run, rank)?;
    let mut found: BTreeMap<(String, String), Received> = BTreeMap::new();
    while let Some((number, entry)) = entries.next()? {
        let place = found
            .entry((entry.function, entry.site))
            .or_insert(Received {
                first: number,
                data: 0,
            });
        place.data = place.data.wrapping_add(entry.data);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::{keep, Body, Encoder, Header, Note};
    use super::*;
    use crate::order::buffer::Writer;

    /// Keeps what was received by `calls`, each two after the other: place and data of each.
    fn kept(calls: &[(&str, u64)]) -> tempfile::TempDir {
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
            body.number(2);
            encoder.call(&mut writer, &body);
        }
        keep(run.path(), &buffer).unwrap();
        run
    }

    fn by_place(calls: &[(&str, u64)]) -> BTreeMap<(String, String), Received> {
        received(kept(calls).path(), 0).unwrap()
    }

    #[test]
    fn the_order_of_messages_at_one_place_does_not_count() {
        let calls = [("a", 1), ("b", 5), ("a", u64::MAX)];
        assert_eq!(by_place(&calls), by_place(&[calls[2], calls[1], calls[0]]));
        assert_ne!(
            by_place(&calls),
            by_place(&[("a", 1), ("b", 6), ("a", u64::MAX)])
        );
        assert_ne!(
            by_place(&calls),
            by_place(&[("b", 1), ("a", 5), ("b", u64::MAX)])
        );
        let first: Vec<u64> = by_place(&calls).values().map(|place| place.first).collect();
        assert_eq!(first, [1, 2]);
    }

    #[test]
    fn the_first_call_that_received_other_data_is_named() {
        let calls = [("a", 1), ("b", 5), ("a", 7), ("b", 5)];
        let first = |other: &[(&str, u64)]| {
            let (run, other) = (kept(&calls), kept(other));
            let found = first_difference(run.path(), other.path(), 0).unwrap();
            found.map(|it| (it.call, it.function, it.site))
        };
        assert_eq!(first(&calls), None);
        assert_eq!(first(&calls[..2]), None);
        let other = [("a", 1), ("b", 5), ("a", 8), ("b", 6)];
        assert_eq!(first(&other), Some((6, "MPI_Recv".into(), "a".into())));
    }
}
