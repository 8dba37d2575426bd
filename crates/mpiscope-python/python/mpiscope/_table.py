"""A table, and how it becomes a data frame of one's choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from . import _native


class Table:
    """Columns of one length, in Arrow's memory format.

    pyarrow, polars, DuckDB and all that take Arrow's PyCapsule interface share them:
    `polars.DataFrame(table)`, `duckdb.sql("SELECT … FROM table")` on `table.to_arrow()`.
    """

    def __init__(self, name: str, native: _native.Table) -> None:
        self._native = native
        self.name = name
        """What it is a table of."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns, from left to right."""
        return self._native.columns

    def __len__(self) -> int:
        return len(self._native)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """As a pyarrow.Table, without copying."""
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self) -> polars.DataFrame:
        """As a polars.DataFrame. Numbers are shared; texts become categories."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self, *, copy: bool = False) -> pandas.DataFrame:
        """As a pandas.DataFrame.

        Columns of texts are categorical; columns of numbers in which some are missing keep their
        numbers whole (pandas.ArrowDtype). Other numbers are shared with this table, so that they
        cannot be changed in place; `copy=True` gives a frame of its own.
        """
        import pandas

        table = self.to_arrow()
        columns = {name: _column(table.column(name)) for name in self.columns}
        return pandas.DataFrame(columns, copy=copy)

    def __repr__(self) -> str:
        return f"<mpiscope.Table {self.name}: {len(self)} rows, {len(self.columns)} columns>"


def _column(column: pyarrow.ChunkedArray) -> Any:
    """What pandas takes for a column."""
    import pandas
    import pyarrow

    array = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if pyarrow.types.is_dictionary(array.type):
        codes = array.indices.fill_null(-1).to_numpy()
        categories = array.dictionary.to_pandas()
        return pandas.Categorical.from_codes(codes, categories, validate=False)
    if array.null_count or pyarrow.types.is_string(array.type):
        return pandas.arrays.ArrowExtensionArray(array)
    return array.to_numpy(zero_copy_only=not pyarrow.types.is_boolean(array.type))
