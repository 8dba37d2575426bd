//! Files whose records carry no time: definitions and markers.

use crate::chunk::{Chunks, END_OF_CHUNK, END_OF_FILE};
use crate::error::FaultPlace;
use crate::records::Record;
use crate::wire::Fault;
use crate::Error;
use std::path::Path;

/// The records of a file, as far as it could be read.
///
/// It is a slice of them; [`complete`](Self::complete) is for those who want
/// all or nothing.
#[derive(Debug)]
pub struct List<T> {
    records: Vec<T>,
    damage: Option<Error>,
}

impl<T> List<T> {
    /// Why reading stopped before the end of the file, if it did.
    pub fn damage(&self) -> Option<&Error> {
        self.damage.as_ref()
    }

    /// Returns the records, or the error that kept some of them back.
    pub fn complete(self) -> Result<Vec<T>, Error> {
        match self.damage {
            Some(error) => Err(error),
            None => Ok(self.records),
        }
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            records: Vec::new(),
            damage: None,
        }
    }
}

impl<T> std::ops::Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.records
    }
}

impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.records.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.records.iter()
    }
}

pub(crate) fn read<R: Record>(path: &Path, chunks: Chunks<'_>) -> List<R> {
    let mut list = List::default();
    let mut index = 0;
    while let Err((fault, at)) = read_chunk(chunks, index, &mut list.records) {
        // A closed chunk wants a successor.
        if fault.is_none() && index + 1 < chunks.count() {
            index += 1;
            continue;
        }
        let place = FaultPlace {
            path,
            chunk: index,
            offset: chunks.offset(index, at),
            records: list.records.len() as u64,
            open_end: fault.is_none() || chunks.open_end(index),
        };
        list.damage = Some(place.error(fault.unwrap_or(Fault::Short)));
        break;
    }
    list
}

/// Reads to the end of the file (`Ok`), or to the end of the chunk or a fault.
fn read_chunk<R: Record>(
    chunks: Chunks<'_>,
    index: usize,
    records: &mut Vec<R>,
) -> Result<(), (Option<Fault>, usize)> {
    let mut body = chunks.get(index).map_err(|fault| (Some(fault), 0))?.body;
    loop {
        let at = body.at();
        let fault = |fault| (Some(fault), at);
        match body.u8().map_err(fault)? {
            END_OF_CHUNK => return Err((None, at)),
            END_OF_FILE => return Ok(()),
            1 | 3 | 4 => return Err(fault(Fault::Record)),
            id => records.push(R::get(id, &mut body).map_err(fault)?),
        }
    }
}
