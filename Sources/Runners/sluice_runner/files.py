"""Which files a path or a pattern names: those that `sluice run` reads.

The rules are those of Sources/Posix/PathPattern.swift, Sources/Extract/Bytes/Glob.swift and Archives/FeedPath.swift, in
their order; Tests/Plan/patterns.py compares. Paths are bytes here, as they are in those.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from . import libraries
from .failure import DATA, FORBIDDEN, IO_ERROR, MISSING, Failure

MARKS = b"*?["
FOLDERS = b"**"
# Errors of paths that lead to nothing.
NOWHERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


@dataclass(frozen=True)
class FeedFile:
    """A file of a source, or one that an archive holds."""

    file: str
    # Its path in the archive; None: it is the file.
    member: str | None
    # Bytes; 0: nobody knows, as of a pipe.
    size: int

    @property
    def name(self) -> str:
        """As findings have it."""
        return self.file if self.member is None else f"{self.file}/{self.member}"

    @property
    def feed(self) -> str:
        """As `--feed` takes it: what is there is no pattern, but what is in an archive may be one."""
        return self.file if self.member is None else f"{self.file}/{escaped(self.member.encode()).decode()}"

    def absolute(self) -> FeedFile:
        return replace(self, file=os.path.abspath(self.file))


def source_files(pattern: str, may_be_empty: bool) -> list[FeedFile]:
    """The files of a source, in the order of a run; `may_be_empty`: an archive need not hold any."""
    found = expand(pattern)
    in_archive = not found and is_in_archive(pattern.encode())
    if found or (in_archive and may_be_empty):
        return found
    place = ": the archive holds none of that name" if in_archive else ""
    raise Failure(MISSING, f"no file matches {pattern}{place}")


def expand(pattern: str) -> list[FeedFile]:
    """Likewise, or none where a pattern has no match; what matches and cannot be read is refused."""
    path = pattern.encode()
    try:
        if (status := look(path)) is not None and not is_matched_by_itself(path):
            return [FeedFile(pattern, None, size(status))]
    except OSError as error:
        # It may be in an archive, or be a pattern.
        code = error.errno or errno.EIO
    else:
        code = errno.ENOENT
    members = expand_members(path)
    found = members or []
    if is_pattern(path):
        found += expand_files(path)
    elif members is None:
        raise failure("read", path, code)
    return sorted(found, key=lambda file: file.name.encode())


def expand_files(pattern: bytes) -> list[FeedFile]:
    """The files of folders that match, whatever they are but folders; a link that leads nowhere is refused."""
    found = []
    for path in sorted(matching(pattern)):
        try:
            status = os.stat(path)
        except OSError as error:
            # What has gone meanwhile is none.
            if os.path.lexists(path):
                raise failure("read", path, error.errno) from error
            continue
        if not stat.S_ISDIR(status.st_mode):
            found.append(FeedFile(path.decode(), None, size(status)))
    return found


def expand_members(pattern: bytes) -> list[FeedFile] | None:
    """The files of archives that match: `feeds/*.zip/stop*.txt`. None: what is before no slash is an archive."""
    for archives, members in cuts(pattern):
        # A pattern of folders (`*/*.json`) may meet files, which need not be archives.
        may_be_others = is_pattern(archives)
        found, has_archives = [], False
        for archive in regular_files(archives):
            if may_be_others and not is_like_archive(archive):
                continue
            has_archives = True
            for path, count in held(archive):
                if path == members or matches(path, members):
                    if count is None:
                        raise link_failure(path, archive)
                    found.append(FeedFile(archive.decode(), text_of(path, archive, members), count))
        if has_archives:
            return found
    return None


def is_in_archive(pattern: bytes) -> bool:
    """Whether a path or a pattern is of files that archives hold, which are there."""
    for archives, _ in cuts(pattern):
        with suppress(Failure):
            if regular_files(archives):
                return True
    return False


def link_failure(path: bytes, archive: bytes) -> Failure:
    said = f"{archive.decode()}/{path.decode(errors='replace')} is a link, and those of archives are not followed"
    return Failure(DATA, f"{said}: name the file to which it leads")


def held(archive: bytes) -> list[tuple[bytes, int | None]]:
    """What an archive holds, but for what the archiver of macOS puts beside each file; links with None."""
    name = archive.decode()
    try:
        with open(archive, "rb"):
            pass
    except OSError as error:
        raise failure("opened", archive, error.errno) from error
    found = sorted(
        (file for file in libraries.archive_files(name) if not file[0].startswith(b"__MACOSX/")),
        key=lambda file: file[0],
    )
    for (path, count), (following, next_count) in zip(found, found[1:], strict=False):
        if path == following and count is not None and next_count is not None:
            raise Failure(DATA, f"{name} holds {path.decode(errors='replace')} twice")
    return found


def text_of(path: bytes, archive: bytes, members: bytes) -> str:
    try:
        return path.decode()
    except UnicodeDecodeError as error:
        said = f"a file in {archive.decode()} matches {members.decode()}, but its name is not UTF-8: it cannot be read"
        raise Failure(MISSING, said) from error


def regular_files(pattern: bytes) -> list[bytes]:
    status = status_of(pattern)
    if status is not None and not is_matched_by_itself(pattern):
        return [pattern] if stat.S_ISREG(status.st_mode) else []
    if not is_pattern(pattern):
        return []
    there = ((path, status_of(path)) for path in matching(pattern))
    return sorted(path for path, status in there if status is not None and stat.S_ISREG(status.st_mode))


def is_like_archive(path: bytes) -> bool:
    """Whether a file is an archive by its name, or by its beginning."""
    name = path.lower()
    if name.endswith((b".zip", b".tar", b".tgz")) or b".tar." in name:
        return True
    try:
        with open(path, "rb") as file:
            beginning = file.read(512)
    except OSError as error:
        raise failure("opened", path, error.errno) from error
    # What tells a tar, behind the first header's name and numbers.
    return beginning.startswith((b"PK\x03\x04", b"PK\x05\x06")) or beginning[257:].startswith(b"ustar")


def cuts(path: bytes) -> Iterator[tuple[bytes, bytes]]:
    """A path in two, at each of its slashes, from the last to the first."""
    for index in range(len(path) - 2, 0, -1):
        if path[index : index + 1] == b"/":
            yield path[:index], path[index + 1 :]


# Patterns


def is_pattern(path: bytes) -> bool:
    return any(mark in MARKS for mark in path)


def escaped(path: bytes) -> bytes:
    """A path as a pattern that matches nothing else."""
    return b"".join(b"\\" + bytes([byte]) if byte in b"*?[\\" else bytes([byte]) for byte in path)


def matches(path: bytes, pattern: bytes) -> bool:
    """Whether a path matches a pattern; `**` as a whole name is any number of folders, none of them hidden."""
    parts = pattern.split(b"/")
    if FOLDERS not in parts:
        return libraries.matches(path, pattern)
    # At the end, it is of all files in the folders.
    return names_match(path.split(b"/"), parts + ([b"*"] if parts[-1] == FOLDERS else []))


def names_match(names: list[bytes], parts: list[bytes]) -> bool:
    if not parts or not names:
        return not parts and not names
    if parts[0] != FOLDERS:
        return libraries.matches(names[0], parts[0]) and names_match(names[1:], parts[1:])
    if names_match(names, parts[1:]):
        return True
    return not names[0].startswith(b".") and len(names) > 1 and names_match(names[1:], parts)


def matching(pattern: bytes) -> set[bytes]:
    """All that matches, folders too."""
    parts = pattern.split(b"/")
    if FOLDERS not in parts:
        return set(glob(pattern))
    place = parts.index(FOLDERS)
    start = b"/" if place == 1 and not parts[0] else b"/".join(parts[:place])
    rest = b"/".join(parts[place + 1 :]) if place + 1 < len(parts) else b"*"
    found: set[bytes] = set()
    for folder in glob(start) if is_pattern(start) else [start]:
        if not folder or is_folder(folder):
            for below in folders_below(folder):
                found |= matching(escaped(below) + rest)
    return found


def is_matched_by_itself(pattern: bytes) -> bool:
    """Whether a file that is called as the pattern is one of those that it matches."""
    return is_pattern(pattern) and matches(pattern, pattern)


def glob(pattern: bytes) -> list[bytes]:
    """All that matches a pattern without `**`: glob(3) passes over a path behind one that it may not look at."""
    names = pattern.split(b"/")
    paths, plain = [b""], b""
    for index, name in enumerate(names):
        end = b"/" if index + 1 < len(names) else b""
        if not is_pattern(name) and b"\\" not in name:
            plain += name + end
            continue
        parts = [escaped(path) + plain + name for path in paths]
        paths, plain = [path + end for part in parts for path in glob_in_folder(part, bool(end))], b""
    if names and not is_pattern(names[-1]) and b"\\" not in names[-1]:
        return [path + plain for path in paths if is_there(path + plain)]
    return paths


def is_there(path: bytes) -> bool:
    """Whether a path leads to something; refused where the system does not say."""
    try:
        os.lstat(path)
    except OSError as error:
        # A link that leads to itself leads nowhere.
        if error.errno in NOWHERE:
            return False
        raise failure("read", path, error.errno) from error
    return True


def may_be_folder(path: bytes) -> bool:
    """Whether a path leads to a folder, or to what the system does not tell."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except OSError as error:
        return error.errno not in NOWHERE


def glob_in_folder(pattern: bytes, only_folders: bool) -> list[bytes]:
    """All that matches a pattern of which only the last name is one."""
    try:
        paths = libraries.glob(pattern)
    except OSError as error:
        # A folder that is not there has no files.
        if error.errno in NOWHERE:
            return []
        raise failure("searched", pattern, error.errno) from error
    if only_folders:
        paths = [path for path in paths if may_be_folder(path)]
    for path in paths:
        try:
            path.decode()
        except UnicodeDecodeError as error:
            spelled = "".join(chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}" for byte in path)
            said = f"{spelled} matches {pattern.decode()}, but its name is not UTF-8: it cannot be read until it is"
            raise Failure(MISSING, f"{said} renamed") from error
    return paths


def folders_below(folder: bytes) -> list[bytes]:
    """A folder and all in it, at any depth, but for hidden ones, and for what links lead to; each ends with a slash."""
    found = [folder if not folder or folder.endswith(b"/") else folder + b"/"]
    for place in found:
        try:
            with os.scandir(place or b".") as entries:
                names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError as error:
            status = FORBIDDEN if error.errno in (errno.EACCES, errno.EPERM) else IO_ERROR
            shown = place.decode() or "."
            raise Failure(status, f"{shown} cannot be searched: {os.strerror(error.errno or 0)}") from error
        for name in names:
            if name.startswith(b"."):
                continue
            try:
                name.decode()
            except UnicodeDecodeError as error:
                said = f"a folder in {place.decode() or '.'} has a name that is not UTF-8"
                raise Failure(MISSING, f"{said}: what is in it cannot be read before it is renamed") from error
            found.append(place + name + b"/")
    return found


# What is there


def look(path: bytes | str) -> os.stat_result | None:
    """What a path leads to; None: nothing. An `OSError` where that cannot be said."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def status_of(path: bytes | str) -> os.stat_result | None:
    """What a path leads to; None: nothing that may be looked at."""
    try:
        return os.stat(path)
    except OSError:
        return None


def is_folder(path: bytes) -> bool:
    status = status_of(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def size(status: os.stat_result) -> int:
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def failure(action: str, path: bytes, code: int | None) -> Failure:
    shown = path.decode(errors="replace")
    if code in (errno.ENOENT, errno.ENOTDIR):
        return Failure(MISSING, f"there is no file {shown}")
    reason = os.strerror(code or errno.EIO)
    if code in (errno.EACCES, errno.EPERM):
        return Failure(FORBIDDEN, f"{shown} may not be read: {reason}")
    return Failure(IO_ERROR, f"{shown} cannot be {action}: {reason}")
