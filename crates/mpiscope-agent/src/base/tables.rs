//! Tables with a place per MPI function, made when we are compiled from lists
//! that name the functions which share a row. The large-count form of a function shares its row,
//! too: it need not be named, and cannot be forgotten.
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
    let mut table = [None; FUNCTIONS.len()];
    let mut at = 0;
    while at < rows.len() {
        let (functions, row) = rows[at];
        let mut i = 0;
        while i < functions.len() {
            table[functions[i].0 as usize] = Some(row);
            if let Some(large) = functions[i].large_count() {
                table[large.0 as usize] = Some(row);
            }
            i += 1;
        }
        at += 1;
    }
    table
}
