"""Plans on DuckDB, on one machine."""

from __future__ import annotations

import argparse
import concurrent.futures
import glob
import os
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager

import duckdb

from .calls import repeated
from .engine import Engine, Input, Row
from .extraction import Task
from .failure import IO_ERROR, USAGE, Failure, failure
from .options import Parser, natural, parser
from .plan import Plan, Step
from .program import Runner

TYPES = {"text": "VARCHAR", "integer": "BIGINT"}


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def file_list(paths: list[str]) -> str:
    # To DuckDB, each path is a pattern.
    return "[" + ", ".join(literal(glob.escape(path)) for path in paths) + "]"


@contextmanager
def failing(what: str) -> Generator[None]:
    """Says of what DuckDB does not do which part of the plan it is."""
    try:
        yield
    except duckdb.Error as error:
        raise Failure(IO_ERROR, f"{what} fails: {error}") from error


class DuckDBEngine(Engine):
    def __init__(self, plan: Plan, given: Input, connection: duckdb.DuckDBPyConnection) -> None:
        super().__init__(plan, given)
        self.connection = connection
        self.empty: set[str] = set()

    def quoted(self, name: str) -> str:
        return quoted(name)

    def run(self, sql: str, what: str) -> None:
        with failing(what):
            self.connection.execute(sql)

    def provide(self, name: str, rows: list[Row]) -> None:
        columns = self.plan.head["inputs"][name]
        declared = ", ".join(f"{quoted(column)} {TYPES[kind]}" for column, kind in columns.items())
        self.run(f"CREATE TABLE {quoted(name)} ({declared})", f"the table {name}")
        if rows:
            places = ", ".join("?" for _ in columns)
            with failing(f"the table {name}"):
                self.connection.executemany(f"INSERT INTO {quoted(name)} VALUES ({places})", rows)

    def provide_findings(self, name: str, paths: list[str]) -> None:
        self.provide(name, [])
        if paths:
            self.run(
                f"INSERT INTO {quoted(name)} SELECT regexp_extract(filename, '([^/]+)[.]ndjson$', 1), line "
                f"FROM read_csv({file_list(paths)}, header = false, auto_detect = false, quote = '', escape = '', "
                "delim = '\x01', columns = {'line': 'VARCHAR'}, filename = true, max_line_size = 268435456)",
                f"the table {name}",
            )

    def bind(self, step: Step, paths: list[str]) -> None:
        sql = step.sql
        if paths:
            held = f"read_parquet({file_list(paths)}, union_by_name = true, hive_partitioning = false)"
            sql = f"({sql}) UNION ALL BY NAME (SELECT * FROM {held})"
        self.run(f"CREATE VIEW {quoted(step.writes)} AS {sql}", f"the step {step.writes}")

    def make(self, step: Step) -> None:
        kind = "VIEW" if step.is_view else "TABLE"
        name, what = quoted(step.writes), f"the step {step.writes}"
        self.run(f"CREATE {kind} {name} AS {step.sql}", what)
        if not step.is_view and not self.rows(f"SELECT 1 FROM {name} LIMIT 1"):
            # Of a view of nothing, DuckDB knows that it is empty, and leaves out what has to do with it.
            columns = self.rows(f"DESCRIBE {name}")
            nulls = ", ".join(f"CAST(NULL AS {column[1]}) AS {quoted(column[0])}" for column in columns)
            self.run(f"DROP TABLE {name}", what)
            self.run(f"CREATE VIEW {name} AS SELECT {nulls} WHERE false", what)
            self.empty.add(step.writes)

    def drop(self, table: str) -> None:
        kind = "VIEW" if table in self.empty else "TABLE"
        self.run(f"DROP {kind} {quoted(table)}", f"the step {table}")

    def rows(self, sql: str) -> list[Row]:
        with failing("a query of the plan"):
            return self.connection.execute(sql).fetchall()

    def write(self, table: str, folder: str) -> None:
        os.makedirs(folder)
        path = literal(os.path.join(folder, "data.parquet"))
        options = "FORMAT parquet, COMPRESSION zstd"
        self.run(f"COPY (SELECT * FROM {quoted(table)}) TO {path} ({options})", f"the table {table}")

    def write_findings(self, folder: str) -> None:
        os.makedirs(folder)
        path = literal(os.path.join(folder, "findings.ndjson"))
        options = "FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x01'"
        self.run(f"COPY (SELECT line FROM {quoted('findings')}) TO {path} ({options})", "the table findings")


class Extraction:
    """Runs `sluice extract`, several beside each other."""

    def __init__(self) -> None:
        self.children: set[subprocess.Popen[str]] = set()
        self.guard = threading.Lock()
        self.is_over = False

    def perform(self, commands: list[list[str]], threads: int) -> None:
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            futures = [pool.submit(self.extract, command) for command in commands]
            try:
                for future in concurrent.futures.as_completed(futures):
                    future.result()
            except BaseException:
                self.stop()
                pool.shutdown(cancel_futures=True)
                raise

    def stop(self) -> None:
        with self.guard:
            self.is_over = True
            for child in self.children:
                child.terminate()

    def extract(self, command: list[str]) -> None:
        status, message = repeated(lambda: self.call(command))
        if status != 0 and not self.is_over:
            raise failure(status, message)

    def call(self, command: list[str]) -> tuple[int, str]:
        with self.guard:
            if self.is_over:
                return 0, ""
            try:
                child = subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
            except OSError as error:
                return USAGE, f"{command[0]} cannot be started: {error.strerror}"
            self.children.add(child)
        _, message = child.communicate()
        with self.guard:
            self.children.discard(child)
        return child.returncode, message.strip()


class DuckDBRunner(Runner):
    dialect = "duckdb"

    def __init__(self) -> None:
        self.connection: duckdb.DuckDBPyConnection | None = None

    def parser(self) -> Parser:
        found = parser("sluice-duckdb", "DuckDB")
        found.add_argument(
            "--threads",
            metavar="N",
            type=natural,
            default=os.cpu_count() or 1,
            help="extractions beside each other, and threads (default: all cores)",
        )
        found.add_argument("--memory", metavar="SIZE", help="what DuckDB may take, such as 64GB (default: 80%%)")
        return found

    def check(self, options: argparse.Namespace) -> None:
        """Any folder does."""

    def start(self, options: argparse.Namespace, work: str) -> None:
        self.options = options
        self.work = work

    def extract(self, tasks: list[Task], parts: str) -> None:
        commands = [task.command(self.options.sluice, self.options.definition, parts) for task in tasks]
        Extraction().perform(commands, self.options.threads)

    def engine(self, plan: Plan, given: Input) -> Engine:
        self.connection = duckdb.connect()
        self.connection.execute(f"SET threads = {self.options.threads}")
        self.connection.execute(f"SET temp_directory = {literal(os.path.join(self.work, 'spill'))}")
        self.connection.execute("SET preserve_insertion_order = false")
        if self.options.memory:
            try:
                self.connection.execute(f"SET memory_limit = {literal(self.options.memory)}")
            except duckdb.Error as error:
                raise Failure(USAGE, f"--memory: {error}") from error
        return DuckDBEngine(plan, given, self.connection)

    def stop(self) -> None:
        if self.connection is not None:
            self.connection.close()
