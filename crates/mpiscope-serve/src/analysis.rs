//! What an analysis adds up, as it is told beside the verdict: parts of a title, lines and a table,
//! whose words are those of the terminal. The page knows no more of any of them.

use serde::{Deserialize, Serialize};

/// Sums of one sort.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// For programs: `efficiency`, `wait_states`, `root_causes`, `whatif`.
    pub name: String,
    /// What stands above it.
    pub title: String,
    /// Sentences.
    pub lines: Vec<String>,
    /// What stands below them.
    pub table: Option<Table>,
    /// What the table leaves out, or what tells more; commands stand in backticks.
    pub more: Option<String>,
}

impl Part {
    /// Returns whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.table.is_none() && self.more.is_none()
    }
}

/// A table whose cells are text; the first column names the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// One for each column.
    pub header: Vec<String>,
    /// Each has a cell for each column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns a table of these rows; nothing if there are none.
    pub fn some(header: Vec<String>, rows: Vec<Vec<String>>) -> Option<Table> {
        (!rows.is_empty()).then_some(Table { header, rows })
    }
}
