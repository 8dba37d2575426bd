//! A table that Arrow's consumers take without copying.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Columns of one length.
#[pyclass(frozen, module = "mpiscope._native")]
pub struct Table(pub RecordBatch);

#[pymethods]
impl Table {
    /// A stream of Arrow's C interface. Columns are shared, and never cast: a schema that is
    /// asked for may be ignored.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let schema = self.0.schema();
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// Names, from left to right.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = self.0.schema();
        let names = schema.fields().iter().map(|field| field.name().clone());
        names.collect()
    }
}
