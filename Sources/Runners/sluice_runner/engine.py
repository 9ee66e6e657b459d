"""Carries out a plan; what does it is the engine of a runner."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from .extraction import part_place
from .plan import Plan, Step, files_in

KINDS = ["unmatched", "duplicate", "unresolved", "conflict", "reject", "drift", "check"]
LIMITS = ["rejects", "unresolved", "duplicates", "updates", "deletes", "records"]
# Tables that are read when all steps are done.
RESULTS = {"counts", "exceeded", "found", "examples", "lacking", "findings"}

Row = tuple[Any, ...]


@dataclass
class Outcome:
    """What has come of the steps."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    exceeded: list[dict[str, Any]] = field(default_factory=list)
    found: dict[str, int] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)
    lacking: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Run:
    number: int
    started: str
    # The records of each entity in the last run that succeeded.
    last: dict[str, int]


@dataclass
class Input:
    """What a plan begins with, besides the records."""

    # The folder of the parts.
    parts: str
    # The version before; None: there is none.
    before: str | None
    # What files are called in findings, by part, where that is not what the parts say.
    names: dict[str, str] = field(default_factory=dict)


class Engine(ABC):
    def __init__(self, plan: Plan, given: Input) -> None:
        self.plan = plan
        self.given = given

    @abstractmethod
    def quoted(self, name: str) -> str:
        """A name in SQL."""

    @abstractmethod
    def provide(self, name: str, rows: list[Row]) -> None:
        """Makes a table of the plan's `inputs`."""

    @abstractmethod
    def provide_findings(self, name: str, paths: list[str]) -> None:
        """Makes the table of the lines of some files, and of which part they are."""

    @abstractmethod
    def bind(self, step: Step, paths: list[str]) -> None:
        """Makes a table of what files hold, or of nothing."""

    @abstractmethod
    def make(self, step: Step) -> None:
        """Makes the table of a step."""

    @abstractmethod
    def drop(self, table: str) -> None:
        """Nothing reads a step's table any more."""

    @abstractmethod
    def rows(self, sql: str) -> list[Row]:
        """The answer to a query, which is small."""

    @abstractmethod
    def write(self, table: str, folder: str) -> None:
        """Writes a table as Parquet, into a folder that is not there yet."""

    @abstractmethod
    def write_findings(self, folder: str) -> None:
        """Writes the lines of all findings, as files that end in `.ndjson`, into a folder that is not there yet."""

    def execute(self, run: Run) -> Outcome:
        """All steps; the tables are there then."""
        self.provide_all(run)
        last_reads = self.plan.last_reads()
        for step in self.plan.steps:
            if step.kind == "input":
                self.bind(step, files_in(self.folder(step.writes), ".parquet"))
            else:
                self.make(step)
            for table in last_reads.get(step.writes, []):
                if table not in RESULTS:
                    self.drop(table)
        return self.outcome()

    def folder(self, table: str) -> str:
        """Where the files of an input are."""
        kind, _, name = table.partition("/")
        if kind == "parts":
            return os.path.join(self.given.parts, name)
        if kind == "rejects":
            return os.path.join(self.given.parts, "rejects", name)
        if self.given.before is None:
            return os.devnull
        return os.path.join(self.given.before, *(["sluice_unresolved"] if kind == "waited" else []), name)

    def provide_all(self, run: Run) -> None:
        """The tables that are known without a feed's records."""
        manifests = []
        for path in files_in(os.path.join(self.given.parts, "manifest"), ".json"):
            with open(path, encoding="utf-8") as file:
                manifests.append((os.path.basename(path)[: -len(".json")], json.load(file)))
        sources = [source["name"] for source in self.plan.head["sources"]]
        named = {source["name"] for source in self.plan.head["sources"] if source["namesFiles"]}
        files: dict[str, set[int]] = {name: set() for name in sources}
        for part, manifest in manifests:
            files[manifest["source"]].add(part_place(part))
        rows: list[Row] = []
        records: list[Row] = []
        for part, manifest in manifests:
            source = manifest["source"]
            first = manifest["range"]["first"] if manifest["range"] else 0
            is_named = len(files[source]) > 1 or source in named
            name = self.given.names.get(part, manifest["file"]) if is_named else None
            rows.append((part, sources.index(source), source, part_place(part), name, first, manifest["newlines"]))
            for entity, counts in manifest["entities"].items():
                hidden = int(counts.get("hidden", False))
                records.append((part, entity, counts["records"] + counts["rejects"], counts["rejects"], hidden))
        self.provide("parts", rows)
        self.provide("part_records", records)
        self.provide("run", [(run.number, run.started)])
        self.provide("last", list(run.last.items()))
        findings = files_in(os.path.join(self.given.parts, "findings"), ".ndjson")
        self.provide_findings("part_findings", [path for path in findings if os.path.getsize(path)])

    def outcome(self) -> Outcome:
        outcome = Outcome()
        for entity, name, value in self.rows(f"SELECT entity, name, value FROM {self.quoted('counts')}"):
            outcome.counts.setdefault(entity, {})[name] = value
        entities = [entity["name"] for entity in self.plan.head["entities"]]
        exceeded = self.rows(f"SELECT name, entity, allowed, found, earlier, n FROM {self.quoted('exceeded')}")
        exceeded.sort(key=lambda row: (LIMITS.index(row[0]), row[5], entities.index(row[1]) if row[1] else -1))
        for name, owner, allowed, found, earlier, _ in exceeded:
            limit = {"limit": name, "entity": owner, "allowed": allowed, "found": found}
            if earlier is not None:
                limit["before"] = earlier
            outcome.exceeded.append(limit)
        outcome.found = dict(self.rows(f"SELECT kind, findings FROM {self.quoted('found')}"))
        examples = self.rows(f"SELECT kind, n, line FROM {self.quoted('examples')}")
        examples.sort(key=lambda row: (KINDS.index(row[0]), row[1]))
        outcome.examples = [line for _, _, line in examples]
        if any(step.writes == "lacking" for step in self.plan.steps):
            columns = "entity, relationship, value, missing"
            lacking = self.rows(f"SELECT {columns} FROM {self.quoted('lacking')} ORDER BY e, r, n")
            outcome.lacking = [
                {"entity": entity, "relationship": relationship, "value": json.loads(value), "references": missing}
                for entity, relationship, value, missing in lacking
            ]
        return outcome

    def write_version(self, version: str) -> None:
        """The tables of the new version; an entity's comes before those of its relationships, which are below it."""
        for step in self.plan.steps:
            kind, _, name = step.writes.partition("/")
            if kind in ("after", "after-waiting"):
                below = ["sluice_unresolved"] if kind == "after-waiting" else []
                self.write(step.writes, os.path.join(version, *below, name))
