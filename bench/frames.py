"""Reads an archive's events into a pandas data frame and prints how many there are, and the seconds it took.

Usage: frames.py mpiscope|otf2|pipit ARCHIVE, by a Python that has the package; imports are not counted.
"""

import os
import sys
import time

import pandas


def by_mpiscope(path):
    return mpiscope.read(path).to_pandas()


def by_otf2(path):
    """Pipit's columns but for attributes, the least that a reader on PyPI's otf2 can do."""
    rows = []
    with otf2.reader.open(os.path.join(path, "traces.otf2")) as trace:
        for location, event in trace.events:
            kind = type(event).__name__
            is_call = kind in ("Enter", "Leave")
            name = event.region.name if is_call else kind
            rows.append((event.time, kind if is_call else "Instant", name, location.group._ref, location._ref))
    columns = ["Timestamp (ns)", "Event Type", "Name", "Process", "Thread"]
    return pandas.DataFrame(rows, columns=columns).astype({"Event Type": "category", "Name": "category"})


def by_pipit(path):
    return pipit.Trace.from_otf2(path).events


way, path = sys.argv[1:]
if way == "mpiscope":
    import mpiscope
    import pyarrow  # noqa: F401
elif way == "otf2":
    import otf2
else:
    import pipit

begin = time.perf_counter()
frame = {"mpiscope": by_mpiscope, "otf2": by_otf2, "pipit": by_pipit}[way](path)
print(len(frame), time.perf_counter() - begin)
