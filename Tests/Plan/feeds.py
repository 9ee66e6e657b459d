"""Makes scenes of real feeds, two nights each, for compare.py and cluster.py, which run them on engines.

    feeds.py SLUICE FOLDER [FEED]...   FEED is a name below; those whose files are not here are left out, and told
    compare.py FOLDER                  on DuckDB
    cluster.py MASTER 0 SLUICE FOLDER  on Spark

What a plan refuses is told, and left out where it is a relationship. Where there is only one night, the second is made
from it: records go, come twice and change places, values change, are null or lack. FEEDS is the folder of the shared
feeds (default: ../shared/feeds).
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FEEDS = os.path.abspath(os.environ.get("FEEDS", os.path.join(ROOT, "../shared/feeds")))
# Definitions, with the nights of those that have several.
DEFINITIONS: dict[str, tuple[str, list[str]]] = {
    "attack": (
        "Tests/EndToEndTests/Definitions/attack.jsonc",
        ["attack-nights/2025-04-21", "attack-nights/2025-11-13"],
    ),
    "caniuse": (
        "Tests/EndToEndTests/Definitions/caniuse.jsonc",
        ["caniuse-nights/2015-04-14", "caniuse-nights/2018-06-04"],
    ),
    "congress": ("Tests/EndToEndTests/Definitions/congress.jsonc", []),
    "openflights": ("Tests/EndToEndTests/Definitions/openflights.jsonc", []),
    "tate": ("Tests/EndToEndTests/Definitions/tate.jsonc", []),
    "vbb": ("Tests/EndToEndTests/Definitions/vbb.jsonc", []),
    "bicycles": ("Benchmarks/drafts/bicycles.jsonc", []),
    "earthquakes": ("Benchmarks/drafts/earthquakes.jsonc", []),
    "github-issues": ("Benchmarks/drafts/github-issues.jsonc", []),
    "iso-4217": ("Benchmarks/drafts/iso-4217.jsonc", []),
    "iso-639": ("Benchmarks/drafts/iso-639.jsonc", []),
    "npm-package": ("Benchmarks/drafts/npm-package.jsonc", []),
    "wikidata": ("Benchmarks/drafts/wikidata.jsonc", []),
    "berlin-transit": ("Pipelines/berlin-transit.jsonc", []),
    "instruments": ("Pipelines/instruments.jsonc", []),
    "iso-3166": ("Pipelines/iso-3166.jsonc", []),
}


def definition(path: str, environment: dict[str, str]) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # Texts stay; comments, and commas before a bracket, go.
    bare = re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda found: found[1] or "", text, flags=re.DOTALL)
    bare = re.sub(r'("(?:\\.|[^"\\])*")|,(?=\s*[\]}])', lambda found: found[1] or "", bare)

    def value(found: re.Match[str]) -> str:
        return environment.get(found[1], found[2] or "")

    return dict(json.loads(re.sub(r"\$\{(\w+)(?::-([^}]*))?\}", value, bare)))


def sources(described: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return dict(described["sources"]) if "sources" in described else {"main": described["source"]}


def content(path: str) -> bytes:
    if path.endswith(".zst"):
        return subprocess.run(["zstd", "-dcq", path], capture_output=True, check=True).stdout
    with open(path, "rb") as file:
        return file.read()


class Night:
    """What becomes of a feed until the next night."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def happens(self, times: int) -> bool:
        """That many times in a thousand."""
        return self.random.random() * 1000 < times

    def changed(self, value: Any) -> Any:
        if isinstance(value, dict):
            kept = {key: member for key, member in value.items() if not self.happens(3)}
            return {key: None if self.happens(2) else self.changed(member) for key, member in kept.items()}
        if isinstance(value, list):
            return list(self.elements(value))
        if isinstance(value, str) and self.happens(4):
            return value[:-1] + "?"
        if isinstance(value, int) and not isinstance(value, bool) and self.happens(4):
            return value + 1
        return value

    def elements(self, values: list[Any]) -> Iterator[Any]:
        later: list[Any] = []
        for value in values:
            if self.happens(20):
                continue
            if self.happens(10):
                later.append(value)
                if self.happens(500):
                    continue
            yield self.changed(value)
        yield from (self.changed(value) for value in later)

    def feed(self, data: bytes, is_lines: bool) -> bytes:
        if not is_lines:
            return json.dumps(self.changed(json.loads(data)), ensure_ascii=False).encode()
        values = [json.loads(line) for line in data.splitlines() if line.strip()]
        return b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in self.elements(values))


def is_planned(relationship: dict[str, Any]) -> bool:
    """References by identifiers are."""
    targets = relationship["to"] if isinstance(relationship["to"], list) else [relationship["to"]]
    return "by" not in relationship and all(isinstance(target, str) for target in targets)


class Scene:
    def __init__(self, sluice: str, folder: str, name: str) -> None:
        self.sluice = sluice
        self.folder = os.path.join(folder, name)
        self.name = name
        self.store = os.path.join(self.folder, "store.sqlite")

    def make(self) -> None:
        path, nights = DEFINITIONS[self.name]
        shutil.rmtree(self.folder, ignore_errors=True)
        environment = {"FEEDS": FEEDS, "STORE": self.store, "FEED": "feed.json"}
        refusal = self.call(["plan", os.path.join(ROOT, path), "--dialect", "duckdb"], {0, 78}, environment).stderr
        if refusal:
            print(f"{self.name}: {refusal.strip()}")
        for number in (1, 2):
            night = os.path.join(FEEDS, nights[number - 1] + ".json.zst") if nights else ""
            described = definition(os.path.join(ROOT, path), environment | {"FEED": night})
            described["store"] = {"sqlite": self.store}
            for entity in described["entities"].values():
                related = entity.get("relationships", {})
                entity["relationships"] = {key: value for key, value in related.items() if is_planned(value)}
            # Feeds that were changed by chance would exceed them.
            described["limits"] = dict.fromkeys(["rejects", "unresolved", "duplicates", "deletes", "missing"])
            for name, source in sources(described).items():
                place = os.path.join(os.path.dirname(os.path.join(ROOT, path)), source["file"])
                source["file"] = self.feed(place, number, name, source, bool(nights))
            self.run(number, described)

    def feed(self, path: str, number: int, name: str, source: dict[str, Any], has_nights: bool) -> str:
        """The file of a source in a night."""
        base = os.path.basename(path).removesuffix(".zst")
        inputs = os.path.join(self.folder, f"inputs{number}")
        os.makedirs(inputs, exist_ok=True)
        made = os.path.join(inputs, base)
        data = content(path)
        if number == 2 and not has_nights:
            is_lines = source.get("format") == "lines" or base.endswith(".ndjson")
            data = Night(f"{self.name} {name}").feed(data, is_lines)
        with open(made, "wb") as file:
            file.write(data)
        return made

    def run(self, number: int, described: dict[str, Any]) -> None:
        inputs = os.path.join(self.folder, f"inputs{number}")
        path = os.path.join(inputs, "scene.definition")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(described, file)
        plan = self.call(["plan", path, "--dialect", "duckdb"], {0})
        with open(os.path.join(self.folder, f"plan{number}.ndjson"), "w", encoding="utf-8") as file:
            file.write(plan.stdout)
        told = [
            "--report",
            f"{self.folder}/report{number}.json",
            "--findings",
            f"{self.folder}/findings{number}.ndjson",
        ]
        ran = self.call(["run", path, "--force", "--quiet", *told], {0, 65})
        if ran.returncode == 0:
            shutil.copyfile(self.store, os.path.join(self.folder, f"store{number}.sqlite"))
        for place, (name, source) in enumerate(sources(described).items()):
            part = ["--part", f"{place:03}-000000-00000000", "--to", os.path.join(self.folder, f"parts{number}")]
            self.call(["extract", path, "--quiet", "--feed", f"{name}={source['file']}", *part], {0})

    def call(
        self, words: list[str], allowed: set[int], environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        variables = os.environ | (environment or {})
        done = subprocess.run([self.sluice, *words], env=variables, capture_output=True, text=True, check=False)
        if done.returncode not in allowed:
            raise SystemExit(f"{self.name}: sluice {words[0]} ended with {done.returncode}: {done.stderr}")
        return done


def main() -> None:
    sluice, folder, *names = sys.argv[1:]
    for name in names or DEFINITIONS:
        try:
            Scene(sluice, os.path.abspath(folder), name).make()
        except FileNotFoundError as error:
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
            print(f"{name} is left out: {error}")


if __name__ == "__main__":
    main()
