"""Carries out plans on Spark, on this machine: see compare.py. It needs `pip install pyspark`, and Java."""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import LongType, StringType, StructField, StructType


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def session() -> SparkSession:
    settings = {
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.sql.caseSensitive": "true",
        # Hundreds of small queries: compiling each takes longer than it saves.
        "spark.sql.codegen.wholeStage": "false",
        "spark.driver.memory": "3g",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


class SparkEngine:
    """As the runner's Engine for DuckDB."""

    def __init__(self, spark: SparkSession, runner: Any, plan: Any, parts: str, before: str | None) -> None:
        self.spark = spark
        self.runner = runner
        self.plan = plan
        self.parts = parts
        self.engine = runner.Engine(None, plan, parts, before)
        self.engine.table = self.table
        self.engine.rows = self.rows
        self.engine.add_findings = self.add_findings
        # What a step makes is written, and read again: nothing is made twice, and each query is small.
        self.work = tempfile.mkdtemp(prefix="sluice-spark-")
        self.count = 0

    def execute(self, run: Any) -> Any:
        self.engine.provide(run)
        for step in self.plan.steps:
            try:
                table = self.spark.sql(step.sql)
                if step.kind == "input":
                    paths = self.runner.files_in(self.engine.folder(step.writes), ".parquet")
                    if paths:
                        table = table.unionByName(self.spark.read.parquet(*paths), allowMissingColumns=True)
                elif not step.is_view:
                    table = self.kept(table)
                table.createOrReplaceTempView(quoted(step.writes))
            except Exception as error:
                raise self.runner.Failure(74, f"the step {step.writes} fails: {str(error)[:400]}") from error
        return self.engine.outcome()

    def kept(self, table: DataFrame) -> DataFrame:
        self.count += 1
        path = os.path.join(self.work, str(self.count))
        table.write.parquet(path)
        return self.spark.read.schema(table.schema).parquet(path)

    def table(self, name: str, rows: list[tuple[Any, ...]]) -> None:
        types = {"text": StringType(), "integer": LongType()}
        columns = self.plan.head["inputs"][name]
        schema = StructType([StructField(column, types[kind]) for column, kind in columns.items()])
        self.spark.createDataFrame(rows, schema).createOrReplaceTempView(quoted(name))

    def add_findings(self, paths: list[str]) -> None:
        rows = []
        for path in paths:
            with open(path, encoding="utf-8") as file:
                rows += [(os.path.basename(path)[: -len(".ndjson")], line.rstrip("\n")) for line in file]
        self.table("part_findings", rows)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self.spark.sql(sql.replace('"', "`")).collect()]

    def write(self, version: str) -> None:
        for step in self.plan.steps:
            kind, _, name = step.writes.partition("/")
            if kind not in ("after", "after-waiting"):
                continue
            folder = os.path.join(version, *(["sluice_unresolved"] if kind == "after-waiting" else []), name)
            os.makedirs(folder)
            made = os.path.join(self.work, "made")
            self.spark.table(quoted(step.writes)).coalesce(1).write.mode("overwrite").parquet(made)
            (part,) = [path for path in os.listdir(made) if path.endswith(".parquet")]
            shutil.move(os.path.join(made, part), os.path.join(folder, "data.parquet"))
        os.makedirs(os.path.join(version, "findings"))
        with open(os.path.join(version, "findings", "findings.ndjson"), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for (line,) in self.rows('SELECT line FROM "findings"'))

    def close(self) -> None:
        shutil.rmtree(self.work)
