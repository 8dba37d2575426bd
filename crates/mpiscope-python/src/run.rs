//! A run, read once; its tables are made when somebody asks for them.

use std::path::PathBuf;
use std::sync::OnceLock;

use mpiscope_archive::model::Matching;
use mpiscope_tables::Tables;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::errors::Failure;
use crate::source::{Clock, Source};
use crate::table::Table;

/// A run or an archive in memory.
#[pyclass(frozen, module = "mpiscope._native")]
pub struct Run {
    source: Source,
    matching: OnceLock<Matching>,
}

/// Reads a run or an archive.
#[pyfunction]
#[pyo3(signature = (path, clock = None))]
pub fn open(py: Python, path: PathBuf, clock: Option<&str>) -> PyResult<Run> {
    let clock = clock.map(Clock::of).transpose()?;
    let source = py.detach(|| in_parallel(|| Source::open(&path, clock)))??;
    Ok(Run {
        source,
        matching: OnceLock::new(),
    })
}

#[pymethods]
impl Run {
    /// Makes a table.
    fn table(&self, py: Python, name: &str) -> PyResult<Table> {
        let made = py.detach(|| in_parallel(|| self.make(name)))?;
        made.map(Table)
            .ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    /// The archive's anchor.
    #[getter]
    fn archive(&self) -> PathBuf {
        self.source.anchor.clone()
    }

    /// What its times are.
    #[getter]
    fn clock(&self) -> Option<&'static str> {
        self.source.clock.map(Clock::name)
    }

    /// What could not be read.
    #[getter]
    fn damage(&self) -> Vec<String> {
        self.source.damage.clone()
    }

    /// The program that ran, if that is known.
    #[getter]
    fn program(&self) -> Option<String> {
        let run = self.source.run.as_ref()?;
        (!run.program.is_empty()).then(|| run.program.clone())
    }

    /// World ranks of the processes that left events.
    #[getter]
    fn ranks(&self) -> Vec<u32> {
        let ranks = self.source.trace.ranks();
        ranks.into_iter().map(|rank| rank.0).collect()
    }
}

impl Run {
    fn make(&self, name: &str) -> Option<arrow_array::RecordBatch> {
        let tables = Tables::new(&self.source.trace);
        Some(match name {
            "events" => tables.events(),
            "messages" => tables.messages(self.matching()),
            "calls" => tables.calls(),
            "wait_states" => tables.wait_states(self.matching(), &self.source.clock_errors),
            "locations" => tables.locations(),
            "communicators" => tables.communicators(),
            "call_sites" => tables.call_sites(),
            _ => return None,
        })
    }

    fn matching(&self) -> &Matching {
        self.matching.get_or_init(|| self.source.matching())
    }
}

/// Works with threads that end with the work: those of a pool that stays would be missing in
/// processes that Python forks off.
fn in_parallel<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().build();
    let pool = pool.map_err(|error| Failure::Other(format!("cannot start threads: {error}")))?;
    Ok(pool.install(work))
}
