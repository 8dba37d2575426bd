"""Writes an archive as Score-P lays out a run of CUDA programs: two ranks on one host, each with
streams on a device that has a node of the system tree to itself, whose name is a number, and
metrics of the host in a location that is no thread. No message goes between the ranks.

Usage: write_accelerators.py DIRECTORY
"""

import sys

import otf2
from otf2.enums import GroupType, LocationGroupType, LocationType, Paradigm, RegionRole

SECOND = 1_000_000_000
STREAMS = 5


def main(directory):
    with otf2.writer.open(directory, timer_resolution=SECOND) as trace:
        define = trace.definitions
        machine = define.system_tree_node("Linux", class_name="machine")
        node = define.system_tree_node("gpu01", class_name="node", parent=machine)
        main_region = define.region("main", paradigm=Paradigm.COMPILER, region_role=RegionRole.FUNCTION)
        kernel = define.region("jacobi_kernel", paradigm=Paradigm.CUDA, region_role=RegionRole.FUNCTION)
        threads = []
        for rank in range(2):
            process = define.location_group(f"MPI Rank {rank}", system_tree_parent=node)
            thread = define.location("Master thread", group=process)
            threads.append(thread)
            span(trace, thread, main_region, 0, 7.2)
            metric = define.location("RAPL", type=LocationType.METRIC, group=process)
            trace.event_writer_from_location(metric)
            device = define.system_tree_node(str(rank), class_name="accelerator", parent=node)
            context = define.location_group(
                "CUDA Context 1",
                location_group_type=LocationGroupType.ACCELERATOR,
                system_tree_parent=device,
                creating_location_group=process,
            )
            for number in range(STREAMS):
                stream = define.location(
                    f"CUDA[{rank}:{number}]", type=LocationType.ACCELERATOR_STREAM, group=context
                )
                span(trace, stream, kernel, 0.1, 7.1)
        define.group(
            "", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=threads
        )


def span(trace, location, region, begin, end):
    """Writes one visit of a region, begin and end in seconds."""
    writer = trace.event_writer_from_location(location)
    writer.enter(int(begin * SECOND), region)
    writer.leave(int(end * SECOND), region)


if __name__ == "__main__":
    main(sys.argv[1])
