"""What is extracted, each part by itself, by a call of `sluice extract`."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass

from .failure import FORBIDDEN, MISSING, Failure
from .plan import Plan

COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00", b"BZh", b"PK\x03\x04")


@dataclass(frozen=True)
class Task:
    """A file, or the lines of a range of it: the first byte, and how many."""

    source: str
    file: str
    part: str
    range: tuple[int, int] | None

    def command(self, sluice: str, definition: str, parts: str) -> list[str]:
        words = [sluice, "extract", definition, "--to", parts, "--quiet"]
        words += ["--feed", f"{self.source}={self.file}", "--part", self.part]
        if self.range is not None:
            words += ["--range", f"{self.range[0]}:{self.range[1]}"]
        return words


def part_name(source: int, file: int, number: int) -> str:
    return f"{source:03}-{file:06}-{number:08}"


def part_place(part: str) -> int:
    """The place of a part's file among those of its source."""
    return int(part.split("-")[1])


def source_files(pattern: str) -> list[str]:
    """The files of a source, in the order of a run."""
    if os.path.exists(pattern) or not glob.has_magic(pattern):
        if not os.path.exists(pattern):
            raise Failure(MISSING, f"there is no file {pattern}")
        return [pattern]
    found = sorted(glob.glob(pattern), key=os.fsencode)
    if not found:
        raise Failure(MISSING, f"no file matches {pattern}")
    return found


def is_compressed(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(6).startswith(COMPRESSED)


def tasks(plan: Plan, range_size: int) -> list[Task]:
    found: list[Task] = []
    for index, source in enumerate(plan.head["sources"]):
        for place, path in enumerate(source_files(source["file"])):
            try:
                size = os.path.getsize(path)
                is_cut = source["lines"] and 0 < range_size < size and not is_compressed(path)
            except OSError as error:
                status = FORBIDDEN if isinstance(error, PermissionError) else MISSING
                raise Failure(status, f"{path}: {error.strerror}") from error
            ranges = [(first, range_size) for first in range(0, size, range_size)] if is_cut else [None]
            for number, piece in enumerate(ranges):
                found.append(Task(source["name"], path, part_name(index, place, number), piece))
    return found
