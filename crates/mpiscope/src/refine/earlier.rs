//! The filter with which the run was traced.

use std::fs;
use std::path::Path;

use mpiscope_run::filter::{self, parse, Filter, Names};

/// The filter with which the run was traced; nothing where there was none.
#[derive(Default)]
pub struct Earlier {
    /// As it was written.
    pub text: Option<String>,
    filter: Filter,
}

impl Earlier {
    /// Reads it from the run.
    pub fn of(run: &Path) -> Earlier {
        let Ok(text) = fs::read_to_string(run.join(filter::FILE)) else {
            return Earlier::default();
        };
        // One that is no filter was none to the program, either.
        parse(&text).map_or_else(
            |_| Earlier::default(),
            |filter| Earlier {
                text: Some(text.clone()),
                filter,
            },
        )
    }

    /// Returns whether it was to leave out a region of the program.
    pub fn leaves_out(&self, name: &str) -> bool {
        self.filter.leaves_out(Names {
            plain: &[name],
            mangled: Some(name),
            file: None,
        })
    }

    /// Returns whether it may leave out functions of MPI.
    pub fn is_of_mpi(&self) -> bool {
        let mut rules = self.filter.regions.iter();
        rules.any(|rule| rule.exclude && rule.pattern.starts_with("MPI_"))
    }
}
