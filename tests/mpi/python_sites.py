"""Calls MPI from many kinds of places in Python and says of each where it is: `site FILE LINE`,
for each MPI_Barrier that this process makes, and behind it the function as Python knows it. With
C_LIBRARY it calls MPI by that (`from_c.c`), too.

Its word may be `many` (it calls from more places than are told apart), `again` (from code that is
made anew each time, and is the same), or `die`.
"""

import ctypes
import os
import sys
import threading
import time

from mpi4py import MPI

WORLD = MPI.COMM_WORLD
SELF = MPI.COMM_SELF
PRINTED = []


def here():
    """Notes the place of whoever calls."""
    frame = sys._getframe(1)
    code = frame.f_code
    name = getattr(code, "co_qualname", code.co_name)
    PRINTED.append(f"site {os.path.basename(code.co_filename)}:{frame.f_lineno}\t{name}")
    return SELF


def nested():
    def inner():
        here().Barrier()

    inner()
    here().Barrier()


class Solver:
    def step(self):
        here().Barrier()
        return self

    @classmethod
    def of_class(cls):
        here().Barrier()

    @property
    def norm(self):
        return here().Barrier()


def generator():
    for _ in range(3):
        here().Barrier()
        yield


def wrapped_lines():
    (
        here().Barrier
    )()
    return [
        here().Barrier()
        for _ in range(2)
    ]


def decorated(function):
    def around():
        here().Barrier()
        function()

    return around


@decorated
def behind_a_decorator():
    here().Barrier()


def raising():
    try:
        raise ValueError
    except ValueError:
        here().Barrier()
    finally:
        here().Barrier()


def of_a_string():
    for lines in "", "\n\n", "# not the same\n":
        exec(lines + "here().Barrier()\n", {"here": here})
    source = "def made():\n    here().Barrier()\n\n\nmade()\n"
    for name in "<cell 1>", "<cell 2>", "plain.py":
        exec(compile(source, name, "exec"), {"here": here})


def of_odd_names():
    # Names that are neither ASCII nor Latin, and one that no text can hold.
    for name in "größe.py", "熱.py", "heat\U0001f525.py":
        exec(compile("\nhere().Barrier()\n", name, "exec"), {"here": here})
    scope = {"here": here}
    exec(compile("def größe():\n    here().Barrier()\n", "würfel.py", "exec"), scope)
    scope["größe"]()


def of_the_same_shape():
    first = lambda: here().Barrier()
    second = lambda: here().Barrier()
    first(), second(), first()
    here().Barrier(), here().Barrier()


def recursive(depth):
    if depth:
        return recursive(depth - 1)
    here().Barrier()


def in_threads():
    if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
        return
    threads = [threading.Thread(target=Solver().step) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def many():
    """More code than is told apart; each makes one call."""
    for number in range(5000):
        scope = {"SELF": SELF}
        exec(f"def made_{number}():\n    SELF.Barrier()\n", scope)
        scope[f"made_{number}"]()
    for number in range(100):
        nested()


def again_and_again():
    """Code that is made anew each time, and reads the same."""
    for _ in range(6000):
        exec("here().Barrier()", {"here": here})


def main():
    nested()
    Solver().step().norm
    Solver.of_class()
    list(generator())
    wrapped_lines()
    behind_a_decorator()
    raising()
    of_a_string()
    of_odd_names()
    of_the_same_shape()
    recursive(20)
    in_threads()
    max(1, 2, key=lambda _: here().Barrier() or 0)
    if "C_LIBRARY" in os.environ:
        ctypes.CDLL(os.environ["C_LIBRARY"]).from_c()
    if sys.argv[1:] == ["many"]:
        many()
    if sys.argv[1:] == ["again"]:
        again_and_again()
    if WORLD.Get_rank() == 0:
        # Not to standard output, of which a launcher may drop the last when a rank is killed.
        with open("printed", "w", encoding="utf-8") as file:
            file.write("\n".join(PRINTED))
    if sys.argv[1:] == ["die"]:
        # The launcher ends the others, which must not die before the first has done all.
        if WORLD.Get_rank() > 0:
            time.sleep(120)
        os.kill(os.getpid(), 9)


main()
