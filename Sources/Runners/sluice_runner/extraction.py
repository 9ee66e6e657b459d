"""What is extracted, each part by itself, by a call of `sluice extract`."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from .failure import DATA, FORBIDDEN, MISSING, Failure
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


def refuse_empty(files: list[FeedFile]) -> None:
    """Refuses a table without any bytes: where a run would take nothing for absent, a plan cannot do that."""
    for file in files:
        with suppress(OSError):
            status = os.stat(file.file)
            if file.member is None and stat.S_ISREG(status.st_mode) and status.st_size == 0:
                said = f"{file.name} is empty, and lacks the header of a table, as one that is still being written"
                raise Failure(DATA, f"{said}: run again once it is there, or has been removed")


def tasks(plan: Plan, range_size: int, whole: frozenset[str] = frozenset()) -> list[Task]:
    """All that is to be extracted; of the sources in `whole`, no file is cut."""
    found: list[Task] = []
    for index, source in enumerate(plan.head["sources"]):
        may_cut = source["ranges"] and source["name"] not in whole
        files = source_files(source["file"], source["mayBeEmpty"])
        if source["needsHeader"] and len(files) > 1:
            refuse_empty(files)
        for place, file in enumerate(files):
            task = Task(source["name"], file, part_name(index, place, 0), None)
            if not (may_cut and 0 < range_size < file.size and may_be_cut(file)):
                found.append(task)
                continue
            for number, first in enumerate(range(0, file.size, range_size)):
                found.append(replace(task, part=part_name(index, place, number), range=(first, range_size)))
    return found


def extract(
    plan: Plan, range_size: int, perform: Callable[[list[Task]], None], again: Callable[[], None]
) -> list[Task]:
    """Extracts all. A range refuses a line that is no value, as that may be a part of one that has several lines: where
    such lines are rejects, the files are read once more as a whole, after a call of `again`."""
    found = tasks(plan, range_size)
    try:
        perform(found)
    except Failure as failure:
        rejecting = {source["name"] for source in plan.head["sources"] if source["rejectsLines"]}
        cut = frozenset(task.source for task in found if task.range is not None and task.source in rejecting)
        if failure.status != DATA or not cut:
            raise
        again()
        found = tasks(plan, range_size, cut)
        perform(found)
    return found
