"""The report of a run, in the form that `sluice run` has."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from collections.abc import Iterator
from typing import Any

from .engine import Outcome
from .failure import DATA, DEFINITION, IO_ERROR, Failure
from .plan import Plan, files_in

OUTCOMES = [
    "records", "created", "updated", "unchanged", "rejected", "skipped", "deleted", "keptAbsent", "stubs",
    "changedStubs",
]  # fmt: skip


def now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def entity_report(plan: Plan, outcome: Outcome) -> dict[str, Any]:
    entities: dict[str, Any] = {}
    for entity in plan.head["entities"]:
        counts = outcome.counts[entity["name"]]
        described: dict[str, Any] = {name: counts[name] for name in OUTCOMES}
        # Nobody changes objects between two runs.
        described["conflicts"] = 0
        described["duplicates"] = {"identical": counts["identical"], "conflicting": counts["conflicting"]}
        described["relationships"] = {
            name: {what: counts[f"{name}.{what}"] for what in ("resolved", "unresolved", "null", "late")}
            for name in entity["relationships"]
        }
        described.update({"fields": {}, "unused": {}, "repeated": []})
        if plan.head["model"][entity["name"]]["marks"]:
            described["marks"] = True
        entities[entity["name"]] = described
    return entities


def source_report(plan: Plan, parts: str) -> dict[str, Any]:
    described: dict[str, Any] = {}
    for source in plan.head["sources"]:
        described[source["name"]] = {"location": source["file"], "bytes": 0, "values": 0, "sha256": ""}
    hashes: dict[str, list[str | None]] = {name: [] for name in described}
    for manifest in manifests(parts):
        source = described[manifest["source"]]
        source["bytes"] += manifest["bytes"]
        source["values"] += manifest["values"]
        hashes[manifest["source"]].append(None if manifest["range"] else manifest["sha256"])
    for name, found in hashes.items():
        whole = [digest for digest in found if digest is not None]
        # Of a file in ranges, nobody has the hash.
        if len(whole) == len(found):
            lines = "".join(digest + "\n" for digest in whole).encode()
            described[name]["sha256"] = whole[0] if len(whole) == 1 else hashlib.sha256(lines).hexdigest()
    return described


def manifests(parts: str) -> Iterator[dict[str, Any]]:
    for path in files_in(os.path.join(parts, "manifest"), ".json"):
        with open(path, encoding="utf-8") as file:
            yield json.load(file)


def check_parts(plan: Plan, parts: str, wanted: set[str]) -> None:
    """All of them are there, by one version of sluice, and each source that should gives records."""
    there = {os.path.basename(path)[: -len(".json")] for path in files_in(os.path.join(parts, "manifest"), ".json")}
    if wanted - there:
        raise Failure(IO_ERROR, f"{min(wanted - there)} of {parts} is not there: it was written to another file system")
    for manifest in manifests(parts):
        if manifest["version"] != plan.head["version"]:
            versions = f"{plan.head['version']} here, {manifest['version']} where parts are made"
            raise Failure(IO_ERROR, f"there are two versions of sluice: {versions}")
    check_formats(parts)
    empty = empty_sources(plan, parts)
    if empty:
        raise Failure(DATA, "; ".join(empty))


def check_formats(parts: str) -> None:
    """A run reads all files of a source as it does the first; a part goes by the name of its own file."""
    first: dict[str, dict[str, Any]] = {}
    for manifest in manifests(parts):
        source = manifest["source"]
        # The hash is that of a definition with the formats of its sources.
        if manifest["definition"] != first.setdefault(source, manifest)["definition"]:
            files = f"{first[source]['file']} and {manifest['file']}"
            said = f"{files} of the source {source} differ in format by their names, and a run reads them alike"
            raise Failure(DEFINITION, f'{said}: say how with "format"')


def empty_sources(plan: Plan, parts: str) -> list[str]:
    """Sources that give no record, and should."""
    records: dict[str, int] = {}
    for manifest in manifests(parts):
        total = sum(counts["records"] + counts["rejects"] for counts in manifest["entities"].values())
        records[manifest["source"]] = records.get(manifest["source"], 0) + total
    return [
        f"the source {source['name']} ({source['file']}) gives no record" + ' ("limits": { "records": 0 } allows that)'
        for source in plan.head["sources"]
        if not source["mayBeEmpty"] and source["entities"] and records.get(source["name"], 0) == 0
    ]
