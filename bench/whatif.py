"""Predicted against measured: programs of whatif.c traced as they are, replayed with a change, and
traced with that change really made.

A traced run that fails is repeated, three times at most; how often is said at the end.

usage: whatif.py MPISCOPE FOLDER [ROUNDS] [compute|sleep] [openmpi|mpich]
"""

import json
import os
import re
import statistics
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "whatif.c")
with open(SOURCE) as text:
    LINES = text.read().split("\n")


def line(mark):
    """The place of the line that a comment marks."""
    return "whatif.c:%d" % (next(at for at, it in enumerate(LINES, 1) if f"/* {mark} */" in it))


def between(a, b, factor):
    return ["--scale", f"{a}..{b}={factor}"]


# How often a run that fails is done again, at most.
REPEATED = 3
HALF_OF_HALO = ["--scale", "computation=0.5", "--rank", "0"]
# What is said to mpiscope of the change that each program makes.
CASES = {
    "uneven": ["--balance"],
    "wandering": ["--balance"],
    "halo": HALF_OF_HALO,
    "handed_on": ["--scale", "computation=0.3", "--rank", "0"],
    "root_first": between(f"MPI_Reduce@{line('TAKE')}", f"MPI_Bcast@{line('GIVE')}", 0.25)
    + between("MPI_Barrier", f"MPI_Bcast@{line('GIVE')}", 0.25),
    "needless": ["--no-wait", f"MPI_Barrier@{line('NEEDLESS')}"],
    "slower": ["--scale", "computation=2"],
    "late_receiver": ["--scale", "computation=0.4", "--rank", "1"],
    "growing": ["--scale", "computation=0.5", "--rank", "0"],
    "overlap": ["--scale", f"MPI_Isend@{line('POST')}..MPI_Waitall@{line('DONE')}=0.5", "--rank", "1"],
}


def main():
    mpiscope, folder = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    how = sys.argv[4] if len(sys.argv) > 4 else "compute"
    mpi = sys.argv[5] if len(sys.argv) > 5 else "openmpi"
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, f"whatif.{mpi}")
    subprocess.run([f"mpicc.{mpi}", "-g", "-O1", "-o", program, SOURCE], check=True)
    launch = [f"mpirun.{mpi}", "-n", "2"] + (["--oversubscribe"] if mpi == "openmpi" else [])

    failed = []

    def traced(case, *changed):
        """Runs it; returns the seconds that it says, and where the trace is."""
        run = os.path.join(folder, "run")
        words = [mpiscope, "trace", "--force", "-o", run, "--", *launch, program, case, how, *changed]
        for _ in range(1 + REPEATED):
            done = subprocess.run(words, capture_output=True, text=True)
            if not done.returncode:
                return float(re.search(r"^[0-9.]+$", done.stdout, re.M)[0]), run
            failed.append(case)
            print(f"{case} failed: {done.stderr[-2000:]}", file=sys.stderr, flush=True)
        sys.exit(f"{case} failed {1 + REPEATED} times, {len(failed)} runs in all")

    def predicted(run, own, options):
        """What the program would say: what is before and after its own clock stays."""
        words = [mpiscope, "whatif", "--json", run, *options]
        said = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        assert said["unchanged_error_ns"] == 0, said
        return own + (said["predicted_ns"] - said["measured_ns"]) / 1e9

    print("| program | change | as it is, s | predicted, s | measured, s [least, most] | error |")
    print("|---|---|---|---|---|---|")
    close = 0
    for case, options in CASES.items():
        before, told, after = [], [], []
        for _ in range(rounds):
            own, run = traced(case)
            before.append(own)
            told.append(predicted(run, own, options))
            after.append(traced(case, "changed")[0])
        median = statistics.median
        error = median(told) / median(after) - 1
        close += abs(error) <= 0.05
        print(
            f"| {case} | `{' '.join(options)}` | {median(before):.3f} | {median(told):.3f} | "
            f"{median(after):.3f} [{min(after):.3f}, {max(after):.3f}] | {error:+.1%} |",
            flush=True,
        )
    again = f"; {len(failed)} runs failed and were repeated: {', '.join(failed) or 'none'}"
    print(f"\n{close} of {len(CASES)} within 5 %; {rounds} rounds{again}")


main()
