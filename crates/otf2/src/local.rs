//! Definitions of one location: tables from its ids to the global ones, and
//! offsets of its clock.

use crate::encoding::*;
use crate::enums::MappingType;
use crate::records::{field, form, records, Form, Kind, Record};
use crate::references::Translate;
use crate::wire::{length_size, Cursor, Fault, Out};
use crate::Definition;

records! {
    /// A local definition.
    pub enum LocalDefinition {
        /// Global ids for the ids that this location uses.
        5 MappingTable length { mapping_type: MappingType as U8, id_map: IdMap as MapEncoding },
        /// What to add to this location's clock at a time.
        6 ClockOffset length {
            time: u64 as Fixed64, offset: i64 as Ci64, standard_deviation: f64 as Fixed64
        },
        plain {}
        shared {
            /// What global definitions say too; local files may repeat it, and
            /// no reader heeds it.
            10..=43 => Definition(Definition)
        }
    }
}

/// A table from local to global ids; ids that are not in it stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdMap {
    /// The global id of local id i is element i.
    Dense(Vec<u64>),
    /// Pairs of local and global id, sorted by local id.
    Sparse(Vec<(u64, u64)>),
}

impl IdMap {
    /// Returns the global id of `local`.
    pub fn get(&self, local: u64) -> u64 {
        match self {
            Self::Dense(ids) => usize::try_from(local)
                .ok()
                .and_then(|index| ids.get(index))
                .map_or(local, |id| *id),
            Self::Sparse(pairs) => pairs
                .binary_search_by_key(&local, |pair| pair.0)
                .map_or(local, |found| pairs[found].1),
        }
    }
}

struct MapEncoding;

type Dense = Counted<C64, C64>;
type Sparse = Counted<C64, (C64, C64)>;

impl Encoding<IdMap> for MapEncoding {
    // The number of entries comes before the mode, hence the detour.
    fn put(out: &mut Out, value: &IdMap) {
        match value {
            IdMap::Dense(ids) => {
                out.c64(ids.len() as u64);
                out.u8(0);
                ids.iter().for_each(|id| out.c64(*id));
            }
            IdMap::Sparse(pairs) => {
                out.c64(pairs.len() as u64);
                out.u8(1);
                for (local, global) in pairs {
                    out.c64(*local);
                    out.c64(*global);
                }
            }
        }
    }

    fn get(cursor: &mut Cursor<'_>) -> Result<IdMap, Fault> {
        let count = cursor.c64()?;
        let mode = cursor.u8()?;
        let mut dense = Vec::new();
        let mut sparse = Vec::new();
        for _ in 0..count {
            match mode {
                0 => dense.push(cursor.c64()?),
                1 => sparse.push((cursor.c64()?, cursor.c64()?)),
                _ => return Err(Fault::MapMode),
            }
        }
        sparse.sort_by_key(|pair| pair.0);
        Ok(match mode {
            0 => IdMap::Dense(dense),
            _ => IdMap::Sparse(sparse),
        })
    }

    fn size(value: &IdMap) -> usize {
        1 + match value {
            IdMap::Dense(ids) => Dense::size(ids),
            IdMap::Sparse(pairs) => Sparse::size(pairs),
        }
    }

    #[cfg(test)]
    fn sample(next: &mut dyn FnMut() -> u64) -> IdMap {
        let mut sparse = Sparse::sample(next);
        sparse.sort_by_key(|pair: &(u64, u64)| pair.0);
        match next() % 2 {
            0 => IdMap::Dense(Dense::sample(next)),
            _ => IdMap::Sparse(sparse),
        }
    }
}

/// All mapping tables of a location.
#[derive(Debug, Clone, Default)]
pub struct IdMaps {
    tables: [Option<IdMap>; 15],
}

impl IdMaps {
    /// Returns the tables among `definitions`, or `None` if there are none.
    pub fn new(definitions: &[LocalDefinition]) -> Option<Self> {
        let mut maps = Self::default();
        for definition in definitions {
            if let LocalDefinition::MappingTable {
                mapping_type,
                id_map,
            } = definition
            {
                if let Some(table @ None) = maps.tables.get_mut(usize::from(mapping_type.0)) {
                    *table = Some(id_map.clone());
                }
            }
        }
        maps.tables.iter().any(Option::is_some).then_some(maps)
    }

    /// Returns the global id.
    pub fn get(&self, kind: MappingType, local: u64) -> u64 {
        match self.tables.get(usize::from(kind.0)) {
            Some(Some(table)) => table.get(local),
            _ => local,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Event;

    #[test]
    fn ids_outside_a_table_stay() {
        let dense = IdMap::Dense(vec![7, u64::MAX]);
        assert_eq!([0, 1, 2].map(|id| dense.get(id)), [7, u64::MAX, 2]);
        let sparse = IdMap::Sparse(vec![(3, 30), (1 << 30, 4)]);
        assert_eq!([3, 4, 1 << 30].map(|id| sparse.get(id)), [30, 4, 4]);
    }

    #[test]
    fn regions_and_communicators_are_translated_ranks_are_not() {
        let table = |mapping_type, ids: &[u64]| LocalDefinition::MappingTable {
            mapping_type,
            id_map: IdMap::Dense(ids.to_vec()),
        };
        let maps = IdMaps::new(&[
            table(MappingType::REGION, &[5]),
            table(MappingType::COMM, &[6]),
            table(MappingType(77), &[9]),
        ])
        .unwrap();
        let mut enter = Event::Enter { region: 0 };
        enter.translate(&mut |kind, id| maps.get(kind, id));
        assert_eq!(enter, Event::Enter { region: 5 });
        let mut send = Event::MpiSend {
            receiver: 0,
            communicator: 0,
            msg_tag: 0,
            msg_length: 0,
        };
        send.translate(&mut |kind, id| maps.get(kind, id));
        assert_eq!(
            send,
            Event::MpiSend {
                receiver: 0,
                communicator: 6,
                msg_tag: 0,
                msg_length: 0
            }
        );
    }
}
