#!/usr/bin/env python3
"""How well the intervals hold that `analyze` gives sums of wait states.

Simulated runs are corrected, analyzed in corrected and in true time, and compared sum by sum: of all
waiting, of each kind, of each statement and kind, of each rank, and of each rank for another one.

    bench/resolution.py MPISCOPE [FIRST_SEED [SEEDS]]

Costs of root causes have no intervals; how far they are off, of those of at least a thousandth of all
waiting:

    bench/resolution.py MPISCOPE costs [FIRST_SEED [SEEDS]]
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = {
    "halo": ["halo", "-n", "16", "--hosts", "4"],
    "pairs": ["pairs", "-n", "16", "--hosts", "8"],
    "workers": ["workers", "-n", "16", "--hosts", "4"],
    "collectives": ["collectives", "-n", "16", "--hosts", "4"],
    "mix": ["mix", "-n", "16", "--hosts", "4", "--placement", "random"],
    "partial": ["partial", "-n", "64", "--hosts", "8"],
    "long": ["long-64"],
    "slewed": ["long-slewed", "-n", "32", "--hosts", "8"],
}
# Simulated clocks are read up to 30 ns late, each time another: no error of clocks against each other.
READING_NS = 40
SUMS = ["all", "kind", "statement", "rank", "pair"]


def run(*command):
    return subprocess.run([str(it) for it in command], check=True, capture_output=True, text=True).stdout


def sums(facts):
    """Each sum by its level and name: waiting, how many wait states, and what is open of it."""
    times = {}
    for row in facts["pairs"]:
        times[row["rank"]] = times.get(row["rank"], 0) + row["times"]
    found = {("all", ""): (facts["waiting_ns"], sum(times.values()), facts["resolution"])}

    def add(level, name, row, many):
        found[level, name] = (row["waiting_ns"], many, row["resolution"])

    for row in facts["wait_states"]:
        add("kind", row["kind"], row, row["times"])
    for statement in facts["statements"]:
        place = (statement["call"], statement["file"], statement["line"], statement["function"])
        for row in statement["waits"]:
            add("statement", (*place, row["kind"]), row, row["times"])
    for row in facts["by_rank"]:
        add("rank", row["rank"], row, times.get(row["rank"], 0))
    for row in facts["pairs"]:
        add("pair", (row["rank"], row["waited_for"]), row, row["times"])
    return found


def compared(*arguments):
    return (row[:-1] for row in named(*arguments))


def named(mpiscope, folder, arguments, seed):
    """Each sum in corrected time: its level, by how much it is wrong, and what is open of it."""
    path = Path(folder) / "run.mpiscope"
    run(mpiscope, "simulate", *arguments, "--seed", seed, "--force", "-o", path)
    run(mpiscope, "sync", "--force", path)
    corrected = sums(json.loads(run(mpiscope, "analyze", "--json", path)))
    true = sums(json.loads(run(mpiscope, "analyze", "--json", path / "truth" / "traces.otf2")))
    for (level, name), (waiting, times, open_) in corrected.items():
        error = waiting - true.get((level, name), (0, 0, None))[0]
        yield level, error, waiting, times, open_, name


def limit(times, open_):
    """What a sum may be wrong by: what is below may be as long as it is, or nothing."""
    return READING_NS * times**0.5 + open_["half_width_ns"] + open_["below_ns"]


def late_senders(mpiscope, seed):
    presets = [line.split()[0] for line in run(mpiscope, "simulate", "--list").splitlines() if line.startswith("  ")]
    print("| preset | late senders | error | ± | below |")
    print("|---|---|---|---|---|")
    # The larger one is the first again.
    for preset in [it for it in presets if "-" in it or it in ("partial", "long", "short")]:
        if preset == "partial-large":
            continue
        with tempfile.TemporaryDirectory() as folder:
            for level, error, waiting, _, open_, name in named(mpiscope, folder, [preset], seed):
                if (level, name) == ("kind", "late sender"):
                    percent = [100 * it / waiting for it in (error, open_["half_width_ns"], open_["below_ns"])]
                    unknown = ", not known of some" if open_["unknown_times"] else ""
                    print(
                        f"| {preset} | {waiting / 1e9:.3f} s | {percent[0]:+.4f} % "
                        f"| {percent[1]:.4f} %{unknown} | {percent[2]:.4f} % |",
                        flush=True,
                    )


COSTS = {
    **PROGRAMS,
    "partial": ["partial", "-n", "32", "--hosts", "8", "--iterations", "100"],
    "asymmetric": ["partial-asymmetric", "-n", "32", "--hosts", "8", "--iterations", "100"],
    "short": ["short", "-n", "32", "--hosts", "8", "--iterations", "200"],
    "tight": ["halo", "-n", "16", "--hosts", "16", "--iterations", "300", "--seconds", "1"],
}
# What of a delay is no name of it.
FIGURES = {"short_term_ns", "long_term_ns", "longest", "paths"}


def delays(mpiscope, path):
    """What each delay costs, by its name, and how long all waiting is."""
    causes = json.loads(run(mpiscope, "analyze", "--causes", "--json", path))["root_causes"]

    def name(delay):
        return json.dumps({key: it for key, it in delay.items() if key not in FIGURES}, sort_keys=True)

    costs = {name(it): it["short_term_ns"] + it["long_term_ns"] for it in causes["delays"]}
    return costs, causes["waiting_ns"]


def costs(mpiscope, first=1, seeds=3):
    print("| runs | costs | error, median | 99 % | largest |")
    print("|---|---|---|---|---|")
    for program, arguments in COSTS.items():
        errors = []
        for seed in range(first, first + seeds):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "run.mpiscope"
                run(mpiscope, "simulate", *arguments, "--seed", seed, "-o", path)
                run(mpiscope, "sync", path)
                (found, waiting), (true, _) = (
                    delays(mpiscope, it) for it in [path, path / "truth" / "traces.otf2"]
                )
            large = {name: cost for name, cost in found.items() if 1000 * cost >= waiting}
            errors += [abs(cost - true.get(name, 0)) / cost for name, cost in large.items()]
        errors.sort()
        shown = [errors[len(errors) // 2], errors[99 * len(errors) // 100], errors[-1]]
        print(f"| {program} | {len(errors)} | " + " | ".join(f"{100 * it:.4f} %" for it in shown) + " |", flush=True)


def main():
    mpiscope = sys.argv[1]
    if sys.argv[2:3] == ["costs"]:
        return costs(mpiscope, *(int(it) for it in sys.argv[3:]))
    if sys.argv[2:3] == ["late-senders"]:
        return late_senders(mpiscope, (sys.argv[3:] + ["1"])[0])
    first, seeds = (int(it) for it in (sys.argv[2:] + ["1", "3"][len(sys.argv) - 2 :]))
    print("| runs | sums | known | within | error, median | ±, median | total's error | total's ± |")
    print("|---|---|---|---|---|---|---|---|")
    for program, arguments in PROGRAMS.items():
        rows = {level: [] for level in SUMS}
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(first, first + seeds):
                for level, *row in compared(mpiscope, folder, arguments, seed):
                    rows[level].append(row)
        for level in SUMS:
            known = [it for it in rows[level] if it[-1]["unknown_times"] == 0]
            if not known:
                continue
            held = [abs(error) <= limit(times, it) for error, _, times, it in known]
            error = statistics.median(abs(it[0]) for it in known)
            width = statistics.median(it[-1]["half_width_ns"] for it in known)
            total = sum(it[1] for it in known) or 1
            print(
                f"| {program} | {level} | {len(known)} of {len(rows[level])} | {100 * sum(held) / len(held):.1f} % "
                f"| {error / 1e3:.3f} µs | {width / 1e3:.3f} µs "
                f"| {100 * sum(abs(it[0]) for it in known) / total:.3f} % "
                f"| {100 * sum(it[-1]['half_width_ns'] for it in known) / total:.3f} % |"
            )


if __name__ == "__main__":
    main()
