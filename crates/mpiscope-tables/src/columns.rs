//! Columns on their way into a table.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, Int32Array, Int64Array, RecordBatch, StringArray,
};
use arrow_buffer::BooleanBuffer;
use arrow_schema::{Field, Schema};

use crate::texts::Texts;

/// Names and columns of a table, from left to right.
#[derive(Default)]
pub struct Columns(Vec<(String, ArrayRef)>);

impl Columns {
    /// Appends a column.
    pub fn push(&mut self, name: &str, column: ArrayRef) {
        self.0.push((name.to_owned(), column));
    }

    /// Returns the table. A column may hold nulls if it does.
    pub fn table(self) -> RecordBatch {
        let field = |(name, column): &(String, ArrayRef)| {
            Field::new(name, column.data_type().clone(), column.null_count() > 0)
        };
        let fields: Vec<Field> = self.0.iter().map(field).collect();
        let columns = self.0.into_iter().map(|(_, column)| column).collect();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
            .expect("columns of one table are of one length")
    }
}

/// Makes columns of what a cell takes from a row.
pub struct FromRows<'r, R> {
    rows: &'r [R],
    columns: Columns,
}

impl<'r, R> FromRows<'r, R> {
    /// Begins a table of some rows.
    pub fn new(rows: &'r [R]) -> FromRows<'r, R> {
        FromRows {
            rows,
            columns: Columns::default(),
        }
    }

    /// Appends a column of numbers.
    pub fn number(mut self, name: &str, cell: impl Fn(&R) -> i64) -> Self {
        let column = Int64Array::from_iter_values(self.rows.iter().map(cell));
        self.columns.push(name, Arc::new(column));
        self
    }

    /// Appends a column of numbers that may be missing.
    pub fn maybe(mut self, name: &str, cell: impl Fn(&R) -> Option<i64>) -> Self {
        let column: Int64Array = self.rows.iter().map(cell).collect();
        self.columns.push(name, Arc::new(column));
        self
    }

    /// Appends a column of yes and no.
    pub fn flag(mut self, name: &str, cell: impl Fn(&R) -> bool) -> Self {
        let column = BooleanBuffer::collect_bool(self.rows.len(), |at| cell(&self.rows[at]));
        self.columns
            .push(name, Arc::new(BooleanArray::new(column, None)));
        self
    }

    /// Appends a column of yes and no that may be missing.
    pub fn maybe_flag(mut self, name: &str, cell: impl Fn(&R) -> Option<bool>) -> Self {
        let column: BooleanArray = self.rows.iter().map(cell).collect();
        self.columns.push(name, Arc::new(column));
        self
    }

    /// Appends a column of texts, by their codes.
    pub fn text(mut self, name: &str, texts: &Texts, cell: impl Fn(&R) -> Option<i32>) -> Self {
        let codes: Int32Array = self.rows.iter().map(cell).collect();
        self.columns.push(name, texts.column(codes));
        self
    }

    /// Appends a column of texts that differ from row to row.
    pub fn string(mut self, name: &str, cell: impl Fn(&R) -> Option<String>) -> Self {
        let column: StringArray = self.rows.iter().map(cell).collect();
        self.columns.push(name, Arc::new(column));
        self
    }

    /// Returns the table.
    pub fn table(self) -> RecordBatch {
        self.columns.table()
    }
}
