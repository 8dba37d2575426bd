"""How long does an MPI call from Python take?

    mpirun -n 1 python bench/python_calls.py

`rank` is Get_rank, for which mpi4py keeps Python's lock, `barrier` a Barrier of one rank, around
which it gives it up. Prints the least mean of thirty batches, in ns per call.
"""

import time

from mpi4py import MPI


def least(call, calls=20_000, batches=30):
    best = float("inf")
    for _ in range(batches):
        began = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter() - began) / calls)
    return 1e9 * best


print(f"rank {least(MPI.COMM_WORLD.Get_rank):.1f} barrier {least(MPI.COMM_SELF.Barrier):.1f}")
