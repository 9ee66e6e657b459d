"""What is extracted, each part by itself, by a call of `sluice extract`."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass, replace

from .calls import call
from .failure import DATA, FORBIDDEN, MISSING, USAGE, Failure
from .files import FeedFile, source_files
from .plan import Plan

# How files begin that are compressed, or a zip; those of pzstd begin with a frame that is to be skipped.
COMPRESSED = re.compile(rb"\x1f\x8b|\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18|\xfd7zXZ\x00|BZh|PK(\x03\x04|\x05\x06)")
PLACE = re.compile(r"[0-9]+:[0-9]+: ")


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


def tasks(plan: Plan, range_size: int, has_ranges: Callable[[Task], bool]) -> list[Task]:
    """All that is to be extracted; `has_ranges` is asked once for each source, with a range of one of its files."""
    found: list[Task] = []
    for index, source in enumerate(plan.head["sources"]):
        is_cut: bool | None = None
        for place, file in enumerate(source_files(source["file"], source["mayBeEmpty"])):
            whole = Task(source["name"], file, part_name(index, place, 0), None)
            if not (source["lines"] and 0 < range_size < file.size and may_be_cut(file)):
                found.append(whole)
                continue
            if is_cut is None:
                is_cut = has_ranges(replace(whole, range=(0, 1)))
            starts = range(0, file.size, range_size) if is_cut else []
            pieces = [
                replace(whole, part=part_name(index, place, number), range=(first, range_size))
                for number, first in enumerate(starts)
            ]
            found += pieces or [whole]
    return found


def ranges(sluice: str, definition: str, folder: str) -> Callable[[Task], bool]:
    """Whether `sluice extract` takes a range. A plan says that a feed is one of lines, but not what its encoding is."""

    def has_ranges(task: Task) -> bool:
        # What else may be wrong, the extraction tells.
        return call(task.command(sluice, definition, folder), {})[0] != USAGE

    return has_ranges


def explained(failure: Failure, plan: Plan, found: list[Task]) -> Failure:
    """Says of a line that is no record why a limit does not help."""
    if failure.status != DATA:
        return failure
    of_lines = {source["name"] for source in plan.head["sources"] if source["lines"]}
    for task in found:
        names = (task.file.name, task.file.absolute().name)
        told = next((name for name in names if str(failure).startswith(f"sluice: {name}:")), None)
        if task.source in of_lines and told and PLACE.match(str(failure), len(f"sluice: {told}:")):
            said = 'a line that is no record ends a run by a plan, whatever "limits": { "rejects" } allows'
            return Failure(DATA, f"{failure} ({said})")
    return failure
