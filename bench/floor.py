"""Bytes an event of an archive by what they are for, beside the least that OTF2's grammar takes for the same.

Usage: floor.py ARCHIVE, a run directory or the folder of its anchor.

The floor keeps all events and times. It chooses numbers: of each kind of reference the most frequent is 0, which a
compressed integer stores in one byte, and requests take the smallest number that is free at the time. All that the
attributes of an event tell is one attribute, which refers to a definition that holds it, where that takes less; the
definition counts with the bytes that the list has now. A stricter floor gives each call site a region of its own, so
that calls have no attribute for it. Little-endian files without id maps alone.
"""

import collections
import pathlib
import sys

SINGLE = {12: "region", 13: "region", 16: "request", 17: "request", 20: "request", 21: "request"}
# Fields of records with a length: c is a compressed integer, b a byte.
FRAMED = {
    14: ["rank", "comm", "tag", "bytes"],
    15: ["rank", "comm", "tag", "bytes", "request"],
    18: ["rank", "comm", "tag", "bytes"],
    19: ["rank", "comm", "tag", "bytes", "request"],
    22: [],
    23: ["byte", "comm", "root", "bytes", "bytes"],
}
NUMBERED = ("region", "comm")
BEGINS, ENDS = (15, 17), (16, 19, 21)
UNDEFINED = (1 << 64) - 1
FIXED = {1: 1, 2: 2, 5: 1, 6: 2, 9: 4, 10: 8}
PARTS = {
    "CALL_SITE": "call sites",
    "WILDCARD": "wildcards",
    "SIGNATURE": "type signatures",
    "POSTED_COMM": "what is asked for",
    "POSTED_SOURCE": "what is asked for",
    "POSTED_TAG": "what is asked for",
    "CAPACITY": "what is asked for",
}


def compressed(data, at):
    length = data[at]
    if length == 255:
        return UNDEFINED, at + 1
    return int.from_bytes(data[at + 1 : at + 1 + length], "little"), at + 1 + length


def least(value):
    """Bytes of a compressed integer; of what is undefined one."""
    return 1 if value == UNDEFINED else 1 + (value.bit_length() + 7) // 8


def attributes(data, at, end):
    count, at = compressed(data, at)
    for _ in range(count):
        number, at = compressed(data, at)
        kind = data[at]
        at += 1
        if kind in FIXED:
            value = int.from_bytes(data[at : at + FIXED[kind]], "little")
            yield number, kind, value, FIXED[kind]
            at += FIXED[kind]
        else:
            value, at = compressed(data, at)
            yield number, kind, value, None


def events(data, chunk_size):
    """Yields (bytes of the time stamp, bytes of attributes, attributes, bytes of the record, id, fields)."""
    for begin in range(0, len(data), chunk_size):
        chunk = data[begin : begin + chunk_size]
        assert chunk[:2] == b"\x03\x42", "little-endian chunks alone"
        at, stamp, head, told = 18, 0, 0, []
        while chunk[at] > 2:
            tag, start = chunk[at], at
            at += 1
            if tag == 5:
                at, stamp = at + 8, 9
                continue
            if tag in SINGLE:
                value, at = compressed(chunk, at)
                fields = [(SINGLE[tag], value)]
            else:
                length, at = (chunk[at], at + 1) if chunk[at] < 255 else (int.from_bytes(chunk[at + 1 : at + 9], "little"), at + 9)
                end = at + length
                if tag == 6:
                    told, head, at = list(attributes(chunk, at, end)), end - start, end
                    continue
                fields = []
                for name in FRAMED.get(tag, ()):
                    value, at = (chunk[at], at + 1) if name == "byte" else compressed(chunk, at)
                    fields.append((name, value))
                at = end
            yield stamp, head, told, at - start, tag, fields
            stamp, head, told = 0, 0, []


def attribute_names(path):
    """Numbers of attributes and their names, of a file of definitions that is one chunk."""
    data = path.read_bytes()
    at, strings, attributes = 18, {}, {}
    while data[at] > 2:
        tag, short = data[at], data[at + 1] < 255
        length, at = (data[at + 1], at + 2) if short else (int.from_bytes(data[at + 2 : at + 10], "little"), at + 10)
        if tag in (10, 11):
            number, rest = compressed(data, at)
            if tag == 10:
                strings[number] = data[rest : at + length - 1].decode()
            else:
                attributes[number] = compressed(data, rest)[0]
        at += length
    return {number: strings[name].removeprefix("MPISCOPE::") for number, name in attributes.items()}


def measure(folder):
    anchor = next(folder.glob("*.otf2"))
    chunk = int.from_bytes(anchor.read_bytes()[2 + 5 + 5 :][:8], "little")
    names = attribute_names(anchor.with_suffix(".def"))
    files = [list(events(path.read_bytes(), chunk)) for path in sorted(anchor.with_suffix("").glob("*.evt"))]
    everything = [event for file in files for event in file]
    used = collections.defaultdict(collections.Counter)
    for _, _, told, _, _, fields in everything:
        for name, value in fields:
            if name in NUMBERED:
                used[name][value] += 1
    best = {what: {value: place for place, (value, _) in enumerate(counter.most_common())} for what, counter in used.items()}
    lists = collections.Counter(tuple(told) for _, _, told, _, _, _ in everything if told)
    places = {told: place for place, (told, _) in enumerate(lists.most_common())}
    ours, floor = collections.Counter(), collections.Counter()
    heads = {}
    for file in files:
        active = {}
        for stamp, head, told, record, tag, fields in file:
            ours["time stamps"] += stamp
            floor["time stamps"] += stamp
            ours["records"] += record
            short = 1 + (tag not in SINGLE) + (record - 1 if tag not in SINGLE and tag not in FRAMED else 0)
            for name, value in fields:
                if name in NUMBERED:
                    value = best[name][value]
                elif name == "request":
                    if tag in BEGINS:
                        active[value] = next(n for n in range(len(active) + 1) if n not in active.values())
                    value = active.pop(value, value) if tag in ENDS else active.get(value, value)
                short += 1 if name == "byte" else least(value)
            floor["records"] += min(short, record)
            if not told:
                continue
            sizes = []
            for number, _, value, width in told:
                part = PARTS.get(names.get(number), "other attributes")
                sizes.append((part, least(number) + 1 + (width or least(value))))
            frame = head - sum(size for _, size in sizes)
            for part, size in sizes:
                ours[part] += size + frame / len(sizes)
            heads[tuple(told)] = head
    sites = 0
    for told, times in lists.items():
        # The list's frame and count, the attribute's number and type, the reference.
        named = 4 + 2 + least(places[told])
        least_of_list = min(times * heads[told], times * named + heads[told])
        floor["attributes"] += least_of_list
        if all(names.get(number) == "CALL_SITE" for number, *_ in told):
            sites += least_of_list
    count = len(everything)
    size = sum(path.stat().st_size for path in anchor.with_suffix("").glob("*.evt"))
    ours["chunks"] = floor["chunks"] = size - sum(ours.values())
    print(f"{count} events, {size} bytes of events\n")
    print("| | floor | ours |\n| --- | --- | --- |")
    for part in sorted(ours, key=lambda part: -ours[part]):
        low = f"{floor[part] / count:.2f}" if part in floor else ""
        print(f"| {part} | {low} | {ours[part] / count:.2f} |")
    told = sum(ours[part] for part in ours if part not in floor)
    print(f"| attributes together | {floor['attributes'] / count:.2f} | {told / count:.2f} |")
    both = sum(floor.values()) / count, sum(ours.values()) / count
    print(f"| all | {both[0]:.2f} | {both[1]:.2f} |\n\nOurs is {both[1] / both[0]:.2f} times the floor.")
    strict = both[0] - sites / count
    print(f"Where each call site is a region, and no attribute, the floor is {strict:.2f}: {both[1] / strict:.2f} times.")


measure(pathlib.Path(sys.argv[1]))
