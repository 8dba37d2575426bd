"""How often `mpiscope diff` takes equal sets of five runs for different ones, and how often it finds
one line that takes 5 % longer.

real: runs of diff.c, traced, as they are and slower in turn; 100 pairs of sets are drawn from them,
equal ones from those as they are.
noise: measures of one simulated run, with noise drawn for each run: nothing else is simulated.

usage: diff.py MPISCOPE FOLDER real [POOL] [sleep|compute] [openmpi|mpich]
       diff.py MPISCOPE FOLDER noise
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAIRS = 100
RUNS = 5
# Places, and totals, of which one that differs is an alarm.
JUDGED = ("slower", "faster")


def judged(mpiscope, a, b):
    """The rows that differ beyond noise."""
    words = [mpiscope, "diff", "--json", "--baseline", *a, "--candidate", *b]
    said = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert said["evidence"]["kind"] == "runs", said["evidence"]
    return {it["name"]: it["judgement"] for it in said["rows"] if it["judgement"] in JUDGED}


def count(mpiscope, pairs, line):
    """How many pairs are told apart; in how many the line is slower, and the whole run."""
    all_found = [judged(mpiscope, a, b) for a, b in pairs]
    is_slower = lambda name: sum(it.get(name) == "slower" for it in all_found)
    return sum(bool(it) for it in all_found), is_slower(line), is_slower("time")


def report(what, equal, slower):
    print(f"| {what} | {equal[0]} | {slower[0]} | {slower[1]} | {slower[2]} |", flush=True)


def head():
    print(f"{PAIRS} pairs each of {RUNS} and {RUNS} runs\n")
    print("| | equal: alarms | slower: alarms | the line is slower | the run is slower |")
    print("|---|---|---|---|---|", flush=True)


def real(mpiscope, folder, pool, how, mpi):
    source = os.path.join(HERE, "diff.c")
    with open(source) as text:
        lines = text.read().split("\n")
    barrier, meet = (
        next(at for at, it in enumerate(lines, 1) if mark in it) for mark in ("/* BARRIER */", "MPI_Allreduce(")
    )
    # Where the first step is from the second round on.
    line = f"MPI_Allreduce@diff.c:{meet}..MPI_Barrier@diff.c:{barrier}"
    program = os.path.join(folder, f"diff.{mpi}")
    subprocess.run([f"mpicc.{mpi}", "-g", "-O1", "-o", program, source], check=True)
    launch = [f"mpirun.{mpi}", "-n", "2"] + (["--oversubscribe"] if mpi == "openmpi" else [])
    kinds = {"equal": [], "slower": []}
    failed = 0
    for number in range(pool):
        for kind, files in kinds.items():
            run = os.path.join(folder, "run")
            words = [mpiscope, "trace", "--force", "-o", run, "--", *launch, program, how, kind]
            for _ in range(4):
                done = subprocess.run(words, capture_output=True, text=True)
                if not done.returncode:
                    break
                failed += 1
            else:
                sys.exit(done.stderr)
            file = os.path.join(folder, f"{kind}.{number}.json")
            subprocess.run(
                [mpiscope, "diff", "--baseline", run, "--write-baseline", file], capture_output=True, check=True
            )
            files.append(file)
    shutil.rmtree(os.path.join(folder, "run"))
    draw = random.Random(19)
    equal, slower = [], []
    for _ in range(PAIRS):
        two = draw.sample(kinds["equal"], 2 * RUNS)
        equal.append((two[:RUNS], two[RUNS:]))
        slower.append((draw.sample(kinds["equal"], RUNS), draw.sample(kinds["slower"], RUNS)))
    print(f"{pool} runs of each kind, {mpi}, {how}; load {os.getloadavg()}; {failed} failed and were repeated")
    head()
    report(f"diff.c, {how}", count(mpiscope, equal, line), count(mpiscope, slower, line))
    times = {}
    for kind, files in kinds.items():
        one = []
        for file in files:
            with open(file) as text:
                one.append(json.load(text)["runs"][0]["time_ns"] / 1e9)
        mean = sum(one) / len(one)
        spread = math.sqrt(sum((it - mean) ** 2 for it in one) / (len(one) - 1)) / mean
        times[kind] = f"{kind}: {mean:.4f} s, standard deviation {spread:.2%}"
    print("\n" + "; ".join(times.values()))


# Sums of other rows, and lengths.
TOTALS = ("time", "iteration", "computation", "waiting")


def is_part(row):
    """Whether it is a call path, which other rows hold."""
    return bool(row.get("within"))


def noisy(base, draw, noise, slower):
    """The measures of a run: all of it, each row and phase, and each wait has noise of its own."""
    run = json.loads(json.dumps(base))
    common = math.exp(draw.gauss(0, noise))
    if draw.random() < 0.05:
        # Somebody else was on the machine.
        common *= 1 + draw.random() * 0.05
    sums = {"computation": 0, "waiting": 0, "all": 0}
    for row in run["rows"]:
        kind = row["kind"]
        if kind in TOTALS:
            continue
        own = math.exp(draw.gauss(0, 5 * noise if kind == "waiting_in" else noise))
        grown = 1.05 if row is run["rows"][slower] and slower >= 0 else 1
        row["ns"][0] = int(row["ns"][0] * common * own * grown)
        if is_part(row):
            continue
        sums["all"] += row["ns"][0]
        sums["computation"] += row["ns"][0] * (kind in ("region", "between"))
        sums["waiting"] += row["ns"][0] * (kind == "waiting_in")
    for row in run["rows"]:
        if row["kind"] in ("computation", "waiting"):
            row["ns"][0] = sums[row["kind"]]
        if row["kind"] == "time":
            row["ns"][0] = sums["all"] // run["runs"][0]["ranks"]
    one = run["runs"][0]
    one["total_ns"], one["time_ns"] = sums["all"], sums["all"] // one["ranks"]
    vary_phases(run, draw, noise, common)
    return run


def vary_phases(run, draw, noise, common):
    """The ends have noise of their own; iterations have the rest of the time, each alike."""
    one = run["runs"][0]
    phases = one.get("phases")
    if not phases:
        return
    for name in ("before_ns", "after_ns"):
        phases[name] = int(phases[name] * common * math.exp(draw.gauss(0, noise)))
    was, phases["all_ns"] = phases["all_ns"], one["time_ns"] - phases["before_ns"] - phases["after_ns"]
    grown = phases["all_ns"] / was
    phases["first_ns"] = [int(it * grown) for it in phases["first_ns"]]
    for row in run["rows"]:
        if row["kind"] == "iteration":
            row["ns"][0] = int(row["ns"][0] * grown)


def noise(mpiscope, folder):
    trace, base = os.path.join(folder, "simulated"), os.path.join(folder, "base.json")
    words = [mpiscope, "simulate", "mix", "-n", "16", "--hosts", "4", "--iterations", "50", "--force", "-o", trace]
    subprocess.run(words, capture_output=True, check=True)
    words = [mpiscope, "diff", "--baseline", trace, "--write-baseline", base]
    subprocess.run(words, capture_output=True, check=True)
    with open(base) as text:
        base = json.load(text)
    is_place = lambda row: row["kind"] in ("region", "between") and not is_part(row)
    places = [it for it, row in enumerate(base["rows"]) if is_place(row)]
    most = max(places, key=lambda it: base["rows"][it]["ns"][0])
    # The line that is made slower has 30 % of all: the others are what they are.
    total = sum(it["ns"][0] for it in base["rows"] if it["kind"] not in TOTALS and not is_part(it))
    rest = total - base["rows"][most]["ns"][0]
    base["rows"][most]["ns"][0] = int(rest * 0.3 / 0.7)
    name = base["rows"][most].get("region")
    print(f"{len(base['rows'])} rows; the line is {name}, 30 % of all\n")
    head()
    for size in (0.0025, 0.005, 0.01, 0.015, 0.02):
        draw = random.Random(19)

        def a_set(letter, slower):
            files = []
            for number in range(RUNS):
                file = os.path.join(folder, f"{letter}{number}.json")
                with open(file, "w") as text:
                    json.dump(noisy(base, draw, size, slower), text)
                files.append(file)
            return files

        # Sets are written over by the next, so each pair is looked at at once.
        def pairs(slower):
            return ((a_set("a", -1), a_set("b", slower)) for _ in range(PAIRS))

        report(f"noise {size:.2%}", count(mpiscope, pairs(-1), name), count(mpiscope, pairs(most), name))


def main():
    mpiscope, folder, what, *more = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    more += ["40", "sleep", "openmpi"][len(more) :]
    if what == "noise":
        noise(mpiscope, folder)
    else:
        real(mpiscope, folder, int(more[0]), more[1], more[2])


main()
