"""Runs scenes on Spark as a user does, and compares what comes of it with runs in SQLite.

    cluster.py MASTER SHIFT SLUICE FOLDER   each folder in it holds runs as PlanScene writes them, with what they read

A version must be equal, keys included, to what DuckDB has made of the same run before, as compare.py leaves it. Ranges
and partitions are another for each scene, and for each SHIFT. Two scenes run beside each other, each in a session of
its own: a run waits for Spark most of the time. Prints what is not equal, and to standard error how long each took. It
finds the modules of runners by PYTHONPATH.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import duckdb
from compare import beside, differences_of_tables, differences_told, scenes
from pyspark.sql import SparkSession
from sluice_runner.failure import Failure
from sluice_runner.on_duckdb import file_list, quoted
from sluice_runner.on_spark import SparkRunner
from sluice_runner.plan import Plan, files_in
from sluice_runner.program import Program

RANGES = ["1KiB", "7KiB", "50KiB", "1MiB"]
PARTITIONS = ["1", "3", "8"]


class OneContext(SparkRunner):
    """In a session that stays."""

    def __init__(self, spark: SparkSession) -> None:
        super().__init__()
        self.own = spark

    def session(self) -> SparkSession:
        return self.own

    def stop(self) -> None:
        pass


def session(master: str) -> SparkSession:
    # Hundreds of small queries: compiling them takes longer than it saves.
    compiling = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=256m"
    settings = {
        "spark.driver.extraJavaOptions": compiling,
        "spark.executor.extraJavaOptions": compiling,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        # Another one for each scene; else it would be that of the cores.
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.driver.memory": "2g",
    }
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("OFF")
    return found


class Scene:
    """Its runs, into a state of their own."""

    def __init__(
        self, spark: SparkSession, connection: duckdb.DuckDBPyConnection, sluice: str, folder: str, size: str
    ) -> None:
        self.spark = spark
        self.connection = connection
        self.sluice = sluice
        self.folder = folder
        self.state = os.path.join(folder, f"state {spark.sparkContext.master}")
        self.size = size
        # Between processes, all takes twice as long; what comes with a third run has been seen on threads then.
        self.count = 9 if spark.sparkContext.master.startswith("local[") else 2

    def differences(self) -> list[str]:
        """Ends with the first run that makes something else."""
        number, version = 1, 0
        # Runs that fail may have a number in a store, and have none in a state.
        self.runs: dict[int, int] = {}
        while number <= self.count and os.path.exists(os.path.join(self.folder, f"report{number}.json")):
            status = self.run(number)
            version += 1 if status == 0 else 0
            with open(os.path.join(self.folder, f"report{number}.json"), encoding="utf-8") as file:
                self.runs[json.load(file)["run"] or 0] = version
            lines = self.compared(number, version if status == 0 else None)
            if lines:
                return [f"{self.state}, run {number}, ranges of {self.size}: {line}" for line in lines]
            number += 1
        return []

    def told(self, number: int) -> list[str]:
        return [f"{self.state}-{number}.json", f"{self.state}-{number}.ndjson"]

    def run(self, number: int) -> int:
        inputs = os.path.join(self.folder, f"inputs{number}")
        size = self.size if os.path.exists(os.path.join(inputs, "has-ranges")) else "0"
        report, findings = self.told(number)
        definition = "scene.definition"
        words = [os.path.join(inputs, definition), "--state", self.state, "--sluice", self.sluice, "--keep", "9"]
        words += ["--range", size, "--report", report, "--findings", findings, "--format", "json"]
        runner = OneContext(self.spark)
        return Program(runner, runner.parser().parse_args(words)).perform()

    def compared(self, number: int, version: int | None) -> list[str]:
        store, report, findings = beside(self.folder, number)
        made_report, made_findings = self.told(number)
        lines = differences_told(report, findings, made_report, [made_findings])
        if (version is None) == os.path.exists(store):
            return [*lines, "one of both fails"]
        if version is None:
            return lines
        with open(os.path.join(self.folder, f"plan{number}.ndjson"), encoding="utf-8") as file:
            head = Plan.read(file.read()).head
        made = os.path.join(self.state, f"v{version:06}")
        lines += differences_of_tables(self.connection, head, made, store, self.runs)
        return lines + differences_of_versions(self.connection, os.path.join(self.folder, f"version{number}"), made)


def differences_of_versions(connection: duckdb.DuckDBPyConnection, one: str, other: str) -> list[str]:
    """The tables of which not each row is the same, but for times and numbers of runs."""
    lines = []
    for folder, _, names in os.walk(one):
        if not any(name.endswith(".parquet") for name in names):
            continue
        name = os.path.relpath(folder, one)
        tables = [f"read_parquet({file_list(files_in(os.path.join(at, name), '.parquet'))})" for at in (one, other)]
        columns = [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {tables[0]}").fetchall()]
        if name.startswith("sluice_unresolved"):
            # The inputs have been copied.
            columns = [column for column in columns if column not in ("run", "file")]
        shown = [f"{quoted(c)} IS NULL" if c == "deleted_at" else quoted(c) for c in columns]
        first, second = [f"SELECT {', '.join(shown)} FROM {table}" for table in tables]
        both = f"(({first}) EXCEPT ALL ({second})) UNION ALL (({second}) EXCEPT ALL ({first}))"
        rows = connection.execute(both).fetchall()
        lines += [f"{name} is not that of DuckDB: {row}" for row in rows[:3]]
    return lines


def compare(spark: SparkSession, connection: duckdb.DuckDBPyConnection, sluice: str, scene: str, place: int) -> None:
    started = time.monotonic()
    own = spark.newSession()
    own.conf.set("spark.sql.shuffle.partitions", PARTITIONS[place % len(PARTITIONS)])
    try:
        lines = Scene(own, connection.cursor(), sluice, scene, RANGES[place % len(RANGES)]).differences()
    except Failure as failure:
        lines = [f"{scene}: {failure}"]
    # Standard output has the reports of runs meanwhile.
    print("\n".join(lines[:12]), end="\n" if lines else "", file=sys.__stdout__, flush=True)
    print(f"{os.path.basename(scene)}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)


def main() -> None:
    master, shift, sluice, folder = sys.argv[1:]
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = session(master)
    connection = duckdb.connect()
    found = scenes(folder)
    with contextlib.redirect_stdout(io.StringIO()), ThreadPoolExecutor(2) as pool:
        places = range(int(shift), int(shift) + len(found))
        list(pool.map(lambda scene, place: compare(spark, connection, sluice, scene, place), found, places))
    spark.stop()


if __name__ == "__main__":
    main()
