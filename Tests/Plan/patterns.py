"""Compares the files that runners find with those that `sluice run` reads: random folders, archives and patterns.

    patterns.py SLUICE FOLDER [FIRST LAST]   folders and patterns of the seeds FIRST to LAST, made in FOLDER

Prints what is not equal. It finds the modules of runners by PYTHONPATH.
"""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass, field

import pyarrow.parquet
from sluice_runner import libraries
from sluice_runner.extraction import Task
from sluice_runner.failure import Failure
from sluice_runner.files import source_files

FOLDERS = ["a", "b", "ab", ".h", "[a]", "ä", "a.tar.d", "a\\b", "A b"]
FILES = [
    "a.json",
    "b.json",
    "ab.json",
    ".h.json",
    "[a].json",
    "x*.json",
    "ä.json",
    "a\\b.json",
    "B.json",
    "0",
    "-.json",
]
ARCHIVES = ["a.zip", "b.zip", "z", "a.tar", "a.tgz", "b.tar.gz", "[a].zip", "ä.zip"]
NAMES = ["*", "?.json", "*.json", "a*", "[^b]*", "[!b]*", "[a-b].json", "[[:upper:]]*", "[[]a]*", "?*", ".*", "**"]
NAMES += [
    "*b*",
    "x\\*.json",
    "[[]*",
    "??.json",
    "[]a]*",
    "[a",
    "a\\\\b*",
    "[^[:alpha:]]*",
    "*.zip",
    "*.t*",
    "***",
    "a**",
]
LEFT = [FOLDERS, FILES, ARCHIVES]


@dataclass
class Scene:
    """A folder by its seed."""

    random: random.Random
    root: str
    # Paths that are there, those in archives too.
    paths: list[str] = field(default_factory=list)
    records: int = 0

    def record(self) -> bytes:
        self.records += 1
        return json.dumps({"i": self.records}).encode() + b"\n"

    def fill(self, folder: str, depth: int) -> None:
        for name in self.some(FILES, 4):
            self.put(os.path.join(folder, name), self.record())
        for name in self.some(ARCHIVES, 2):
            self.pack(os.path.join(folder, name))
        for name in self.some(FOLDERS, 3) if depth else []:
            below = os.path.join(folder, name)
            os.mkdir(os.path.join(self.root, below))
            self.fill(below, depth - 1)
        self.add_odd(folder)

    def some(self, names: list[str], most: int) -> list[str]:
        return self.random.sample(names, self.random.randrange(most + 1))

    def put(self, path: str, data: bytes) -> None:
        with open(os.path.join(self.root, path), "wb") as file:
            file.write(data)
        self.paths.append(path)

    def pack(self, path: str) -> None:
        """An archive, a zip or a tar by its name, or either."""
        members = self.some(FILES, 4) + [f"{self.random.choice(FOLDERS)}/{name}" for name in self.some(FILES, 2)]
        if self.random.randrange(6) == 0:
            members.append("__MACOSX/a.json")
        data = io.BytesIO()
        if path.endswith(".zip") or not path.endswith((".tar", ".tgz", ".gz")) and self.random.randrange(2):
            with zipfile.ZipFile(data, "w") as made:
                for member in members:
                    made.writestr(member, self.record())
        else:
            with tarfile.open(fileobj=data, mode="w:gz" if path.endswith("gz") else "w") as packed:
                for member in members:
                    content = self.record()
                    entry = tarfile.TarInfo(self.random.choice(["", "./"]) + member)
                    entry.size = len(content)
                    packed.addfile(entry, io.BytesIO(content))
        self.put(path, data.getvalue())
        self.paths += [f"{path}/{member}" for member in members]

    def add_odd(self, folder: str) -> None:
        """What is no file, and names that are no text."""
        below = os.path.join(self.root, folder)
        odd = self.random.randrange(12)
        if odd == 0:
            self.link(os.path.join(below, "dangling.json"), "nowhere")
        elif odd == 1:
            self.link(os.path.join(below, "link.json"), "a.json")
        elif odd == 2:
            self.link(os.path.join(below, "link"), self.random.choice([".", "..", "a", "b"]))
        elif odd == 3:
            os.makedirs(os.path.join(below, "folder.json"), exist_ok=True)
        elif odd == 4 and self.random.randrange(6) == 0:
            with open(os.fsencode(below) + b"/\xff.json", "wb") as file:
                file.write(self.record())
        elif odd == 5 and self.random.randrange(6) == 0:
            os.mkdir(os.fsencode(below) + b"/\xff")
        elif odd == 6:
            self.link(os.path.join(below, "loop.json"), "loop.json")

    def link(self, path: str, target: str) -> None:
        if not os.path.lexists(path):
            os.symlink(target, path)

    def pattern(self) -> str:
        """Of a path that is there, mostly, with some of its names made into patterns."""
        path = self.random.choice(self.paths or ["a"])
        parts = path.split("/")
        for place, part in enumerate(parts):
            chance = self.random.randrange(8)
            if chance < 4:
                # Most patterns are to match something.
                names = [name for name in NAMES if libraries.matches(part.encode(), name.encode())]
                parts[place] = self.random.choice(names if names and chance else NAMES)
            elif chance == 4 and len(part) > 1:
                cut = self.random.randrange(1, len(part))
                parts[place] = part[:cut] + "*"
            elif chance == 5:
                parts[place] = self.random.choice(self.random.choice(LEFT))
        if self.random.randrange(4) == 0:
            parts.insert(self.random.randrange(len(parts) + 1), "**")
        if self.random.randrange(8) == 0:
            parts = parts[: self.random.randrange(1, len(parts) + 1)]
        return "/".join(parts)


@dataclass
class Case:
    """A pattern in a scene."""

    sluice: str
    root: str
    pattern: str
    may_be_empty: bool

    def differences(self) -> list[str]:
        definition = os.path.join(self.root, "case.jsonc")
        store = os.path.join(self.root, "case.sqlite")
        with open(definition, "w", encoding="utf-8") as file:
            json.dump(
                {
                    "source": {"file": self.pattern, "format": "lines"},
                    "store": {"sqlite": "case.sqlite"},
                    "limits": {"records": 0} if self.may_be_empty else {},
                    "entities": {"R": {"records": "$", "identifier": "i", "attributes": {"i": "integer"}}},
                },
                file,
            )
        status, said = self.call("run", definition, "--quiet")
        # A version that was refused is there, without tables.
        read = self.stored(store) if status == 0 else []
        for ending in ("", "-wal", "-shm", ".sluice-lock"):
            if os.path.exists(store + ending):
                os.unlink(store + ending)
        found, found_status, found_said = self.found(definition)
        if status != found_status:
            return [f"a run ends with {status} ({said}), a runner with {found_status} ({found_said})"]
        return [f"a run reads {read}, a runner {found}"] if status == 0 and read != found else []

    def call(self, *words: str) -> tuple[int, str]:
        done = subprocess.run([self.sluice, *words], capture_output=True, text=True, errors="replace", check=False)
        return done.returncode, done.stderr.strip()

    def stored(self, store: str) -> list[int]:
        """The records in the order in which they came."""
        with sqlite3.connect(store) as connection:
            rows = connection.execute("SELECT i FROM R ORDER BY objectID").fetchall()
        connection.close()
        return [row[0] for row in rows]

    def found(self, definition: str) -> tuple[list[int], int, str]:
        """The records of the files that a runner finds, as `sluice extract` reads them; or its status, and why."""
        parts = os.path.join(self.root, "case.parts")
        records: dict[int, None] = {}
        try:
            files = source_files(os.path.join(self.root, self.pattern), self.may_be_empty)
            for file in files:
                task = Task("main", file, "part", None)
                status, said = self.call(*task.command("", definition, parts)[1:])
                if status != 0:
                    return [], status, said
                with open(os.path.join(parts, "manifest", "part.json"), encoding="utf-8") as manifest:
                    name = json.load(manifest)["file"]
                if name != file.name:
                    return [], -1, f"{file.name} is read as {name}"
                columns = pyarrow.parquet.read_table(os.path.join(parts, "R", "part.parquet"), columns=["i"])
                records.update(dict.fromkeys(columns["i"].to_pylist()))
                shutil.rmtree(parts)
            if not records and not self.may_be_empty:
                return [], 65, "there is no record"
        except Failure as failure:
            return [], failure.status, str(failure)
        finally:
            shutil.rmtree(parts, ignore_errors=True)
        return list(records), 0, ""


def main() -> int:
    sluice, folder = sys.argv[1:3]
    first, last = (int(word) for word in sys.argv[3:5]) if len(sys.argv) > 3 else (1, 20)
    complaints = 0
    for seed in range(first, last + 1):
        root = os.path.join(folder, f"seed-{seed}")
        scene = Scene(random.Random(seed), os.path.join(root, "in"))
        os.makedirs(scene.root)
        scene.fill("", 2)
        for number in range(12):
            pattern = "in/" + scene.pattern()
            case = Case(sluice, root, pattern, scene.random.randrange(4) == 0)
            for difference in case.differences():
                print(f"seed {seed}, pattern {number}, {pattern}: {difference}")
                complaints += 1
        if not complaints:
            shutil.rmtree(root)
    return min(complaints, 1)


if __name__ == "__main__":
    sys.exit(main())
