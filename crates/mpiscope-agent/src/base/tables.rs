//! Tables with a place per MPI function, made when we are compiled from lists
//! that name the functions which share a row.
//!
//! ```ignore
//! static TABLE: Table<fn()> = table(&[
//!     (&[id::MPI_SEND, id::MPI_BSEND], send),
//!     (&[id::MPI_RECV], receive),
//! ]);
//! ```

use mpi_abi::{FunctionId, FUNCTIONS};

/// Functions that share a row, and the row.
pub type Shared<T> = (&'static [FunctionId], T);

/// The row of each function, at its index, if it has one.
pub type Table<T> = [Option<T>; FUNCTIONS.len()];

/// Makes a table of these rows.
pub const fn table<T: Copy>(rows: &[Shared<T>]) -> Table<T> {
    added([None; FUNCTIONS.len()], rows)
}

/// Returns the table with these rows too.
pub const fn added<T: Copy>(mut table: Table<T>, rows: &[Shared<T>]) -> Table<T> {
    let mut at = 0;
    while at < rows.len() {
        let (functions, row) = rows[at];
        let mut i = 0;
        while i < functions.len() {
            table[functions[i].0 as usize] = Some(row);
            i += 1;
        }
        at += 1;
    }
    table
}
