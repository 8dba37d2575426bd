//! Errors as Python has them, with our texts.

use std::io;

use pyo3::exceptions::{PyException, PyValueError};
use pyo3::{create_exception, PyErr};

create_exception!(
    mpiscope,
    Error,
    PyException,
    "A run or archive cannot be read: it is damaged, or none."
);

/// Why a run cannot be read as was asked for.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for is not there to be had.
    Asked(String),
    /// The archive cannot be read.
    Archive(mpiscope_archive::Error),
    /// Something else is wrong with it.
    Other(String),
}

impl From<mpiscope_archive::Error> for Failure {
    fn from(error: mpiscope_archive::Error) -> Failure {
        Failure::Archive(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Asked(text) => PyValueError::new_err(text),
            Failure::Other(text) => Error::new_err(text),
            Failure::Archive(error) => match &error {
                // FileNotFoundError, PermissionError and so on.
                mpiscope_archive::Error::Io { source, .. } => {
                    io::Error::new(source.kind(), error.to_string()).into()
                }
                _ => Error::new_err(error.to_string()),
            },
        }
    }
}
