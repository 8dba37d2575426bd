"""Prints what PyPI's otf2 finds in an archive, as JSON.

    read_archive.py ANCHOR

Whatever breaks a rule that holds in every archive of ours is listed under `problems`.
"""

import hashlib
import json
import sys
import warnings
from collections import Counter, defaultdict

import otf2

warnings.simplefilter("error")
SENDS, RECEIVES = ("MpiSend", "MpiIsend"), ("MpiRecv", "MpiIrecv")
POSTED_BY = {"MpiIsendComplete": "MpiIsend", "MpiIrecv": "MpiIrecvRequest", "MpiRequestCancelled": "MpiIrecvRequest"}
NO_ROOT = 2**32 - 1


def plain(value):
    """A field of an event as something that prints alike in every archive."""
    if isinstance(value, dict):
        return sorted((key.name, plain(entry)) for key, entry in value.items())
    if hasattr(value, "_ref"):
        return f"{type(value).__name__} {value._ref}"
    try:
        return str(value)
    except KeyError:  # several flags at once have no name there
        return f"{type(value).__name__} {value.value}"


class Stream:
    """What happened at one location so far."""

    def __init__(self):
        self.regions, self.last, self.entered = [], 0, Counter()
        self.values = []
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
        elif kind == "Metric":
            members = event.metric.members
            self.values += [f"{member.name} {value}" for member, value in zip(members, event.values)]
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
        # Messages in parts have 2^31 added to their tag; what is negative there was no tag.
        if getattr(event, "msg_tag", 0) >= 2**31 + 2**30:
            yield f"tag {event.msg_tag}"


class Messages:
    """Sends and receives of each channel: in a communicator, from a process to another, with a tag.

    The first send meets the receive posted first (MPI 4.1, section 3.5); what was probed before, whoever probed first.
    Where recording was switched off in between, or calls were left out, MPISCOPE::SEQUENCE says how many came before.
    """

    def __init__(self):
        self.sent, self.received = defaultdict(list), defaultdict(list)
        self.active, self.probed, self.gaps, self.order = {}, set(), False, 0
        self.failures = False

    def add(self, kind, location, event):
        """Takes an event; yields what is wrong with it."""
        self.order += 1
        posted = self.order
        request = (location.group._ref, getattr(event, "request_id", None))
        told = {key.name: value for key, value in (event.attributes or {}).items()}
        self.gaps |= kind == "MeasurementOnOff"
        self.failures |= "MPISCOPE::FAILED" in told
        if kind in ("MpiIsend", "MpiIrecvRequest"):
            if request in self.active:
                yield f"request {request[1]} is active already"
            self.active[request] = kind, posted
        elif kind in POSTED_BY:
            began, posted = self.active.pop(request, (None, posted))
            if began != POSTED_BY[kind] and (kind, began) != ("MpiRequestCancelled", "MpiIsend"):
                yield f"request {request[1]} was begun by {began}"
        if kind in SENDS:
            channel = self.channel(event, location, self.process(event, event.receiver, location))
            self.sent[channel].append((len(self.sent[channel]), event.msg_length, told.get("MPISCOPE::SEQUENCE")))
        if kind in RECEIVES:
            channel = self.channel(event, self.process(event, event.sender, location), location)
            self.received[channel].append((posted, event.msg_length, told.get("MPISCOPE::SEQUENCE")))
            if "MPISCOPE::MESSAGE_ID" in told:
                self.probed.add(channel)

    def process(self, event, rank, own):
        members = event.communicator.group.members or [own]  # COMM_SELF lists nobody
        return members[rank] if rank < len(members) else own

    def channel(self, event, sender, receiver):
        return event.communicator._ref, sender.group._ref, receiver.group._ref, event.msg_tag

    def numbered(self, messages):
        """Lengths by number, in the order of posts."""
        number, lengths = 0, {}
        for _, length, told in sorted(messages, key=lambda message: message[0]):
            number = number if told is None else told
            lengths[number] = length
            number += 1
        return lengths

    def pairs(self):
        """Yields channel, number and both lengths; of a receive whose send is missing none."""
        for channel, received in self.received.items():
            sent = self.numbered(self.sent[channel])
            for number, length in self.numbered(received).items():
                yield channel, number, sent.get(number), length

    def problems(self):
        for channel, number, sent, received in self.pairs():
            missing = sent is None and self.gaps
            if self.failures and sent is not None and received < sent:
                continue  # The buffer may have been too short.
            if sent != received and not missing and (self.gaps or channel not in self.probed):
                yield "communicator {}, {} to {}, tag {}: ".format(*channel) + f"message {number}: sent {sent}, received {received}"


class Collectives:
    """The k-th operation of a communicator is the same one on all its members, switched off or not."""

    def __init__(self):
        self.next, self.operations = defaultdict(int), defaultdict(set)

    def add(self, kind, location, event):
        if kind != "MpiCollectiveEnd" or not event.communicator.group.members:
            return
        told = {key.name: value for key, value in (event.attributes or {}).items()}
        member = event.communicator._ref, location.group._ref
        number = told.get("MPISCOPE::SEQUENCE", self.next[member])
        self.next[member] = number + 1
        self.operations[event.communicator._ref, number].add(str(event.collective_op))

    def problems(self):
        for (comm, number), operations in self.operations.items():
            if len(operations) > 1:
                yield f"communicator {comm}, operation {number} is {sorted(operations)}"


def operation(event):
    """Yields names and figures of a collective, as the programs count them; a root counts as its rank + 1."""
    name = str(event.collective_op).rpartition(".")[2].lower()
    yield f"{name}_sent", event.size_sent
    yield f"{name}_received", event.size_received
    yield f"{name}_roots", 0 if event.root == NO_ROOT else event.root + 1


def site(event):
    """Yields the function entered and the line, or else place, that it was called from."""
    told = {key.name: value for key, value in (event.attributes or {}).items()}
    context = told.get("MPISCOPE::CALL_SITE")
    if context:
        line = context.source_code_location
        yield f"{event.region.name} {line.line_number if line else context.region.name}"


def read(trace):
    kinds, attributes, streams, problems = Counter(), Counter(), {}, []
    sites = Counter()
    sums, operations, messages, collectives = Counter(), Counter(), Messages(), Collectives()
    messages.gaps = any(attribute.name == "MPISCOPE::LEFT_OUT" for attribute in trace.definitions.attributes)
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
        if kind == "Enter":
            sites.update(site(event))
        if kind == "MpiCollectiveEnd":
            operations.update(dict(operation(event)))
        stream = streams[location._ref]
        problems += [f"{kind} at {location.name}: {what}" for what in stream.add(kind, event)]
        problems += [f"{kind} at {location.name}: {what}" for what in messages.add(kind, location, event)]
        collectives.add(kind, location, event)
    problems += messages.problems()
    problems += collectives.problems()
    for location, stream in streams.items():
        problems += [f"location {location} never left {name}" for name in stream.regions]
    definitions = trace.definitions
    return {
        "messages": sum(kinds[kind] for kind in SENDS),
        "bytes": sums["bytes"],
        "pairs": sum(sent is not None for _, _, sent, _ in messages.pairs()),
        "received": sum(kinds[kind] for kind in RECEIVES),
        "received_bytes": sums["received_bytes"],
        "collectives": kinds["MpiCollectiveEnd"],
        "operations": operations,
        "events": sum(kinds.values()),
        "kinds": kinds,
        "sites": sites,
        "attributes": attributes,
        "problems": problems[:10],
        "locations": [[location._ref, location.group._ref] for location in definitions.locations],
        "entered": {key: stream.entered for key, stream in streams.items()},
        "values": {key: stream.values for key, stream in streams.items() if stream.values},
        "digests": {key: stream.digest.hexdigest() for key, stream in streams.items()},
        "groups": [str(group.group_type).rpartition(".")[2] for group in definitions.groups],
        "communicators": [[comm.name, comm.parent.name if comm.parent else None, len(comm.group.members)]
                          for comm in definitions.comms],
    }


with otf2.reader.open(sys.argv[1]) as archive:
    json.dump(read(archive), sys.stdout)
