#!/usr/bin/env python3
"""with-duckdb.py whole|typed|linked|split FEED STORE: the job of transit.jsonc with DuckDB.

whole   the feed as it is, whose fields and types DuckDB finds out by itself
typed   the feed as it is, and DuckDB is told the fields and types that are wanted
linked  the same, and the whole job: objectIDs, references by joins, unique indexes on identifiers, indexes on references, as
        Sluice's store has them
split   a file for each list, and DuckDB is told the fields and types

But for `linked`, it has no primary keys and no indexes, which would take it longer than the rest; duplicates are looked for
by a query on each table, which is what one would do instead. It need not keep the order of the records, and has all cores.
"""

import os
import sys

import duckdb

from transit_tables import TABLES, reference_name, split_path

DUCKDB_TYPES = {"TEXT": "VARCHAR", "INTEGER": "BIGINT", "REAL": "DOUBLE"}


def fields(columns):
    """Each field once: two columns can come from one."""
    return {field: DUCKDB_TYPES[kind] for field, kind in columns.values()}


def refuse_duplicates(database, name, key):
    keys = ", ".join(f'"{column}"' for column in key)
    query = f'SELECT count(*) - (SELECT count(*) FROM (SELECT DISTINCT {keys} FROM "{name}")) FROM "{name}"'
    twice = database.execute(query).fetchone()[0]
    if twice:
        sys.exit(f"{name}: {twice} duplicates")


def link(database):
    """The tables of Sluice from the records as they came."""
    for name in TABLES:
        database.execute(f'ALTER TABLE "{name}_raw" ADD COLUMN "objectID" BIGINT')
        database.execute(f'UPDATE "{name}_raw" SET "objectID" = rowid + 1')
    for name, (_, key, columns, references) in TABLES.items():
        joins = ""
        selected = ['r."objectID"', *(f'r."{column}"' for column in columns if column not in references or column in key)]
        for column, target in references.items():
            reference = reference_name(name, column)
            selected.append(f'"{reference}"."objectID" AS "{reference}"')
            joins += f' LEFT JOIN "{target}_raw" AS "{reference}" ON "{reference}"."{TABLES[target][1][0]}" = r."{column}"'
        database.execute(f'CREATE TABLE "{name}" AS SELECT {", ".join(selected)} FROM "{name}_raw" AS r{joins}')
    for name, (_, key, _, references) in TABLES.items():
        keys = ", ".join(f'"{column}"' for column in key)
        database.execute(f'DROP TABLE "{name}_raw"')
        database.execute(f'CREATE UNIQUE INDEX "{name}_objectID" ON "{name}"("objectID")')
        database.execute(f'CREATE UNIQUE INDEX "{name}_identifier" ON "{name}"({keys})')
        for column in references:
            reference = reference_name(name, column)
            database.execute(f'CREATE INDEX "{name}_{reference}" ON "{name}"("{reference}")')


def main(form, feed, store):
    database = duckdb.connect(store)
    # Below the limit that it is run with, so that it writes to disk what does not fit instead of giving up.
    database.execute("SET memory_limit = '10GB'")
    database.execute("SET preserve_insertion_order = false")
    database.execute("SET enable_progress_bar = false")
    size = os.path.getsize(feed) + 1024
    if form == "whole":
        database.execute(f"CREATE TEMP TABLE document AS FROM read_json('{feed}', maximum_object_size = {size})")
    elif form != "split":
        lists = ", ".join(
            f"{list_name}: 'STRUCT({', '.join(f'{field} {kind}' for field, kind in fields(columns).items())})[]'"
            for list_name, _, columns, _ in TABLES.values()
        )
        database.execute(
            f"CREATE TEMP TABLE document AS FROM read_json('{feed}', format = 'unstructured', records = true,"
            f" maximum_object_size = {size}, columns = {{{lists}}})"
        )
    for name, (list_name, key, columns, _) in TABLES.items():
        if form != "split":
            source = f"(SELECT unnest({list_name}, recursive := true) FROM document)"
        else:
            types = ", ".join(f"{field}: '{kind}'" for field, kind in fields(columns).items())
            path = split_path(feed, list_name)
            source = f"read_json('{path}', format = 'newline_delimited', columns = {{{types}}})"
        selected = ", ".join(
            f'CAST({field} AS {DUCKDB_TYPES[kind]}) AS "{column}"' for column, (field, kind) in columns.items()
        )
        temporary = "TEMP " if form == "linked" else ""
        database.execute(f'CREATE {temporary}TABLE "{name}{"_raw" if temporary else ""}" AS SELECT {selected} FROM {source}')
        if form != "linked":
            refuse_duplicates(database, name, key)
    if form == "linked":
        link(database)
    database.execute("CHECKPOINT")
    database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
