"""Writes a small archive with the high-level interface of Python's otf2.

    messages.py DIR

Two ranks; rank 0 sends seven messages to rank 1, with an attribute on each.
"""

import sys

import otf2
from otf2.enums import GroupType, LocationGroupType, LocationType, Paradigm, RegionRole, Type


def main(directory):
    with otf2.writer.open(directory, timer_resolution=10**9,
                          chunk_size_events=256 * 1024,
                          chunk_size_definitions=256 * 1024) as trace:
        definitions = trace.definitions
        send, receive = [
            definitions.region(name, source_file="MPI", region_role=RegionRole.POINT2POINT,
                               paradigm=Paradigm.MPI)
            for name in ("MPI_Send", "MPI_Recv")]
        marked = definitions.attribute("marked", "Anything", Type.INT32)
        node = definitions.system_tree_node("node")
        ranks = [
            definitions.location(
                "Master thread", type=LocationType.CPU_THREAD,
                group=definitions.location_group(
                    "MPI Rank %d" % rank, system_tree_parent=node,
                    location_group_type=LocationGroupType.PROCESS))
            for rank in range(2)]
        definitions.group("", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI,
                          members=ranks)
        world = definitions.comm(
            "MPI_COMM_WORLD",
            group=definitions.group("world", group_type=GroupType.COMM_GROUP,
                                    paradigm=Paradigm.MPI, members=[0, 1]))
        writers = [trace.event_writer_from_location(rank) for rank in ranks]
        for i in range(7):
            time = 1000 * i
            writers[0].enter(time + 10, send)
            writers[0].mpi_send(time + 20, 1, world, i, 100 * i, attributes={marked: -i})
            writers[0].leave(time + 30, send)
            writers[1].enter(time + 5, receive)
            writers[1].mpi_recv(time + 40, 0, world, i, 100 * i)
            writers[1].leave(time + 40, receive)


main(sys.argv[1])
