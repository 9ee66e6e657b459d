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

CHANGES = ["created", "updated", "deleted", "stubs", "changedStubs"]

# Rejects whose reasons are told, and those of them whose records are looked into.
MOST_REJECTS = 100_000
MOST_RECORDS = 1_000


def now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def entity_report(plan: Plan, outcome: Outcome) -> dict[str, Any]:
    entities: dict[str, Any] = {}
    for entity in plan.head["entities"]:
        counts = outcome.counts[entity["name"]]
        described: dict[str, Any] = {name: counts[name] for name in OUTCOMES}
        if outcome.exceeded:
            # Nothing of it is kept: no object was created.
            described["undone"] = {name: described[name] for name in CHANGES}
            described.update(dict.fromkeys(CHANGES, 0))
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


def limit_report(plan: Plan, outcome: Outcome) -> list[dict[str, Any]]:
    """The limits that are exceeded, with who says each of them, and of how many a share is."""
    said = {(limit["limit"], limit["entity"]): limit for limit in plan.head["limits"]}
    described = []
    for limit in outcome.exceeded:
        known = said.get((limit["limit"], limit["entity"]), {})
        described.append(limit | {key: known[key] for key in ("by", "share", "entities") if key in known})
        if "share" in known and limit["limit"] != "records":
            described[-1]["of"] = total(limit["limit"], outcome.counts[limit["entity"]])
        described[-1]["allow"] = allowance(described[-1])
    return described


def allowance(limit: dict[str, Any]) -> str:
    """The limit for one run with which it would have succeeded, as `--allow` has it."""
    place = f"{limit['entity']}.{limit['limit']}" if limit["entity"] is not None else limit["limit"]
    if limit.get("of"):
        return f"{place}={-(-100 * limit['found'] // limit['of'])}%"
    return f"{place}={limit['found']}"


def total(limit: str, counts: dict[str, int]) -> int:
    """Of how many of an entity a limit may be a share."""
    if limit == "unresolved":
        return sum(count for name, count in counts.items() if name.endswith((".resolved", ".unresolved")))
    return counts["existing" if limit in ("updates", "deletes") else "records"]


def first_rejects(paths: list[str]) -> list[dict[str, Any]]:
    """The rejects among findings, so many as a run looks at to tell their reasons; their records where it is few."""
    rejects: list[dict[str, Any]] = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if not line.startswith('{ "kind": "reject"'):
                    continue
                if len(rejects) == MOST_REJECTS:
                    return rejects
                reject = json.loads(line)
                if len(rejects) >= MOST_RECORDS:
                    for name in ("record", "context"):
                        reject.pop(name, None)
                rejects.append(reject)
    return rejects


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
    refuse_odd(parts)
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


def refuse_odd(parts: str) -> None:
    """Refuses a file that is none of the feed beside others that are: where a run would take nothing for absent, a plan
    cannot do that."""
    files: dict[str, set[str]] = {}
    for manifest in manifests(parts):
        files.setdefault(manifest["source"], set()).add(manifest["file"])
    for manifest in manifests(parts):
        if "odd" in manifest and len(files[manifest["source"]]) > 1:
            raise Failure(DATA, f"{manifest['odd']}: run again once the file is right, or has been removed")


def empty_sources(plan: Plan, parts: str) -> list[str]:
    """Sources that give no record, and should, with what they hold instead."""
    records: dict[str, int] = {}
    instead: dict[str, str] = {}
    for manifest in manifests(parts):
        if "instead" in manifest:
            instead.setdefault(manifest["source"], f": {manifest['instead']}")
        total = sum(counts["records"] + counts["rejects"] for counts in manifest["entities"].values())
        records[manifest["source"]] = records.get(manifest["source"], 0) + total
    unknown = ' ("limits": { "records": 0 } allows that)'
    return [
        f"the source {source['name']} ({source['file']}) gives no record{instead.get(source['name'], unknown)}"
        for source in plan.head["sources"]
        if not source["mayBeEmpty"] and source["entities"] and records.get(source["name"], 0) == 0
    ]
