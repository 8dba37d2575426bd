//! The table of events: Pipit's columns, then what else an event says.
//!
//! Columns are filled by all threads, each location its own part of them. What takes the most time
//! is that memory is touched for the first time, so codes are no wider than they must be, and
//! where an event says nothing (enters know no peer) nothing is written.

use std::sync::Arc;

use arrow_array::types::{
    ArrowDictionaryKeyType, ArrowPrimitiveType, Int16Type, Int32Type, Int64Type, Int8Type,
};
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int32Array, Int64Array, Int8Array, PrimitiveArray,
    RecordBatch, StringArray,
};
use arrow_buffer::{ArrowNativeType, BooleanBufferBuilder, NullBuffer, ScalarBuffer};
use mpiscope_analysis::described::{otf2_name, Described, Describer};
use mpiscope_model::{CollectiveOp, EventKind, Events, Location, RegionId};
use rayon::prelude::*;

use crate::columns::Columns;
use crate::texts::Texts;
use crate::Tables;

/// A number that some events tell.
type Number = fn(&Described) -> Option<i64>;
/// An int of MPI that some events tell.
type Int = fn(&Described) -> Option<u32>;
/// Whether something holds of an event.
type Flag = fn(&Described) -> bool;

/// Returns a number as far as it can be written, as in all tables.
fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Columns of numbers, by what an event says.
const NUMBERS: [(&str, Number); 4] = [
    ("bytes", |it| it.bytes.map(number)),
    ("bytes_sent", |it| it.sent.map(number)),
    ("bytes_received", |it| it.received.map(number)),
    ("request", |it| it.request.map(number)),
];

/// Columns of numbers that are ints in MPI.
const INTS: [(&str, Int); 3] = [
    ("peer", |it| it.peer),
    ("root", |it| it.root),
    ("tag", |it| it.tag),
];

/// Columns of yes and no.
const FLAGS: [(&str, Flag); 2] = [
    ("any_source", |it| it.any_source),
    ("any_tag", |it| it.any_tag),
];

/// Makes the table.
pub fn table(tables: &Tables) -> RecordBatch {
    let mut columns = Columns::default();
    let times = filled(tables, |location, column: &mut [i64]| {
        let times = location.events.times().iter();
        let cells = column.iter_mut().zip(times);
        cells.for_each(|(cell, &time)| *cell = tables.ns(time));
    });
    columns.push("Timestamp (ns)", Arc::new(Int64Array::from(times)));
    columns.push("Event Type", types(tables));
    let texts = Dictionaries::new(tables);
    let ranks = filled(tables, |it, column: &mut [i32]| {
        column.fill(narrow(it.rank.0))
    });
    let threads = filled(tables, |it, column: &mut [i32]| {
        column.fill(narrow(it.thread))
    });
    let most = [&texts.names, &tables.call_sites, &tables.communicators];
    let is_small = most.iter().all(|texts| texts.len() <= i16::MAX as usize);
    let process = [("Process", ranks), ("Thread", threads)];
    match is_small {
        true => rest::<Int16Type>(tables, &texts, process, &mut columns),
        false => rest::<Int32Type>(tables, &texts, process, &mut columns),
    }
    columns.table()
}

/// Appends all columns beyond time and type, with codes that are wide enough.
fn rest<C: ArrowDictionaryKeyType>(
    tables: &Tables,
    texts: &Dictionaries,
    process: [(&str, Vec<i32>); 2],
    columns: &mut Columns,
) {
    let told = Told::<C>::of(tables, texts);
    let [name, region, site, communicator, operation] = told.texts;
    columns.push("Name", texts.names.column(name.array()));
    for (name, column) in process {
        columns.push(name, Arc::new(Int32Array::from(column)));
    }
    columns.push("region", tables.regions.column(region.array()));
    columns.push("call_site", tables.call_sites.column(site.array()));
    for ((name, _), column) in INTS.iter().zip(told.ints) {
        columns.push(name, Arc::new(column.array()));
    }
    for ((name, _), column) in NUMBERS.iter().zip(told.numbers) {
        columns.push(name, Arc::new(column.array()));
    }
    let communicator = tables.communicators.column(communicator.array());
    columns.push("communicator", communicator);
    columns.push("operation", texts.operations.column(operation.array()));
    for ((name, _), mut column) in FLAGS.iter().zip(told.flags) {
        columns.push(name, Arc::new(BooleanArray::new(column.finish(), None)));
    }
}

/// Fills a column, each location its part.
fn filled<T: Clone + Default + Send>(
    tables: &Tables,
    fill: impl Fn(&Location, &mut [T]) + Sync,
) -> Vec<T> {
    let mut column = vec![T::default(); tables.trace.event_count()];
    let parts = parts(tables, &mut column).into_par_iter();
    let locations = tables.trace.locations.par_iter();
    let filled = parts.zip(locations).with_max_len(1);
    filled.for_each(|(part, location)| fill(location, part));
    column
}

/// Cuts a column into the parts of locations.
fn parts<'c, T>(tables: &Tables, mut column: &'c mut [T]) -> Vec<&'c mut [T]> {
    let cut = |location: &Location| {
        let (part, rest) = std::mem::take(&mut column).split_at_mut(location.events.len());
        column = rest;
        part
    };
    tables.trace.locations.iter().map(cut).collect()
}

/// Enter, Leave, or Instant.
fn types(tables: &Tables) -> ArrayRef {
    let codes = filled(tables, |location, column: &mut [i8]| {
        let kinds = location.events.kinds().iter();
        column.iter_mut().zip(kinds).for_each(|(cell, kind)| {
            *cell = match kind {
                EventKind::Enter => 0,
                EventKind::Leave => 1,
                _ => 2,
            };
        });
    });
    let values = Arc::new(StringArray::from(vec!["Enter", "Leave", "Instant"]));
    let codes = Int8Array::from(codes);
    Arc::new(DictionaryArray::<Int8Type>::new(codes, values))
}

/// Texts that are not numbered by the trace.
struct Dictionaries {
    /// The names of regions, and OTF2's words for all other events there are.
    names: Texts,
    /// What collective operations are called.
    operations: Texts,
}

impl Dictionaries {
    fn new(tables: &Tables) -> Dictionaries {
        let locations = tables.trace.locations.par_iter().with_max_len(1);
        let words: Vec<Vec<&str>> = locations.map(words).collect();
        let mut names = tables.regions.clone();
        for word in words.into_iter().flatten() {
            names.add(word);
        }
        let named = CollectiveOp::NAMED.iter().chain(&[CollectiveOp::Other(0)]);
        Dictionaries {
            names,
            operations: Texts::of(named.map(|op| Some(op.name()))),
        }
    }

    /// Returns the code of an event's name. `known` are those of kinds that have one word.
    fn name(&self, known: &mut [Option<i32>; 256], events: &Events, at: usize) -> Option<i32> {
        let kind = events.kinds()[at];
        match kind {
            EventKind::Enter | EventKind::Leave => self.names.code(events.args()[at] as usize),
            _ if has_many_words(kind) => self.names.find(otf2_name(&events.event(at))),
            _ => {
                let find = || self.names.find(otf2_name(&events.event(at)));
                known[kind as usize] = known[kind as usize].or_else(find);
                known[kind as usize]
            }
        }
    }
}

/// Returns OTF2's words for those events of a location that are neither enters nor leaves.
fn words(location: &Location) -> Vec<&'static str> {
    let events = &location.events;
    let mut words = Vec::new();
    let mut seen = [false; 256];
    for (at, &kind) in events.kinds().iter().enumerate() {
        if seen[kind as usize] || matches!(kind, EventKind::Enter | EventKind::Leave) {
            continue;
        }
        seen[kind as usize] = !has_many_words(kind);
        let word = otf2_name(&events.event(at));
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Whether OTF2 has several words for events of a kind.
fn has_many_words(kind: EventKind) -> bool {
    matches!(kind, EventKind::Thread | EventKind::OneSided)
}

/// A column in which cells may be empty: most of one that few events have something for is
/// memory that nobody ever touches.
struct Sparse<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    valid: BooleanBufferBuilder,
}

/// A location's part of it.
struct Part<'c, T: ArrowPrimitiveType> {
    values: &'c mut [T::Native],
    valid: BooleanBufferBuilder,
}

impl<T: ArrowPrimitiveType> Sparse<T> {
    fn new(count: usize) -> Sparse<T> {
        Sparse {
            values: vec![T::Native::default(); count],
            valid: BooleanBufferBuilder::new(count),
        }
    }

    fn parts(&mut self, tables: &Tables) -> impl Iterator<Item = Part<'_, T>> {
        parts(tables, &mut self.values).into_iter().map(Part::new)
    }

    fn array(mut self) -> PrimitiveArray<T> {
        let valid = NullBuffer::new(self.valid.finish());
        let nulls = (valid.null_count() > 0).then_some(valid);
        PrimitiveArray::new(ScalarBuffer::from(self.values), nulls)
    }
}

impl<'c, T: ArrowPrimitiveType> Part<'c, T> {
    fn new(values: &'c mut [T::Native]) -> Part<'c, T> {
        Part {
            valid: unset(values.len()),
            values,
        }
    }

    fn set(&mut self, at: usize, value: Option<T::Native>) {
        if let Some(value) = value {
            self.values[at] = value;
            self.valid.set_bit(at, true);
        }
    }
}

fn unset(count: usize) -> BooleanBufferBuilder {
    let mut bits = BooleanBufferBuilder::new(count);
    bits.append_n(count, false);
    bits
}

/// What events say, texts by codes of one width.
struct Told<C: ArrowPrimitiveType> {
    /// Name, region, call site, communicator, operation.
    texts: [Sparse<C>; 5],
    ints: [Sparse<Int32Type>; INTS.len()],
    numbers: [Sparse<Int64Type>; NUMBERS.len()],
    flags: [BooleanBufferBuilder; FLAGS.len()],
}

/// What the events of one location say.
struct Parts<'c, C: ArrowPrimitiveType> {
    texts: Vec<Part<'c, C>>,
    ints: Vec<Part<'c, Int32Type>>,
    numbers: Vec<Part<'c, Int64Type>>,
    flags: [BooleanBufferBuilder; FLAGS.len()],
}

/// Which cells of a location's parts are set: of texts, ints, numbers, flags.
type Bits = [Vec<BooleanBufferBuilder>; 4];

impl<C: ArrowPrimitiveType> Told<C> {
    fn of(tables: &Tables, texts: &Dictionaries) -> Told<C> {
        let count = tables.trace.event_count();
        let mut told = Told {
            texts: std::array::from_fn(|_| Sparse::new(count)),
            ints: std::array::from_fn(|_| Sparse::new(count)),
            numbers: std::array::from_fn(|_| Sparse::new(count)),
            flags: std::array::from_fn(|_| BooleanBufferBuilder::new(count)),
        };
        let parts = told.parts(tables).into_par_iter();
        let locations = tables.trace.locations.par_iter();
        let both = parts.zip(locations).with_max_len(1);
        let bits: Vec<Bits> = both
            .map(|(parts, location)| parts.fill(tables, texts, location))
            .collect();
        bits.iter().for_each(|bits| told.append(bits));
        told
    }

    /// Returns the parts of each location.
    fn parts(&mut self, tables: &Tables) -> Vec<Parts<'_, C>> {
        let parts = |location: &Location| Parts {
            texts: Vec::new(),
            ints: Vec::new(),
            numbers: Vec::new(),
            flags: std::array::from_fn(|_| unset(location.events.len())),
        };
        let mut all: Vec<Parts<C>> = tables.trace.locations.iter().map(parts).collect();
        for column in &mut self.texts {
            let of_locations = all.iter_mut().zip(column.parts(tables));
            of_locations.for_each(|(parts, part)| parts.texts.push(part));
        }
        for column in &mut self.ints {
            let of_locations = all.iter_mut().zip(column.parts(tables));
            of_locations.for_each(|(parts, part)| parts.ints.push(part));
        }
        for column in &mut self.numbers {
            let of_locations = all.iter_mut().zip(column.parts(tables));
            of_locations.for_each(|(parts, part)| parts.numbers.push(part));
        }
        all
    }

    fn append(&mut self, bits: &Bits) {
        let texts = self.texts.iter_mut().map(|it| &mut it.valid);
        let ints = self.ints.iter_mut().map(|it| &mut it.valid);
        let numbers = self.numbers.iter_mut().map(|it| &mut it.valid);
        let all = texts.chain(ints).chain(numbers).chain(&mut self.flags);
        for (all, part) in all.zip(bits.iter().flatten()) {
            all.append_packed_range(0..part.len(), part.as_slice());
        }
    }
}

impl<C: ArrowPrimitiveType> Parts<'_, C> {
    fn fill(mut self, tables: &Tables, texts: &Dictionaries, location: &Location) -> Bits {
        let describer = Describer::new(tables.trace, location, tables.origin);
        let events = &location.events;
        let mut known = [None; 256];
        for (at, &kind) in events.kinds().iter().enumerate() {
            let (region, site) = match kind {
                EventKind::Enter | EventKind::Leave => {
                    let site = || events.call_site(describer.enclosing().enter(at).unwrap_or(at));
                    let site = events.has_call_sites().then(site).flatten();
                    (Some(RegionId(events.args()[at])), site)
                }
                _ => {
                    let it = describer.describe(at);
                    self.particulars(tables, texts, &it, at);
                    (it.region, it.site)
                }
            };
            self.text(0, at, texts.name(&mut known, events, at));
            self.text(1, at, tables.region(region));
            self.text(2, at, tables.call_site(site));
        }
        [
            self.texts.into_iter().map(|it| it.valid).collect(),
            self.ints.into_iter().map(|it| it.valid).collect(),
            self.numbers.into_iter().map(|it| it.valid).collect(),
            self.flags.into(),
        ]
    }

    /// Enters and leaves have none.
    fn particulars(&mut self, tables: &Tables, texts: &Dictionaries, it: &Described, at: usize) {
        self.text(3, at, it.comm.and_then(|comm| tables.communicator(comm)));
        let operation = it.operation.and_then(|name| texts.operations.find(name));
        self.text(4, at, operation);
        for (part, (_, int)) in self.ints.iter_mut().zip(&INTS) {
            part.set(at, int(it).map(narrow));
        }
        for (part, (_, number)) in self.numbers.iter_mut().zip(&NUMBERS) {
            part.set(at, number(it));
        }
        for (part, (_, flag)) in self.flags.iter_mut().zip(&FLAGS) {
            if flag(it) {
                part.set_bit(at, true);
            }
        }
    }

    fn text(&mut self, column: usize, at: usize, code: Option<i32>) {
        let code = code.map(|code| C::Native::usize_as(code as usize));
        self.texts[column].set(at, code);
    }
}

fn narrow(number: u32) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::Array;
    use arrow_schema::DataType;
    use mpiscope_model::{CallSite, Trace};

    fn texts(table: &RecordBatch, name: &str) -> Vec<Option<String>> {
        let column = table.column_by_name(name).unwrap();
        let column = column.as_any_dictionary();
        let values: &StringArray = column.values().as_string();
        let keys = column.normalized_keys();
        let text =
            |(at, &key): (usize, &usize)| column.is_valid(at).then(|| values.value(key).to_owned());
        keys.iter().enumerate().map(text).collect()
    }

    fn some(texts: &[&str]) -> Vec<Option<String>> {
        texts.iter().map(|text| Some((*text).to_owned())).collect()
    }

    const PICTURE: &str = "0: 3 enter(MPI_Send) 4 send>1(tag=7,bytes=64) 5 leave(MPI_Send)
         1: 2 enter(MPI_Recv) 6 recv<0(tag=7,bytes=64) 7 leave(MPI_Recv)";

    #[test]
    fn where_an_event_says_nothing_its_cell_is_empty() {
        let trace = Trace::parse(PICTURE).unwrap();
        let table = table(&Tables::new(&trace));
        let bytes = table.column_by_name("bytes").unwrap();
        let bytes = bytes.as_primitive::<Int64Type>().iter();
        let expected = [None, Some(64), None, None, Some(64), None];
        assert_eq!(bytes.collect::<Vec<_>>(), expected);
        let peers = table.column_by_name("peer").unwrap();
        let peers = peers.as_primitive::<Int32Type>().iter();
        let expected = [None, Some(1), None, None, Some(0), None];
        assert_eq!(peers.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn names_are_regions_and_the_words_of_otf2() {
        let trace = Trace::parse(PICTURE).unwrap();
        let table = table(&Tables::new(&trace));
        let [send, receive] = ["MPI_Send", "MPI_Recv"];
        let names = [send, "MpiSend", send, receive, "MpiRecv", receive];
        assert_eq!(texts(&table, "Name"), some(&names));
        let regions = [send, send, send, receive, receive, receive];
        assert_eq!(texts(&table, "region"), some(&regions));
        let times = table.column_by_name("Timestamp (ns)").unwrap();
        let times = times.as_primitive::<Int64Type>().values();
        assert_eq!(**times, [1, 2, 3, 0, 4, 5]);
    }

    #[test]
    fn more_texts_than_two_bytes_count_have_wider_codes() {
        let mut trace = Trace::parse(PICTURE).unwrap();
        let site = |line| CallSite {
            line: Some(line),
            file: Some("heat.c".to_owned()),
            ..CallSite::default()
        };
        let narrow = table(&Tables::new(&trace));
        trace.definitions.call_sites = (0..40_000).map(site).collect();
        let wide = table(&Tables::new(&trace));
        assert_eq!(texts(&wide, "Name"), texts(&narrow, "Name"));
        let keys = |table: &RecordBatch| match table.column_by_name("Name").unwrap().data_type() {
            DataType::Dictionary(keys, _) => (**keys).clone(),
            other => other.clone(),
        };
        assert_eq!(
            (keys(&narrow), keys(&wide)),
            (DataType::Int16, DataType::Int32)
        );
    }
}
