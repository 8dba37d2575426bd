//! Parquet: columns in groups of rows, each encoded by what its values are, then compressed.
//!
//! All columns are optional: what is not known is null. Numbers that run on are written as
//! differences, names by their number in a dictionary.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::{Cell, Heading, Kind, Sink};

/// Rows of a group: what is kept in memory until it is written.
const ROWS: usize = 1 << 20;

/// Rows of a page at most. The usual 20,000 leave zstd less to find.
const PAGE_ROWS: usize = 1 << 17;

/// Says whether this build writes Parquet files: it does.
pub fn available() -> Result<()> {
    Ok(())
}

/// A file, and the rows that it does not have yet.
struct Parquet {
    writer: SerializedFileWriter<File>,
    columns: Vec<Buffer>,
    rows: usize,
}

/// Makes a file; `about` goes into its metadata.
pub fn create(
    file: &Path,
    headings: &[Heading],
    about: &[(String, String)],
) -> Result<Box<dyn Sink>> {
    let fields = headings.iter().map(|Heading { name, kind }| match kind {
        Kind::Number | Kind::Ascending => format!("optional int64 {name};"),
        Kind::Text => format!("optional binary {name} (UTF8);"),
        Kind::Real => format!("optional double {name};"),
        Kind::Flag => format!("optional boolean {name};"),
    });
    let schema = format!("message table {{ {} }}", fields.collect::<String>());
    let schema = Arc::new(parse_message_type(&schema)?);
    let properties = Arc::new(properties(headings, about));
    Ok(Box::new(Parquet {
        writer: SerializedFileWriter::new(File::create(file)?, schema, properties)?,
        columns: headings.iter().map(|it| Buffer::new(it.kind)).collect(),
        rows: 0,
    }))
}

fn properties(headings: &[Heading], about: &[(String, String)]) -> WriterProperties {
    let about = about
        .iter()
        .map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    let mut builder = WriterProperties::builder()
        .set_key_value_metadata(Some(about.collect()))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_data_page_row_count_limit(PAGE_ROWS);
    let ascending = headings.iter().filter(|it| it.kind == Kind::Ascending);
    for heading in ascending {
        let path = || ColumnPath::from(heading.name);
        builder = builder
            .set_column_dictionary_enabled(path(), false)
            .set_column_encoding(path(), Encoding::DELTA_BINARY_PACKED);
    }
    builder.build()
}

impl Sink for Parquet {
    fn cell(&mut self, column: usize, cell: Cell) -> Result<()> {
        self.columns[column].push(cell);
        Ok(())
    }

    fn end_row(&mut self) -> Result<()> {
        self.rows += 1;
        match self.rows {
            ROWS => self.flush(),
            _ => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        if self.rows > 0 {
            self.flush()?;
        }
        self.writer.close()?;
        Ok(())
    }
}

impl Parquet {
    fn flush(&mut self) -> Result<()> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            let next = group.next_column()?;
            let next = next.context("a schema has as many columns as it was made of")?;
            column.write(next)?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

/// The values of a column that are not in the file yet.
struct Buffer {
    /// Which rows have a value: the definition levels of an optional column.
    levels: Vec<i16>,
    values: Values,
}

enum Values {
    Numbers(Vec<i64>),
    Reals(Vec<f64>),
    Flags(Vec<bool>),
    Texts(Texts),
}

/// Texts by their number: few of them differ.
#[derive(Default)]
struct Texts {
    rows: Vec<u32>,
    known: Vec<ByteArray>,
    numbers: HashMap<Box<str>, u32>,
}

impl Texts {
    fn push(&mut self, text: &str) {
        let number = match self.numbers.get(text) {
            Some(&number) => number,
            None => {
                let number = self.known.len() as u32;
                self.known.push(ByteArray::from(text));
                self.numbers.insert(text.into(), number);
                number
            }
        };
        self.rows.push(number);
    }
}

impl Buffer {
    fn new(kind: Kind) -> Buffer {
        Buffer {
            levels: Vec::new(),
            values: match kind {
                Kind::Number | Kind::Ascending => Values::Numbers(Vec::new()),
                Kind::Real => Values::Reals(Vec::new()),
                Kind::Flag => Values::Flags(Vec::new()),
                Kind::Text => Values::Texts(Texts::default()),
            },
        }
    }

    /// Takes a cell; one that is of another kind is null.
    fn push(&mut self, cell: Cell) {
        let is_there = match (&mut self.values, cell) {
            (Values::Numbers(values), Cell::Number(number)) => {
                values.push(number);
                true
            }
            (Values::Reals(values), Cell::Real(number)) => {
                values.push(number);
                true
            }
            (Values::Flags(values), Cell::Flag(flag)) => {
                values.push(flag);
                true
            }
            (Values::Texts(values), Cell::Text(text)) => {
                values.push(&text);
                true
            }
            _ => false,
        };
        self.levels.push(i16::from(is_there));
    }

    /// Writes all values, and forgets them.
    fn write(&mut self, mut column: SerializedColumnWriter) -> Result<()> {
        let levels = Some(&self.levels[..]);
        match &mut self.values {
            Values::Numbers(values) => {
                let writer = column.typed::<Int64Type>();
                writer.write_batch(values, levels, None)?;
                values.clear();
            }
            Values::Reals(values) => {
                let writer = column.typed::<DoubleType>();
                writer.write_batch(values, levels, None)?;
                values.clear();
            }
            Values::Flags(values) => {
                let writer = column.typed::<BoolType>();
                writer.write_batch(values, levels, None)?;
                values.clear();
            }
            Values::Texts(texts) => {
                let known = |&number: &u32| texts.known[number as usize].clone();
                let values: Vec<ByteArray> = texts.rows.iter().map(known).collect();
                let writer = column.typed::<ByteArrayType>();
                writer.write_batch(&values, levels, None)?;
                *texts = Texts::default();
            }
        }
        self.levels.clear();
        column.close()?;
        Ok(())
    }
}
