"""What of C's libraries the command calls, too: which paths match a pattern, and what an archive holds."""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache

from .failure import DATA, UNAVAILABLE, Failure

# Of glob.h, fnmatch.h and locale.h, as glibc has them.
GLOB_ERR, GLOB_NOSORT, GLOB_NOSPACE, GLOB_NOMATCH = 1, 4, 1, 3
FNM_PATHNAME, FNM_PERIOD = 1, 4
LC_CTYPE_MASK = 1
# Of archive.h.
ARCHIVE_EOF, ARCHIVE_OK, ARCHIVE_RETRY, ARCHIVE_WARN = 1, 0, -10, -20
ARCHIVE_BLOCK = 1 << 16


class Found(ctypes.Structure):
    """`glob_t`."""

    _fields_ = (
        ("count", ctypes.c_size_t),
        ("paths", ctypes.POINTER(ctypes.c_char_p)),
        ("offset", ctypes.c_size_t),
        ("flags", ctypes.c_int),
        ("calls", ctypes.c_void_p * 5),
    )


@cache
def libc() -> ctypes.CDLL:
    library = ctypes.CDLL(None, use_errno=True)
    library.newlocale.restype = library.uselocale.restype = ctypes.c_void_p
    library.newlocale.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p]
    library.uselocale.argtypes = [ctypes.c_void_p]
    library.fnmatch.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int]
    library.glob.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Found)]
    library.globfree.argtypes = [ctypes.POINTER(Found)]
    return library


@cache
def made_locale(name: bytes) -> int:
    made = libc().newlocale(LC_CTYPE_MASK, name, None)
    if not made:
        raise MemoryError
    return int(made)


@contextmanager
def using(locale: bytes) -> Iterator[None]:
    previous = libc().uselocale(made_locale(locale))
    try:
        yield
    finally:
        libc().uselocale(previous)


def plain() -> AbstractContextManager[None]:
    """Characters are bytes, as in the command, whatever the locale of Python."""
    return using(b"C")


def lettered() -> AbstractContextManager[None]:
    """Texts are UTF-8: libarchive turns names into those of the thread's locale first."""
    return using(b"C.UTF-8")


def matches(path: bytes, pattern: bytes) -> bool:
    """Whether a path matches a pattern without `**`. What follows a zero byte does not count."""
    with plain():
        return bool(libc().fnmatch(pattern, path, FNM_PATHNAME | FNM_PERIOD) == 0)


def glob(pattern: bytes) -> list[bytes]:
    """The paths that match a pattern without `**`, in any order; an `OSError` where a folder cannot be searched."""
    found = Found()
    try:
        with plain():
            status = libc().glob(pattern, GLOB_ERR | GLOB_NOSORT, None, ctypes.byref(found))
            code = ctypes.get_errno()
        if status == GLOB_NOMATCH:
            return []
        if status == GLOB_NOSPACE:
            raise MemoryError
        if status != 0:
            raise OSError(code, os.strerror(code))
        return [path for path in found.paths[: found.count] if path is not None]
    finally:
        libc().globfree(ctypes.byref(found))


@cache
def libarchive() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libarchive.so.13")
    except OSError as error:
        raise Failure(UNAVAILABLE, f"archives need a library that is not here: {error}") from error
    library.archive_read_new.restype = ctypes.c_void_p
    library.archive_error_string.restype = ctypes.c_char_p
    for name in ("pathname", "pathname_utf8", "hardlink"):
        getattr(library, f"archive_entry_{name}").restype = ctypes.c_char_p
    library.archive_entry_size.restype = ctypes.c_int64
    return library


def archive_files(path: str) -> list[tuple[bytes, int | None]]:
    """The paths of all regular files that a zip or a tar holds, and how many bytes each has (0: it is not said); and of
    links to others, with None."""
    library = libarchive()
    with lettered():
        archive = ctypes.c_void_p(library.archive_read_new())
        try:
            library.archive_read_support_format_zip(archive)
            library.archive_read_support_format_tar(archive)
            library.archive_read_set_options(archive, b"tar:read_concatenated_archives")
            for name in ("gzip", "bzip2", "xz", "zstd"):
                getattr(library, f"archive_read_support_filter_{name}")(archive)
            status = library.archive_read_open_filename(archive, os.fsencode(path), ctypes.c_size_t(ARCHIVE_BLOCK))
            found: list[tuple[bytes, int | None]] = []
            entry = ctypes.c_void_p()
            while status != ARCHIVE_EOF:
                if status not in (ARCHIVE_OK, ARCHIVE_WARN, ARCHIVE_RETRY):
                    reason = (library.archive_error_string(archive) or b"").decode(errors="replace")
                    said = f"{path} is no zip and no tar, or is damaged or cut short"
                    raise Failure(DATA, f"{said}: {reason}" if reason else said)
                status = library.archive_read_next_header(archive, ctypes.byref(entry))
                if status not in (ARCHIVE_OK, ARCHIVE_WARN):
                    continue
                if is_link(library, entry):
                    found.append((archive_path(library, entry), None))
                elif stat.S_ISREG(library.archive_entry_filetype(entry)):
                    found.append((archive_path(library, entry), library.archive_entry_size(entry)))
            return found
        finally:
            library.archive_read_free(archive)


def is_link(library: ctypes.CDLL, entry: ctypes.c_void_p) -> bool:
    """Whether it leads to another file of the archive, and has no bytes of its own."""
    if stat.S_ISLNK(library.archive_entry_filetype(entry)):
        return True
    return library.archive_entry_hardlink(entry) is not None and library.archive_entry_size(entry) == 0


def archive_path(library: ctypes.CDLL, entry: ctypes.c_void_p) -> bytes:
    path: bytes | None = library.archive_entry_pathname_utf8(entry)
    if path is None:
        path = library.archive_entry_pathname(entry)
    return (path or b"").removeprefix(b"./")
