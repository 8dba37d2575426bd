//! The native part of the Python package `mpiscope`: runs are read and tables are made here,
//! outside of Python's lock, and handed over by Arrow's PyCapsule interface, which copies
//! nothing. What users see is `python/mpiscope/__init__.py`.
#![forbid(unsafe_code)]

mod errors;
mod packed;
mod run;
mod source;
mod table;

use pyo3::prelude::*;

/// What Python imports as `mpiscope._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::errors::Error;
    #[pymodule_export]
    use crate::run::{open, Run};
    #[pymodule_export]
    use crate::table::Table;
}
