"""Where `mpiscope replay --stop-at` stops is within the agent: chooses the program's own call."""
import gdb


def library(frame):
    return gdb.solib_name(frame.pc()) or ""


def caller():
    """Returns the frame that called the agent, if the thread waits in it or got its signal there."""
    frame = gdb.newest_frame()
    while frame is not None and "libc." in library(frame):
        frame = frame.older()
    if frame is None or "mpiscope_agent" not in library(frame):
        return None
    while frame is not None and "mpiscope_agent" in library(frame):
        frame = frame.older()
    return frame


def choose():
    frame = caller() if gdb.selected_thread() is not None else None
    if frame is not None:
        frame.select()
        gdb.execute("frame")


def stopped(event):
    # A trap is no SignalEvent to gdb.
    if type(event) is gdb.StopEvent:
        choose()


gdb.events.stop.connect(stopped)
choose()
