"""Regions and values of a Python program, in the trace that `mpiscope trace` writes of it."""

from __future__ import annotations

import ctypes
from contextlib import ContextDecorator
from functools import cache
from typing import Any, Callable


_SECOND = {"mpiscope_metric": ctypes.c_double, "mpiscope_metric_int": ctypes.c_longlong}


@cache
def _call(symbol: str) -> Callable[..., Any] | None:
    """What the agent offers under this name; nothing where the program is not traced."""
    # Without Python's lock being given up: it takes less than giving that up does.
    found = getattr(ctypes.PyDLL(None), symbol, None)
    if found is not None:
        found.restype = None
        found.argtypes = [ctypes.c_char_p, _SECOND.get(symbol, ctypes.c_void_p)]
    return found


class region(ContextDecorator):
    """A region of the program that is traced: `with region("solve"): …`, or a decorator.

    Does nothing in a program that is not traced.
    """

    def __init__(self, name: str) -> None:
        self._name = name.encode().replace(b"\0", b"")

    def __enter__(self) -> region:
        if call := _call("mpiscope_region_begin_from"):
            call(self._name, None)
        return self

    def __exit__(self, *_: object) -> None:
        if call := _call("mpiscope_region_end"):
            call(self._name, None)


def mark(name: str) -> None:
    """Notes that something happened, and took no time."""
    if call := _call("mpiscope_mark_from"):
        call(name.encode().replace(b"\0", b""), None)


def metric(name: str, value: float) -> None:
    """Tells a value of the program at this time; integers are told as such.

    The same name tells values of the same, of integers and of others apart.
    """
    whole = isinstance(value, int) and -(1 << 63) <= value < 1 << 63
    if call := _call("mpiscope_metric_int" if whole else "mpiscope_metric"):
        call(name.encode().replace(b"\0", b""), value)
