"""Prints what PyPI's otf2 finds in an archive, as JSON.

    read_archive.py ANCHOR

Whatever breaks a rule that holds in every archive of ours is listed under `problems`.
"""

import hashlib
import json
import sys
import warnings
from collections import Counter

import otf2

warnings.simplefilter("error")
SENDS, RECEIVES = ("MpiSend", "MpiIsend"), ("MpiRecv", "MpiIrecv")
NO_ROOT = 2**32 - 1


def plain(value):
    """A field of an event as something that prints alike in every archive."""
    if isinstance(value, dict):
        return sorted((key.name, plain(entry)) for key, entry in value.items())
    return f"{type(value).__name__} {value._ref}" if hasattr(value, "_ref") else str(value)


class Stream:
    """What happened at one location so far."""

    def __init__(self):
        self.regions, self.last, self.entered = [], 0, Counter()
        self.digest = hashlib.sha256()

    def add(self, kind, event):
        """Takes an event; yields what is wrong with it."""
        if event.time < self.last:
            yield "time runs backwards"
        self.last = event.time
        fields = {name: plain(value) for name, value in vars(event).items() if name != "time"}
        self.digest.update(f"{kind} {sorted(fields.items())}\n".encode())
        if kind == "Enter":
            self.regions.append(event.region.name)
            self.entered[event.region.name] += 1
        elif kind == "Leave":
            if not self.regions or self.regions.pop() != event.region.name:
                yield f"left {event.region.name} without having entered it"
        elif kind.startswith("Mpi"):
            if not self.regions:
                yield "outside of every region"
            yield from self.peer(event)

    def peer(self, event):
        """Peers and roots are ranks of the communicator, wildcards and nobody are not."""
        comm = getattr(event, "communicator", None)
        size = len(comm.group.members) or 1 if comm else 0  # COMM_SELF lists nobody
        for field in ("sender", "receiver", "root"):
            rank = getattr(event, field, 0)
            if comm and rank >= size and (field, rank) != ("root", NO_ROOT):
                yield f"{field} {rank} in a communicator of {size}"
        if getattr(event, "msg_tag", 0) >= 2**31:
            yield f"tag {event.msg_tag}"


def read(trace):
    kinds, attributes, streams, problems = Counter(), Counter(), {}, []
    sums = Counter()
    for location in trace.definitions.locations:
        streams[location._ref] = Stream()
    for location, event in trace.events:
        kind = type(event).__name__
        kinds[kind] += 1
        attributes.update(f"{kind} {key.name}" for key in event.attributes or {})
        if kind in SENDS:
            sums["bytes"] += event.msg_length
        if kind in RECEIVES:
            sums["received_bytes"] += event.msg_length
        stream = streams[location._ref]
        problems += [f"{kind} at {location.name}: {what}" for what in stream.add(kind, event)]
    for location, stream in streams.items():
        problems += [f"location {location} never left {name}" for name in stream.regions]
    definitions = trace.definitions
    return {
        "messages": sum(kinds[kind] for kind in SENDS),
        "bytes": sums["bytes"],
        "received": sum(kinds[kind] for kind in RECEIVES),
        "received_bytes": sums["received_bytes"],
        "collectives": kinds["MpiCollectiveEnd"],
        "events": sum(kinds.values()),
        "kinds": kinds,
        "attributes": attributes,
        "problems": problems[:10],
        "locations": [[location._ref, location.group._ref] for location in definitions.locations],
        "entered": {key: stream.entered for key, stream in streams.items()},
        "digests": {key: stream.digest.hexdigest() for key, stream in streams.items()},
        "groups": [str(group.group_type).rpartition(".")[2] for group in definitions.groups],
        "communicators": [[comm.name, comm.parent.name if comm.parent else None, len(comm.group.members)]
                          for comm in definitions.comms],
    }


with otf2.reader.open(sys.argv[1]) as archive:
    json.dump(read(archive), sys.stdout)
