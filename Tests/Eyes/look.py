"""What sluice reads and writes, looked at by programs that have nothing to do with it.

    look.py definitions SCHEMA < CASES     whether a JSON Schema library accepts what the reader of definitions accepts;
                                           a case is a line, {"text": DEFINITION, "accepted": BOOL}
    look.py pipelines SLUICE SCHEMAS FOLDER DEFINITION...
                                           two nights of each pipeline: the reports and findings, by their schemas and
                                           as strict JSON; the metrics, as Prometheus reads them; the pages, as HTML;
                                           the store, as SQLite's own shell writes it down; and the parts of `extract`,
                                           as Arrow and DuckDB read them

Each complaint is a line of standard output. `.ci/setup python` installs what is imported.
"""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import html5lib
import jsonschema
import pyarrow.parquet
import referencing
from prometheus_client.parser import text_string_to_metric_families

TEXT_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)


def without_comments(text: str) -> str:
    return TEXT_OR_COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)


def strict(text: str) -> Any:
    """JSON as RFC 8259 has it, and no key twice in an object."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) != len(pairs):
            raise ValueError(f"a key twice: {[key for key, _ in pairs]}")
        return dict(pairs)

    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, object_pairs_hook=members, parse_constant=refuse)


def validator(file: Path) -> Any:
    """A validator by a schema, which finds the others in its folder."""
    schemas = [json.loads(other.read_text()) for other in file.parent.glob("*.schema.json")]
    resources = [(schema["$id"], referencing.Resource.from_contents(schema)) for schema in schemas]
    schema = json.loads(file.read_text())
    cls = jsonschema.validators.validator_for(schema)
    cls.check_schema(schema)
    return cls(schema, registry=referencing.Registry().with_resources(resources))


def look_at_definitions(schema: Path) -> Iterator[str]:
    judge = validator(schema)
    for line in sys.stdin:
        case = json.loads(line)
        try:
            accepted = judge.is_valid(json.loads(without_comments(case["text"])))
        except json.JSONDecodeError as error:
            yield f"no JSON: {error}: {case['text']}"
            continue
        if accepted != case["accepted"]:
            yield f"{'accepted' if accepted else 'refused'} by the library only: {case['text']}"


def by_schema(what: str, values: list[Any], schema: Path) -> Iterator[str]:
    judge = validator(schema)
    for value in values:
        for error in judge.iter_errors(value):
            yield f"{what}: {error.json_path}: {error.message[:300]}"


def look_at_metrics(text: str, report: dict[str, Any]) -> Iterator[str]:
    """The metrics say of each entity what the report says."""
    values: dict[tuple[str, str], float] = {}
    families = list(text_string_to_metric_families(text))
    for family in families:
        if not family.documentation:
            yield f"metrics: {family.name} has no help"
        for sample in family.samples:
            key = (sample.name, json.dumps(sample.labels, sort_keys=True))
            if key in values:
                yield f"metrics: {key} twice"
            values[key] = sample.value
    if not families:
        yield "metrics: none"
    counted = {
        (sample.labels["entity"], sample.labels["outcome"]): sample.value
        for family in families
        for sample in family.samples
        if {"entity", "outcome"} <= sample.labels.keys()
    }
    for entity, counts in report.get("entities", {}).items():
        for outcome in ("created", "updated", "deleted"):
            if counted.get((entity, outcome), counts[outcome]) != counts[outcome]:
                yield f"metrics: {entity} {outcome} is {counted[entity, outcome]}, in the report {counts[outcome]}"


def look_at_page(file: Path) -> Iterator[str]:
    try:
        html5lib.HTMLParser(strict=True).parse(file.read_bytes())
    except html5lib.html5parser.ParseError as error:
        yield f"{file.name}: no HTML: {error}"


def contents(file: Path) -> dict[str, list[Any]]:
    """All rows of all tables, in order."""
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    names = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")]
    return {name: sorted(map(repr, database.execute(f'SELECT * FROM "{name}"'))) for name in names}


def look_at_store(file: Path, folder: Path) -> Iterator[str]:
    """The store is sound, and what SQLite's shell writes down of it as SQL makes the same store elsewhere.

    `.recover` would see more; it needs `sqlite_dbpage`, which Debian's library does not have.
    """
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
        yield f"{file.name}: integrity_check"
    if database.execute("PRAGMA foreign_key_check").fetchall():
        yield f"{file.name}: foreign_key_check"
    restored = folder / "restored.sqlite"
    restored.unlink(missing_ok=True)
    script = subprocess.run(["sqlite3", str(file), ".dump"], capture_output=True, text=True, check=True).stdout
    done = subprocess.run(
        ["sqlite3", "-bail", str(restored)], input=script, capture_output=True, text=True, check=False
    )
    if done.returncode != 0 or done.stderr:
        yield f"{file.name}: its dump is refused: {done.stderr}"
    before, after = contents(file), contents(restored)
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield f"{file.name}: {name} is another when it is restored"


def look_at_parts(folder: Path) -> Iterator[str]:
    """Arrow and DuckDB read the same."""
    files = sorted(folder.rglob("*.parquet"))
    if not files:
        yield "extract: no parts"
    for file in files:
        arrow = pyarrow.parquet.read_table(file)
        arrow.validate(full=True)
        other = duckdb.from_parquet(str(file)).to_arrow_table()
        if arrow.column_names != other.column_names:
            yield f"{file}: columns {arrow.column_names} and {other.column_names}"
        elif arrow.to_pylist() != other.to_pylist():
            yield f"{file}: Arrow and DuckDB read other values"


def look_at_pipeline(sluice: str, definition: str, schemas: Path, folder: Path) -> Iterator[str]:
    store = folder / "store.sqlite"

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sluice, *words], capture_output=True, text=True, check=False)

    definitions = [strict(without_comments(Path(definition).read_text()))]
    yield from by_schema(definition, definitions, schemas / "pipeline.schema.json")
    for night in ("first", "second"):
        findings, metrics, page = (folder / f"{night}.{name}" for name in ("ndjson", "prom", "html"))
        done = run(
            *("run", definition, "--store", str(store), "--format", "json", "--log", "json", "--force"),
            *("--findings", str(findings), "--metrics", str(metrics), "--report", str(page)),
        )
        if done.returncode != 0:
            yield f"{definition}: {done.returncode} {done.stderr}"
            return
        report = strict(done.stdout)
        yield from by_schema("report", [report], schemas / "report.schema.json")
        lines = [strict(line) for line in findings.read_text().splitlines()]
        yield from by_schema("finding", lines, schemas / "finding.schema.json")
        for line in done.stderr.splitlines():
            strict(line)
        yield from look_at_metrics(metrics.read_text(), report)
        yield from look_at_page(page)
        yield from look_at_store(store, folder)
    strict(run("runs", definition, "--store", str(store), "--format", "json").stdout)
    runs = folder / "runs.html"
    done = run("runs", definition, "--store", str(store), "--report", str(runs))
    if runs.exists():
        yield from look_at_page(runs)
    done = run("extract", definition, "--to", str(folder / "parts"))
    if done.returncode == 64 and "one file makes a part" in done.stderr:
        return
    if done.returncode != 0:
        yield f"extract {definition}: {done.returncode} {done.stderr}"
        return
    yield from look_at_parts(folder / "parts")


def look_at_pipelines(sluice: str, definitions: list[str], schemas: Path, folder: Path) -> Iterator[str]:
    for number, definition in enumerate(definitions):
        own = folder / str(number)
        own.mkdir()
        yield from look_at_pipeline(sluice, definition, schemas, own)


def main() -> int:
    match sys.argv[1:]:
        case ["definitions", schema]:
            complaints = look_at_definitions(Path(schema))
        case ["pipelines", sluice, schemas, folder, *definitions]:
            complaints = look_at_pipelines(sluice, definitions, Path(schemas), Path(folder))
        case _:
            sys.exit(__doc__)
    count = 0
    for count, complaint in enumerate(complaints, 1):  # noqa: B007
        print(complaint)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
