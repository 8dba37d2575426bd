"""MPI traces as data frames: runs of mpiscope, and any OTF2 archive.

    import mpiscope

    run = mpiscope.read("heat.mpiscope")
    events = run.events.to_pandas()
    calls = run.calls.to_polars()

Columns that every trace has are called as Pipit calls them. Times are nanoseconds since the
first event, ranks are those of MPI_COMM_WORLD.
"""

from __future__ import annotations

import warnings
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from . import _native
from ._native import Error
from ._region import mark, metric, region
from ._table import Table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["DamageWarning", "Error", "Run", "Table", "mark", "metric", "read", "region"]

Clock = Literal["measured", "interpolated", "corrected"]


class DamageWarning(UserWarning):
    """A part of an archive could not be read; the rest was."""


class Run:
    """A run, or an OTF2 archive, in memory. Tables are made when they are first asked for."""

    def __init__(self, path: Path, native: _native.Run) -> None:
        self._native = native
        self.path = path
        """As it was named."""

    @property
    def archive(self) -> Path:
        """The anchor of the archive that was read."""
        return self._native.archive

    @property
    def clock(self) -> Clock | None:
        """What its times are: "measured", "interpolated" or "corrected"; None if nobody knows,
        as of other tools' archives."""
        return self._native.clock  # type: ignore[return-value]

    @property
    def is_corrected(self) -> bool:
        """Whether times are corrected: nothing is received before it was sent."""
        return self.clock == "corrected"

    @property
    def program(self) -> str | None:
        """The program that ran, if that is known."""
        return self._native.program

    @property
    def ranks(self) -> list[int]:
        """World ranks of the processes that left events, ascending."""
        return self._native.ranks

    @property
    def damage(self) -> list[str]:
        """What could not be read, in sentences."""
        return self._native.damage

    @cached_property
    def events(self) -> Table:
        """One row an event, location by location, in the order recorded."""
        return self._table("events")

    @cached_property
    def messages(self) -> Table:
        """One row a matched message."""
        return self._table("messages")

    @cached_property
    def calls(self) -> Table:
        """One row a call: when it began and ended, with and without what it called."""
        return self._table("calls")

    @cached_property
    def wait_states(self) -> Table:
        """One row a call that waited: for whom, and how long."""
        return self._table("wait_states")

    @cached_property
    def definitions(self) -> dict[str, Table]:
        """What events refer to: "locations", "communicators", "call_sites"."""
        names = ["locations", "communicators", "call_sites"]
        return {name: self._table(name) for name in names}

    def to_arrow(self) -> pyarrow.Table:
        """The events as a pyarrow.Table."""
        return self.events.to_arrow()

    def to_pandas(self, *, copy: bool = False) -> pandas.DataFrame:
        """The events as a pandas.DataFrame; see Table.to_pandas."""
        return self.events.to_pandas(copy=copy)

    def to_polars(self) -> polars.DataFrame:
        """The events as a polars.DataFrame."""
        return self.events.to_polars()

    def _table(self, name: str) -> Table:
        return Table(name, self._native.table(name))

    def __repr__(self) -> str:
        time = f"{self.clock} time" if self.clock else "the time of the archive"
        return f"<mpiscope.Run {str(self.path)!r}: {len(self.ranks)} ranks, in {time}>"


def read(path: str | PathLike[str], clock: Clock | None = None) -> Run:
    """Reads a run directory (NAME.mpiscope), an OTF2 archive's anchor, its folder, or a packed run.

    Of a run that has been corrected (`mpiscope trace` does that, or `mpiscope sync`) times are
    corrected, else as measured: `Run.clock` tells which. With `clock` others are read:
    "measured" as the clocks showed them, "interpolated" mapped to one clock (which is done here,
    and takes a while), "corrected" those that are also in order.

    What is packed (NAME.mpiscope.tar.zst) is unpacked into a temporary directory, which goes away
    with the run.

    Raises FileNotFoundError if there is nothing, ValueError if a clock is asked for that the
    archive does not have, and mpiscope.Error if it cannot be read. A part that cannot be read is
    left out, with a DamageWarning.
    """
    run = Run(Path(fspath(path)), _native.open(path, clock))
    for what in run.damage:
        warnings.warn(what, DamageWarning, stacklevel=2)
    return run
