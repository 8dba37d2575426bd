"""Python with mpi4py: see README.md."""

import os
from array import array

from mpi4py import MPI

WORLD = MPI.COMM_WORLD
ME = WORLD.Get_rank()
OTHER = 1 - ME
INT = MPI.INT


def ints(*values):
    return array("i", values)


def blocking():
    if ME == 0:
        got = ints(0)
        WORLD.Send([ints(11, 22, 33), INT], OTHER, 7)
        WORLD.Recv([got, INT], OTHER, 8)
        return got[0]
    values, status = ints(0, 0, 0, 0, 0), MPI.Status()
    WORLD.Recv([values, INT], MPI.ANY_SOURCE, MPI.ANY_TAG, status)
    got = status.Get_count(INT)
    WORLD.Send([ints(got), INT], OTHER, 8)
    return sum(values) + 10 * got + 100 * status.Get_tag() + 1000 * status.Get_source()


def request_array():
    two, one = ints(0, 0), ints(0)
    requests = [
        WORLD.Irecv([two, INT], OTHER, MPI.ANY_TAG),
        WORLD.Irecv([one, INT], OTHER, 21),
        WORLD.Isend([ints(ME + 1, ME + 2), INT], OTHER, 20),
        WORLD.Isend([ints(ME + 3), INT], OTHER, 21),
    ]
    statuses = [MPI.Status() for _ in requests]
    MPI.Request.Waitall(requests, statuses)
    sources = statuses[0].Get_source() + statuses[1].Get_source()
    return sum(two) + sum(one) + 100 * statuses[0].Get_tag() + 10 * sources


def single_waits():
    value = ints(0)
    receive = WORLD.Irecv([value, INT], MPI.ANY_SOURCE, 30)
    send = WORLD.Isend([ints(5 + ME), INT], OTHER, 30)
    receive.Wait()
    send.Wait()
    return value[0]


def persistent():
    out, into, total = ints(0), ints(0), 0
    requests = [
        WORLD.Recv_init([into, INT], OTHER, 40),
        WORLD.Send_init([out, INT], OTHER, 40),
    ]
    for k in 1, 2, 3:
        out[0] = 100 * k + ME
        MPI.Prequest.Startall(requests)
        MPI.Request.Waitall(requests)
        total += k * into[0]
    for request in requests:
        request.Free()
    return total


def collective():
    sums, told = ints(ME + 1, 10 * (ME + 1)), ints(77 if ME == 1 else 0)
    WORLD.Allreduce(MPI.IN_PLACE, [sums, INT], MPI.SUM)
    WORLD.Bcast([told, INT], 1)
    return sum(sums) + told[0]


def turned_round():
    turned = WORLD.Split(0, OTHER)
    rank, value = turned.Get_rank(), ints(0)
    turned.Sendrecv([ints(9 * (ME + 1)), INT], 1 - rank, 60, [value, INT], 1 - rank, 60)
    turned.Free()
    return value[0] + 50 * rank


def race(late):
    """Returns what was received, and whom from."""
    end = MPI.Wtime() + 0.03
    while ME == late and MPI.Wtime() < end:
        pass
    out = [ints(10 * ME + k) for k in range(4)]
    if ME == 1:
        for value in out:
            WORLD.Send([value, INT], 0, 50)
        return 0, ""
    requests = [WORLD.Isend([value, INT], 0, 50) for value in out]
    total, order, into, status = 0, "", ints(0), MPI.Status()
    for _ in range(8):
        WORLD.Recv([into, INT], MPI.ANY_SOURCE, 50, status)
        order += str(status.Get_source())
        total += into[0]
    MPI.Request.Waitall(requests)
    return total, order


def main():
    parts = blocking(), request_array(), single_waits(), persistent(), collective(), turned_round()
    raced, order = race(int(os.environ.get("LATE", "0")))
    total = ints(0)
    WORLD.Barrier()
    WORLD.Reduce([ints(sum(parts) + raced), INT], [total, INT], MPI.SUM, 0)
    if ME == 0:
        print(f"result {total[0]}\norder {order}", flush=True)


main()
