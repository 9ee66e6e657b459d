"""A run, whatever the engine: extraction, the plan's steps, limits, the report, the new version."""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from abc import ABC, abstractmethod
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

from . import outputs
from .engine import KINDS, Engine, Input, Outcome, Run
from .extraction import Task, extract
from .failure import DATA, DEFINITION, INTERNAL, UNAVAILABLE, USAGE, Failure, status_of
from .options import Parser
from .outputs import Output
from .plan import Plan, files_in
from .report import check_parts, entity_report, first_rejects, limit_report, now, source_report
from .state import State, check_model


class Runner(ABC):
    """What is another thing with each engine."""

    dialect: str

    @abstractmethod
    def parser(self) -> Parser:
        """The options."""

    @abstractmethod
    def check(self, options: argparse.Namespace) -> None:
        """Refuses what the engine cannot do, before anything is made."""

    @abstractmethod
    def start(self, options: argparse.Namespace, work: str) -> None:
        """Gets ready to extract; `work` is a folder for what is made on the way."""

    @abstractmethod
    def extract(self, tasks: list[Task], parts: str) -> None:
        """Makes all parts."""

    @abstractmethod
    def engine(self, plan: Plan, given: Input) -> Engine:
        """What carries out the plan."""

    @abstractmethod
    def stop(self) -> None:
        """Ends all that goes on."""


class Program:
    def __init__(self, runner: Runner, options: argparse.Namespace) -> None:
        self.runner = runner
        self.options = options
        self.state = State(os.path.abspath(options.state))
        self.started, self.clock = now(), time.monotonic()
        self.digest = b""
        # Whether the state is this run's, so that findings of others are none that count.
        self.has_state = False
        # Whether its version counts: whatever fails from then on, it has succeeded.
        self.is_published = False

    def perform(self) -> int:
        self.runner.check(self.options)
        plan = self.plan()
        self.check_outputs(plan)
        try:
            return self.perform_alone(plan)
        except Exception as error:
            if Ending.status is not None:
                # What an engine makes of an exception that a signal has raised.
                self.tell(plan, "cancelled", Ending.status, None)
                raise SystemExit(Ending.status) from error
            self.tell(plan, "failed", status_of(error), str(error))
            raise
        except (KeyboardInterrupt, SystemExit) as ending:
            self.tell(plan, "cancelled", status_of(ending), None)
            raise
        finally:
            self.state.release()

    def perform_alone(self, plan: Plan) -> int:
        """Nobody else changes the state meanwhile."""
        elsewhere = os.path.abspath(self.options.work or self.state.root)
        is_new = not os.path.isdir(self.state.root)
        if self.options.dry_run:
            current = self.state.share()
        else:
            self.state.take(elsewhere)
            current = self.state.number()
        self.has_state = True
        run = Run(current + 1, self.started, self.last(plan, current))
        folders: list[str] = []
        try:
            folders.append(self.state.work_folder(elsewhere))
            work = folders[0]
            # A version is renamed to where it belongs, and so stands beside it from the beginning.
            if not self.options.dry_run and elsewhere != self.state.root:
                folders.append(self.state.work_folder(self.state.root))
            version = os.path.join(folders[-1], "version")
            os.mkdir(version)
            return self.run(plan, run, current, work, version)
        finally:
            self.runner.stop()
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)
            if self.options.dry_run and is_new and os.path.isdir(self.state.root):
                os.rmdir(self.state.root)

    def plan(self) -> Plan:
        self.digest = self.definition_digest()
        command = [self.options.sluice, "plan", self.options.definition, "--dialect", self.runner.dialect]
        command += [f"--allow={allowed}" for allowed in self.options.allow]
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except OSError as error:
            raise Failure(USAGE, f"{command[0]} cannot be started: {error.strerror}") from error
        if done.returncode != 0:
            message = done.stderr.decode(errors="replace").strip()
            raise Failure(done.returncode if done.returncode > 0 else INTERNAL, message)
        return Plan.read(done.stdout.decode())

    def definition_digest(self) -> bytes:
        """Tells whether the definition is another one: each extraction reads it again."""
        with suppress(OSError), open(self.options.definition, "rb") as file:
            return hashlib.sha256(file.read()).digest()
        return b""

    def last(self, plan: Plan, current: int) -> dict[str, int]:
        """What the version that counts says of the last run."""
        if not current:
            return {}
        version = self.state.version(current)
        version.check(plan)
        check_model(version.model(), plan.head["model"], self.state.root)
        return version.records()

    def run(self, plan: Plan, run: Run, current: int, work: str, version: str) -> int:
        parts = os.path.join(work, "parts")
        self.runner.start(self.options, work)
        found = extract(
            plan,
            self.options.range,
            lambda tasks: self.runner.extract(tasks, parts),
            lambda: shutil.rmtree(parts, ignore_errors=True),
        )
        if self.definition_digest() != self.digest:
            said = f"the definition {self.options.definition} has changed while the run went on"
            raise Failure(DEFINITION, f"{said}: run again")
        check_parts(plan, parts, {task.part for task in found})
        before = self.state.folder(current) if current else None
        engine = self.runner.engine(plan, Input(parts, before, {task.part: task.file.name for task in found}))
        outcome = engine.execute(run)
        succeeded = not outcome.exceeded
        is_kept = succeeded and not self.options.dry_run
        if is_kept:
            engine.write_version(version)
        engine.write_findings(os.path.join(version, "findings"))
        report = self.outcome_report(plan, run, outcome, parts, succeeded)
        self.leave(plan, version, report)
        is_shown = self.options.format != "json" and not (self.options.quiet and succeeded)
        rejects = first_rejects(files_in(os.path.join(version, "findings"), ".ndjson")) if is_shown else []
        if is_kept:
            self.state.publish(version, run.number)
            self.is_published = True
            self.state.settle(run.number, self.options.keep)
        if self.options.format == "json":
            self.print(report)
        elif is_shown:
            self.show(report | {"rejects": rejects})
        return int(report["exitStatus"])

    def tell(self, plan: Plan, status: str, exit_status: int, message: str | None) -> None:
        """Leaves the report of a run without a result, and no findings of another one, unless that one goes on."""
        if self.is_published:
            return
        report = self.report(plan, status, exit_status, message)
        with suppress(Failure):
            if output := self.report_file():
                output.write([(json.dumps(report, indent=1) + "\n").encode()])
            if self.has_state and (findings := self.findings(plan)):
                findings.write([])
        if self.options.format == "json":
            with suppress(OSError):
                self.print(report)

    def print(self, report: dict[str, Any]) -> None:
        print(json.dumps(report, indent=1), flush=True)

    def outcome_report(self, plan: Plan, run: Run, outcome: Outcome, parts: str, succeeded: bool) -> dict[str, Any]:
        status, exit_status = ("succeeded", 0) if succeeded else ("failed", DATA)
        return self.report(plan, status, exit_status, None) | {
            "run": run.number if succeeded else None,
            "exceeded": limit_report(plan, outcome),
            "sources": source_report(plan, parts),
            "entities": entity_report(plan, outcome),
            "findings": {kind: outcome.found.get(kind, 0) for kind in KINDS},
            "lacking": outcome.lacking,
            "examples": [json.loads(line) for line in outcome.examples],
        }

    def report(self, plan: Plan, status: str, exit_status: int, message: str | None) -> dict[str, Any]:
        """Of a run without a result."""
        return {
            "pipeline": plan.head["pipeline"],
            "run": None,
            "status": status,
            "exitStatus": exit_status,
            "error": None if message is None else {"message": message.removeprefix("sluice: ")},
            "exceeded": [],
            "dryRun": self.options.dry_run,
            **({"allowed": dict(text.rsplit("=", 1) for text in self.options.allow)} if self.options.allow else {}),
            "replay": False,
            "started": self.started,
            "finished": now(),
            "seconds": round(time.monotonic() - self.clock, 3),
            "commit": "run",
            "store": self.state.root,
            "sources": {},
            "entities": {},
            "known": 0,
            "cache": {"objects": 0, "bytes": 0, "peakBytes": 0, "limit": 0},
            "comparedWith": None,
            "findings": dict.fromkeys(KINDS, 0),
            "digests": {},
            "lacking": [],
            "examples": [],
        }

    def report_file(self) -> Output | None:
        return Output("report", self.options.report) if self.options.report else None

    def check_outputs(self, plan: Plan) -> None:
        """Refuses what would replace what the run reads, before anything is made."""
        found = [output for output in (self.findings(plan), self.report_file()) if output]
        feeds = [source["file"] for source in plan.head["sources"]]
        outputs.check_state(self.state.root, feeds)
        outputs.check(found, self.options.definition, self.state.root, feeds)

    def findings(self, plan: Plan) -> Output | None:
        """Where all findings go; `{date}` and `{time}` in its name are when the run began."""
        found: str | None = self.options.findings or plan.head["findings"]
        # A dry run leaves the findings of the last real one where they are.
        if not found or self.options.dry_run and not self.options.findings:
            return None
        if mistake := re.search(r"\{(?!(?:date|time)\})[A-Za-z]+\}", found):
            allowed = "a name has {date} and {time}, when the run begins"
            raise Failure(USAGE, f"the findings {found}: {allowed}, and no {mistake[0]}")
        if found.startswith("s3://"):
            status = USAGE if self.options.findings else DEFINITION
            raise Failure(status, f"the findings {found}: those of a plan are a file")
        time_of_day = self.started[11:19].replace(":", "")
        name = found.replace("{date}", self.started[:10]).replace("{time}", time_of_day)
        return Output("findings", name, is_defined=not self.options.findings)

    def leave(self, plan: Plan, version: str, report: dict[str, Any]) -> None:
        """Writes what a run leaves beside the tables."""
        for name, value in (("model.json", plan.head["model"]), ("report.json", report)):
            with open(os.path.join(version, name), "w", encoding="utf-8") as file:
                json.dump(value, file, indent=1)
                file.write("\n")
        if output := self.report_file():
            output.write([os.path.join(version, "report.json")])
        if findings := self.findings(plan):
            findings.write(files_in(os.path.join(version, "findings"), ".ndjson"))

    def show(self, report: dict[str, Any]) -> None:
        """As `sluice run` does."""
        sys.stdout.flush()
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump(report, file)
            file.flush()
            subprocess.run([self.options.sluice, "plan", self.options.definition, "--report", file.name], check=False)


class Ending:
    """The exit status of a program that a signal has ended; None: none has."""

    status: int | None = None


def end(number: int, _: FrameType | None) -> NoReturn:
    Ending.status = 128 + number
    sys.exit(Ending.status)


def open_streams() -> None:
    """Opens standard streams that are closed: a file would be opened in their place, and written to."""
    for number, path in ((0, os.devnull), (1, "/dev/full"), (2, os.devnull)):
        try:
            os.fstat(number)
        except OSError:
            os.open(path, os.O_RDWR)
    # What nobody takes cannot be written.
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def start(module: str, name: str) -> int:
    """Runs a runner, whose engine may not be installed."""
    open_streams()
    if sys.getfilesystemencoding().lower() != "utf-8":
        print(f"names of files are {sys.getfilesystemencoding()}: set LC_ALL=C.UTF-8", file=sys.stderr)
        return UNAVAILABLE
    try:
        runner = getattr(importlib.import_module(module), name)()
    except ModuleNotFoundError as error:
        print(f"{error.name} is missing: see Documentation/cluster.md", file=sys.stderr)
        return UNAVAILABLE
    return main(runner)


def main(runner: Runner) -> int:
    parser = runner.parser()
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    # Who has started this program may have blocked them.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    try:
        return Program(runner, options).perform()
    except Failure as failure:
        print(failure, file=sys.stderr)
        return status_of(failure)
    except KeyboardInterrupt as interrupt:
        return status_of(interrupt)
    except OSError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        # What standard output did not take would be tried once more at the end, and give another exit status.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return status_of(error)
    except Exception as error:
        # A defect: where it is, tells who mends it.
        traceback.print_exc()
        return status_of(error)
