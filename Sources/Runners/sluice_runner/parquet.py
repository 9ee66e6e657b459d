"""What the footer of a file of Parquet says."""

from __future__ import annotations

import os

MAGIC = b"PAR1"
# The marks at both ends, and the footer's length.
FRAME = 12
# Of `FileMetaData` in the format.
ROWS = 3


def rows(path: str) -> int:
    """How many rows a file has; ValueError: it is no whole file of Parquet."""
    if os.path.getsize(path) < FRAME:
        raise ValueError("too short")
    with open(path, "rb") as file:
        file.seek(-8, os.SEEK_END)
        length, mark = int.from_bytes(file.read(4), "little"), file.read(4)
        if mark != MAGIC or length + FRAME > os.path.getsize(path):
            raise ValueError("no footer")
        file.seek(-8 - length, os.SEEK_END)
        try:
            return Footer(file.read(length)).number(ROWS)
        except IndexError as error:
            raise ValueError("a footer that is cut") from error


class Footer:
    """A struct in Thrift's compact protocol, as far as one number of it.

    Source: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def number(self, wanted: int) -> int:
        field = 0
        while kind := self.data[self.at] & 15:
            field = self.field(field)
            if field == wanted:
                return self.signed()
            self.skip(kind)
        raise ValueError("a footer without what it should have")

    def field(self, before: int) -> int:
        """Goes on behind the head of a field: its number."""
        delta = self.data[self.at] >> 4
        self.at += 1
        return before + delta if delta else self.signed()

    def unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self) -> int:
        value = self.unsigned()
        return value >> 1 ^ -(value & 1)

    def skip(self, kind: int, is_element: bool = False) -> None:
        if kind in (1, 2):
            # Of a field, its head says whether it is true.
            self.at += 1 if is_element else 0
        elif kind == 3:
            self.at += 1
        elif kind in (4, 5, 6):
            self.unsigned()
        elif kind == 7:
            self.at += 8
        elif kind == 8:
            length = self.unsigned()
            self.at += length
        elif kind in (9, 10):
            self.skip_list()
        elif kind == 12:
            while inner := self.data[self.at] & 15:
                self.field(0)
                self.skip(inner)
            self.at += 1
        else:
            raise ValueError(f"a footer with a value of the kind {kind}")

    def skip_list(self) -> None:
        head = self.data[self.at]
        self.at += 1
        count = head >> 4 if head >> 4 < 15 else self.unsigned()
        for _ in range(count):
            self.skip(head & 15, is_element=True)
