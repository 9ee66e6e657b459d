#!/usr/bin/env python3
"""Measures Sluice against C programs that do the same by hand, and against other tools: see Benchmarks/README.md.

Builds the C programs, generates the feeds (once), runs all programs of all workloads in turn, round by round, each on a new
store, and compares the stores. Everything it makes goes to .build/bench; only a complete measurement at scale 1 is written
to Benchmarks/RESULTS.md and Benchmarks/results.svg, any other to .build/bench.

Ends with status 1 if sluice or a C program fails, or if a store of sluice is wrong. A peer that fails is reported as such. A
goal that is missed is reported, not an error: other work on the machine can cause it.
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True  # no __pycache__ beside the sources

import contenders
import feeds
import machine
import plot
import results
from feeds import BUILD, HERE, REPOSITORY, built
from measure import RunFailed
from workloads import WORKLOADS, Bench, say

DEFAULT_WORKLOADS = [name for name in WORKLOADS if name not in ("batch", "growth")]


def parse_arguments():
    parser = argparse.ArgumentParser(description="Measures sluice against C programs and other tools.")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is a feed of 519 MB in a (default: 1)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program and workload (default: 3)")
    parser.add_argument("--sluice", default=os.path.join(REPOSITORY, ".build/release/sluice"), help="the program to measure")
    parser.add_argument("--only", help=f"workloads, separated by commas: {', '.join(WORKLOADS)}")
    parser.add_argument("--growth", action="store_true", help="the workload growth, too: it takes as long as all others")
    parser.add_argument("--batch", action="store_true", help="the workload batch, too: a with other batch sizes")
    parser.add_argument("--no-peers", action="store_true", help="without DuckDB, sqlite-utils and the sqlite3 shell")
    parser.add_argument("--peer-memory", type=float, default=12, help="GiB of address space for each of them (default: 12)")
    parser.add_argument("--peer-seconds", type=float, default=900, help="after which each of them is ended (default: 900)")
    options = parser.parse_args()
    options.workloads = options.only.split(",") if options.only else list(DEFAULT_WORKLOADS)
    for name in ("batch", "growth"):
        if getattr(options, name) and name not in options.workloads:
            options.workloads.append(name)
    for name in options.workloads:
        if name not in WORKLOADS:
            parser.error(f"there is no workload {name}: choose among {', '.join(WORKLOADS)}")
    if options.scale <= 0 or options.rounds < 1:
        parser.error("scale and rounds must be positive")
    if not os.path.exists(options.sluice):
        parser.error(f"{options.sluice} does not exist: build it with `make build`, or name another with --sluice")
    # A workload that starts with what another leaves comes after it.
    options.workloads.sort(key=list(WORKLOADS).index)
    return options


def main():
    options = parse_arguments()
    feeds.build_programs()
    peers, missing = [], []
    if "a" in options.workloads and not options.no_peers:
        peers, missing = contenders.peers(options.peer_memory, options.peer_seconds)
    for sentence in missing:
        say(sentence)
    about = machine.describe(REPOSITORY, built("baseline"), options.sluice, dict.fromkeys(peer.program for peer in peers))
    bench = Bench(contenders.Sluice(options.sluice), options.scale, options.rounds, options.workloads, peers)
    try:
        bench.run()
    except RunFailed as failure:
        print(f"bench: {failure}", file=sys.stderr)
        return 1

    complete = set(options.workloads) >= set(DEFAULT_WORKLOADS) and options.scale == 1 and not options.no_peers
    folder = HERE if complete else BUILD
    plot.write(bench, os.path.join(folder, "results.svg"))
    path, size = os.path.join(folder, "RESULTS.md"), os.path.getsize(feeds.transit(options.scale))
    say("")
    for goal in results.write(bench, about, missing, size, path, "results.svg"):
        verdict = "–" if not goal.is_measured else "reached" if goal.is_reached else "MISSED"
        say(f"{verdict:8} {goal.workload:7} {goal.text}: {goal.measured}")
    say(f"written to {os.path.relpath(path, REPOSITORY)}")

    for (workload, program), reason in bench.failed.items():
        say(f"failed: {workload}, {program}: {reason}")
    others = {peer.name for peer in peers} | {f"for peers, {name}" for name in ("pgloader", "dlt")}
    return 1 if any(program not in others for _, program in bench.failed) else 0


if __name__ == "__main__":
    sys.exit(main())
