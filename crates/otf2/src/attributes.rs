//! Facts attached to a single event: pairs of attribute id and typed value.

use crate::chunk::ATTRIBUTE_LIST;
use crate::encoding::{Encoding, Typed, C32};
use crate::enums::MappingType;
use crate::local::IdMaps;
use crate::value::Value;
use crate::wire::{length_size, Cursor, Fault, Out};
use crate::AttributeRef;

/// The attributes of an event, decoded while they are visited.
#[derive(Debug, Clone, Copy, Default)]
pub struct Attributes<'a> {
    list: Option<Cursor<'a>>,
    count: u32,
    maps: Option<&'a IdMaps>,
}

impl<'a> Attributes<'a> {
    /// Reads a list behind its id and checks that all of it can be decoded.
    pub(crate) fn get(cursor: &mut Cursor<'a>, maps: Option<&'a IdMaps>) -> Result<Self, Fault> {
        let mut list = cursor.payload()?;
        let count = list.c32().map_err(Fault::inside_record)?;
        let attributes = Self {
            list: Some(list),
            count,
            maps,
        };
        for _ in 0..count {
            pair(&mut list).map_err(Fault::inside_record)?;
        }
        Ok(attributes)
    }

    /// The number of attributes.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Visits attribute ids and values.
    pub fn iter(&self) -> impl Iterator<Item = (AttributeRef, Value)> + 'a {
        let mut list = self.list;
        let maps = self.maps;
        (0..self.count).map_while(move |_| {
            let (mut attribute, mut value) = pair(list.as_mut()?).ok()?;
            if let Some(maps) = maps {
                attribute = maps.get(MappingType::ATTRIBUTE, attribute.into()) as u32;
                value.translate(&mut |kind, id| maps.get(kind, id));
            }
            Some((attribute, value))
        })
    }

    /// Returns the value of one attribute.
    pub fn find(&self, attribute: AttributeRef) -> Option<Value> {
        self.iter()
            .find(|pair| pair.0 == attribute)
            .map(|pair| pair.1)
    }
}

fn pair(list: &mut Cursor<'_>) -> Result<(AttributeRef, Value), Fault> {
    Ok((C32::get(list)?, Typed::get(list)?))
}

/// The payload that libotf2 reckons with: 15 bytes for each attribute.
fn bound(count: usize) -> usize {
    5 + 15 * count
}

/// The room that libotf2 keeps for a list.
#[inline]
pub(crate) fn room(attributes: &[(AttributeRef, Value)]) -> usize {
    match attributes.len() {
        0 => 0,
        count => 1 + length_size(bound(count)) + bound(count),
    }
}

#[inline]
pub(crate) fn put(out: &mut Out, attributes: &[(AttributeRef, Value)]) {
    if attributes.is_empty() {
        return;
    }
    let bound = bound(attributes.len());
    out.u8(ATTRIBUTE_LIST);
    let start = out.open_payload(bound);
    out.c32(attributes.len() as u32);
    for (attribute, value) in attributes {
        out.c32(*attribute);
        Typed::put(out, value);
    }
    out.close_payload(start, bound);
}
