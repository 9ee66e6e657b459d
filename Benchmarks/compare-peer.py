#!/usr/bin/env python3
"""compare-peer.py STORE PEER-STORE

Does a peer's store hold the same data as Sluice's? A peer keeps references as identifiers: Sluice's objectIDs are turned
into the identifiers of their targets. Both are read in the order of their keys and compared row by row, value by value.

Prints a line per table, `same` or what differs, and ends with status 1 if anything does.
"""

import math
import os
import sqlite3
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers"))

from transit_tables import TABLES, reference_name

CHUNK = 20000


def linked_query(name):
    """On a store with objectIDs: the identifiers of the targets instead of them."""
    _, key, columns, references = TABLES[name]
    selected, joins = [], []
    for column in columns:
        target = references.get(column)
        reference = reference_name(name, column)
        if target is None:
            selected.append(f'o."{column}"')
        else:
            joins.append(f'LEFT JOIN "{target}" AS "{column}" ON "{column}"."objectID" = o."{reference}"')
            selected.append(f'"{column}"."{TABLES[target][1][0]}"')
    order = ", ".join(f'o."{column}"' for column in key)
    return f'SELECT {", ".join(selected)} FROM "{name}" AS o {" ".join(joins)} ORDER BY {order}'


def peer_query(name, execute):
    try:
        execute(f'SELECT o."objectID" FROM "{name}" AS o LIMIT 1').fetchall()
        return linked_query(name)
    except Exception:  # each library has its own for a column that does not exist
        pass
    _, key, columns, _ = TABLES[name]
    order = ", ".join(f'"{column}"' for column in key)
    return "SELECT " + ", ".join(f'"{column}"' for column in columns) + f' FROM "{name}" ORDER BY {order}'


def peer_cursors(path):
    """A function from a query to a cursor."""
    with open(path, "rb") as file:
        is_sqlite = file.read(15) == b"SQLite format 3"
    if is_sqlite:
        return sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute
    import duckdb

    database = duckdb.connect(path, read_only=True)
    database.execute("SET memory_limit = '4GB'")
    return database.execute


def same(one, other):
    """Whether two rows hold the same. SQLite's own reading of decimals, which its shell and sqlite-utils use in the end,
    may be off by the last bit of a double: that is not counted against them."""
    return len(one) == len(other) and all(
        a == b or isinstance(a, float) and isinstance(b, float) and math.isclose(a, b, rel_tol=1e-15)
        for a, b in zip(one, other)
    )


def difference(ours, theirs):
    """The number of rows, and how the first rows that are not the same differ."""
    rows = 0
    while True:
        one, other = ours.fetchmany(CHUNK), theirs.fetchmany(CHUNK)
        while len(other) < len(one):  # DuckDB's chunks can be shorter
            more = theirs.fetchmany(len(one) - len(other))
            if not more:
                break
            other += more
        if one != other:
            for a, b in zip(one, other):
                if not same(a, b):
                    return rows, f"{a} is {b} there"
            if len(one) != len(other):
                return rows, f"{rows + len(one)} rows here, {rows + len(other)} there, or more"
        if not one:
            return rows, None
        rows += len(one)


def main(arguments):
    if len(arguments) != 2:
        sys.exit("usage: compare-peer.py STORE PEER-STORE")
    ours, theirs = sqlite3.connect(f"file:{arguments[0]}?mode=ro", uri=True).execute, peer_cursors(arguments[1])
    differs = False
    for name in TABLES:
        rows, found = difference(ours(linked_query(name)), theirs(peer_query(name, theirs)))
        print(f"{name}: {rows} rows, {found or 'same'}")
        differs = differs or found is not None
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
