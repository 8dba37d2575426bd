"""Fills a chunk of 256 KiB with events to the last byte, with libotf2.

    full_chunk.py DIR LONG LAST MORE

Location 0 enters region 0, at one time, until 15 (LONG = 0) or 16 (LONG = 1)
bytes are left; then, if LAST, an event that takes 15 bytes; then MORE events.
"""

import sys

import _otf2
from otf2.enums import Compression, FileMode, FileSubstrate, FlushType


def main(directory, long, last, more):
    archive = _otf2.Archive_Open(directory, "traces", FileMode.WRITE, 256 * 1024, 256 * 1024,
                                 FileSubstrate.POSIX, Compression.NONE)
    flush = _otf2.FlushCallbacks(pre_flush=lambda *_: FlushType.FLUSH, post_flush=None)
    _otf2.Archive_SetFlushCallbacks(archive, flush, None)
    _otf2.Archive_SetSerialCollectiveCallbacks(archive)
    _otf2.Archive_OpenEvtFiles(archive)
    writer = _otf2.Archive_GetEvtWriter(archive, 0)
    # 18 bytes of header, 9 of timestamp, 3 for region 1, 2 for each region 0.
    left = 256 * 1024 - 18 - 9
    if long:
        _otf2.EvtWriter_Enter(writer, None, 1, 1)
        left -= 3
    while left > 16:
        _otf2.EvtWriter_Enter(writer, None, 1, 0)
        left -= 2
    if last:
        _otf2.EvtWriter_Enter(writer, None, 2, 2**32 - 2)
    for _ in range(more):
        _otf2.EvtWriter_Enter(writer, None, 2, 0)
    _otf2.Archive_CloseEvtWriter(archive, writer)
    _otf2.Archive_CloseEvtFiles(archive)
    definitions = _otf2.Archive_GetGlobalDefWriter(archive)
    _otf2.GlobalDefWriter_WriteLocation(definitions, 0, 0, 1, 0, 0)
    _otf2.Archive_CloseGlobalDefWriter(archive, definitions)
    _otf2.Archive_Close(archive)


main(sys.argv[1], *map(int, sys.argv[2:]))
