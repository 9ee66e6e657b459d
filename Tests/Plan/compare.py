"""Carries out plans on DuckDB and compares what they make with what runs have made in SQLite.

    compare.py FOLDER                                       each folder in it holds runs as PlanScene writes them
    compare.py --state VERSION PLAN STORE REPORT FINDINGS   a version of a state, and a run

Prints what is not equal. It finds the modules of runners by PYTHONPATH.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections import Counter
from typing import Any

import duckdb
from sluice_runner.engine import Input, Run
from sluice_runner.failure import Failure
from sluice_runner.on_duckdb import DuckDBEngine, file_list, quoted
from sluice_runner.plan import Plan, files_in
from sluice_runner.report import entity_report, limit_report


class Tables:
    """The tables of a store, as SQLite or a version of a state has them, by identifier."""

    def __init__(self, head: dict[str, Any]) -> None:
        self.head = head
        self.model = head["model"]
        self.names: dict[str, dict[int, str]] = {}

    def rows(self, entity: str, columns: list[str]) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def links(self, entity: str, relationship: str, several: bool) -> list[tuple[int, int, str, int]]:
        raise NotImplementedError

    def waiting(self) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def stubs(self, entity: str) -> set[int]:
        raise NotImplementedError

    def target(self, relationship: dict[str, Any]) -> str:
        return str(relationship["to"][0].rsplit(":", 1)[0])

    def all(self) -> Counter[str]:
        """Each object and each waiting reference as one text."""
        for entity, described in self.model.items():
            identifier = described["identifier"]
            rows = self.rows(entity, ["objectID", *identifier])
            self.names[entity] = {row[0]: repr(row[1:]) for row in rows}
            if len(set(self.names[entity].values())) < len(rows):
                return Counter([f"{entity} has an identifier twice"])
        told: Counter[str] = Counter()
        for entity, described in self.model.items():
            told += self.objects(entity, described)
        for entity, relationship, object_id, *rest in self.waiting():
            name = self.names[entity].get(object_id, f"nothing ({object_id})")
            told[f"{entity} {name} waits by {relationship}: {rest}"] += 1
        return told

    def objects(self, entity: str, described: dict[str, Any]) -> Counter[str]:
        attributes = list(described["attributes"])
        one = {name: value for name, value in described["relationships"].items() if not value["many"]}
        columns = ["objectID", *attributes]
        for name, value in one.items():
            columns += [name] + ([name + "_entity"] if len(value["to"]) > 1 else [])
        if described["marks"]:
            columns.append("deleted_at")
        links: dict[int, list[str]] = {}
        for name, value in described["relationships"].items():
            if not value["many"]:
                continue
            for source, target, kind, position in self.links(entity, name, len(value["to"]) > 1):
                kind = kind or self.target(value)
                found = self.names[kind].get(target, f"nothing ({target})")
                links.setdefault(source, []).append(f"{name}[{position}]: {kind} {found}")
        stubs = self.stubs(entity)
        told: Counter[str] = Counter()
        for row in self.rows(entity, columns):
            values = dict(zip(columns, row, strict=True))
            parts = [f"{name}={values[name]!r}" for name in attributes]
            for name, value in one.items():
                if values[name] is None:
                    continue
                kind = values[name + "_entity"] if len(value["to"]) > 1 else self.target(value)
                parts.append(f"{name}: {kind} {self.names[kind].get(values[name], 'nothing')}")
            if described["marks"]:
                parts.append("marked" if values["deleted_at"] else "unmarked")
            if row[0] in stubs:
                parts.append("stub")
            told[f"{entity} {', '.join(parts + sorted(links.get(row[0], [])))}"] += 1
        return told


class Stored(Tables):
    """In SQLite."""

    def __init__(self, path: str, head: dict[str, Any], runs: dict[int, int] | None = None) -> None:
        """`runs` has what numbers of runs are in the other one."""
        super().__init__(head)
        self.runs = runs or {}
        self.connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        self.tables = {entity["name"]: entity["table"] for entity in head["entities"]}
        self.sources = [source["name"] for source in head["sources"]]

    def rows(self, entity: str, columns: list[str]) -> list[tuple[Any, ...]]:
        names = ", ".join(map(quoted, columns))
        return self.connection.execute(f"SELECT {names} FROM {quoted(self.tables[entity])}").fetchall()

    def links(self, entity: str, relationship: str, several: bool) -> list[tuple[int, int, str, int]]:
        table = quoted(f"{self.tables[entity]}_{relationship}")
        kind = "target_entity" if several else "NULL"
        return self.connection.execute(f"SELECT source, target, {kind}, position FROM {table}").fetchall()

    def waiting(self) -> list[tuple[Any, ...]]:
        rows = self.connection.execute(
            "SELECT entity, relationship, objectID, position, value, run, source, record, line, "
            '"column", "offset", path FROM sluice_unresolved'
        )
        return [
            (
                *row[:4],
                json.dumps(json.loads(row[4])),
                self.runs.get(row[5], row[5]),
                None if row[6] is None else self.sources[row[6]],
                *row[7:],
            )
            for row in rows
        ]

    def stubs(self, entity: str) -> set[int]:
        rows = self.connection.execute("SELECT objectID FROM sluice_stub WHERE entity = ?", (entity,))
        return {row[0] for row in rows}


class Versioned(Tables):
    """In a version of a state."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: str, head: dict[str, Any]) -> None:
        super().__init__(head)
        self.connection = connection
        self.folder = folder
        # By entity, and by entity and relationship.
        self.folders: dict[tuple[str, ...], tuple[str, ...]] = {}
        for entity in head["entities"]:
            self.folders[(entity["name"],)] = (entity["folder"],)
            for name, own in zip(entity["relationships"], entity["folders"], strict=True):
                self.folders[entity["name"], name] = (entity["folder"], own)

    def parquet(self, *names: str, below: str = "") -> str:
        path = os.path.join(self.folder, below, *self.folders[names])
        return f"read_parquet({file_list(files_in(path, '.parquet'))})"

    def rows(self, entity: str, columns: list[str]) -> list[tuple[Any, ...]]:
        table = self.parquet(entity)
        types = {row[0]: row[1] for row in self.connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()}
        shown = [
            {"BOOLEAN": "CAST({} AS BIGINT)", "DATE": "CAST({} AS VARCHAR)"}.get(types[name], "{}").format(quoted(name))
            for name in columns
        ]
        return self.connection.execute(f"SELECT {', '.join(shown)} FROM {table}").fetchall()

    def links(self, entity: str, relationship: str, several: bool) -> list[tuple[int, int, str, int]]:
        table = self.parquet(entity, relationship)
        kind = "target_entity" if several else "NULL"
        return self.connection.execute(f"SELECT source, target, {kind}, position FROM {table}").fetchall()

    def waiting(self) -> list[tuple[Any, ...]]:
        told = []
        for entity, described in self.model.items():
            for relationship in described["relationships"]:
                table = self.parquet(entity, relationship, below="sluice_unresolved")
                rows = self.connection.execute(
                    "SELECT objectID, position, value, run, source, record, line, "
                    f'"column", "offset", path FROM {table}'
                ).fetchall()
                for row in rows:
                    told.append((entity, relationship, *row[:2], json.dumps(json.loads(row[2])), *row[3:]))
        return told

    def stubs(self, entity: str) -> set[int]:
        table = self.parquet(entity)
        rows = self.connection.execute(f"SELECT objectID FROM {table} WHERE sluice_stub").fetchall()
        return {row[0] for row in rows}


def findings(*paths: str) -> Counter[str]:
    told: Counter[str] = Counter()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            told += Counter(filter(None, map(told_of, file)))
    return told


def told_of(line: str) -> str | None:
    """A finding as both ways tell it; None: one of them does not."""
    finding = json.loads(line)
    if finding["kind"] in ("drift", "unmatched"):
        return None
    if finding["kind"] == "reject" and is_late(finding):
        # Only a run reads the feed again.
        for key in ("record", "recordBytes", "context"):
            finding.pop(key, None)
    # What needs a second look at the feed.
    finding.pop("values", None)
    for key in ("line", "column"):
        finding.get("first", {}).pop(key, None)
    for place in (finding["at"], finding.get("first", {})):
        if "file" in place:
            place["file"] = os.path.basename(place["file"])
    return json.dumps(finding, sort_keys=True)


def is_late(finding: dict[str, Any]) -> bool:
    reasons = [fault["reason"] for fault in finding["faults"]]
    return all(reason.endswith(" exists") or reason == "a record before has the same identifier" for reason in reasons)


def counted(report: dict[str, Any]) -> Counter[str]:
    # A plan does not name objects that would go.
    limits = [{key: value for key, value in limit.items() if key != "objects"} for limit in report["exceeded"]]
    told = Counter(f"exceeded {json.dumps(limit, sort_keys=True)}" for limit in limits)
    for name, entity in report["entities"].items():
        for what, value in entity.items():
            if what not in ("fields", "unused", "untaken", "repeated", "recordsBefore", "news"):
                told[f"{name}.{what} {json.dumps(value)}"] += 1
    return told


def differences(expected: Counter[str], found: Counter[str]) -> list[str]:
    lacking = [f"lacks  {text}" for text in (expected - found).elements()]
    return lacking + [f"has    {text}" for text in (found - expected).elements()]


def differences_of_tables(
    connection: duckdb.DuckDBPyConnection,
    head: dict[str, Any],
    version: str,
    store: str,
    runs: dict[int, int] | None = None,
) -> list[str]:
    return differences(Stored(store, head, runs).all(), Versioned(connection, version, head).all())


def differences_told(report: str, told: str, other_report: str, others_told: list[str]) -> list[str]:
    """Of the reports and the findings."""
    reports = []
    for path in (report, other_report):
        with open(path, encoding="utf-8") as file:
            reports.append(counted(json.load(file)))
    return differences(*reports) + differences(findings(told), findings(*others_told))


def compare(
    connection: duckdb.DuckDBPyConnection, head: dict[str, Any], version: str, store: str, report: str, told: str
) -> list[str]:
    """What a version of a state holds beside a store, with the report and the findings of both."""
    lines = differences_of_tables(connection, head, version, store) if os.path.exists(store) else []
    findings = files_in(os.path.join(version, "findings"), ".ndjson")
    return lines + differences_told(report, told, os.path.join(version, "report.json"), findings)


def carry_out(connection: duckdb.DuckDBPyConnection, folder: str) -> list[str]:
    """The plans of a folder, one after the other; ends with the first that makes something else."""
    before: str | None = None
    last: dict[str, int] = {}
    number = 1
    while os.path.exists(os.path.join(folder, f"report{number}.json")):
        with open(os.path.join(folder, f"plan{number}.ndjson"), encoding="utf-8") as file:
            plan = Plan.read(file.read())
        with open(os.path.join(folder, f"report{number}.json"), encoding="utf-8") as file:
            run = json.load(file)["run"] or number
        version = os.path.join(folder, f"version{number}")
        # What it leaves is forgotten with the next.
        connection.execute("ATTACH ':memory:' AS carried_out")
        connection.execute("USE carried_out")
        try:
            engine = DuckDBEngine(plan, Input(os.path.join(folder, f"parts{number}"), before), connection)
            outcome = engine.execute(Run(run, "2026-01-01T00:00:00Z", last))
            engine.write_version(version)
            engine.write_findings(os.path.join(version, "findings"))
        finally:
            connection.execute("USE memory")
            connection.execute("DETACH carried_out")
        entities = entity_report(plan, outcome)
        with open(os.path.join(version, "report.json"), "w", encoding="utf-8") as file:
            json.dump({"exceeded": limit_report(plan, outcome), "entities": entities}, file)
        lines = compare(connection, plan.head, version, *beside(folder, number))
        if lines:
            return [f"{folder}, run {number}: {line}" for line in lines]
        if not outcome.exceeded:
            before = version
            last = {name: entity["records"] for name, entity in entities.items()}
        number += 1
    return []


def beside(folder: str, number: int) -> list[str]:
    """What a run of a scene has left: the store, the report, the findings."""
    files = [("store", "sqlite"), ("report", "json"), ("findings", "ndjson")]
    return [os.path.join(folder, f"{name}{number}.{end}") for name, end in files]


def scenes(folder: str) -> list[str]:
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder), key=lambda name: (len(name), name))]


def main() -> None:
    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    if sys.argv[1] == "--state":
        version, plan, *left = sys.argv[2:]
        with open(plan, encoding="utf-8") as file:
            head = Plan.read(file.read()).head
        print("\n".join(compare(connection, head, version, *left)), end="")
        return
    for scene in scenes(sys.argv[1]):
        try:
            lines = carry_out(connection, scene)
        except Failure as failure:
            lines = [f"{scene}: {failure}"]
        for line in lines[:12]:
            print(line)


if __name__ == "__main__":
    main()
