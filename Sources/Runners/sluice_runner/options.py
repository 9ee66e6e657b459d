"""The options that runners have in common."""

from __future__ import annotations

import argparse
import re
import sys
from typing import NoReturn

from .failure import USAGE


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}\nTry: {self.prog} --help", file=sys.stderr)
        sys.exit(USAGE)


def size(text: str) -> int:
    match = re.fullmatch(r"(\d+)([KMG]?)(i?B)?", text)
    if not match:
        raise argparse.ArgumentTypeError(f"a size such as 256MiB, not {text}")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]


def natural(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1, not {text}")
    return int(text)


def whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a whole number, not {text}")
    return int(text)


def folder(text: str) -> str:
    if "://" in text:
        raise argparse.ArgumentTypeError(f"a folder, not the address {text}")
    return text


def parser(program: str, engine: str) -> Parser:
    found = Parser(prog=program, description=f"Runs a pipeline on {engine}, into a folder of Parquet files.")
    found.add_argument("definition", metavar="DEFINITION", help="the pipeline definition")
    found.add_argument("--state", metavar="ROOT", type=folder, required=True, help="the folder of the state; needed")
    found.add_argument("--sluice", metavar="BINARY", default="sluice", help="the command sluice (default: from PATH)")
    found.add_argument(
        "--range",
        metavar="SIZE",
        type=size,
        default=256 << 20,
        help="bytes of feeds of lines in a part (default: 256MiB; 0: whole)",
    )
    found.add_argument(
        "--keep", metavar="N", type=whole, default=2, help="versions before the newest that stay (default: 2)"
    )
    found.add_argument(
        "--work", metavar="DIR", type=folder, help="where parts and what is made on the way go (default: ROOT)"
    )
    found.add_argument("--dry-run", action="store_true", help="say what a run would do, and change nothing")
    found.add_argument(
        "--allow",
        metavar="LIMIT=N|N%%",
        action="append",
        default=[],
        help="a limit of this run alone, as of sluice run; may be given several times",
    )
    found.add_argument("--report", metavar="FILE", help="write the report to FILE, as JSON")
    found.add_argument("--findings", metavar="FILE", help="write all findings to FILE, a line of JSON each")
    found.add_argument("--format", choices=["text", "json"], default="text", help="how the report is shown")
    found.add_argument("--quiet", action="store_true", help="show nothing when all is well")
    return found
