"""Prints every record of an archive as libotf2 gives it to whoever asks for it: kind and fields.

    every_record.py ANCHOR LOCATION...

Snapshots and markers are left out: the binding asks the library for functions that it does not
have, or fails where these succeed.
"""

import sys

import _otf2


# The binding has callbacks for as long as somebody holds them.
KEPT = []


def shown(value):
    if isinstance(value, (list, tuple)):
        return "[%s]" % " ".join(map(shown, value))
    if isinstance(value, (int, float, str)):
        return repr(value)
    # Values, and enumerations.
    for field in ("uint64", "unsigned_int", "value"):
        if hasattr(value, field):
            return repr(getattr(value, field))
    # A pointer, which lies elsewhere each time.
    return type(value).__name__


def callbacks(kind):
    """Callbacks that print, for all kinds of record that there are callbacks for."""
    prefix, ending = f"{kind}ReaderCallbacks_Set", "Callback"
    all = getattr(_otf2, f"{kind}ReaderCallbacks_New")()
    for name in dir(_otf2):
        record = name[len(prefix):-len(ending)]
        if name.startswith(prefix) and record != "Unknown":
            say = lambda *fields, record=record: print(kind, record, *map(shown, fields[1:]))
            KEPT.append(say)
            getattr(_otf2, name)(all, say)
    return all


def main(anchor, locations):
    reader = _otf2.Reader_Open(anchor)
    _otf2.Reader_SetSerialCollectiveCallbacks(reader)
    for location in locations:
        _otf2.Reader_SelectLocation(reader, location)
    definitions = _otf2.Reader_GetGlobalDefReader(reader)
    _otf2.Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks("GlobalDef"), None)
    _otf2.Reader_ReadAllGlobalDefinitions(reader, definitions)
    _otf2.Reader_OpenDefFiles(reader)
    _otf2.Reader_OpenEvtFiles(reader)
    for location in locations:
        local = _otf2.Reader_GetDefReader(reader, location)
        _otf2.Reader_RegisterDefCallbacks(reader, local, callbacks("Def"), None)
        _otf2.Reader_ReadAllLocalDefinitions(reader, local)
        events = _otf2.Reader_GetEvtReader(reader, location)
        _otf2.Reader_RegisterEvtCallbacks(reader, events, callbacks("Evt"), None)
        _otf2.Reader_ReadAllLocalEvents(reader, events)


sys.stdout.reconfigure(encoding="utf-8")
main(sys.argv[1], [int(location) for location in sys.argv[2:]])
