//! Tables that are written row by row, whatever the format of their files.
//!
//! A [`Column`] knows its name, how its values run, and how to take them from a row; a [`Sink`]
//! knows how cells become a file. Neither keeps the table.

pub mod csv;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "table/no_parquet.rs"]
pub mod parquet;

use std::borrow::Cow;

use anyhow::Result;

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Numbers, few of which differ: ranks, tags, sizes.
    Number,
    /// Numbers that differ from row to row, mostly by little: times, ids.
    Ascending,
    /// Text, little of which differs: names.
    Text,
    /// Numbers that need not be whole.
    Real,
    /// Yes or no.
    Flag,
}

/// A value; what is not known is null.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// Nothing is known, or there is nothing.
    Null,
    /// A number.
    Number(i64),
    /// A number that need not be whole.
    Real(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// Yes or no.
    Flag(bool),
}

impl<'a> Cell<'a> {
    /// A number, as far as it can be written.
    pub fn number(number: impl TryInto<i64>) -> Cell<'a> {
        Cell::Number(number.try_into().unwrap_or(i64::MAX))
    }

    /// A number, if there is one.
    pub fn maybe(number: Option<impl TryInto<i64>>) -> Cell<'a> {
        number.map_or(Cell::Null, Cell::number)
    }

    /// A text, if there is one.
    pub fn text(text: Option<&'a str>) -> Cell<'a> {
        text.map_or(Cell::Null, |text| Cell::Text(text.into()))
    }
}

/// The name and the values of a column.
#[derive(Debug, Clone, Copy)]
pub struct Heading {
    /// Its name.
    pub name: &'static str,
    /// What its values are: encodings go by it, and CSV has none.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    pub kind: Kind,
}

/// A column, and where its values are in a row.
#[derive(Debug)]
pub struct Column<R> {
    /// Name and kind.
    pub heading: Heading,
    /// Takes the value from a row.
    pub cell: fn(&R) -> Cell<'_>,
}

/// Makes a column.
pub fn column<R>(name: &'static str, kind: Kind, cell: fn(&R) -> Cell<'_>) -> Column<R> {
    Column {
        heading: Heading { name, kind },
        cell,
    }
}

/// A file that takes cells, row by row.
pub trait Sink {
    /// Takes the next cell of a row: those of all columns, in their order.
    fn cell(&mut self, column: usize, cell: Cell) -> Result<()>;
    /// Ends a row.
    fn end_row(&mut self) -> Result<()>;
    /// Ends the file.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A table on its way into a file.
pub struct Table<R> {
    columns: Vec<Column<R>>,
    sink: Box<dyn Sink>,
    rows: u64,
}

impl<R> Table<R> {
    /// Begins a table in a sink that knows its columns.
    pub fn new(columns: Vec<Column<R>>, sink: Box<dyn Sink>) -> Table<R> {
        Table {
            columns,
            sink,
            rows: 0,
        }
    }

    /// Writes a row.
    pub fn add(&mut self, row: &R) -> Result<()> {
        for (at, column) in self.columns.iter().enumerate() {
            self.sink.cell(at, (column.cell)(row))?;
        }
        self.rows += 1;
        self.sink.end_row()
    }

    /// Ends the table; returns how many rows it has.
    pub fn finish(self) -> Result<u64> {
        self.sink.finish()?;
        Ok(self.rows)
    }
}

/// Returns the headings of columns.
pub fn headings<R>(columns: &[Column<R>]) -> Vec<Heading> {
    columns.iter().map(|column| column.heading).collect()
}
