"""What a measurement was made on and with: figures without it cannot be compared."""

import datetime
import os
import platform
import subprocess
import sys


def first_line(command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return (result.stdout.strip().splitlines() or ["unknown"])[0]


def line_of(path, key):
    """The value of the first `key : value` line of a file in /proc."""
    try:
        with open(path) as file:
            for line in file:
                name, _, value = line.partition(":")
                if name.strip() == key:
                    return value.strip()
    except OSError:
        pass
    return "unknown"


def memory():
    kibibytes = line_of("/proc/meminfo", "MemTotal").split()[0]
    return f"{int(kibibytes) / 1024 / 1024:.1f} GiB" if kibibytes.isdigit() else kibibytes


def module_version(name):
    return first_line([sys.executable, "-c", f"import importlib.metadata as m; print(m.version('{name}'))"])


def describe(repository, baseline, sluice, peers):
    """Pairs of a name and a value. `baseline` and `sluice` are the programs' paths; sluice may not exist; `peers` are the
    names of those that are measured."""
    libraries = subprocess.run([baseline, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")
    commit = first_line(["git", "-C", repository, "describe", "--always", "--dirty"])
    versions = {
        "DuckDB": lambda: module_version("duckdb"),
        "sqlite-utils": lambda: module_version("sqlite-utils"),
        "sqlite3 shell": lambda: " ".join(first_line(["sqlite3", "--version"]).split()[:1]),
    }
    python = f"Python {platform.python_version()}"
    others = [f"{name} {versions[name]()}" for name in peers]
    return [
        ("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")),
        ("processor", f"{line_of('/proc/cpuinfo', 'model name')}, {os.cpu_count()} cores"),
        ("memory", memory()),
        ("system", f"{platform.system()} {platform.release()}"),
        ("load average before", f"{os.getloadavg()[0]:.2f}"),
        ("sluice", f"{first_line([sluice, '--version'])}, commit {commit}"),
        ("swift", first_line(["swift", "--version"])),
        ("C compiler", first_line(["cc", "--version"])),
        ("libraries", ", ".join(line for line in libraries if line)),
        ("peers", ", ".join([*others, python]) if others else "none"),
    ]
