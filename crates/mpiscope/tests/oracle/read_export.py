"""Prints as JSON what other readers find in an export: what pyarrow, DuckDB, pandas and polars
find in tables, and Perfetto's own schema in a time line.

Usage: read_export.py packages | parquet FOLDER | csv FOLDER | perfetto FILE
"""

import json
import sys
from collections import Counter
from pathlib import Path

TABLES = [
    "events",
    "messages",
    "collectives",
    "wait_states",
    "metrics",
    "regions",
    "locations",
    "communicators",
    "call_sites",
]


# What the rows of all locations are ordered by where they come in one order.
ORDER = {
    "events": ["time_ns", "location"],
    "messages": ["send_ns", "from_location", "send_event"],
    "collectives": ["begin_ns", "location", "begin_event"],
    "wait_states": ["begin_ns", "location", "event"],
    "metrics": ["time_ns", "location", "number"],
}


def packages():
    import duckdb, google.protobuf, pandas, polars, pyarrow.parquet  # noqa: F401, E401
    import perfetto.protos.perfetto.trace.perfetto_trace_pb2  # noqa: F401

    return {}


def open_of(waits):
    """What clocks leave open: how many waits, and how long, are below their resolution, and unknown."""
    known = waits["half_width_ns"].notna()
    below = waits["below_clock_resolution"].fillna(False).astype(bool)
    assert (known == waits["below_clock_resolution"].notna()).all()
    return {
        "below_times": int(below.sum()),
        "below_ns": int(waits[below]["waiting_ns"].sum()),
        "unknown_times": int((~known).sum()),
        "open": int((waits["half_width_ns"] > 0).sum()),
    }


def figures(read):
    """The figures of a folder of tables; `read` gives a pandas.DataFrame."""
    tables = {name: read(name) for name in TABLES}
    events, messages = tables["events"], tables["messages"]
    waits, collectives = tables["wait_states"], tables["collectives"]
    times = events.groupby("location")["time_ns"]
    # A message names its events by location and number.
    key = ["location", "number"]
    by_number = events.set_index(key)
    ends = {
        "send": (["from_location", "send_event"], ["send", "isend"], "send_ns"),
        "receive": (["to_location", "receive_event"], ["recv", "irecv"], "receive_ns"),
    }
    joined = {}
    for end, (columns, kinds, time) in ends.items():
        found = by_number.loc[list(map(tuple, messages[columns].to_numpy()))]
        joined[end] = bool(
            found["event"].isin(kinds).all()
            and (found["time_ns"].to_numpy() == messages[time].to_numpy()).all()
            and (found["bytes"].to_numpy() == messages["bytes"].to_numpy()).all()
        )
    of_region = events[events["event"] == "enter"].groupby("region").size()
    return {
        "rows": {name: len(table) for name, table in tables.items()},
        "columns": {name: list(table.columns) for name, table in tables.items()},
        "kinds": events.groupby("event").size().to_dict(),
        "entered": of_region.to_dict(),
        "first_ns": int(events["time_ns"].min()),
        "last_ns": int(events["time_ns"].max()),
        "ascending": bool(times.apply(lambda it: it.is_monotonic_increasing).all()),
        "numbers": bool(
            (events.groupby("location").cumcount() == events["number"]).all()
        ),
        "message_bytes": int(messages["bytes"].sum()),
        "reversed": int((messages["receive_ns"] < messages["send_ns"]).sum()),
        "joined": joined,
        "collectives": int(collectives["collective"].nunique()),
        "waiting_ns": int(waits["waiting_ns"].sum()),
        "waits": waits.groupby("kind").size().to_dict(),
        "below": open_of(waits),
        "by_time": {
            name: bool(tables[name].set_index(columns).index.is_monotonic_increasing)
            for name, columns in ORDER.items()
        },
        "order": events[key].to_numpy().tolist(),
        "call_sites": sorted(set(events["call_site"].dropna())),
    }


def parquet(folder):
    import duckdb
    import pandas
    import polars
    import pyarrow.parquet

    file = lambda name: str(folder / f"{name}.parquet")
    found = figures(lambda name: pyarrow.parquet.read_table(file(name)).to_pandas())
    metadata = pyarrow.parquet.read_metadata(file("events"))
    found["about"] = {
        key.decode(): value.decode()
        for key, value in metadata.metadata.items()
        if key.startswith(b"mpiscope.")
    }
    column = metadata.row_group(0).column(metadata.schema.names.index("time_ns"))
    found["compression"] = column.compression
    found["encodings"] = list(column.encodings)
    query = f"SELECT count(*), sum(bytes), sum(time_ns) FROM '{file('events')}'"
    rows = f"SELECT location, number FROM '{file('events')}'"
    frame = pandas.read_parquet(file("events"))
    table = polars.read_parquet(file("events"))
    # The same three figures, and the rows in their order, by each of the readers.
    found["readers"] = {
        "duckdb": [int(it) for it in duckdb.sql(query).fetchall()[0]],
        "pandas": [len(frame), int(frame["bytes"].sum()), int(frame["time_ns"].sum())],
        "polars": [table.height, int(table["bytes"].sum()), int(table["time_ns"].sum())],
    }
    orders = {
        "duckdb": [list(it) for it in duckdb.sql(rows).fetchall()],
        "pandas": frame[["location", "number"]].to_numpy().tolist(),
        "polars": [list(it) for it in table.select("location", "number").rows()],
    }
    for reader, order in orders.items():
        found["readers"][reader].append(order)
    return found


def csv(folder):
    import pandas

    return figures(lambda name: pandas.read_csv(folder / f"{name}.csv"))


def perfetto(file):
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema

    trace = schema.Trace()
    trace.ParseFromString(file.read_bytes())
    event = schema.TrackEvent
    interned, tracks, default, open_slices = {}, {}, {}, Counter()
    slices, instants, flows, sites = Counter(), Counter(), {}, Counter()
    annotations, last, problems, processes = Counter(), {}, [], {}
    counters, values = {}, []
    for packet in trace.packet:
        sequence = packet.trusted_packet_sequence_id
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            if track.HasField("process"):
                processes[track.uuid] = track.process.process_name
            elif track.HasField("counter"):
                counters[track.uuid] = (tracks.get(track.parent_uuid), track.name, track.counter.unit_name)
            else:
                tracks[track.uuid] = track.thread.thread_name
                if track.parent_uuid not in processes:
                    problems.append(f"track {track.uuid} has no process")
        if packet.sequence_flags & 1:
            interned[sequence] = {"names": {}, "annotations": {}, "sites": {}}
            default[sequence] = packet.trace_packet_defaults.track_event_defaults.track_uuid
        known = interned.get(sequence)
        for entry in packet.interned_data.event_names:
            known["names"][entry.iid] = entry.name
        for entry in packet.interned_data.debug_annotation_names:
            known["annotations"][entry.iid] = entry.name
        for entry in packet.interned_data.source_locations:
            known["sites"][entry.iid] = f"{entry.file_name}:{entry.line_number}"
        if not packet.HasField("track_event"):
            continue
        it, track = packet.track_event, default[sequence]
        if it.type == event.TYPE_COUNTER:
            kind = it.WhichOneof("counter_value_field")
            values.append([*counters[it.track_uuid], packet.timestamp, getattr(it, kind)])
            continue
        if packet.timestamp < last.get(track, 0):
            problems.append(f"time goes back on track {track}")
        last[track] = packet.timestamp
        if track not in tracks:
            problems.append(f"no track {track}")
        if it.type == event.TYPE_SLICE_BEGIN:
            open_slices[track] += 1
            slices[known["names"][it.name_iid]] += 1
            if it.source_location_iid:
                sites[known["sites"][it.source_location_iid]] += 1
        elif it.type == event.TYPE_SLICE_END:
            open_slices[track] -= 1
            if open_slices[track] < 0:
                problems.append(f"an end without a begin on track {track}")
        elif it.type == event.TYPE_INSTANT:
            instants[known["names"][it.name_iid]] += 1
            for annotation in it.debug_annotations:
                annotations[known["annotations"][annotation.name_iid]] += 1
        for flow in it.flow_ids:
            flows.setdefault(flow, []).append(known["names"][it.name_iid])
    if any(open_slices.values()):
        problems.append("slices are left open")
    sends, receives = ("send", "isend"), ("recv", "irecv")
    pair = lambda it: len(it) == 2 and any(a in sends for a in it) and any(a in receives for a in it)
    return {
        "packets": len(trace.packet),
        "tracks": sorted(tracks.values()),
        "processes": sorted(processes.values()),
        "slices": slices,
        "instants": instants,
        "flows": len(flows),
        "paired": sum(map(pair, flows.values())),
        "sites": sites,
        "annotations": annotations,
        "values": values,
        "last_ns": max(last.values(), default=0),
        "problems": problems,
    }


READERS = {"parquet": parquet, "csv": csv, "perfetto": perfetto}
what, *rest = sys.argv[1:]
print(json.dumps(READERS[what](Path(rest[0])) if rest else packages()))
