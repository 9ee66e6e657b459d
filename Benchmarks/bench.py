#!/usr/bin/env python3
"""Measures Sluice against a C program that does the same job by hand: see Benchmarks/README.md.

Builds the C programs, generates the feeds (once), runs both programs in turn, each on a new store, and compares the
stores. Everything it makes goes to .build/bench; only a complete measurement at scale 1 is written to
Benchmarks/RESULTS.md, any other to .build/bench/RESULTS.md.

Ends with status 1 if a run fails or a store is wrong. A goal that is missed is reported, not an error: other work on the
machine can cause it.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True  # no __pycache__ beside the sources

import machine
import measure
from measure import Measurement, RunFailed, median

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
BUILD = os.path.join(REPOSITORY, ".build", "bench")
PIPELINE = os.path.join(HERE, "transit.jsonc")
PHASES = ["insert", "update", "index", "sync"]

PROGRAMS = {
    "generate-transit": ["-lm"],
    "baseline": ["-lyajl", "-lsqlite3"],
    "yajl-count": ["-lyajl"],
    "measure-child": [],
}

WORKLOADS = {
    "a": "first import, every reference points forward",
    "b": "first import, every reference but a stop's parent points backward",
    "c": "the same feed again: every record is unchanged",
    "memory": "a at a tenth of the scale, for its peak memory",
    "yajl": "yajl alone, with callbacks that count",
    "baseline": "the baseline alone, both directions",
}
DEFAULT_WORKLOADS = ["a", "b", "c", "memory", "yajl"]

# The goals.
RATIO_LIMIT = 1.0  # of wall time, workload a, sluice to baseline
PEAK_LIMIT = 96.0  # MiB, workload a at scale 1
GROWTH_LIMIT = 15.0  # percent, from a tenth of the scale


def built(name):
    return os.path.join(BUILD, name)


def measured_run(command, name, environment=None):
    return measure.measure(built("measure-child"), command, built(name), environment)


def say(text):
    print(text, flush=True)


# What is needed before anything can be measured


def build_programs():
    os.makedirs(BUILD, exist_ok=True)
    for name, libraries in PROGRAMS.items():
        source = os.path.join(HERE, f"{name}.c")
        flags = ["-O2", "-std=gnu11", "-Wall", "-Wextra"]
        subprocess.run(["cc", *flags, "-o", built(name), source, *libraries], check=True)


def feed(scale, direction):
    """The path of a feed, which is generated unless it exists and is younger than its generator."""
    path = built(f"transit-{scale:g}-{direction}.json")
    sources = [os.path.join(HERE, name) for name in ("generate-transit.c", "output.h")]
    if not os.path.exists(path) or os.path.getmtime(path) < max(map(os.path.getmtime, sources)):
        say(f"generating {os.path.relpath(path, REPOSITORY)}")
        # Under its own name only when it is whole.
        with open(path + ".part", "wb") as file:
            subprocess.run([built("generate-transit"), f"{scale:g}", direction], stdout=file, check=True)
        os.replace(path + ".part", path)
    return path


def warm(path):
    """Reads a file once, so that no round pays for the disk."""
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 20):
            pass


def remove_store(path):
    for suffix in ("", "-wal", "-shm", "-journal"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)


# Single runs


def run_baseline(feed_path, store):
    remove_store(store)
    os.sync()
    return measured_run([built("baseline"), feed_path, store], "baseline")


def run_sluice(sluice, feed_path, store):
    """One run of the pipeline on the store as it is; returns the measurement and the run's report."""
    report_path = built("report.json")
    if os.path.exists(report_path):
        os.remove(report_path)
    # Writing back what an earlier run left in the page cache must not burden this one.
    os.sync()
    measurement = measured_run(
        [sluice, "run", PIPELINE, "--force", "--report", report_path],
        "sluice",
        {"TRANSIT_FEED": feed_path, "TRANSIT_STORE": store},
    )
    with open(report_path) as file:
        report = json.load(file)
    return measurement, report


def check_report(report, outcome):
    """Every record must have had one outcome, `created` or `unchanged`."""
    if report["status"] != "succeeded":
        raise RunFailed(f"the run's status is {report['status']}")
    for name, entity in report["entities"].items():
        if entity["records"] == 0 or entity[outcome] != entity["records"]:
            counts = {key: value for key, value in entity.items() if isinstance(value, int)}
            raise RunFailed(f"{name}: not every record is {outcome}: {counts}")


def compare_stores(ours, theirs):
    result = subprocess.run(
        [sys.executable, os.path.join(HERE, "compare-stores.py"), ours, theirs], capture_output=True, text=True
    )
    say("  " + (result.stdout + result.stderr).strip().replace("\n", "\n  "))
    if result.returncode != 0:
        raise RunFailed(f"{ours} and {theirs} differ")


# Workloads


class Bench:
    def __init__(self, options):
        self.options = options
        self.sluice = os.path.abspath(options.sluice)
        self.rows = []  # workload, program, its measurements
        self.phases = {}  # workload: median seconds by phase of the baseline
        self.ratios = {}  # workload: ratios, pair by pair
        self.same = []  # workloads whose stores were compared
        self.store_a = None  # what workload a left

    def keep(self, workload, program, measurements):
        self.rows.append((workload, program, measurements))

    def pairs(self, workload, direction):
        """Baseline and sluice in turn, on new stores; the one that begins changes from round to round."""
        feed_path = feed(self.options.scale, direction)
        warm(feed_path)
        stores = {name: built(f"{workload}-{name}.sqlite") for name in ("baseline", "sluice")}
        found = {"baseline": [], "sluice": []}
        for number in range(self.options.rounds):
            order = ["baseline", "sluice"] if number % 2 == 0 else ["sluice", "baseline"]
            for program in order:
                if program == "baseline":
                    measurement = run_baseline(feed_path, stores[program])
                else:
                    remove_store(stores[program])
                    measurement, report = run_sluice(self.sluice, feed_path, stores[program])
                    check_report(report, "created")
                found[program].append(measurement)
            baseline, sluice = found["baseline"][-1], found["sluice"][-1]
            say(
                f"  round {number + 1}: baseline {describe(baseline)}; sluice {describe(sluice)};"
                f" ratio {sluice.seconds / baseline.seconds:.2f}"
            )
        self.keep(workload, "baseline", found["baseline"])
        self.keep(workload, "sluice", found["sluice"])
        self.phases[workload] = phases(found["baseline"])
        self.ratios[workload] = [s.seconds / b.seconds for b, s in zip(found["baseline"], found["sluice"])]
        compare_stores(stores["sluice"], stores["baseline"])
        self.same.append(workload)
        remove_store(stores["baseline"])
        return stores["sluice"]

    def a(self):
        self.store_a = self.pairs("a", "forward")

    def b(self):
        remove_store(self.pairs("b", "backward"))

    def c(self):
        feed_path = feed(self.options.scale, "forward")
        warm(feed_path)
        if self.store_a is None:
            self.store_a = built("a-sluice.sqlite")
            remove_store(self.store_a)
            run_sluice(self.sluice, feed_path, self.store_a)
        store, found = built("c-sluice.sqlite"), []
        for number in range(self.options.rounds):
            remove_store(store)
            shutil.copyfile(self.store_a, store)
            measurement, report = run_sluice(self.sluice, feed_path, store)
            check_report(report, "unchanged")
            found.append(measurement)
            say(f"  round {number + 1}: sluice {describe(measurement)}")
        self.keep("c", "sluice", found)
        compare_stores(store, self.store_a)
        self.same.append("c")
        remove_store(store)

    def memory(self):
        feed_path, store, found = feed(self.options.scale / 10, "forward"), built("memory-sluice.sqlite"), []
        for _ in range(self.options.rounds):
            remove_store(store)
            found.append(run_sluice(self.sluice, feed_path, store)[0])
        say(f"  sluice {describe(found[-1])}")
        self.keep("memory", "sluice", found)
        remove_store(store)

    def yajl(self):
        feed_path = feed(self.options.scale, "forward")
        warm(feed_path)
        found = [
            measured_run([built("yajl-count"), feed_path], "yajl-count") for _ in range(self.options.rounds)
        ]
        say(f"  yajl-count {describe(found[-1])}")
        self.keep("yajl", "yajl-count", found)

    def baseline(self):
        for direction in ("forward", "backward"):
            feed_path, store, found = feed(self.options.scale, direction), built("baseline.sqlite"), []
            warm(feed_path)
            for number in range(self.options.rounds):
                found.append(run_baseline(feed_path, store))
                say(f"  {direction}, round {number + 1}: {describe(found[-1])}")
            self.keep(f"baseline, {direction}", "baseline", found)
            self.phases[f"baseline, {direction}"] = phases(found)
            remove_store(store)

    # What came of it

    def of(self, workload, program):
        for row in self.rows:
            if row[:2] == (workload, program):
                return row[2]
        return None

    def goals(self):
        """Triples: the goal, what was measured, whether it was reached."""
        found = []
        if "a" in self.ratios:
            ratio = statistics.median(self.ratios["a"])
            found.append((f"a: sluice / baseline at most {RATIO_LIMIT:.1f}", f"{ratio:.2f}", ratio <= RATIO_LIMIT))
        large, small = self.of("a", "sluice"), self.of("memory", "sluice")
        if large:
            peak = max(measurement.peak for measurement in large)
            found.append((f"a: peak memory at most {PEAK_LIMIT:.0f} MiB", f"{peak:.1f} MiB", peak <= PEAK_LIMIT))
        if large and small:
            growth = (median(large, "peak") / median(small, "peak") - 1) * 100
            goal = f"a: peak memory at most {GROWTH_LIMIT:.0f} % above that of a tenth of the feed"
            found.append((goal, f"{growth:+.1f} %", growth <= GROWTH_LIMIT))
        for workload in self.same:
            other = "the store as it was, every record unchanged" if workload == "c" else "the baseline's store"
            found.append((f"{workload}: the same data as {other}", "same", True))
        return found


def describe(measurement: Measurement):
    return f"{measurement.seconds:.2f} s ({measurement.cpu:.2f} s CPU, {measurement.peak:.0f} MiB)"


def phases(measurements):
    """The baseline prints `name seconds` for each of its phases."""
    runs = [dict(line.split() for line in measurement.output.splitlines()) for measurement in measurements]
    return {name: statistics.median(float(run[name]) for run in runs) for name in PHASES}


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def write_results(bench, about, path):
    options = bench.options
    rows = []
    for workload, program, measurements in bench.rows:
        seconds = [measurement.seconds for measurement in measurements]
        ratio = ""
        if program == "sluice" and workload in bench.ratios:
            ratio = f"{statistics.median(bench.ratios[workload]):.2f}"
        rows.append(
            [
                workload,
                program,
                f"{statistics.median(seconds):.2f}",
                f"{min(seconds):.2f} to {max(seconds):.2f}",
                f"{median(measurements, 'cpu'):.2f}",
                f"{median(measurements, 'peak'):.1f}",
                ratio,
            ]
        )
    size = os.path.getsize(feed(options.scale, "forward")) / 1e6
    parts = [
        "# What was measured\n",
        f"By `make bench`: scale {options.scale:g} ({size:.0f} MB, one JSON document), {options.rounds} rounds. "
        "The words are explained in [README.md](README.md).\n",
        table(["", ""], [list(pair) for pair in about]),
        "Medians; the ratio is that of the wall times, pair by pair.\n",
        table(["workload", "program", "wall (s)", "all rounds (s)", "CPU (s)", "peak memory (MiB)", "sluice / baseline"], rows),
    ]
    names = [name for name in dict.fromkeys(row[0].split(",")[0] for row in bench.rows) if name in WORKLOADS]
    parts.append("\n".join(f"- `{name}`: {WORKLOADS[name]}" for name in names) + "\n")
    if bench.phases:
        lines = [[workload, *(f"{found[name]:.2f}" for name in PHASES)] for workload, found in bench.phases.items()]
        parts.append("The baseline's phases, in seconds:\n")
        parts.append(table(["workload", *PHASES], lines))
    goals = bench.goals()
    if goals:
        parts.append("## Goals\n")
        parts.append(table(["goal", "measured", "reached"], [[g, m, "yes" if ok else "**no**"] for g, m, ok in goals]))
    with open(path, "w") as file:
        file.write("\n".join(parts))
    return goals


def parse_arguments():
    parser = argparse.ArgumentParser(description="Measures sluice against the C baseline.")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is a feed of 519 MB (default: 1)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program and workload (default: 3)")
    parser.add_argument("--sluice", default=os.path.join(REPOSITORY, ".build/release/sluice"), help="the program to measure")
    parser.add_argument("--only", help=f"workloads, separated by commas: {', '.join(WORKLOADS)}")
    options = parser.parse_args()
    options.workloads = options.only.split(",") if options.only else DEFAULT_WORKLOADS
    for name in options.workloads:
        if name not in WORKLOADS:
            parser.error(f"there is no workload {name}: choose among {', '.join(WORKLOADS)}")
    if options.scale <= 0 or options.rounds < 1:
        parser.error("scale and rounds must be positive")
    if {"a", "b", "c", "memory"} & set(options.workloads) and not os.path.exists(options.sluice):
        parser.error(f"{options.sluice} does not exist: build it with `swift build -c release`, or name another with --sluice")
    return options


def main():
    options = parse_arguments()
    build_programs()
    bench = Bench(options)
    about = machine.describe(REPOSITORY, built("baseline"), bench.sluice)
    try:
        for name in options.workloads:
            say(f"{name}: {WORKLOADS[name]}")
            getattr(bench, name)()
    except RunFailed as failure:
        print(f"bench: {failure}", file=sys.stderr)
        return 1
    finally:
        if bench.store_a:
            remove_store(bench.store_a)

    complete = options.workloads == DEFAULT_WORKLOADS and options.scale == 1
    path = os.path.join(HERE if complete else BUILD, "RESULTS.md")
    for goal, measured, reached in write_results(bench, about, path):
        say(f"{'reached' if reached else 'MISSED '}  {goal}: {measured}")
    say(f"written to {os.path.relpath(path, REPOSITORY)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
