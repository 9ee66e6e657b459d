"""What a version of a state holds: `files.json` in it lists its files, so that none is lost or doubled unnoticed."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from typing import Any

from . import parquet
from .failure import IO_ERROR, Failure
from .plan import Plan, files_in

LIST = "files.json"
ADVICE = (
    "put back what is missing or take away what is too much, let CURRENT name another version, or begin a new state"
)


def version_name(number: int) -> str:
    return f"v{number:06}"


def version_number(name: str) -> int | None:
    match = re.fullmatch(r"v([0-9]{6,})", name)
    return int(match[1]) if match and version_name(int(match[1])) == name else None


def read_json(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except OSError as error:
        raise Failure(IO_ERROR, f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise Failure(IO_ERROR, f"{path} is damaged: it is no JSON; {ADVICE}") from error
    if not isinstance(value, dict):
        raise Failure(IO_ERROR, f"{path} is damaged: it is no JSON object; {ADVICE}")
    return value


def files_below(folder: str) -> list[str]:
    """By their paths in the folder."""
    found = []
    for below, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(below, name), folder) for name in names]
    return sorted(found)


def described(path: str) -> dict[str, int]:
    """A file as a list has it."""
    found = {"bytes": os.path.getsize(path)}
    if path.endswith(".parquet"):
        found["rows"] = parquet.rows(path)
    return found


def write_list(folder: str, state: str, number: int) -> None:
    """Of all that is in a folder that is to become a version."""
    files = {name: described(os.path.join(folder, name)) for name in files_below(folder)}
    with open(os.path.join(folder, LIST), "w", encoding="utf-8") as file:
        json.dump({"state": state, "version": number, "files": files}, file, indent=1)
        file.write("\n")


@dataclass
class Version:
    root: str
    number: int

    @property
    def folder(self) -> str:
        return os.path.join(self.root, version_name(self.number))

    def listed(self) -> dict[str, Any] | None:
        """What its list says; None: an earlier version of sluice has made it, or nothing of ours."""
        path = os.path.join(self.folder, LIST)
        return read_json(path) if os.path.lexists(path) else None

    def is_of(self, state: str) -> bool:
        """Whether a run on a state has made it: by its list, or by its report if it has none."""
        try:
            listed = self.listed()
            if listed is not None:
                return listed.get("state") == state and listed.get("version") == self.number
            report = read_json(os.path.join(self.folder, "report.json"))
            return report.get("run") == self.number and os.path.isfile(os.path.join(self.folder, "model.json"))
        except Failure:
            return False

    def damaged(self, what: str) -> Failure:
        return Failure(IO_ERROR, f"the state {self.root} is damaged: {version_name(self.number)} {what}; {ADVICE}")

    def check(self, plan: Plan) -> None:
        """Refuses a version that is not as it was written."""
        listed = self.listed()
        if listed is None:
            self.check_unlisted(plan)
            return
        files = listed.get("files")
        if listed.get("version") != self.number or not isinstance(files, dict):
            raise self.damaged(f"has a {LIST} that is not its own")
        for name, wanted in files.items():
            try:
                found = described(os.path.join(self.folder, name))
            except FileNotFoundError as error:
                raise self.damaged(f"lacks the file {name}") from error
            except ValueError as error:
                raise self.damaged(f"has a file {name} that is no Parquet: {error}") from error
            for unit in ("bytes", "rows"):
                if wanted.get(unit) != found.get(unit):
                    raise self.damaged(f"has a file {name} of {found.get(unit)} {unit}, not {wanted.get(unit)}")
        for name in files_below(self.folder):
            # Another file does no harm.
            if name.endswith(".parquet") and name not in files:
                raise self.damaged(f"has a file {name} that no run has written")

    def check_unlisted(self, plan: Plan) -> None:
        """Of a version without a list it is known which folders have files."""
        model = self.model()
        for entity in plan.head["entities"]:
            if entity["name"] not in model:
                continue
            relationships = model[entity["name"]]["relationships"]
            folders = [entity["folder"]]
            for name, folder in zip(entity["relationships"], entity["folders"], strict=True):
                if name in relationships:
                    path = os.path.join(entity["folder"], folder)
                    folders += [os.path.join("sluice_unresolved", path)] + (
                        [path] if relationships[name]["many"] else []
                    )
            for folder in folders:
                names = [os.path.basename(path) for path in files_in(os.path.join(self.folder, folder), ".parquet")]
                if not names:
                    raise self.damaged(f"lacks the files of {folder}")
                if "data.parquet" in names and len(names) > 1:
                    raise self.damaged(f"has files in {folder} that no run has written, beside data.parquet")

    def model(self) -> dict[str, Any]:
        """What the definition said."""
        path = os.path.join(self.folder, "model.json")
        model = read_json(path)
        for entity in model.values():
            parts = ("attributes", "relationships")
            if not isinstance(entity, dict) or not all(isinstance(entity.get(part), dict) for part in parts):
                raise Failure(IO_ERROR, f"{path} is damaged: it is no model; {ADVICE}")
        return model

    def records(self) -> dict[str, int]:
        """How many each entity had."""
        path = os.path.join(self.folder, "report.json")
        try:
            return {name: int(entity["records"]) for name, entity in read_json(path)["entities"].items()}
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise Failure(IO_ERROR, f"{path} is damaged: it is no report; {ADVICE}") from error
