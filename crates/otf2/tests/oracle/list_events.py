"""Prints location, time and kind of every event of an archive.

    list_events.py ANCHOR
"""

import sys

import otf2

with otf2.reader.open(sys.argv[1]) as trace:
    places = {location: place for place, location in enumerate(trace.definitions.locations)}
    for location, event in trace.events:
        print(places[location], event.time, type(event).__name__)
