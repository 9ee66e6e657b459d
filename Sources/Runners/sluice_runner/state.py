"""The versions in the folder of a state."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import shutil
from typing import Any, NoReturn

from .failure import BUSY, DEFINITION, IO_ERROR, UNCREATABLE, Failure


class State:
    def __init__(self, root: str) -> None:
        self.root = root
        self.lock: int | None = None

    def take(self, work: str) -> None:
        """Nobody else runs on it from here on; what is left of runs that died goes."""
        try:
            os.makedirs(self.root, exist_ok=True)
            self.lock = os.open(os.path.join(self.root, "LOCK"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise Failure(UNCREATABLE, f"the state {self.root} cannot be created: {error.strerror}") from error
        self.hold(fcntl.LOCK_EX)
        current = self.number()
        for name in os.listdir(self.root):
            if (version_number(name) or 0) > current:
                shutil.rmtree(os.path.join(self.root, name))
        # What still writes there, orphaned, fails then. A run never uses the folder of another.
        remove(self.root, ".work-")
        remove(work, f".work-{self.mark}-")

    def share(self) -> None:
        """Nobody changes it from here on; it is read only, and need not be there."""
        try:
            self.lock = os.open(os.path.join(self.root, "LOCK"), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        self.hold(fcntl.LOCK_SH)

    def release(self) -> None:
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    def hold(self, how: int) -> None:
        assert self.lock is not None
        try:
            fcntl.flock(self.lock, how | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Failure(BUSY, f"another run holds {self.root}: try again later") from error

    @property
    def mark(self) -> str:
        """Tells its folders from those of other states."""
        return hashlib.sha256(os.fsencode(os.path.realpath(self.root))).hexdigest()[:12]

    def work_folder(self, work: str) -> str:
        """A new folder for what is made on the way; no run that died knows it."""
        path = os.path.join(work, f".work-{self.mark}-{secrets.token_hex(6)}")
        try:
            os.makedirs(path)
        except OSError as error:
            raise Failure(UNCREATABLE, f"{path} cannot be created: {error.strerror}") from error
        return path

    def number(self) -> int:
        """The version that counts; 0: there is none."""
        path = os.path.join(self.root, "CURRENT")
        if not os.path.exists(path):
            return 0
        with open(path, encoding="ascii", errors="replace") as file:
            name = file.read().strip()
        number = version_number(name)
        if number is None or not os.path.isdir(os.path.join(self.root, name)):
            raise Failure(IO_ERROR, f"{path} names no version that is there: {name}")
        return number

    def folder(self, number: int) -> str:
        return os.path.join(self.root, f"v{number:06}")

    def publish(self, work: str, number: int, keep: int) -> None:
        """Makes what was written the version that counts."""
        sync_tree(work)
        os.rename(work, self.folder(number))
        sync(self.root)
        path = os.path.join(self.root, "CURRENT")
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write(os.path.basename(self.folder(number)) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.rename(path + ".new", path)
        sync(self.root)
        for name in os.listdir(self.root):
            old = version_number(name)
            if old is not None and old < number - keep:
                shutil.rmtree(os.path.join(self.root, name))


def version_number(name: str) -> int | None:
    match = re.fullmatch(r"v(\d{6,})", name)
    return int(match[1]) if match else None


def remove(folder: str, prefix: str) -> None:
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        if name.startswith(prefix):
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)


def sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(path: str) -> None:
    for folder, _, names in os.walk(path, topdown=False):
        for name in names:
            sync(os.path.join(folder, name))
        sync(folder)


def check_model(old: dict[str, Any], new: dict[str, Any], state: str) -> None:
    """A definition may have gained what the state lacks; nothing else may be another."""

    def refuse(what: str) -> NoReturn:
        raise Failure(DEFINITION, f"the definition contradicts the state {state}: {what}")

    for name, entity in old.items():
        if name not in new:
            refuse(f"it lacks the entity {name}")
        other = new[name]
        if entity["identifier"] != other["identifier"]:
            refuse(f"the identifier of {name} is another one")
        if entity["marks"] and not other["marks"]:
            refuse(f'{name} was "absent": "mark"')
        for part in ("attributes", "relationships"):
            for key, value in entity[part].items():
                if key not in other[part]:
                    refuse(f"{name} lacks {key}")
                if value != other[part][key]:
                    refuse(f"{name}.{key} is another one")
