"""Files that take what a run puts out: the report, and the findings.

The rules are those of Sources/Posix/OutputFile.swift and Sources/Sluice/Run/OutputNames.swift: a file gets its new
bytes in one step, and its permissions stay; a pipe or a device is written in place; `-` is standard output; and nothing
that the run reads, or writes otherwise, is ever replaced.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from .failure import DEFINITION, IO_ERROR, UNCREATABLE, USAGE, Failure
from .files import cuts, is_pattern, look, matches, status_of
from .versions import version_number

STANDARD_OUTPUT = "-"
# How often a named pipe is tried that nobody reads, ten times a second.
ATTEMPTS = 10
# What the system has no room for, or fails to write.
BROKEN = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EPIPE, errno.EFBIG)


@dataclass(frozen=True)
class Output:
    """Where something goes; `role` is what it is to the user."""

    role: str
    path: str
    # Whether the definition names it, and not an option.
    is_defined: bool = False

    @property
    def name(self) -> str:
        return f"the {self.role} {self.path}"

    def failure(self, error: OSError) -> Failure:
        status = IO_ERROR if error.errno in BROKEN else UNCREATABLE
        return Failure(status, f"{self.name} cannot be written: {error.strerror}")

    def write(self, pieces: Iterable[str | bytes]) -> None:
        """Makes it of some files, by their paths, or of bytes."""
        try:
            if self.path == STANDARD_OUTPUT:
                sys.stdout.flush()
                copy(pieces, sys.stdout.buffer)
                sys.stdout.buffer.flush()
            elif (status := look(self.path)) is not None and not stat.S_ISREG(status.st_mode):
                self.write_in_place(pieces)
            else:
                self.replace(pieces, status)
        except OSError as error:
            raise self.failure(error) from error

    def write_in_place(self, pieces: Iterable[str | bytes]) -> None:
        for attempt in range(ATTEMPTS + 1):
            try:
                descriptor = os.open(self.path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                break
            except OSError as error:
                if error.errno != errno.ENXIO:
                    raise
                if attempt == ATTEMPTS:
                    raise Failure(UNCREATABLE, f"{self.name} cannot be written: nobody reads this pipe") from error
            time.sleep(0.1)
        os.set_blocking(descriptor, True)
        with os.fdopen(descriptor, "wb") as file:
            copy(pieces, file)

    def replace(self, pieces: Iterable[str | bytes], old: os.stat_result | None) -> None:
        if old is not None and not os.access(self.path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        path = os.path.realpath(self.path) if old is not None else self.path
        new = path + ".sluice-new"
        # What a run that died has left, or someone else has put there, is not written to.
        with suppress(FileNotFoundError):
            os.unlink(new)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            with os.fdopen(os.open(new, flags, 0o666), "wb") as file:
                if old is not None:
                    os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode))
                copy(pieces, file)
            os.rename(new, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(new)
            raise


def copy(pieces: Iterable[str | bytes], file: BinaryIO) -> None:
    for piece in pieces:
        if isinstance(piece, bytes):
            file.write(piece)
            continue
        with open(piece, "rb") as part:
            shutil.copyfileobj(part, file)


# What is never replaced


def identity(path: str) -> object:
    """The same for all names of one file, be it there or not."""
    status = status_of(path)
    return os.path.realpath(path) if status is None else (status.st_dev, status.st_ino)


def may_be_shared(path: str) -> bool:
    """Whether many may write to it at once: standard output, a pipe, a device."""
    if path == STANDARD_OUTPUT:
        return True
    status = status_of(path)
    return status is not None and not stat.S_ISREG(status.st_mode)


def check(outputs: list[Output], definition: str, state: str, feeds: list[str]) -> None:
    """Refuses outputs that would replace what the run reads, or one another."""
    for place, output in enumerate(outputs):
        if may_be_shared(output.path):
            continue
        if identity(output.path) == identity(definition):
            raise refusal(output, f"would replace the definition {definition}")
        for other in outputs[:place]:
            if identity(output.path) == identity(other.path):
                raise Failure(USAGE, f"{output.name} would replace {other.name}")
        if is_of_state(output.path, state):
            raise refusal(output, f"would be a part of the state {state}")
        for feed in feeds:
            check_feed(output, feed)
            for archive, _ in cuts(feed.encode()):
                if os.path.isfile(archive):
                    check_feed(output, archive.decode())


def is_of_state(path: str, state: str) -> bool:
    """Whether a path is that of something that runs make in a state."""
    below = os.path.relpath(os.path.realpath(path), os.path.realpath(state)).split(os.sep)
    return below[0] in ("CURRENT", "LOCK", "STATE") or version_number(below[0]) is not None or below[0] == "."


def check_state(state: str, feeds: list[str]) -> None:
    """Refuses a pattern that would take the files of the state for feeds, on the next run."""
    tables = ("report.json", "model.json", "files.json", "findings/findings.ndjson", "Entity/data.parquet")
    names = ["STATE", "LOCK", "CURRENT", *(f"v000001/{name}" for name in tables)]
    for feed in feeds:
        for name in names:
            try:
                check_feed(Output("state", os.path.join(state, name)), feed)
            except Failure as failure:
                said = f"the state {state} would be read as a feed: {feed} matches {name} in it"
                raise Failure(USAGE, f"{said}; name another folder with --state") from failure


def check_feed(output: Output, feed: str) -> None:
    """A file that a source would read, on this run or the next one."""
    # What looks like a pattern may be the name of a file.
    if identity(output.path) == identity(feed):
        raise refusal(output, f"would replace the feed {feed}")
    if not is_pattern(feed.encode()):
        return
    paths = {output.path, os.path.abspath(output.path), os.path.realpath(output.path)}
    patterns = {feed, os.path.join(os.path.realpath(os.getcwd()), feed), os.path.abspath(feed)}
    if any(matches(path.encode(), pattern.encode()) for path in paths for pattern in patterns):
        raise refusal(output, f"would be read as a feed: {feed} matches it")


def refusal(output: Output, what: str) -> Failure:
    return Failure(DEFINITION if output.is_defined else USAGE, f"{output.name} {what}")
