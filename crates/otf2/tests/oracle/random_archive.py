"""Writes an archive of random records with libotf2 and prints what it wrote.

    random_archive.py DIR SEED EVENTS

One line for each record: the kind of file (G global definition, L local
definition, E event, S snapshot, M marker, T thumbnail), then its name and fields in alphabetical order.
Fields bear the names that the Rust crate gives them. Enumerations get values
that have no name, so that both sides print numbers.
"""

import ctypes
import inspect
import random
import re
import sys

import _otf2
from _otf2.Config import conf
from otf2.enums import Compression, FileMode, FileSubstrate, FlushType

LOCATIONS = [0, 3, 7 << 32 | 1]
CHUNK = 256 * 1024

BITS8 = """measurementMode collectiveOp model lockType syncType type mode whence ioParadigm
    paradigm paradigmClass property ioParadigmClass locationGroupType locationType regionRole
    groupType metricType metricMode valueType base metricOccurrence recorderKind metricScope
    parameterType systemTreeDomain cartPeriodicity interruptGeneratorMode severity""".split()
BITS64 = """requestID requestId messageId msgLength sizeSent sizeReceived bytesSent bytesReceived
    bytes matchingId lockId sequenceCount taskID bytesRequest bytesResult offsetResult stopTime
    timerResolution globalOffset traceLength realtimeTimestamp numberOfEvents recorder
    period location scopeRef timestamp duration members numberOfRecords contReadPos
    origEventTime""".split()
SIGNED64 = ["offsetRequest", "exitStatus", "exponent", "offset"]
FLAGS = ["regionFlags", "groupFlags", "flags", "ioParadigmFlags", "ioHandleFlags", "statusFlags",
         "creationFlags", "operationFlags", "syncLevel"]
STRINGS = ["string", "markerGroup", "markerCategory", "text"]
LISTS = {"members": 64, "metricMembers": 32, "cartDimensions": 32, "coordinates": 32,
         "programArguments": 32}
RENAMED = {"self": "id", "timestamp": "time", "scopeRef": "scope", "markerGroup": "group",
           "markerCategory": "category"}


def snake(name):
    name = re.sub("ID$", "Id", RENAMED.get(name, name))
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def number(bits):
    pick = random.random()
    if pick < 0.1:
        return 0
    if pick < 0.2:
        return (1 << bits) - 1
    return random.getrandbits(random.randint(1, bits))


def signed(bits):
    return number(bits) - (1 << bits - 1) if random.random() < 0.5 else number(bits - 1)


def text():
    length = random.choice([0, 1, 10, 240, 250, 251, 252, 253, 254, 255, 256, 300])
    return "".join(random.choice("abc äß") for _ in range(length))


def typed_value():
    """A type, its union and the value as Rust prints it."""
    kind = random.randint(1, 25)
    value = _otf2.AttributeValue()
    bits = {1: 8, 2: 16, 3: 32, 4: 64, 13: 64}.get(kind, 32)
    if kind in (5, 6, 7, 8):
        bits = {5: 8, 6: 16, 7: 32, 8: 64}[kind]
        shown = signed(bits)
        value.int64 = shown
    elif kind == 9:
        shown = float(random.randint(-1000, 1000))
        value.float32 = shown
    elif kind == 10:
        shown = float(random.randint(-100000, 100000))
        value.float64 = shown
    else:
        shown = number(bits)
        value.uint64 = shown
    return _otf2.Type(kind), value, str(shown)


def arguments(function, skipped, name):
    """Random arguments for a writer function, and what they are called in Rust."""
    values, shown = [], {}
    names = list(inspect.signature(function).parameters)[skipped:]
    for argument in names:
        key = snake(argument)
        wide = argument in BITS64
        if argument in ("types", "values", "metricValues"):
            continue
        if argument == "scope" and name == "MetricInstance":
            wide = True
        if argument == "self" and name in ("Location",):
            wide = True
        if argument == "value" and "type" not in names:
            is_signed = name == "ParameterInt"
            value = signed(64) if is_signed else number(64)
        elif argument == "type" and "value" in names:
            kind, value, printed = typed_value()
            values += [kind, value]
            shown["value"] = printed
            continue
        elif argument == "value":
            continue
        elif argument == "typeIDs":
            count = random.choice([0, 1, 3, 24, 25, 26, 200])
            kinds = [random.randint(100, 250) for _ in range(count)]
            bits = [number(64) for _ in range(count)]
            values += [[_otf2.Type(kind) for kind in kinds],
                       [_otf2.MetricValue(unsigned_int=value) for value in bits]]
            if count:
                shown["kind"] = ",".join(map(str, kinds))
                shown["bits"] = ",".join(map(str, bits))
            continue
        elif argument == "properties":
            triples = [typed_value() for _ in range(random.randint(0, 5))]
            values += [[_otf2.IoParadigmProperty(200) for _ in triples],
                       [triple[0] for triple in triples], [triple[1] for triple in triples]]
            if triples:
                shown["properties"] = ",".join("200," + triple[2] for triple in triples)
            continue
        elif argument in LISTS:
            value = [number(LISTS[argument]) for _ in range(random.choice([0, 1, 5, 50, 51, 200]))]
            values.append(value)
            if value:
                shown[key] = ",".join(map(str, value))
            continue
        elif argument in STRINGS and name != "ParameterString":
            value = text()
            values.append(value)
            shown[key] = '"%s"' % value
            continue
        elif argument in BITS8 or argument == "self" and name == "IoParadigm":
            value = random.randint(100, 250)
        elif argument in FLAGS:
            value = random.getrandbits(8) << 16 or 1 << 20
        elif argument in SIGNED64:
            value = signed(64)
        elif argument == "standardDeviation":
            value = float(random.randint(0, 1000))
        elif argument == "scope" and skipped == 1 and "scopeRef" in names:
            value = random.randint(100, 250)
            key = "scope_kind"
        else:
            value = number(64 if wide else 32)
        values.append(value)
        if argument == "type":
            key = "atomic_type" if name == "RmaAtomic" else "value_type"
        shown[key] = hex(value) if argument in FLAGS else str(value)
    return values, shown


def line(tag, name, shown):
    fields = "".join(" %s=%s" % field for field in sorted(shown.items()))
    return "%s %s%s" % (tag, name, fields)


def functions(prefix):
    found = [(name[len(prefix):], getattr(_otf2, name)) for name in dir(_otf2)
             if name.startswith(prefix)]
    return sorted(found)


ADDERS = [(name, function) for name, function in functions("AttributeList_Add")
          if name not in ("Attribute", "String")]


def attribute_list():
    """An attribute list, and how it is printed."""
    if random.random() < 0.8:
        return None, ""
    attributes = _otf2.AttributeList_New()
    printed = []
    for attribute in range(random.choice([1, 2, 16, 17, 40])):
        name, add = random.choice(ADDERS)
        if name in ("Float", "Double"):
            value = float(random.randint(-1000, 1000))
        elif name.startswith("Int") and name[3:].isdigit():
            value = signed(int(name[3:]))
        elif name.startswith("Uint"):
            value = number(int(name[4:]))
        else:
            value = number(64 if name == "LocationRef" else 32)
        add(attributes, attribute, value)
        printed.append("%d:%s" % (attribute, value))
    return attributes, " " + ",".join(printed)


def write_events(archive, location, count):
    writer = _otf2.Archive_GetEvtWriter(archive, location)
    skipped = ["GetLocationID", "GetUserData", "SetUserData", "SetLocationID",
               "GetNumberOfEvents", "StoreRewindPoint", "Rewind", "ClearRewindPoint"]
    kinds = [kind for kind in functions("EvtWriter_") if kind[0] not in skipped]
    # All of library 3.2, and of 3.0, which has no probes and no matched receives.
    assert len(kinds) in (83, 79), len(kinds)
    time = 0
    for index in range(count):
        name, write = kinds[index % len(kinds)] if index < 2 * len(kinds) else random.choice(kinds)
        values, shown = arguments(write, 3, name)
        attributes, printed = attribute_list()
        write(writer, attributes, time, *values)
        print("E %d %d%s" % (location, time, printed), line("", name, shown))
        if attributes:
            _otf2.AttributeList_Delete(attributes)
        if index > 5 and random.random() < 0.7:
            time += random.randint(0, 100000)
    _otf2.Archive_CloseEvtWriter(archive, writer)


def write_snapshots(archive, location, count):
    writer = _otf2.Archive_GetSnapWriter(archive, location)
    kinds = [kind for kind in functions("SnapWriter_") if kind[0] != "GetLocationID"]
    assert len(kinds) == 20, len(kinds)
    time = 0
    for index in range(count):
        name, write = kinds[index % len(kinds)] if index < len(kinds) else random.choice(kinds)
        values, shown = arguments(write, 3, name)
        attributes, printed = attribute_list()
        write(writer, attributes, time, *values)
        print("S %d %d%s" % (location, time, printed), line("", name, shown))
        if attributes:
            _otf2.AttributeList_Delete(attributes)
        if index > 5 and random.random() < 0.3:
            time += random.randint(0, 100000)
    _otf2.Archive_CloseSnapWriter(archive, writer)


def write_thumbnail(archive, index, samples, metrics):
    # The binding of these two refuses its arguments, or loses them.
    begin, write = conf.lib.OTF2_Archive_GetThumbWriter, conf.lib.OTF2_ThumbWriter_WriteSample
    wide = ctypes.c_uint64 * metrics
    write.argtypes = [ctypes.POINTER(_otf2.ThumbWriter), ctypes.c_uint64, ctypes.c_uint32, wide]
    begin.argtypes = [ctypes.POINTER(_otf2.Archive), ctypes.c_char_p, ctypes.c_char_p,
                      ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint32, wide]
    begin.restype = ctypes.POINTER(_otf2.ThumbWriter)
    name, description, kind = text(), text(), random.randint(100, 250)
    references = [number(64) for _ in range(metrics)]
    writer = begin(archive, name.encode(), description.encode(), kind, samples, metrics,
                   wide(*references))
    shown = {"name": '"%s"' % name, "description": '"%s"' % description,
             "thumbnail_type": str(kind), "number_of_samples": str(samples)}
    shown["definitions"] = ",".join(map(str, references))
    print(line("T %d" % index, "Header", shown))
    for _ in range(samples):
        baseline = number(64)
        values = [number(64) for _ in range(metrics)]
        assert write(writer, baseline, metrics, wide(*values)) == 0
        shown = {"baseline": str(baseline), "values": ",".join(map(str, values))}
        print(line("T %d" % index, "Sample", shown))


def write_local_definitions(archive, location, many):
    writer = _otf2.Archive_GetDefWriter(archive, location)
    kinds = [kind for kind in functions("DefWriter_Write")
             if kind[0] not in ("MappingTable", "ClockOffset")]
    assert len(kinds) == 34, len(kinds)
    for index in range(many):
        name, write = kinds[index % len(kinds)]
        values, shown = arguments(write, 1, name)
        write(writer, *values)
        print(line("L %d" % location, name, shown))
    for index in range(many):
        _, write = "ClockOffset", _otf2.DefWriter_WriteClockOffset
        values, shown = arguments(write, 1, "ClockOffset")
        values[0], shown["time"] = index * 1000, str(index * 1000)
        write(writer, *values)
        print(line("L %d" % location, "ClockOffset", shown))
    # The tables translate attribute 100 of nobody's: reading stays the identity.
    for kind, count in [(10, 1), (11, 27), (12, 28), (13, 29), (14, 200)][:many]:
        table = [2**33 + number(32) for _ in range(count)]
        id_map = _otf2.IdMap_CreateFromUint64Array(table, False)
        _otf2.DefWriter_WriteMappingTable(writer, _otf2.MappingType(kind + 100), id_map)
        _otf2.IdMap_Free(id_map)
        print("L %d MappingTable id_map=%s mapping_type=%d"
              % (location, ",".join(map(str, table)), kind + 100))
    if many:
        sparse = _otf2.IdMap_Create(_otf2.IdMapMode(1), 4)
        pairs = [(5, 1 << 40), (1 << 20, 7), (9, 2**64 - 1)]
        for local, target in pairs:
            _otf2.IdMap_AddIdPair(sparse, local, target)
        _otf2.DefWriter_WriteMappingTable(writer, _otf2.MappingType(200), sparse)
        _otf2.IdMap_Free(sparse)
        flat = ",".join("%d,%d" % pair for pair in sorted(pairs))
        print("L %d MappingTable id_map=%s mapping_type=200" % (location, flat))
    _otf2.Archive_CloseDefWriter(archive, writer)


def write_global_definitions(archive, count):
    writer = _otf2.Archive_GetGlobalDefWriter(archive)
    kinds = [kind for kind in functions("GlobalDefWriter_Write")
             if kind[0] not in ("MappingTable", "ClockOffset")]
    assert len(kinds) == 38, len(kinds)
    for index in range(count):
        name, write = kinds[index % len(kinds)] if index < 3 * len(kinds) else random.choice(kinds)
        values, shown = arguments(write, 1, name)
        if name == "Location":
            location = LOCATIONS[index % len(LOCATIONS)]
            values[0], shown["id"] = location, str(location)
        write(writer, *values)
        print(line("G", name, shown))
    # The archive counts locations, and wants them all.
    for location in LOCATIONS:
        _otf2.GlobalDefWriter_WriteLocation(writer, location, 1, 250, 99, 2)
        print("G Location id=%d location_group=2 location_type=250 name=1 number_of_events=99"
              % location)
    _otf2.Archive_CloseGlobalDefWriter(archive, writer)


def write_markers(archive, count):
    writer = _otf2.Archive_GetMarkerWriter(archive)
    for name, write in functions("MarkerWriter_Write") * count:
        values, shown = arguments(write, 1, name)
        # The binding cuts marker ids to 8 bits.
        place, key = (2, "marker") if name == "Marker" else (0, "id")
        values[place] %= 256
        shown[key] = str(values[place])
        if name == "Marker":
            values[3], shown["scope_kind"] = 0, "GLOBAL"
            values[4], shown["scope"] = 2**64 - 1, str(2**64 - 1)
        else:
            values[3], shown["severity"] = 3, "HIGH"
        write(writer, *values)
        print(line("M", name, shown))
    _otf2.Archive_CloseMarkerWriter(archive, writer)


def main(directory, seed, events):
    random.seed(seed)
    archive = _otf2.Archive_Open(directory, "traces", FileMode.WRITE, CHUNK, CHUNK,
                                 FileSubstrate.POSIX, Compression.NONE)
    flush = _otf2.FlushCallbacks(pre_flush=lambda *_: FlushType.FLUSH, post_flush=None)
    _otf2.Archive_SetFlushCallbacks(archive, flush, None)
    _otf2.Archive_SetSerialCollectiveCallbacks(archive)
    _otf2.Archive_SetCreator(archive, "random")
    _otf2.Archive_SetProperty(archive, "RANDOM::SEED", str(seed), True)
    _otf2.Archive_OpenDefFiles(archive)
    _otf2.Archive_OpenEvtFiles(archive)
    _otf2.Archive_OpenSnapFiles(archive)
    for place, location in enumerate(LOCATIONS):
        write_events(archive, location, [events, events // 2, 0][place])
    for place, location in enumerate(LOCATIONS):
        write_local_definitions(archive, location, [0, 2, min(events, 300)][place])
    for place, location in enumerate(LOCATIONS):
        write_snapshots(archive, location, [min(events, 4000), 30, 0][place])
    _otf2.Archive_SetNumberOfSnapshots(archive, 7)
    _otf2.Archive_CloseSnapFiles(archive)
    _otf2.Archive_CloseEvtFiles(archive)
    _otf2.Archive_CloseDefFiles(archive)
    write_global_definitions(archive, events)
    write_markers(archive, min(events // 20, 20))
    # Library 3.0.2 refuses the samples of its own thumbnails.
    for index, metrics in enumerate([1, 26, 27, 60] if hasattr(_otf2, "EvtWriter_MpiProbe") else []):
        write_thumbnail(archive, index, events // 5, metrics)
    _otf2.Archive_Close(archive)


sys.stdout.reconfigure(encoding="utf-8")
main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
