"""Runs one program and measures it: wall time, processor time and peak memory, as the kernel counts them."""

import os
import statistics
import subprocess
from dataclasses import dataclass, field

MIB = 1024 * 1024
TIMED_OUT = 124  # of measure-child
OUT_OF_MEMORY = ("MemoryError", "out of memory", "bad_alloc", "Cannot allocate memory")


@dataclass
class Measurement:
    seconds: float
    cpu: float  # user and system
    peak: float  # MiB, the largest resident set
    output: str  # what the program wrote to standard output
    report: dict = field(default_factory=dict)  # of a run of sluice

    @property
    def cache(self):
        """MiB of the objectID cache, as the report of a run of sluice says; None if it does not."""
        found = self.report.get("cache")
        if isinstance(found, dict):
            found = next((found[key] for key in ("peakBytes", "peak", "bytes") if key in found), None)
        return found / MIB if isinstance(found, (int, float)) else None

    @property
    def own_peak(self):
        """MiB, less the objectID cache."""
        return self.peak - (self.cache or 0)

    @property
    def records(self):
        return sum(entity["records"] for entity in self.report.get("entities", {}).values())


class RunFailed(Exception):
    """A program that ended with another status than 0; `reason` says why in a few words, where that is known."""

    def __init__(self, message, reason=None):
        super().__init__(message)
        self.reason = reason or message.strip().splitlines()[-1][:200]


@dataclass
class Limits:
    memory: int = 0  # bytes of address space; 0: none
    seconds: int = 0


def measure(meter, command, log, environment=None, limits=Limits()):
    """Runs a command below `meter` (see measure-child.c); its output goes to files whose names begin with `log`."""
    result, output, errors = log + ".measured", log + ".out", log + ".err"
    if os.path.exists(result):
        os.remove(result)
    with open(output, "wb") as output_file, open(errors, "wb") as error_file:
        subprocess.run(
            [meter, str(limits.memory), str(limits.seconds), result, *command],
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output_file,
            stderr=error_file,
        )
    figures = []
    if os.path.exists(result):
        with open(result) as file:
            figures = file.read().split()
    if not figures or figures[0] != "0":
        with open(errors, errors="replace") as file:
            said = file.read()
        raise failure(command, figures, said, limits)
    with open(output, errors="replace") as file:
        text = file.read()
    return Measurement(float(figures[1]), float(figures[2]), int(figures[3]) / MIB, text)


def failure(command, figures, said, limits):
    status = int(figures[0]) if figures else None
    reason = None
    if status == TIMED_OUT:
        reason = f"not done after {limits.seconds} s"
    elif any(words.lower() in said.lower() for words in OUT_OF_MEMORY):
        reason = f"needs more than {limits.memory / MIB / 1024:g} GiB" if limits.memory else "out of memory"
    return RunFailed(f"{' '.join(command)}: exit status {status}\n{said}", reason)


def median(measurements, attribute):
    return statistics.median(getattr(measurement, attribute) for measurement in measurements)
