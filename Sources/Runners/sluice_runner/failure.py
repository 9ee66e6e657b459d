"""What ends a run."""

from __future__ import annotations

import signal

# Exit statuses, as sysexits.h has them, and as `sluice` does.
USAGE, DATA, MISSING, UNAVAILABLE, INTERNAL, UNCREATABLE, IO_ERROR = 64, 65, 66, 69, 70, 73, 74
BUSY, FORBIDDEN, DEFINITION = 75, 77, 78
# What another try would not change.
FINAL = {USAGE, DATA, MISSING, UNCREATABLE, FORBIDDEN, DEFINITION}


class Failure(Exception):
    """Ends a run, with its exit status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def status_of(error: BaseException) -> int:
    """The exit status of a run that an exception has ended."""
    if isinstance(error, Failure):
        return error.status
    if isinstance(error, KeyboardInterrupt):
        return 128 + signal.SIGINT
    if isinstance(error, SystemExit):
        return int(error.code or 0)
    return IO_ERROR if isinstance(error, OSError) else INTERNAL


def failure(status: int, message: str) -> Failure:
    """What a call of `sluice extract` has ended with, a signal being negative."""
    return Failure(status if status > 0 else 128 - status, message or f"sluice extract ended with {status}")
