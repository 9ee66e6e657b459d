"""The job of transit.jsonc for SQLite's shell: a script of SQL, with its JSON functions.

Its best case: no journal, as the baseline has it. A split feed is imported line by line into a temporary table.
"""

from transit_tables import TABLES, split_path

SETTINGS = """.bail on
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -65536;
PRAGMA temp_store = MEMORY;
BEGIN;
"""


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def script(form, feed):
    parts = [SETTINGS]
    for name, (list_name, key, columns, _) in TABLES.items():
        definitions = ", ".join(f'"{column}" {kind}' for column, (_, kind) in columns.items())
        keys = ", ".join(f'"{column}"' for column in key)
        parts.append(f'CREATE TABLE "{name}" ({definitions}, PRIMARY KEY ({keys}));')
        if form == "whole":
            source = f"json_each(CAST(readfile({quoted(feed)}) AS TEXT), '$.{list_name}') AS record"
            value = "record.value"
        else:
            # A separator that no record holds: JSON has no control characters.
            parts.append(f'CREATE TEMP TABLE "lines_{list_name}" (line TEXT);')
            parts.append('.mode ascii\n.separator "\\037" "\\n"')
            parts.append(f'.import "{split_path(feed, list_name)}" lines_{list_name}')
            source, value = f'"lines_{list_name}"', "line"
        selected = ", ".join(f"{value} ->> '$.{field}'" for field, _ in columns.values())
        parts.append(f'INSERT INTO "{name}" SELECT {selected} FROM {source};')
        if form == "split":
            parts.append(f'DROP TABLE "lines_{list_name}";')
    for name, (_, key, _, references) in TABLES.items():
        parts.extend(f'CREATE INDEX "{name}_{column}" ON "{name}"("{column}");' for column in references if column not in key)
    parts.append("COMMIT;")
    return "\n".join(parts) + "\n"
