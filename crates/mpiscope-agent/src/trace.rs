//! Facts become records in shared memory, and clocks are measured against each other.

pub mod archive;
pub mod buffers;
pub mod fast_path;
pub mod keep;
pub mod midrun;
pub mod offsets;
