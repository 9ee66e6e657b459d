"""How `sluice extract` is called. Workers have nothing of the runner but the functions of this file, which go there."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
from collections.abc import Callable

from .failure import DATA, FINAL, USAGE

TRIES = 3


def repeated(call: Callable[[], tuple[int, str]]) -> tuple[int, str]:
    """Calls again what may succeed then. A status and a message come of it."""
    status, message = 0, ""
    for _ in range(TRIES):
        status, message = call()
        # Who was killed was not by chance.
        if status <= 0 or status in FINAL:
            break
    return status, message


def call(command: list[str], environment: dict[str, str]) -> tuple[int, str]:
    try:
        done = subprocess.run(
            command,
            env=os.environ | environment,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        return USAGE, f"{command[0]} cannot be started: {error.strerror}"
    return done.returncode, done.stderr.strip()


def perform(command: list[str], environment: dict[str, str], marker: str) -> tuple[int, str]:
    """On a worker, unless another call has failed, which a file marks: the status, and what was said."""
    if os.path.exists(marker):
        return 0, ""
    status, message = repeated(lambda: call(command, environment))
    if status == 0:
        return 0, ""
    with open(marker, "w", encoding="ascii"):
        pass
    # What is wrong with a feed is so wherever it is read.
    return status, message if status == DATA else f"{socket.gethostname()}: {message}"


def look(folder: str, token: str) -> tuple[str, str]:
    """On a worker: its name, and what it has written into a folder where a file holds a token; nothing if none does."""
    name = ""
    try:
        with open(os.path.join(folder, "token"), encoding="ascii") as file:
            if file.read() == token:
                name = secrets.token_hex(8)
                with open(os.path.join(folder, name), "w", encoding="ascii"):
                    pass
    except OSError:
        name = ""
    return socket.gethostname(), name
