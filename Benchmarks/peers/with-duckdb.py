#!/usr/bin/env python3
"""with-duckdb.py whole|split FEED STORE: the job of transit.jsonc with DuckDB.

Its best case: it is told the types, so that it need not look for them, and need not keep the order of the records; all
cores. It has no primary keys and no indexes, which would take it longer than the rest; duplicates are looked for by a
query on each table, which is what one would do instead.
"""

import os
import sys

import duckdb

from transit_tables import TABLES, split_path

DUCKDB_TYPES = {"TEXT": "VARCHAR", "INTEGER": "BIGINT", "REAL": "DOUBLE"}


def fields(columns):
    """Each field once: two columns can come from one."""
    return {field: DUCKDB_TYPES[kind] for field, kind in columns.values()}


def main(form, feed, store):
    database = duckdb.connect(store)
    # Below the limit that it is run with, so that it writes to disk what does not fit instead of giving up.
    database.execute("SET memory_limit = '10GB'")
    database.execute("SET preserve_insertion_order = false")
    database.execute("SET enable_progress_bar = false")
    if form == "whole":
        lists = ", ".join(
            f"{list_name}: 'STRUCT({', '.join(f'{field} {kind}' for field, kind in fields(columns).items())})[]'"
            for list_name, _, columns, _ in TABLES.values()
        )
        size = os.path.getsize(feed) + 1024
        database.execute(
            f"CREATE TEMP TABLE document AS FROM read_json('{feed}', format = 'unstructured', records = true,"
            f" maximum_object_size = {size}, columns = {{{lists}}})"
        )
    for name, (list_name, key, columns, _) in TABLES.items():
        if form == "whole":
            source = f"(SELECT unnest({list_name}, recursive := true) FROM document)"
        else:
            types = ", ".join(f"{field}: '{kind}'" for field, kind in fields(columns).items())
            path = split_path(feed, list_name)
            source = f"read_json('{path}', format = 'newline_delimited', columns = {{{types}}})"
        selected = ", ".join(f'{field} AS "{column}"' for column, (field, _) in columns.items())
        database.execute(f'CREATE TABLE "{name}" AS SELECT {selected} FROM {source}')
        keys = ", ".join(f'"{column}"' for column in key)
        twice = database.execute(
            f'SELECT count(*) - (SELECT count(*) FROM (SELECT DISTINCT {keys} FROM "{name}")) FROM "{name}"'
        ).fetchone()[0]
        if twice:
            sys.exit(f"{name}: {twice} duplicates")
    database.execute("CHECKPOINT")
    database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
