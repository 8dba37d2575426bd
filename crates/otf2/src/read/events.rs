//! The events of one location, and its snapshots, which are stored likewise.

use super::raw::Raw;
use crate::attributes::Attributes;
use crate::chunk::{Chunk, Chunks, ATTRIBUTE_LIST, END_OF_CHUNK, END_OF_FILE, TIMESTAMP};
use crate::error::{FaultPlace, Truncation};
use crate::local::IdMaps;
use crate::map::FileBytes;
use crate::records;
use crate::wire::{ByteOrder, Cursor, Fault};
use crate::{Error, Event};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The event file of a location, mapped into memory; with
/// [`Snapshot`](crate::Snapshot) for `E`, its file of snapshots.
#[derive(Debug)]
pub struct EventFile<E = Event> {
    path: PathBuf,
    /// `None` if there is no file.
    bytes: Option<FileBytes>,
    chunk_size: usize,
    pub(super) maps: Option<IdMaps>,
    kind: PhantomData<fn() -> E>,
}

/// An event with its circumstances.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Record<'a, E = Event> {
    /// The number of the event at its location, from 1.
    pub number: u64,
    /// When it happened, in ticks of the location's clock.
    pub time: u64,
    /// What is known beyond the fields.
    pub attributes: Attributes<'a>,
    /// What happened.
    pub event: E,
}

/// A place between two events, from which reading can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The chunk, from 0.
    pub chunk: u32,
    /// Where in the chunk the next event is; 0 before the first event of the file.
    pub at: u32,
    /// The time that holds there.
    pub time: u64,
}

/// The head of a chunk: enough to find an event by number or time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChunkInfo {
    /// The number of the first event.
    pub first: u64,
    /// The number of the last event; less than `first` if the chunk holds none
    /// or was never closed.
    pub last: u64,
    /// The time of the first event, if the chunk holds any.
    pub time: Option<u64>,
}

impl<E: records::Record> EventFile<E> {
    pub(crate) fn new(
        path: PathBuf,
        bytes: Option<FileBytes>,
        chunk_size: usize,
        maps: Option<IdMaps>,
    ) -> Self {
        Self {
            path,
            bytes,
            chunk_size,
            maps,
            kind: PhantomData,
        }
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lets go of the memory that the file's bytes take: they are read again where they are needed.
    pub fn let_go(&self) {
        if let Some(bytes) = &self.bytes {
            bytes.let_go();
        }
    }

    /// The file's bytes; 0 if there is none.
    pub fn size(&self) -> u64 {
        self.cut().bytes.len() as u64
    }

    fn cut(&self) -> Chunks<'_> {
        Chunks {
            bytes: self.bytes.as_ref().map_or(&[], FileBytes::bytes),
            size: self.chunk_size,
        }
    }

    /// Reads all events, first to last.
    pub fn iter(&self) -> Events<'_, E> {
        self.from_chunk(0)
    }

    /// The number of chunks, which can be decoded each for itself.
    pub fn chunks(&self) -> usize {
        self.cut().count()
    }

    /// Reads the events from the beginning of a chunk on.
    pub fn from_chunk(&self, chunk: usize) -> Events<'_, E> {
        self.only(chunk..usize::MAX)
    }

    /// Reads the events from a mark on, which [`Events::mark`] set in this file; numbers begin with
    /// `number`.
    ///
    /// At what is no such mark reading ends early or with an error, as in a damaged file.
    pub fn from_mark(&self, mark: Mark, number: u64) -> Events<'_, E> {
        let mut events = self.from_chunk(mark.chunk as usize);
        if mark.at == 0 || events.state == State::Finished {
            return events;
        }
        if events.open().is_err() || !events.cursor.go_to(mark.at as usize) {
            events.state = State::Finished;
        }
        events.time = Some(mark.time);
        events.number = number.wrapping_sub(1);
        events.start = events.cursor.at();
        events
    }

    /// Reads the events of some chunks.
    pub fn only(&self, chunks: Range<usize>) -> Events<'_, E> {
        Events {
            file: self,
            chunks: self.cut(),
            chunk: chunks.start,
            end: chunks.end,
            cursor: Cursor::new(&[], ByteOrder::Little),
            start: 0,
            time: None,
            number: 0,
            complete: false,
            state: match self.bytes {
                Some(_) if !chunks.is_empty() => State::Unopened,
                _ => State::Finished,
            },
            truncation: None,
        }
    }

    /// Reads the head of a chunk; nothing if it has none.
    pub fn head(&self, chunk: usize) -> Option<ChunkInfo> {
        self.cut().get(chunk).ok().map(ChunkInfo::new)
    }

    /// Reads the heads of all chunks.
    pub fn index(&self) -> Result<Vec<ChunkInfo>, Error> {
        let chunks = self.cut();
        let mut index = Vec::new();
        for number in 0..chunks.count() {
            match chunks.get(number) {
                Ok(chunk) => index.push(ChunkInfo::new(chunk)),
                // A head that was cut off holds no event.
                Err(Fault::Short) => break,
                Err(fault) => return Err(self.place(number, 0, 0).error(fault)),
            }
        }
        Ok(index)
    }

    /// Reads the events from the first one on that is not before `time`.
    pub fn from_time(&self, time: u64) -> Result<impl Iterator<Item = Item<'_, E>> + '_, Error> {
        let index = self.index()?;
        // Events of the same time may have begun in the chunk before.
        let later = index.partition_point(|chunk| chunk.time.is_some_and(|first| first < time));
        let events = self.from_chunk(later.saturating_sub(1));
        Ok(events.skip_while(move |item| item.as_ref().is_ok_and(|record| record.time < time)))
    }

    /// Reads the events from number `first` (counted from 1) on.
    pub fn from_event(&self, first: u64) -> Result<impl Iterator<Item = Item<'_, E>> + '_, Error> {
        let index = self.index()?;
        let later = index.partition_point(|chunk| chunk.first <= first);
        let events = self.from_chunk(later.saturating_sub(1));
        Ok(events.skip_while(move |item| item.as_ref().is_ok_and(|record| record.number < first)))
    }

    /// Returns how many events there are, as the last chunk's head tells: more than can be read
    /// only if the file is damaged, and never more than fit into it.
    pub fn most_events(&self) -> u64 {
        let chunks = self.cut();
        let last = chunks.count().saturating_sub(1);
        // An event takes two bytes at least.
        let (before, within) = (chunks.offset(last, 0) / 2, chunks.size as u64 / 2);
        match chunks.get(last) {
            Ok(chunk)
                if (1..=before + 1).contains(&chunk.first)
                    && (chunk.first..chunk.first + within).contains(&chunk.last) =>
            {
                chunk.last.min(self.size() / 2)
            }
            // Never closed, or damaged.
            _ => self.count().min(self.size() / 2),
        }
    }

    /// Returns the number of events that can be read.
    ///
    /// The last chunk's head tells how many went before; its own events are
    /// counted, since a file that was cut still claims them all.
    pub fn count(&self) -> u64 {
        let chunks = self.cut();
        let last = chunks.count().saturating_sub(1);
        let before = match chunks.get(last) {
            Ok(chunk) => chunk.first.saturating_sub(1),
            Err(_) => u64::MAX,
        };
        // An event takes two bytes at least.
        let from = match before <= chunks.offset(last, 0) / 2 {
            true => last,
            false => 0,
        };
        let events = self.from_chunk(from).map_while(Result::ok);
        let counted = events.count() as u64;
        match from {
            0 => counted,
            _ => before + counted,
        }
    }

    /// Whether all chunks that can be opened have this byte order.
    pub(super) fn is_all(&self, order: ByteOrder) -> bool {
        let chunks = self.cut();
        let mut opened = (0..chunks.count()).map_while(|chunk| chunks.get(chunk).ok());
        opened.all(|chunk| chunk.body.order() == order)
    }

    /// Returns the byte order, if all chunks have the same.
    pub(super) fn order(&self) -> Option<ByteOrder> {
        let order = self.cut().get(0).ok()?.body.order();
        self.is_all(order).then_some(order)
    }

    pub(super) fn chunk_size(&self) -> usize {
        self.chunk_size
    }

    /// Returns where in the file a place of a chunk is.
    pub(super) fn place_of(&self, chunk: usize, at: usize) -> u64 {
        self.cut().offset(chunk, at)
    }

    /// Reads the events of bytes that begin at a mark, and end before its chunk does.
    pub(super) fn of_bytes<'a>(
        &'a self,
        mark: Mark,
        number: u64,
        bytes: &'a [u8],
        order: ByteOrder,
    ) -> Events<'a, E> {
        let chunk = mark.chunk as usize;
        Events {
            cursor: Cursor::new(bytes, order),
            time: (mark.at > 0).then_some(mark.time),
            number: number.wrapping_sub(1),
            state: State::Reading,
            ..self.only(chunk..chunk + 1)
        }
    }

    fn place(&self, chunk: usize, at: usize, records: u64) -> FaultPlace<'_> {
        let chunks = self.cut();
        FaultPlace {
            path: &self.path,
            chunk,
            offset: chunks.offset(chunk, at),
            records,
            open_end: chunks.open_end(chunk),
        }
    }
}

impl<'a, E: records::Record> IntoIterator for &'a EventFile<E> {
    type Item = Item<'a, E>;
    type IntoIter = Events<'a, E>;
    fn into_iter(self) -> Events<'a, E> {
        self.iter()
    }
}

impl ChunkInfo {
    fn new(chunk: Chunk<'_>) -> Self {
        Self {
            first: chunk.first,
            last: chunk.last,
            time: first_time(chunk.body),
        }
    }
}

fn first_time(mut body: Cursor<'_>) -> Option<u64> {
    match body.u8() {
        Ok(TIMESTAMP) => body.u64().ok(),
        _ => None,
    }
}

type Item<'a, E = Event> = Result<Record<'a, E>, Error>;

/// Visits events in file order.
///
/// It ends at the end of the file or of what is left of it: look at
/// [`truncation`](Self::truncation) then. Bytes that make no sense yield one
/// error, and nothing more; [`EventFile::from_chunk`] can go on behind them.
#[derive(Debug)]
pub struct Events<'a, E = Event> {
    pub(super) file: &'a EventFile<E>,
    chunks: Chunks<'a>,
    chunk: usize,
    /// The chunk not to read any more.
    end: usize,
    pub(super) cursor: Cursor<'a>,
    /// Where in the chunk the current event begins, with its timestamp.
    start: usize,
    pub(super) time: Option<u64>,
    pub(super) number: u64,
    pub(super) state: State,
    complete: bool,
    truncation: Option<Truncation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Unopened,
    Reading,
    Finished,
}

impl<'a, E: records::Record> Events<'a, E> {
    /// Where the file was cut off, once the iteration has come to it.
    pub fn truncation(&self) -> Option<&Truncation> {
        self.truncation.as_ref()
    }

    /// Whether the iteration has come to the mark that ends the file, rather than to the end of
    /// the chunks that were asked for, or to where something is missing.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Where in the file the event that was read last begins, with its timestamp and attributes;
    /// where the file makes no sense or ends, once the iteration has come to it.
    pub fn offset(&self) -> u64 {
        self.chunks.offset(self.chunk, self.start)
    }

    /// Returns where the next event is.
    pub fn mark(&self) -> Mark {
        let at = match self.state {
            State::Unopened => 0,
            _ => self.cursor.at(),
        };
        Mark {
            chunk: self.chunk as u32,
            at: at as u32,
            time: self.time.unwrap_or(0),
        }
    }

    /// The chunk that is being read, from 0.
    pub fn chunk(&self) -> usize {
        self.chunk
    }

    /// Goes on by one event, which `step` reads.
    #[inline]
    pub(super) fn advance<T>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<Option<T>, Fault>,
    ) -> Option<Result<T, Error>> {
        if self.state != State::Reading {
            if self.state == State::Finished {
                return None;
            }
            if let Err(fault) = self.open() {
                return self.stop(fault).map(Err);
            }
        }
        match step(self) {
            Ok(Some(record)) => Some(Ok(record)),
            Ok(None) => {
                self.state = State::Finished;
                None
            }
            Err(fault) => self.stop(fault).map(Err),
        }
    }

    #[inline]
    fn step(&mut self) -> Result<Option<Record<'a, E>>, Fault> {
        let mut attributes = Attributes::default();
        self.start = self.cursor.at();
        loop {
            match self.cursor.u8()? {
                TIMESTAMP => self.time = Some(self.cursor.u64()?),
                ATTRIBUTE_LIST => {
                    attributes = Attributes::get(&mut self.cursor, self.file.maps.as_ref())?;
                }
                END_OF_CHUNK if self.chunk + 1 == self.end => {
                    self.passed();
                    return Ok(None);
                }
                END_OF_CHUNK => {
                    self.next_chunk()?;
                    attributes = Attributes::default();
                }
                END_OF_FILE => {
                    self.complete = true;
                    return Ok(None);
                }
                1 | 3 | 4 => return Err(Fault::Record),
                id => {
                    let mut event = E::get(id, &mut self.cursor)?;
                    if let Some(maps) = &self.file.maps {
                        event.map(&mut |kind, id| maps.get(kind, id));
                    }
                    let time = self.time.ok_or(Fault::NoTime)?;
                    self.number = self.number.wrapping_add(1);
                    return Ok(Some(Record {
                        number: self.number,
                        time,
                        attributes,
                        event,
                    }));
                }
            }
        }
    }

    #[cold]
    fn open(&mut self) -> Result<(), Fault> {
        let chunk = self.chunks.get(self.chunk)?;
        self.cursor = chunk.body;
        self.start = 0;
        self.time = None;
        if self.state == State::Unopened {
            self.number = chunk.first.wrapping_sub(1);
            self.state = State::Reading;
        }
        self.start = self.cursor.at();
        Ok(())
    }

    #[cold]
    fn next_chunk(&mut self) -> Result<(), Fault> {
        if self.chunk + 1 >= self.chunks.count() {
            // A closed chunk wants a successor.
            return Err(Fault::Short);
        }
        self.passed();
        self.chunk += 1;
        self.start = 0;
        self.open()
    }

    /// Lets go of memory behind the chunk, which was read.
    fn passed(&self) {
        if let Some(bytes) = &self.file.bytes {
            bytes.passed(self.chunks.offset(self.chunk + 1, 0) as usize);
        }
    }

    /// Returns the error that ends the iteration; none, if the file just ends early.
    #[cold]
    fn stop(&mut self, fault: Fault) -> Option<Error> {
        self.state = State::Finished;
        let mut place = self.file.place(self.chunk, self.start, self.number);
        // At the end mark of the last chunk the file could have gone on.
        place.open_end |= self.chunk + 1 >= self.chunks.count()
            && self.chunks.bytes.get(place.offset as usize) == Some(&END_OF_CHUNK);
        match place.error(fault) {
            Error::Truncated(truncation) => {
                self.truncation = Some(truncation);
                None
            }
            error => Some(error),
        }
    }
}

impl<'a> Events<'a> {
    /// Returns the event that was read last as it stands in the file, for who writes it unchanged;
    /// `None` if its bytes mean nothing by themselves: local ids, the other byte order, or a
    /// timestamp among them.
    pub fn stored(&self) -> Option<Raw<'a>> {
        if self.file.maps.is_some() || self.cursor.order() != ByteOrder::Little {
            return None;
        }
        let mut cursor = self.cursor.back_to(self.start);
        let mut begin = cursor;
        let mut listed = false;
        loop {
            match cursor.u8().ok()? {
                TIMESTAMP if listed => return None,
                TIMESTAMP => {
                    cursor.u64().ok()?;
                    begin = cursor;
                }
                ATTRIBUTE_LIST => {
                    cursor.payload().ok()?;
                    listed = true;
                }
                id => {
                    let bytes = begin.until(&self.cursor);
                    return Some(Raw::new(self.number, self.time?, id, bytes));
                }
            }
        }
    }

    /// Finds the next event without decoding it.
    #[inline]
    pub(super) fn step_raw(&mut self) -> Result<Option<Raw<'a>>, Fault> {
        self.start = self.cursor.at();
        let mut begin = self.cursor;
        loop {
            match self.cursor.u8()? {
                TIMESTAMP => {
                    self.time = Some(self.cursor.u64()?);
                    begin = self.cursor;
                }
                ATTRIBUTE_LIST => {
                    self.cursor.payload()?;
                }
                END_OF_CHUNK if self.chunk + 1 == self.end => {
                    self.passed();
                    return Ok(None);
                }
                END_OF_CHUNK => {
                    self.next_chunk()?;
                    begin = self.cursor;
                }
                END_OF_FILE => {
                    self.complete = true;
                    return Ok(None);
                }
                1 | 3 | 4 => return Err(Fault::Record),
                id => {
                    match Event::is_single(id) {
                        true => self.cursor.skip_integer()?,
                        false => drop(self.cursor.payload()?),
                    }
                    let time = self.time.ok_or(Fault::NoTime)?;
                    self.number = self.number.wrapping_add(1);
                    let bytes = begin.until(&self.cursor);
                    return Ok(Some(Raw::new(self.number, time, id, bytes)));
                }
            }
        }
    }
}

impl<'a, E: records::Record> Iterator for Events<'a, E> {
    type Item = Item<'a, E>;

    #[inline]
    fn next(&mut self) -> Option<Item<'a, E>> {
        self.advance(Self::step)
    }
}

impl<E: records::Record> std::iter::FusedIterator for Events<'_, E> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Moment, Visitor};
    use crate::write::{EventWriter, EVENT_CHUNK};
    use crate::{IdMap, LocalDefinition, MappingType, Value};

    fn written(order: ByteOrder) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let mut writer =
            EventWriter::with_order(dir.path(), "traces", 0, EVENT_CHUNK, order).unwrap();
        for number in 0..30_000 {
            let attributes = [(0, Value::Region(1)), (1, Value::Int16(-2))];
            let event = Event::Enter { region: number };
            writer
                .write(u64::from(number), &attributes, &event)
                .unwrap();
        }
        writer.finish().unwrap();
        let path = dir.path().join("traces/0.evt");
        (dir, path)
    }

    fn open(path: PathBuf, maps: Option<IdMaps>) -> EventFile {
        let bytes = FileBytes::open(&path).unwrap();
        EventFile::new(path, bytes, EVENT_CHUNK as usize, maps)
    }

    #[test]
    fn files_of_the_other_byte_order_are_read() {
        let (_little, little) = written(ByteOrder::Little);
        let (_big, big) = written(ByteOrder::Big);
        assert_ne!(
            std::fs::read(&little).unwrap(),
            std::fs::read(&big).unwrap()
        );
        let (little, big) = (open(little, None), open(big, None));
        let text = |record: Item<'_>| {
            let record = record.unwrap();
            let attributes: Vec<_> = record.attributes.iter().collect();
            format!(
                "{} {} {:?} {attributes:?}",
                record.number, record.time, record.event
            )
        };
        assert!(little.iter().map(text).eq(big.iter().map(text)));
        assert_eq!(big.count(), 30_000);
        assert!(big.index().unwrap().len() > 1);
    }

    #[test]
    fn reading_goes_on_from_any_mark() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let (_dir, path) = written(order);
            let file = open(path, None);
            let mut all = Entered::default();
            file.iter().visit(&mut all).unwrap();
            let mut records = file.iter();
            let mut marks = Vec::new();
            for first in (0..30_000).step_by(700) {
                marks.push((first, records.mark()));
                let most = (30_000 - first).min(700) as u64;
                let seen = records.visit_some(700, &mut Entered::default());
                assert_eq!(seen.unwrap(), most);
            }
            assert!(marks.iter().any(|(_, mark)| mark.chunk > 0));
            let reads = file.reads().unwrap().unwrap();
            let mut within = 0;
            for (at, (first, mark)) in marks.iter().enumerate() {
                let next = marks.get(at + 1).map(|(_, next)| *next);
                let (mut bytes, mut some) = (Vec::new(), Entered::default());
                let records = file.between((*mark, next), *first as u64 + 1, &reads, &mut bytes);
                let Some(mut records) = records else {
                    assert_ne!(mark.chunk, next.unwrap().chunk);
                    continue;
                };
                within += 1;
                records.visit_some(700, &mut some).unwrap();
                let last = all.0.len().min(first + 700);
                assert_eq!(some.0, all.0[*first..last], "from {mark:?} to {next:?}");
            }
            assert!(within > marks.len() / 2);
            for (first, mark) in marks {
                let mut some = Entered::default();
                let mut records = file.from_mark(mark, first as u64 + 1);
                records.visit_some(900, &mut some).unwrap();
                let last = all.0.len().min(first + 900);
                assert_eq!(some.0, all.0[first..last], "from {mark:?}");
            }
            // What is no mark of this file is no end of the program.
            for at in [1, 17, 19, 23, u32::MAX] {
                for chunk in [0, 1, 77] {
                    let mark = Mark { chunk, at, time: 1 };
                    file.from_mark(mark, 1).take(50).for_each(drop);
                }
            }
        }
    }

    /// What was entered.
    #[derive(Default)]
    struct Entered(Vec<(u64, u64, u32, usize)>);

    impl Visitor<'_> for Entered {
        fn enter(&mut self, moment: &Moment<'_>, region: u32) {
            let attributes = moment.attributes.iter().count();
            let row = (moment.number, moment.time, region, attributes);
            self.0.push(row);
        }
        fn event(&mut self, _: &Moment<'_>, event: Event) {
            panic!("not shown to its method: {event:?}");
        }
    }

    #[test]
    fn visitors_see_files_of_either_byte_order_in_all_chunks() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let (_dir, path) = written(order);
            let mut entered = Entered::default();
            open(path, None).iter().visit(&mut entered).unwrap();
            let all = (0..30_000).map(|region| {
                let time = u64::from(region);
                (time + 1, time, region, 2)
            });
            assert!(entered.0.into_iter().eq(all));
        }
    }

    #[test]
    fn what_was_read_can_be_had_as_it_stands_in_the_file() {
        let (_dir, path) = written(ByteOrder::Little);
        let file = open(path.clone(), None);
        let mut events = file.iter();
        for raw in file.raw().unwrap() {
            let (raw, record) = (raw.unwrap(), events.next().unwrap().unwrap());
            let stored = events.stored().unwrap();
            let same = (raw.number, raw.time, raw.id, raw.bytes());
            assert_eq!(
                (stored.number, stored.time, stored.id, stored.bytes()),
                same
            );
            assert_eq!(stored.decode().unwrap().1, record.event);
        }
        // With local ids they would mean something else.
        let maps = IdMaps::new(&[LocalDefinition::MappingTable {
            mapping_type: MappingType::REGION,
            id_map: IdMap::Dense(vec![1]),
        }]);
        let file = open(path, maps);
        let mut events = file.iter();
        events.next();
        assert!(events.stored().is_none());
    }

    #[test]
    fn local_ids_become_global_in_events_and_attributes() {
        let (_dir, path) = written(ByteOrder::Little);
        let table = |mapping_type, ids: &[u64]| LocalDefinition::MappingTable {
            mapping_type,
            id_map: IdMap::Dense(ids.to_vec()),
        };
        let maps = IdMaps::new(&[
            table(MappingType::REGION, &[10, 11]),
            table(MappingType::ATTRIBUTE, &[5]),
        ]);
        let file = open(path, maps);
        let record = file.iter().nth(1).unwrap().unwrap();
        assert_eq!(record.event, Event::Enter { region: 11 });
        let attributes: Vec<_> = record.attributes.iter().collect();
        assert_eq!(attributes, [(5, Value::Region(11)), (1, Value::Int16(-2))]);
        let mut entered = Entered::default();
        file.iter().visit(&mut entered).unwrap();
        let regions: Vec<_> = entered.0.iter().map(|row| row.2).take(3).collect();
        assert_eq!(regions, [10, 11, 2]);
    }
}
