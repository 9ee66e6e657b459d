#!/usr/bin/env python3
"""compare-server.py PSQL ADDRESS SCHEMA STORE: do the tables of transit.jsonc hold the same in PostgreSQL and in SQLite?

Compared are the objects with their attributes and with the identifiers of what they refer to, in the order of their own.
"""

import csv
import itertools
import sqlite3
import subprocess
import sys

QUERIES = {
    "Route": 'SELECT route_id, short_name, long_name, type, color FROM {0}"Route" ORDER BY 1',
    "Stop": 'SELECT s.stop_id, s.name, s.latitude, s.longitude, p.stop_id FROM {0}"Stop" s'
    ' LEFT JOIN {0}"Stop" p ON p."objectID" = s.parent ORDER BY 1',
    "Trip": 'SELECT t.trip_id, t.headsign, t.service_id, t.direction, r.route_id FROM {0}"Trip" t'
    ' LEFT JOIN {0}"Route" r ON r."objectID" = t.route ORDER BY 1',
    "StopTime": "SELECT s.trip_id, s.sequence, s.arrival, s.departure, s.headsign, s.distance, t.trip_id, p.stop_id"
    ' FROM {0}"StopTime" s LEFT JOIN {0}"Trip" t ON t."objectID" = s.trip'
    ' LEFT JOIN {0}"Stop" p ON p."objectID" = s.stop ORDER BY 1, 2',
}
REALS = {"Stop": (2, 3), "StopTime": (5,)}


def text(value):
    """As the server writes it; null as \\N, which no value of the feed is."""
    return "\\N" if value is None else repr(value) if isinstance(value, float) else str(value)


def main():
    psql, address, schema, path = sys.argv[1:]
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    for table, query in QUERIES.items():
        sql = f"COPY ({query.format(f'{schema}.')}) TO STDOUT (FORMAT csv, NULL '\\N')"
        command = [psql, "-Xq", "-v", "ON_ERROR_STOP=1", "-c", sql, address]
        with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as server:
            reals, count = REALS.get(table, ()), 0
            for there, here in itertools.zip_longest(csv.reader(server.stdout), store.execute(query.format(""))):
                if there is not None:
                    there = [repr(float(v)) if i in reals and v != "\\N" else v for i, v in enumerate(there)]
                here = here and [text(value) for value in here]
                if there != here:
                    print(f"{table}: {there} there, {here} here")
                    return 1
                count += 1
        if server.returncode != 0:
            return 1
        print(f"{table}: {count} objects, same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
