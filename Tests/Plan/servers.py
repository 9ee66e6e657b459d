"""Runs the scenes that feeds.py has made into SQLite and into PostgreSQL, and compares what comes of them.

    servers.py SLUICE FOLDER ADDRESS   ADDRESS: of a database, where schemas called like the scenes are made anew

Compared are the views of all entities, which show identifiers, the waiting list, reports and findings; and that the dry
run of a night says what its run does. Prints what is not equal.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from typing import Any

# What may differ between two runs of the same.
OWN = [
    "store", "started", "finished", "seconds", "cache", "comparedWith", "definition", "memory", "throughput", "failing",
]  # fmt: skip
WAITING = "SELECT entity, relationship, value, position, path FROM {0}sluice_unresolved"


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def value(told: Any, kind: str) -> Any:
    """As both stores have it in the end."""
    if told is None:
        return None
    if kind == "timestamp with time zone":
        head, _, fraction = str(told).rstrip("Z").partition(".")
        return f"{head}.{fraction.ljust(6, '0')}"
    if kind == "double precision":
        return repr(float(told))
    if kind == "json":
        return json.dumps(json.loads(told, parse_float=str, parse_int=str), sort_keys=True)
    if kind == "bytea":
        return told.hex() if isinstance(told, bytes) else str(told)
    return str(told)


class Server:
    def __init__(self, address: str) -> None:
        self.address = address

    def rows(self, sql: str) -> list[list[Any]]:
        told = f"SELECT json_agg(to_json(r)) FROM ({sql}) r"
        words = ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", told, self.address]
        output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        return [list(row.values()) for row in json.loads(output.strip() or "null") or []]

    def columns(self, schema: str, view: str) -> list[tuple[str, str]]:
        found = self.rows(
            "SELECT attname, format_type(atttypid, atttypmod) AS kind FROM pg_attribute"
            f" WHERE attnum > 0 AND attrelid = '{quoted(schema)}.{quoted(view)}'::regclass ORDER BY attnum"
        )
        return [(name, kind) for name, kind in found]

    def view(self, schema: str, view: str, columns: list[tuple[str, str]]) -> Counter[str]:
        parts = []
        for name, kind in columns:
            part = {
                "timestamp with time zone": """to_char({0} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')""",
                "boolean": "{0}::integer::text",
                "bytea": "encode({0}, 'hex')",
            }.get(kind, "{0}::text")
            parts.append(f"{part.format(quoted(name))} AS {quoted(name)}")
        rows = self.rows(f"SELECT {', '.join(parts)} FROM {quoted(schema)}.{quoted(view)}")
        return told(rows, columns)


def told(rows: list[list[Any]], columns: list[tuple[str, str]]) -> Counter[str]:
    return Counter(repr([value(part, kind) for part, (_, kind) in zip(row, columns, strict=True)]) for row in rows)


class Scene:
    def __init__(self, sluice: str, folder: str, server: Server) -> None:
        self.sluice, self.folder, self.server = sluice, folder, server
        self.schema = os.path.basename(folder)
        self.path = os.path.join(folder, "both.sqlite")
        self.differences: list[str] = []

    def compare(self) -> None:
        for path in (self.path, self.path + "-wal", self.path + "-shm"):
            if os.path.exists(path):
                os.remove(path)
        schema = quoted(self.schema)
        subprocess.run(
            ["psql", "-Xq", "-c", f"DROP SCHEMA IF EXISTS {schema} CASCADE", self.server.address],
            check=True,
            capture_output=True,
        )
        for night in (1, 2):
            self.night(night)

    def night(self, night: int) -> None:
        inputs = os.path.join(self.folder, f"inputs{night}")
        with open(os.path.join(inputs, "scene.definition"), encoding="utf-8") as file:
            described = json.load(file)
        described |= {"views": True, "name": self.schema}
        here = self.run(inputs, "here", described | {"store": {"sqlite": self.path}})
        there = described | {"store": {"postgresql": {"database": self.server.address, "schema": self.schema}}}
        dry = self.run(inputs, "there", there, "--dry-run")
        ran = self.run(inputs, "there", there)
        for other, name in ((dry, "dry run"), (ran, "run")):
            for what in ("report", "findings"):
                if here[what] != other[what]:
                    self.differences.append(f"night {night}: {what} of the {name} differ")
        store = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        for (view,) in store.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall():
            columns = self.server.columns(self.schema, view)
            names = ", ".join(quoted(name) for name, _ in columns)
            self.differ(
                f"night {night}: {view}",
                told([list(row) for row in store.execute(f"SELECT {names} FROM {quoted(view)}")], columns),
                self.server.view(self.schema, view, columns),
            )
        waiting = [("", "text")] * 5
        self.differ(
            f"night {night}: waiting list",
            told([list(row) for row in store.execute(WAITING.format(""))], waiting),
            told(self.server.rows(WAITING.format(quoted(self.schema) + ".")), waiting),
        )

    def differ(self, what: str, here: Counter[str], there: Counter[str]) -> None:
        if here != there:
            examples = [*(here - there).elements()][:2] + [*(there - here).elements()][:2]
            self.differences.append(f"{what}: {len(here)} here, {len(there)} there: {examples}")

    def run(self, inputs: str, name: str, described: dict[str, Any], *more: str) -> dict[str, Any]:
        path, findings = os.path.join(inputs, name + ".json"), os.path.join(inputs, name + ".ndjson")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(described, file)
        words = [self.sluice, "run", path, "--force", "--format", "json", "--findings", findings, *more]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        report = json.loads(ran.stdout) if ran.stdout else {"error": ran.stderr}
        told = {key: part for key, part in report.items() if key not in [*OWN, "dryRun", "run"]}
        with open(findings, encoding="utf-8") as file:
            lines = [re.sub(r'"(run|objectID)":\d+,?', "", line) for line in file]
        return {"report": told, "findings": Counter(lines)}


def main() -> int:
    sluice, folder, address = sys.argv[1:]
    server, failed = Server(address), 0
    for name in sorted(os.listdir(folder)):
        if not os.path.isdir(os.path.join(folder, name, "inputs1")):
            continue
        scene = Scene(sluice, os.path.join(os.path.abspath(folder), name), server)
        scene.compare()
        failed += bool(scene.differences)
        print(f"{name}: {'the same' if not scene.differences else ''}", *scene.differences, sep="\n  ", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
