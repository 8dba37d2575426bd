#!/usr/bin/env python3
"""What observation adds to real programs on two ranks: their own time, and that of the whole command.

    python3 bench/real.py MPISCOPE FOLDER [ROUNDS]

Each program runs bare, traced (with the order, without correction), traced and corrected, and monitored,
in turn, ROUNDS (7) times. Its own time is that of the rank that takes longest, from before it is executed
until it has exited (`timed.c`, which `mpirun` starts in its place): launcher, correction and symbols are not in
it. The whole is what the shell waits for. Prints the tables of results/real.md; what is not installed is left out.
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

BENCH = pathlib.Path(__file__).resolve().parent
EXAMPLES = BENCH.parent / "examples"
WAYS = {
    "bare": [],
    "traced": ["trace", "--no-sync"],
    "corrected": ["trace"],
    "monitored": ["monitor"],
}


def compiled(folder, mpicc, source, name, options):
    """Returns a program, or nothing if it cannot be built."""
    out = folder / name
    words = [mpicc, "-O2", "-g", "-o", str(out), str(source), *options, "-lm"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"left out: {name}: {done.stderr.splitlines()[:1]}", file=sys.stderr)
        return None
    return out


def programs(folder):
    """Returns names, MPIs and command lines."""
    found = []
    for mpi in ("openmpi", "mpich"):
        mpicc = f"mpicc.{mpi}"
        if not shutil.which(mpicc):
            continue
        for name, arguments in (("heat", ["512", "4000"]), ("cg", [])):
            program = compiled(folder, mpicc, EXAMPLES / f"{name}.c", f"{name}-{mpi}", [])
            if program:
                found.append((name, mpi, [str(program), *arguments]))
    smg = compiled(folder, "mpicc.openmpi", BENCH / "programs/smg.c", "smg", ["-I/usr/include/hypre", "-lHYPRE"])
    if smg:
        found.append(("hypre (smg)", "openmpi", [str(smg), "0.05"]))
    if shutil.which("lmp"):
        melt = ["lmp", "-in", str(BENCH / "programs/melt.in"), "-log", "none", "-var", "steps", "1000"]
        found.append(("LAMMPS (melt)", "openmpi", melt))
    if shutil.which("hpcc"):
        text = (BENCH / "programs/hpccinf.txt").read_text()
        (folder / "hpccinf.txt").write_text(text.replace("RANKS", "2"))
        found.append(("hpcc", "openmpi", ["hpcc"]))
    return found


def run(mpiscope, folder, timed, mpi, way, command):
    """Returns the program's own seconds and the command's; nothing if it failed."""
    times = folder / "times"
    shutil.rmtree(folder / "run", ignore_errors=True)
    times.unlink(missing_ok=True)
    (folder / "hpccoutf.txt").unlink(missing_ok=True)
    observed = [mpiscope, *way, "-o", "run", "--"] if way else []
    more = ["--oversubscribe"] if mpi == "openmpi" else []
    words = [*observed, f"mpirun.{mpi}", *more, "-n", "2", str(timed), str(times), *command]
    began = time.monotonic()
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    whole = time.monotonic() - began
    if done.returncode != 0:
        print(f"failed: {words}: {done.stderr[-300:]}", file=sys.stderr)
        return None
    return max(float(line) for line in times.read_text().split()), whole


def main():
    mpiscope, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    folder.mkdir(parents=True, exist_ok=True)
    timed = folder / "timed"
    subprocess.run(["gcc", "-O2", "-o", str(timed), str(BENCH / "timed.c")], check=True)
    print("| program | MPI | bare, own | traced − bare | traced / bare | monitored − bare | monitored / bare "
          "| bare, whole | traced | corrected | monitored | events |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name, mpi, command in programs(folder):
        found = {way: [] for way in WAYS}
        events = 0
        for _ in range(rounds):
            for way, words in WAYS.items():
                result = run(mpiscope, folder, timed, mpi, words, command)
                if result:
                    found[way].append(result)
                if way == "traced":
                    info = (folder / "run/run.json").read_text()
                    events = int(info.split('"events": ')[1].split(",")[0])
        if not all(found.values()):
            continue
        own = {way: statistics.median(it[0] for it in all) for way, all in found.items()}
        whole = {way: statistics.median(it[1] for it in all) for way, all in found.items()}
        least = {way: min(it[0] for it in all) for way, all in found.items()}

        def more(way):
            by_least = 1000 * (least[way] - least["bare"])
            return f"{1000 * (own[way] - own['bare']):+.0f} ms (least {by_least:+.0f}) | {own[way] / own['bare']:.3f}"

        wholes = " | ".join(f"{whole[way]:.2f} s" for way in WAYS)
        print(f"| {name} | {mpi} | {own['bare']:.3f} s | {more('traced')} | {more('monitored')} | {wholes} | {events:,} |",
              flush=True)


main()
