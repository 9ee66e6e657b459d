"""What is extracted, each part by itself, by a call of `sluice extract`."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, replace

from .failure import FORBIDDEN, MISSING, Failure
from .files import FeedFile, source_files
from .plan import Plan

# How files begin that are compressed, or a zip; those of pzstd begin with a frame that is to be skipped.
COMPRESSED = re.compile(rb"\x1f\x8b|\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18|\xfd7zXZ\x00|BZh|PK(\x03\x04|\x05\x06)")


@dataclass(frozen=True)
class Task:
    """A file, or the lines of a range of it: the first byte, and how many."""

    source: str
    file: FeedFile
    part: str
    range: tuple[int, int] | None

    def command(self, sluice: str, definition: str, parts: str) -> list[str]:
        words = [sluice, "extract", definition, "--to", parts, "--quiet"]
        words += ["--feed", f"{self.source}={self.file.feed}", "--part", self.part]
        if self.range is not None:
            words += ["--range", f"{self.range[0]}:{self.range[1]}"]
        return words

    @property
    def size(self) -> int:
        return self.range[1] if self.range else self.file.size

    def absolute(self) -> Task:
        return replace(self, file=self.file.absolute())


def part_name(source: int, file: int, number: int) -> str:
    return f"{source:03}-{file:06}-{number:08}"


def part_place(part: str) -> int:
    """The place of a part's file among those of its source."""
    return int(part.split("-")[1])


def may_be_cut(file: FeedFile) -> bool:
    """Whether the bytes of a file are those of its lines, as far as its beginning tells; a pipe is not looked into."""
    if file.member is not None:
        return False
    try:
        if not stat.S_ISREG(os.stat(file.file).st_mode):
            return False
        with open(file.file, "rb") as opened:
            return COMPRESSED.match(opened.read(6)) is None
    except OSError as error:
        status = FORBIDDEN if isinstance(error, PermissionError) else MISSING
        raise Failure(status, f"{file.name}: {error.strerror}") from error


def tasks(plan: Plan, range_size: int) -> list[Task]:
    found: list[Task] = []
    for index, source in enumerate(plan.head["sources"]):
        for place, file in enumerate(source_files(source["file"], source["mayBeEmpty"])):
            whole = Task(source["name"], file, part_name(index, place, 0), None)
            if not (source["lines"] and 0 < range_size < file.size and may_be_cut(file)):
                found.append(whole)
                continue
            found += [
                replace(whole, part=part_name(index, place, number), range=(first, range_size))
                for number, first in enumerate(range(0, file.size, range_size))
            ]
    return found
