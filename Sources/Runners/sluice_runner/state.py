"""The versions in the folder of a state."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
from contextlib import suppress
from typing import Any, NoReturn

from .failure import BUSY, DEFINITION, IO_ERROR, UNCREATABLE, Failure
from .versions import LIST, Version, read_json, version_name, version_number, write_list

MARKER = "STATE"


class State:
    """A folder with `STATE`, which says that it is one: nothing in it is removed that no run on it has made."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.lock: int | None = None
        # Tells its versions from those of other states.
        self.name = ""
        # Whether a version has counted: then CURRENT is there.
        self.has_begun = False

    def take(self, work: str) -> None:
        """Nobody else runs on it from here on; what is left of runs that died goes."""
        # Nothing is left in a folder that is none.
        self.look()
        try:
            os.makedirs(self.root, exist_ok=True)
            self.lock = os.open(os.path.join(self.root, "LOCK"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise Failure(UNCREATABLE, f"the state {self.root} cannot be created: {error.strerror}") from error
        self.hold(fcntl.LOCK_EX)
        self.look()
        current = self.number()
        self.mark_own(self.has_begun or current > 0)
        for number in self.numbers():
            if number > current:
                self.discard(number)
        following = self.folder(current + 1)
        if os.path.lexists(following):
            raise Failure(UNCREATABLE, f"{following} is in the way, and no run on this state has made it: move it away")
        # What still writes there, orphaned, fails then. A run never uses the folder of another.
        for folder in {self.root, work}:
            self.remove_work(folder)

    def share(self) -> int:
        """The version that counts, which nobody removes from here on; 0: there is none. Runs go on meanwhile."""
        while True:
            self.look()
            number = self.number()
            if number == 0:
                return 0
            with suppress(FileNotFoundError):
                # Of a version that an earlier version of sluice has made, nothing is held.
                self.lock = os.open(os.path.join(self.folder(number), LIST), os.O_RDONLY | os.O_CLOEXEC)
                fcntl.flock(self.lock, fcntl.LOCK_SH)
            if os.path.isdir(self.folder(number)):
                return number
            # A run has removed it before it was held.
            self.release()

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

    # Whose the folder is

    def look(self) -> None:
        """Refuses a folder that has what a state has, and is none."""
        path = os.path.join(self.root, MARKER)
        if os.path.lexists(path):
            try:
                marker = read_json(path)
            except Failure as error:
                what = "it says that the folder is a state: remove it if it is one, and if CURRENT is right"
                raise Failure(IO_ERROR, f"{path} is damaged; {what}") from error
            self.name, self.has_begun = str(marker.get("state")), marker.get("begun") is True
            return
        current = self.number()
        if current:
            # Of an earlier version of sluice, or its mark was lost.
            version = self.version(current)
            if not os.path.lexists(os.path.join(version.folder, "model.json")):
                raise self.foreign(version_name(current))
            self.name = str((version.listed() or {}).get("state") or secrets.token_hex(8))
            self.has_begun = True
            return
        for number in self.numbers():
            raise self.foreign(version_name(number))
        self.name = self.name or secrets.token_hex(8)

    def foreign(self, name: str) -> Failure:
        return Failure(
            DEFINITION,
            f"{self.root} is no state of sluice, or has lost its CURRENT: it has {name}, and no {MARKER}; name another"
            " folder with --state, or write the name of the version that counts into CURRENT",
        )

    def mark_own(self, has_begun: bool) -> None:
        """Says that the folder is a state, if that is not said yet."""
        path = os.path.join(self.root, MARKER)
        if self.has_begun != has_begun or not os.path.lexists(path):
            replace(path, json.dumps({"state": self.name, "begun": has_begun}) + "\n")
            self.has_begun = has_begun

    @property
    def mark(self) -> str:
        """Tells its folders from those of other states."""
        return hashlib.sha256(os.fsencode(os.path.realpath(self.root))).hexdigest()[:12]

    def work_name(self) -> str:
        return f".work-{self.mark}-{secrets.token_hex(6)}"

    def work_folder(self, work: str) -> str:
        """A new folder for what is made on the way; no run that died knows it."""
        path = os.path.join(work, self.work_name())
        try:
            os.makedirs(path)
        except OSError as error:
            raise Failure(UNCREATABLE, f"{path} cannot be created: {error.strerror}") from error
        return path

    def remove_work(self, folder: str) -> None:
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            if re.fullmatch(rf"\.work-{self.mark}-[0-9a-f]{{12}}", name):
                shutil.rmtree(os.path.join(folder, name), ignore_errors=True)

    # Versions

    def number(self) -> int:
        """The version that counts; 0: there is none."""
        path = os.path.join(self.root, "CURRENT")
        if not os.path.lexists(path):
            if self.has_begun:
                names = ", ".join(map(version_name, self.numbers())) or "none"
                raise Failure(
                    IO_ERROR,
                    f"{path} is missing, which names the version that counts: write its name there ({names} can be"
                    " found), or begin a new state",
                )
            return 0
        with open(path, encoding="ascii", errors="replace") as file:
            name = file.read().strip()
        number = version_number(name)
        if number is None or not os.path.isdir(os.path.join(self.root, name)):
            raise Failure(IO_ERROR, f"{path} names no version that is there: {name}")
        return number

    def numbers(self) -> list[int]:
        """Of the versions, and of what is called as these are."""
        names = os.listdir(self.root) if os.path.isdir(self.root) else []
        return sorted(number for number in map(version_number, names) if number is not None)

    def version(self, number: int) -> Version:
        return Version(self.root, number)

    def folder(self, number: int) -> str:
        return self.version(number).folder

    def discard(self, number: int) -> None:
        """Removes a version that a run on this state has made, unless a dry run reads it; it is no version any more
        before its first file goes."""
        if self.version(number).is_of(self.name) and not self.is_read(number):
            gone = os.path.join(self.root, self.work_name())
            os.rename(self.folder(number), gone)
            shutil.rmtree(gone, ignore_errors=True)

    def is_read(self, number: int) -> bool:
        """Whether a dry run holds a version."""
        try:
            descriptor = os.open(os.path.join(self.folder(number), LIST), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def publish(self, work: str, number: int) -> None:
        """Makes what was written the version that counts."""
        write_list(work, self.name, number)
        sync_tree(work)
        os.rename(work, self.folder(number))
        sync(self.root)
        replace(os.path.join(self.root, "CURRENT"), version_name(number) + "\n")

    def settle(self, number: int, keep: int) -> None:
        """Notes that a version counts, and removes those that are older than the last ones before it."""
        self.mark_own(True)
        for old in self.numbers():
            if old < number - keep:
                self.discard(old)


def replace(path: str, text: str) -> None:
    """Writes a file, in one step."""
    try:
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.rename(path + ".new", path)
    except OSError:
        with suppress(OSError):
            os.unlink(path + ".new")
        raise
    sync(os.path.dirname(path))


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
                if part == "relationships" and "waiting" in other[part][key] and "waiting" not in value:
                    refuse(f"the waiting list of {name}.{key} has two columns of one name: begin a new state")
                if value != other[part][key]:
                    refuse(f"{name}.{key} is another one")
