"""Plans on Apache Spark."""

from __future__ import annotations

import argparse
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from py4j.protocol import Py4JError
from pyspark import cloudpickle
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import LongType, StringType, StructField, StructType

from . import calls
from .engine import Engine, Input, Row
from .extraction import Task
from .failure import IO_ERROR, UNCREATABLE, USAGE, Failure, failure
from .options import Parser, parser
from .plan import Plan, Step, files_in
from .program import Runner

# What the plans are written for, whatever a cluster has set.
SETTINGS = {
    "spark.sql.caseSensitive": "true",
    "spark.sql.ansi.enabled": "true",
    # A name may have `${` in it, and is no setting.
    "spark.sql.variable.substitute": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    # What is missing is an error, and not nothing.
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.files.ignoreCorruptFiles": "false",
}
# Bytes of feeds for each partition, unless a cluster has set how many there are.
PARTITION = 128 << 20
TYPES = {"text": StringType(), "integer": LongType()}


# The bytes of a file of Parquet that are neither rows nor footer: the marks at both ends, and the footer's length.
FRAME = 12


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def address(path: str) -> str:
    """A path that workers see, whatever the file system of a cluster is by default."""
    return "file:" + path


def pattern(path: str) -> str:
    """To Spark, what is read is a pattern. (Its option that says otherwise reads several files several times.)"""
    return address(re.sub(r"([\\{}\[\]*?])", r"\\\1", path))


@contextmanager
def failing(what: str) -> Iterator[None]:
    """Tells what fails in Spark, and why: the cause of all causes."""
    try:
        yield
    except (PySparkException, Py4JError, ConnectionError) as error:
        said = str(error).strip()
        causes = re.findall(r"^Caused by: (.*)$", said, re.MULTILINE)
        raise Failure(IO_ERROR, f"{what} fails: {causes[-1] if causes else said[:1000]}") from error


class SparkEngine(Engine):
    """What a step makes is written, and read again: nothing is made twice, and who is lost takes nothing along."""

    def __init__(self, plan: Plan, given: Input, spark: SparkSession, work: str) -> None:
        super().__init__(plan, given)
        self.spark = spark
        self.work = os.path.join(work, "tables")
        self.folders: dict[str, str] = {}

    def quoted(self, name: str) -> str:
        return quoted(name)

    def keep(self, name: str, table: DataFrame) -> None:
        folder = os.path.join(self.work, f"{len(self.folders):04}")
        if not is_nothing(table):
            self.folders[name] = folder
            # Read once or twice: what makes it small costs more than it saves.
            table.write.option("parquet.enable.dictionary", "false").parquet(address(folder))
        if holds_rows(folder):
            self.show(name, self.spark.read.schema(table.schema).parquet(pattern(folder)))
        else:
            # Spark leaves out what has to do with it.
            columns = [
                f"CAST(NULL AS {field.dataType.simpleString()}) AS {quoted(field.name)}" for field in table.schema
            ]
            self.show(name, self.spark.sql(f"SELECT {', '.join(columns)} WHERE 1 = 0"))

    def show(self, name: str, table: DataFrame) -> None:
        table.createOrReplaceTempView(quoted(name))

    def provide(self, name: str, rows: list[Row]) -> None:
        columns = self.plan.head["inputs"][name]
        schema = StructType([StructField(column, TYPES[kind]) for column, kind in columns.items()])
        with failing(f"the table {name}"):
            # Of a file, Spark knows how small it is.
            self.keep(name, self.spark.createDataFrame(rows, schema))

    def provide_findings(self, name: str, paths: list[str]) -> None:
        if not paths:
            self.provide(name, [])
            return
        with failing(f"the table {name}"):
            lines = self.spark.read.option("lineSep", "\n").text([pattern(path) for path in paths])
            part = "regexp_replace(_metadata.file_name, '[.]ndjson$', '') AS part"
            self.show(name, lines.selectExpr(part, "value AS line"))

    def bind(self, step: Step, paths: list[str]) -> None:
        with failing(f"the step {step.writes}"):
            table = self.spark.sql(step.sql)
            if paths:
                # Columns that a file lacks are null.
                files = [pattern(path) for path in paths]
                table = self.spark.read.schema(table.schema).parquet(*files)
            self.show(step.writes, table)

    def make(self, step: Step) -> None:
        self.describe(f"{step.kind}: {step.writes}")
        with failing(f"the step {step.writes}"):
            table = self.spark.sql(step.sql)
            (self.show if step.is_view else self.keep)(step.writes, table)

    def describe(self, what: str) -> None:
        """Spark shows it beside its jobs."""
        self.spark.sparkContext.setJobDescription(what)

    def drop(self, table: str) -> None:
        if table in self.folders:
            shutil.rmtree(self.folders[table])

    def rows(self, sql: str) -> list[Row]:
        self.describe("what has come of it")
        with failing("what has come of it"):
            return [tuple(row) for row in self.spark.sql(sql).collect()]

    def write(self, table: str, folder: str) -> None:
        self.describe(f"version: {table}")
        with failing(f"the table {table}"):
            self.spark.table(quoted(table)).write.option("compression", "zstd").parquet(address(folder))
        tidy(folder)

    def write_findings(self, folder: str) -> None:
        self.describe("version: findings")
        lines = self.spark.sql(f"SELECT line FROM {quoted('findings')}")
        with failing("the table findings"):
            lines.write.option("compression", "none").option("lineSep", "\n").text(address(folder))
        tidy(folder)
        for number, name in enumerate(sorted(os.listdir(folder))):
            os.rename(os.path.join(folder, name), os.path.join(folder, f"findings-{number:05}.ndjson"))


def is_nothing(table: DataFrame) -> bool:
    """Whether it is known without a look at any file that a table has no rows."""
    return bool(table._jdf.queryExecution().optimizedPlan().maxRows().toString() == "Some(0)")


def holds_rows(folder: str) -> bool:
    """Whether any file of Parquet in a folder has more than a footer."""
    return any(os.path.getsize(path) > footer(path) + FRAME for path in files_in(folder, ".parquet"))


def footer(path: str) -> int:
    """The bytes of the footer of a file of Parquet."""
    with open(path, "rb") as file:
        file.seek(-8, os.SEEK_END)
        return int.from_bytes(file.read(4), "little")


def tidy(folder: str) -> None:
    """Removes what Spark writes besides: sums, and that it has succeeded."""
    for name in os.listdir(folder):
        if name.startswith(("_", ".")):
            os.unlink(os.path.join(folder, name))


class SparkRunner(Runner):
    dialect = "spark"

    def __init__(self) -> None:
        self.spark: SparkSession | None = None

    def parser(self) -> Parser:
        return parser("sluice_spark.py", "Apache Spark")

    def check(self, options: argparse.Namespace) -> None:
        for path in (os.path.abspath(options.state), os.path.abspath(options.work or options.state)):
            if ":" in path:
                raise Failure(USAGE, f"Spark reads nothing below a folder with a colon in its name: {path}")

    def start(self, options: argparse.Namespace, work: str) -> None:
        self.options = options
        self.work = work
        with failing("Spark"):
            self.spark = self.session()
            for name, value in SETTINGS.items():
                self.spark.conf.set(name, value)
        # Workers need no file of the runner.
        cloudpickle.register_pickle_by_value(calls)
        self.look_around()

    def session(self) -> SparkSession:
        return SparkSession.builder.appName("sluice").getOrCreate()

    def look_around(self) -> None:
        """Refuses workers that do not see the same folder as this machine."""
        assert self.spark is not None
        folder, token = os.path.join(self.work, "seen"), secrets.token_hex(16)
        os.mkdir(folder)
        with open(os.path.join(folder, "token"), "w", encoding="ascii") as file:
            file.write(token)
        context = self.spark.sparkContext
        count = 2 * context.defaultParallelism
        with failing("the look around"):
            answers = context.parallelize(range(count), count).map(lambda _: calls.look(folder, token)).collect()
        for host, name in answers:
            if not name or not os.path.exists(os.path.join(folder, name)):
                shown = "the folder of the state, or that of --work,"
                raise Failure(UNCREATABLE, f"{host} does not see {shown} as this machine does: {folder}")

    def extract(self, tasks: list[Task], parts: str) -> None:
        assert self.spark is not None
        context = self.spark.sparkContext
        bytes_read = sum(task.size for task in tasks)
        if not context.getConf().contains("spark.sql.shuffle.partitions"):
            partitions = max(context.defaultParallelism, bytes_read // PARTITION + 1)
            self.spark.conf.set("spark.sql.shuffle.partitions", str(partitions))
        # Workers are in other folders.
        sluice = self.options.sluice
        sluice = os.path.abspath(sluice) if "/" in sluice else sluice
        definition = os.path.abspath(self.options.definition)
        commands = [task.absolute().command(sluice, definition, parts) for task in tasks]
        environment, marker = variables(definition), os.path.join(self.work, "failed")
        with suppress(FileNotFoundError):
            os.unlink(marker)
        with failing("the extraction"):
            numbers = context.parallelize(commands, max(1, len(commands)))
            answers = numbers.map(lambda command: calls.perform(command, environment, marker)).collect()
        for status, message in answers:
            if status != 0:
                raise failure(status, message)

    def engine(self, plan: Plan, given: Input) -> Engine:
        assert self.spark is not None
        return SparkEngine(plan, given, self.spark, self.work)

    def stop(self) -> None:
        if self.spark is not None:
            with suppress(Py4JError, ConnectionError):
                self.spark.stop()


def variables(definition: str) -> dict[str, str]:
    """The environment of this machine, as far as a definition names it."""
    with open(definition, encoding="utf-8") as file:
        names = set(re.findall(r"\$\{([A-Za-z_][A-Za-z0-9_]*)", file.read()))
    return {name: os.environ[name] for name in names if name in os.environ}
