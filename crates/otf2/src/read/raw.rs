//! Events as they stand in the file, for those who only move them.

use super::events::{EventFile, Events};
use crate::attributes::Attributes;
use crate::chunk::ATTRIBUTE_LIST;
use crate::records::Record as _;
use crate::wire::{ByteOrder, Cursor, Fault};
use crate::{Error, Event};

/// An event that was found and not decoded.
#[derive(Debug, Clone, Copy)]
pub struct Raw<'a> {
    /// The number of the event at its location, from 1.
    pub number: u64,
    /// When it happened, in ticks of the location's clock.
    pub time: u64,
    /// The number of its kind of record.
    pub id: u8,
    /// Attributes and record, little-endian.
    bytes: &'a [u8],
}

impl<'a> Raw<'a> {
    pub(super) fn new(number: u64, time: u64, id: u8, bytes: &'a [u8]) -> Self {
        Self {
            number,
            time,
            id,
            bytes,
        }
    }

    /// The bytes of attributes and record, as they stand in the file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Decodes attributes and fields; `None` if they are damaged.
    pub fn decode(&self) -> Option<(Attributes<'a>, Event)> {
        self.decoded().ok()
    }

    fn decoded(&self) -> Result<(Attributes<'a>, Event), Fault> {
        let mut cursor = Cursor::new(self.bytes, ByteOrder::Little);
        let mut attributes = Attributes::default();
        let mut id = cursor.u8()?;
        while id == ATTRIBUTE_LIST {
            attributes = Attributes::get(&mut cursor, None)?;
            id = cursor.u8()?;
        }
        Ok((attributes, Event::get(id, &mut cursor)?))
    }
}

impl EventFile {
    /// Visits all events without decoding them, and without looking whether they can be; `None`
    /// if their bytes mean nothing by themselves: local ids, or the other byte order.
    pub fn raw(&self) -> Option<RawEvents<'_>> {
        let plain = self.maps.is_none() && self.is_all(ByteOrder::Little);
        plain.then(|| RawEvents(self.iter()))
    }
}

/// Visits events in file order, undecoded. It ends as [`Events`] does.
#[derive(Debug)]
pub struct RawEvents<'a>(Events<'a>);

impl<'a> Iterator for RawEvents<'a> {
    type Item = Result<Raw<'a>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.advance(Events::step_raw)
    }
}
