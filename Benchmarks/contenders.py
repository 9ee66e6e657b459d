"""How each program is run, once: on which feed, into which store."""

import json
import os
import shutil
import subprocess
import sys

import feeds
import measure
from feeds import HERE, built
from measure import Limits, RunFailed

PEERS = os.path.join(HERE, "peers")
sys.path.insert(0, PEERS)

import sqlite_shell
from transit_tables import LISTS

GIB = 1024**3
FORMS = ("whole", "split")

# What a definition calls the variables that bench.py sets.
DEFINITIONS = {"transit": "TRANSIT", "wide": "WIDE", "deep": "DEEP", "nothing": "TRANSIT", "orders": "ORDERS"}


def remove_store(path):
    for suffix in ("", "-wal", "-shm", "-journal", ".wal"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)


def copy_store(path, copy):
    remove_store(copy)
    shutil.copyfile(path, copy)


def run(command, name, environment=None, limits=Limits()):
    # Writing back what an earlier run left in the page cache must not burden this one.
    os.sync()
    return measure.measure(built("measure-child"), command, built(name), environment, limits)


class Sluice:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        options = subprocess.run([self.path, "run", "--help"], capture_output=True, text=True).stdout
        # A version that does nothing where a feed is the last one again would otherwise do nothing in workload c.
        self.can_force = "--force" in options
        self.can_limit_cache = "--cache-limit" in options

    def run(self, definition, feed, store, *options, absent="keep", knows=False):
        """One run on the store as it is; `knows`: by the fingerprints of the run before, which another run does not use."""
        report = built("report.json")
        if os.path.exists(report):
            os.remove(report)
        variables = DEFINITIONS[definition]
        environment = {f"{variables}_FEED": feed, f"{variables}_STORE": store, "TRANSIT_ABSENT": absent}
        command = [self.path, "run", os.path.join(HERE, f"{definition}.jsonc"), "--report", report, *options]
        if self.can_force and not knows:
            command.append("--force")
        measurement = run(command, "sluice", environment)
        with open(report) as file:
            measurement.report = json.load(file)
        if measurement.report["status"] != "succeeded":
            raise RunFailed(f"the run's status is {measurement.report['status']}")
        return measurement


def by_hand(program, feed, store):
    """One of the C programs, on a new store."""
    remove_store(store)
    return run([built(program), feed, store], program)


class Peer:
    """Another tool, which does the job of workload a its own way, on a new store of its own. It may need more memory than
    there is, or too long: it is given a bound for both, and where it fails, that is its result."""

    def __init__(self, name, form, limits):
        self.name, self.form, self.limits = f"{name}, {form}", form, limits
        self.program = name
        self.store = built(f"a-{name.replace(' ', '-')}-{form}.store")

    def run(self, feed):
        remove_store(self.store)
        log = os.path.basename(self.store)
        if self.program == "sqlite3 shell":
            script = built("sqlite3-shell.sql")
            with open(script, "w") as file:
                file.write(sqlite_shell.script(self.form, feed))
            return run([shutil.which("sqlite3"), self.store, f".read {script}"], log, None, self.limits)
        script = os.path.join(PEERS, f"with-{self.program.lower()}.py")
        command = [sys.executable, "-B", script, self.form, feed, self.store]
        return run(command, log, None, self.limits)


def has_module(name):
    return subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True).returncode == 0


def peers(memory, seconds):
    """The peers that are installed, and sentences on those that are not."""
    found, missing = [], []
    limits = Limits(int(memory * GIB), int(seconds))
    for name, is_there, how in (
        ("DuckDB", has_module("duckdb"), f"{sys.executable} -m pip install duckdb"),
        ("sqlite-utils", has_module("sqlite_utils"), f"{sys.executable} -m pip install sqlite-utils"),
        ("sqlite3 shell", shutil.which("sqlite3") is not None, "apt-get install sqlite3"),
    ):
        if is_there:
            forms = ("whole", "typed", "linked", "split") if name == "DuckDB" else FORMS
            found.extend(Peer(name, form, limits) for form in forms)
        else:
            missing.append(f"{name} is not installed, and left out. To have it measured: {how}")
    return found, missing


def split_feed(scale):
    path = feeds.split_transit(scale, LISTS)
    for name in LISTS:
        feeds.warm(sqlite_shell.split_path(path, name))
    return path
