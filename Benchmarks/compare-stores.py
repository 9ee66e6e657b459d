#!/usr/bin/env python3
"""compare-stores.py A B

Do two stores hold the same data? ObjectIDs may differ, they are each store's own: objects are paired by identifier, and
references are compared by the identifiers of their targets.

Prints a line per table, `same` or what differs, and ends with status 1 if anything does. SQLite does the work in one
pass over each table of A, so that memory stays small and three million rows take seconds: where both tables have as many
rows, and every row of A has its partner in B, the two are the same rows.
"""

import os
import sqlite3
import sys
from urllib.parse import quote

EXAMPLES = 3


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Table:
    """What the comparison needs to know of one table of one store."""

    def __init__(self, connection, schema, name):
        def pragma(what, argument):
            return connection.execute(f"PRAGMA {schema}.{what}({quoted(argument)})").fetchall()

        self.name = name
        self.types = {row[1]: row[2].upper() for row in pragma("table_info", name)}
        self.targets = {row[3]: row[2] for row in pragma("foreign_key_list", name)}
        self.indexes = set()
        self.identifier = None
        self.link = None  # of a link table: the references by which its rows are known
        for _, index, unique, _, partial in pragma("index_list", name):
            columns = tuple(row[2] for row in pragma("index_info", index))
            self.indexes.add((columns, bool(unique)))
            if unique and not partial and not self.targets.keys() & set(columns):
                self.identifier = columns
            elif unique and not partial and self.targets.keys() >= set(columns):
                self.link = columns
        self.rows = connection.execute(f"SELECT count(*) FROM {schema}.{quoted(name)}").fetchone()[0]


def open_both(paths):
    connection = sqlite3.connect("file::memory:", uri=True)
    for schema, path in zip("ab", paths):
        if not os.path.exists(path):
            sys.exit(f"{path} does not exist")
        connection.execute(f"ATTACH ? AS {schema}", (f"file:{quote(os.path.abspath(path))}?mode=ro",))
        connection.execute(f"PRAGMA {schema}.cache_size = -65536")
    return connection


def tables_of(connection, schema):
    """The tables that hold objects: not SQLite's own, and not the ledger and the waiting list."""
    names = connection.execute(
        f"SELECT name FROM {schema}.sqlite_schema WHERE type = 'table'"
        r" AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE 'sluice\_%' ESCAPE '\' ORDER BY name"
    )
    return {name: Table(connection, schema, name) for (name,) in names.fetchall()}


def shape_differences(a, b):
    """How the definitions of two tables differ. Two stores that were built with different work cannot be timed against
    each other, so indexes count."""
    found = []
    for column in sorted(a.types.keys() | b.types.keys()):
        ours, theirs = a.types.get(column), b.types.get(column)
        if ours != theirs:
            found.append(f"column {column} is {ours or 'missing'} in A, {theirs or 'missing'} in B")
    if a.targets != b.targets:
        found.append(f"references: A {a.targets}, B {b.targets}")
    for columns, unique in sorted(a.indexes ^ b.indexes):
        where = "A" if (columns, unique) in a.indexes else "B"
        kind = "a unique index" if unique else "an index"
        found.append(f"only {where} has {kind} on {', '.join(columns)}")
    return found


def link_differences(connection, tables_a, tables_b, name):
    """How two link tables of the same columns differ: each link of A must be one of B's, between the same objects."""
    a, b, link = tables_a[name], tables_b[name], tables_a[name].link
    joins = []
    for number, column in enumerate(link):
        target = a.targets[column]
        identifier = tables_a[target].identifier if target in tables_a and target in tables_b else None
        if identifier is None or identifier != tables_b[target].identifier:
            return [f"{column} refers to {target}, which has no identifier in both stores: cannot be compared"]
        same = " AND ".join(f"b{number}.{quoted(part)} = a{number}.{quoted(part)}" for part in identifier)
        joins.append(
            f'CROSS JOIN a.{quoted(target)} AS a{number} ON a{number}."objectID" = a.{quoted(column)}'
            f" CROSS JOIN b.{quoted(target)} AS b{number} ON {same}"
        )
    same = " AND ".join(f'b.{quoted(column)} = b{number}."objectID"' for number, column in enumerate(link))
    others = [column for column in a.types if column not in link]
    sums = "".join(f", total(b.{quoted(column)} IS NOT a.{quoted(column)})" for column in others)
    table = quoted(name)
    paired, *counts = connection.execute(
        f"SELECT count(*){sums} FROM a.{table} AS a {' '.join(joins)} CROSS JOIN b.{table} AS b ON {same}"
    ).fetchone()
    found = [f"{column} differs in {int(count)} rows" for column, count in zip(others, counts) if count]
    for rows, label in ((a.rows, "A"), (b.rows, "B")):
        if rows != paired:
            found.append(f"{rows - paired} rows are only in {label}")
    return found


def data_differences(connection, tables_a, tables_b, name):
    """How the rows of two tables of the same columns differ."""
    a, b = tables_a[name], tables_b[name]
    if a.link and a.link == b.link:
        return link_differences(connection, tables_a, tables_b, name)
    if a.identifier is None or a.identifier != b.identifier:
        return ["no unique index that identifies its rows in both stores: cannot be compared"]
    same_identifier = " AND ".join(f"b.{quoted(column)} = a.{quoted(column)}" for column in a.identifier)

    # One expression per column: true where a pair differs in it.
    differs, joins = {}, []
    for number, column in enumerate(a.types):
        if column == "objectID" or column in a.identifier:
            continue
        ours, theirs = f"a.{quoted(column)}", f"b.{quoted(column)}"
        target = a.targets.get(column)
        if target is None:
            differs[column] = f"{ours} IS NOT {theirs}"
            continue
        both = [tables.get(target) for tables in (tables_a, tables_b)]
        if None in both or both[0].identifier is None or both[0].identifier != both[1].identifier:
            return [f"{column} refers to {target}, which has no identifier in both stores: cannot be compared"]
        conditions = []
        for schema, value in (("a", ours), ("b", theirs)):
            alias = f"{schema}{number}"
            joins.append(f'LEFT JOIN {schema}.{quoted(target)} AS {alias} ON {alias}."objectID" = {value}')
            # A reference to a row that does not exist is wrong even if it is so in both.
            conditions.append(f'({value} IS NOT NULL AND {alias}."objectID" IS NULL)')
        for part in tables_a[target].identifier:
            conditions.append(f"a{number}.{quoted(part)} IS NOT b{number}.{quoted(part)}")
        differs[column] = " OR ".join(conditions)

    # CROSS JOIN keeps SQLite from choosing another order: A as it lies, B by its unique index.
    table = quoted(name)
    pairs = f"FROM a.{table} AS a CROSS JOIN b.{table} AS b ON {same_identifier} {' '.join(joins)}"
    sums = "".join(f", total({condition})" for condition in differs.values())
    paired, *counts = connection.execute(f"SELECT count(*){sums} {pairs}").fetchone()

    found = []
    identifier = ", ".join(f"a.{quoted(column)}" for column in a.identifier)

    def examples(sql):
        rows = connection.execute(f"{sql} LIMIT {EXAMPLES}").fetchall()
        return ", ".join("/".join(map(str, row)) for row in rows)

    for (column, condition), count in zip(differs.items(), counts):
        if count:
            found.append(f"{column} differs in {int(count)} rows: {examples(f'SELECT {identifier} {pairs} WHERE {condition}')}")
    for one, other, rows, label in (("a", "b", a.rows, "A"), ("b", "a", b.rows, "B")):
        if rows != paired:
            sql = (
                f"SELECT {identifier} FROM {one}.{table} AS a"
                f" WHERE NOT EXISTS (SELECT 1 FROM {other}.{table} AS b WHERE {same_identifier})"
            )
            found.append(f"{rows - paired} rows are only in {label}: {examples(sql)}")
    return found


def main(arguments):
    if len(arguments) != 2:
        sys.exit("usage: compare-stores.py A B")
    connection = open_both(arguments)
    tables_a, tables_b = tables_of(connection, "a"), tables_of(connection, "b")
    different = not tables_a
    if different:
        print("A has no tables")
    for name in sorted(tables_a.keys() | tables_b.keys()):
        a, b = tables_a.get(name), tables_b.get(name)
        if a is None or b is None:
            found, rows = [f"is only in {'B' if a is None else 'A'}"], (a or b).rows
        else:
            found, rows = shape_differences(a, b), a.rows
            if a.types == b.types and a.targets == b.targets:
                found += data_differences(connection, tables_a, tables_b, name)
        print(f"{name}: {rows} rows, {'; '.join(found) or 'same'}")
        different = different or bool(found)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
