#!/usr/bin/env python3
"""What a run costs beyond one machine (Documentation/cluster.md), beside `sluice run`, in µs of CPU for each record.

    plans.py ENGINE RECORDS [--sluice PATH] [--work DIR] [--runs N] [--one-night] [--memory SIZE] [--master M]
             [--conf NAME=VALUE]... [--steps]

ENGINE is run, extract, duckdb or spark; RECORDS such as 1e6. Runs are a first one, one of the same feed, and one of the
next night's (not with --one-night, for which half the room is enough), each N times (default: 1). Spark stays for all
of them: the first is a cold one. --memory is what DuckDB may take. --steps shows the steps that cost most. It needs a
C compiler, and for engines what .ci/setup cluster installs (run it by .build/python).
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Sources/Runners"))
LISTS = {"stop_times": "StopTime", "trips": "Trip", "routes": "Route", "stops": "Stop"}
RECORDS_AT_SCALE_1 = 3_197_788


def feeds(work, records, one_night):
    """The lists of a timetable, a record a line, and those of the next night: a folder for each."""
    generator = work / "generate-transit"
    source = ROOT / "Benchmarks/generate-transit.c"
    subprocess.run(["cc", "-O2", "-o", generator, source, "-lm"], check=True)
    folders = []
    for night, changed in (("night1", []), ("night2", ["changed"]))[: 1 if one_night else 2]:
        folder = work / f"feeds-{records:.0e}" / night
        folders.append(folder)
        if folder.exists():
            continue
        made = folder.with_name(folder.name + ".new")
        made.mkdir(parents=True, exist_ok=True)
        for name in LISTS:
            with open(made / f"{name}.ndjson", "wb") as file:
                scale = str(records / RECORDS_AT_SCALE_1)
                subprocess.run([generator, scale, "forward", *changed, name], stdout=file, check=True)
        made.rename(folder)
    return folders


def runs(nights):
    """What is run, by its name."""
    return list(zip(("first run", "same feed", "next night"), (nights[0], *nights), strict=False))


def definition(work, night, store):
    """That of the benchmark, with a source for each list."""
    text = (ROOT / "Benchmarks/transit.jsonc").read_text()
    sources = ", ".join(f'"{name}": {{ "file": "{night}/{name}.ndjson", "format": "lines" }}' for name in LISTS)
    text = re.sub(r'"source": \{.*\},', f'"sources": {{ {sources} }},', text)
    for name in LISTS:
        text = text.replace(f'"records": "$.{name}[*]"', f'"source": "{name}", "records": "$"')
    path = work / f"{night.name}.jsonc"
    path.write_text(text.replace("${TRANSIT_STORE}", str(store)).replace("${TRANSIT_ABSENT:-keep}", "delete"))
    return path


class Watch:
    """CPU of this process, of its children, and of Spark's."""

    def __init__(self):
        self.pids = []
        self.start()

    def cpu(self):
        own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        total = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
        for pid in self.pids:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        return total

    def start(self):
        self.laps, self.clock, self.last = {}, time.monotonic(), self.cpu()

    def lap(self, name):
        now, clock = self.cpu(), time.monotonic()
        self.laps[name] = (now - self.last, clock - self.clock)
        self.last, self.clock = now, clock


def measured(runner_class, watch):
    """A runner that says when a part of a run is done."""

    class Measured(runner_class):
        def start(self, options, work):
            super().start(options, work)
            watch.lap("start")

        def extract(self, tasks, parts):
            super().extract(tasks, parts)
            watch.lap("extract")
            kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            watch.peak = kib / 1024

        def engine(self, plan, given):
            engine = super().engine(plan, given)
            execute, write = engine.execute, engine.write_version

            def timed_execute(run):
                outcome = execute(run)
                watch.lap("steps")
                return outcome

            def timed_write(version):
                write(version)
                watch.lap("write")

            engine.execute, engine.write_version = timed_execute, timed_write
            return engine

        def stop(self):
            pass

    return Measured()


def show(name, watch, records, size):
    parts = "  ".join(f"{part} {1e6 * cpu / records:5.2f} ({wall:.1f} s)" for part, (cpu, wall) in watch.laps.items())
    total = 1e6 * sum(cpu for cpu, _ in watch.laps.values()) / records
    print(f"{name:22} {total:6.2f} µs a record: {parts}  {size}", flush=True)


def run_store(options, work, nights):
    """`sluice run` into SQLite, and its reading thread alone: a dry run has it, too."""
    store = work / "store.sqlite"
    store.unlink(missing_ok=True)
    for name, night in runs(nights):
        watch = Watch()
        words = [options.sluice, "run", definition(work, night, store), "--force", "--quiet"]
        subprocess.run(words, check=True)
        watch.lap("run")
        show(f"sluice run, {name}", watch, options.records, f"{store.stat().st_size / 1e6:.0f} MB")
    store.unlink()


def run_extract(options, work, nights):
    parts = work / "parts"
    for name in ("whole", "256 MiB"):
        shutil.rmtree(parts, ignore_errors=True)
        watch, peak = Watch(), 0
        for place, source in enumerate(LISTS):
            path = nights[0] / f"{source}.ndjson"
            length = path.stat().st_size if name == "whole" else 256 << 20
            for first in range(0, path.stat().st_size, length):
                words = [options.sluice, "extract", definition(work, nights[0], "x.sqlite"), "--to", parts, "--quiet"]
                words += ["--feed", f"{source}={path}", "--range", f"{first}:{length}", "--part", f"{place}-{first}"]
                child = subprocess.Popen(words)
                _, status, usage = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
                assert child.returncode == 0
                peak = max(peak, usage.ru_maxrss / 1024)
        watch.lap("extract")
        size = sum(file.stat().st_size for file in parts.rglob("*.parquet")) / 1e6
        show(f"extract, {name}", watch, options.records, f"{size:.0f} MB, at most {peak:.0f} MiB")
    shutil.rmtree(parts)


def run_engine(options, work, nights):
    from sluice_runner.program import Program

    watch = Watch()
    if options.engine == "spark":
        from sluice_runner.on_spark import SparkRunner as Runner

        events = work / "events"
        shutil.rmtree(events, ignore_errors=True)
        events.mkdir()
        spark = session(options, events)
        watch.pids = java(spark)
    else:
        from sluice_runner.on_duckdb import DuckDBRunner as Runner
    for number in range(options.runs):
        state = work / f"state-{options.engine}"
        shutil.rmtree(state, ignore_errors=True)
        for name, night in runs(nights):
            runner = measured(Runner, watch)
            words = [definition(work, night, "x.sqlite"), "--state", state, "--sluice", options.sluice, "--quiet"]
            if options.engine == "duckdb":
                words += ["--threads", "2", *(["--memory", options.memory] if options.memory else [])]
            watch.start()
            status = Program(runner, runner.parser().parse_args([str(word) for word in words])).perform()
            assert status == 0
            watch.lap("end")
            version = state / (state / "CURRENT").read_text().strip()
            size = sum(file.stat().st_size for file in version.rglob("*.parquet")) / 1e6
            told = f"a version is {size:.0f} MB"
            if options.engine == "spark":
                told += "; " + tasks(events, options, number, name)
            show(f"{options.engine}, {name} {number + 1}", watch, options.records, told)
            if options.engine == "duckdb":
                print(f"{'':22} extractions take at most {watch.peak:.0f} MiB")
    shutil.rmtree(state, ignore_errors=True)


def session(options, events):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(options.master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "4g").config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.eventLog.enabled", "true").config("spark.eventLog.dir", events)
    builder = builder.config("spark.eventLog.compress", "false").config("spark.eventLog.rolling.enabled", "false")
    for pair in options.conf:
        builder = builder.config(*pair.split("=", 1))
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


def java(spark):
    """The process of Spark, and of its executors."""
    words = ["pgrep", "-f", f"{spark.sparkContext.applicationId}|pyspark-shell"]
    found = [int(pid) for pid in subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()]
    return [pid for pid in found if "java" in os.readlink(f"/proc/{pid}/exe")]


seen = {"bytes": 0}


def tasks(events, options, number, name):
    """What the tasks since the last time have taken and moved."""
    (path,) = [path for path in events.iterdir() if not path.name.startswith(".")]
    time.sleep(1)  # it is written by the way
    with open(path, encoding="utf-8") as file:
        file.seek(seen["bytes"])
        lines = file.readlines()
        seen["bytes"] = file.tell()
    names, found = {}, {}
    for line in lines:
        event = json.loads(line)
        if event["Event"] == "SparkListenerJobStart":
            described = event.get("Properties", {}).get("spark.job.description", "extract")
            names |= dict.fromkeys(event["Stage IDs"], described)
        elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            metrics, entry = event["Task Metrics"], found.setdefault(names[event["Stage ID"]], [0.0, 0, 0, 0, 0])
            entry[0] += (metrics["Executor CPU Time"] + metrics["Executor Deserialize CPU Time"]) / 1e9
            entry[1] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            entry[2] += metrics["Output Metrics"]["Bytes Written"]
            entry[3] += metrics["Disk Bytes Spilled"]
            entry[4] += 1
    total = [sum(column) for column in zip(*found.values(), strict=True)]
    if options.steps:
        for step, entry in sorted(found.items(), key=lambda item: -item[1][0])[:24]:
            row = f"{entry[0]:7.2f} s {entry[1] / 1e6:8.1f} MB shuffled {entry[2] / 1e6:8.1f} written"
            print(f"  {row} {entry[4]:5} tasks  {step}")
    cpu = 1e6 * total[0] / options.records
    moved = f"{total[1] / 1e6:.0f} MB shuffled, {total[2] / 1e6:.0f} written, {total[3] / 1e6:.0f} spilled"
    return f"{int(total[4])} tasks, {cpu:.2f} µs; {moved}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=["run", "extract", "duckdb", "spark"])
    parser.add_argument("records", type=float)
    parser.add_argument("--sluice", default=str(ROOT / ".build/release/sluice"))
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / ".build/bench/plans")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--one-night", action="store_true")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory")
    parser.add_argument("--conf", action="append", default=[])
    parser.add_argument("--steps", action="store_true")
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    nights = feeds(work, options.records, options.one_night)
    {"run": run_store, "extract": run_extract}.get(options.engine, run_engine)(options, work, nights)


if __name__ == "__main__":
    main()
