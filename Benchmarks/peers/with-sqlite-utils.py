#!/usr/bin/env python3
"""with-sqlite-utils.py whole|split FEED STORE: the job of transit.jsonc with sqlite-utils.

Its best case: no journal, as the baseline has it; of a split feed never more than a batch is in memory.
"""

import json
import sys

import sqlite_utils

from transit_tables import TABLES, split_path, sync

PYTHON_TYPES = {"TEXT": str, "INTEGER": int, "REAL": float}


def rows(records, columns):
    fields = [(column, field) for column, (field, _) in columns.items()]
    for record in records:
        yield {column: record.get(field) for column, field in fields}


def lines(path):
    with open(path, encoding="utf-8") as file:
        yield from map(json.loads, file)


def main(form, feed, store):
    database = sqlite_utils.Database(store)
    for setting in ("locking_mode = EXCLUSIVE", "journal_mode = OFF", "synchronous = OFF", "cache_size = -65536"):
        database.execute(f"PRAGMA {setting}").fetchall()
    if form == "whole":
        with open(feed, encoding="utf-8") as file:
            document = json.load(file)
    for name, (list_name, key, columns, references) in TABLES.items():
        records = document.pop(list_name) if form == "whole" else lines(split_path(feed, list_name))
        table = database[name].create(
            {column: PYTHON_TYPES[kind] for column, (_, kind) in columns.items()}, pk=key if len(key) > 1 else key[0]
        )
        table.insert_all(rows(records, columns), batch_size=1000)
    for name, (_, key, _, references) in TABLES.items():
        for column in references:
            if column not in key:
                database[name].create_index([column])
    database.conn.commit()
    database.close()
    sync(store)


if __name__ == "__main__":
    main(*sys.argv[1:])
