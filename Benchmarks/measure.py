"""Runs one program and measures it: wall time, processor time and peak memory, as the kernel counts them."""

import os
import statistics
import subprocess
from dataclasses import dataclass


@dataclass
class Measurement:
    seconds: float
    cpu: float  # user and system
    peak: float  # MiB, the largest resident set
    output: str  # what the program wrote to standard output


class RunFailed(Exception):
    pass


def measure(meter, command, log, environment=None):
    """Runs a command below `meter` (see measure-child.c); its output goes to files whose names begin with `log`."""
    result, output, errors = log + ".measured", log + ".out", log + ".err"
    with open(output, "wb") as output_file, open(errors, "wb") as error_file:
        subprocess.run(
            [meter, result, *command],
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output_file,
            stderr=error_file,
        )
    with open(result) as file:
        figures = file.read().split()
    if not figures or figures[0] != "0":
        with open(errors, errors="replace") as file:
            status = figures[0] if figures else "unknown"
            raise RunFailed(f"{' '.join(command)}: exit status {status}\n{file.read()}")
    with open(output, errors="replace") as file:
        text = file.read()
    return Measurement(float(figures[1]), float(figures[2]), int(figures[3]) / 1024 / 1024, text)


def median(measurements, attribute):
    return statistics.median(getattr(measurement, attribute) for measurement in measurements)
