"""What `sluice plan` says."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any


@dataclass
class Step:
    kind: str
    reads: list[str]
    writes: str
    sql: str
    is_view: bool


@dataclass
class Plan:
    head: dict[str, Any]
    steps: list[Step]

    @staticmethod
    def read(text: str) -> Plan:
        lines = [json.loads(line) for line in text.splitlines()]
        steps = [
            Step(line["step"], line["reads"], line["writes"], line["sql"], line.get("view", False))
            for line in lines[1:]
        ]
        return Plan(lines[0], steps)

    def last_reads(self) -> dict[str, list[str]]:
        """By step: the tables that no later one reads, and that no version holds."""
        views = {step.writes: step.reads for step in self.steps if step.is_view}
        last: dict[str, str] = {}

        def read(table: str, by: str) -> None:
            # What a view reads is read with it.
            if table in views:
                for below in views[table]:
                    read(below, by)
            else:
                last[table] = by

        for step in self.steps:
            if not step.is_view:
                for table in step.reads:
                    read(table, step.writes)
        for step in self.steps:
            if step.kind == "snapshot" and step.is_view:
                read(step.writes, "")
        found: dict[str, list[str]] = {}
        for step in self.steps:
            if not step.is_view and last.get(step.writes):
                found.setdefault(last[step.writes], []).append(step.writes)
        return found


def files_in(folder: str, ending: str) -> list[str]:
    if not os.path.isdir(folder):
        return []
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(ending))
