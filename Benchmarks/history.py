"""The workload s: nights of a store that keeps its past beside the same nights without; what its past costs, and how it is read.

Each round goes on where the last one ended, so that there are nights of all rounds in the end.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import time

import contenders
from contenders import remove_store
from feeds import built
from measure import Measurement
from nights import NightsBeside
from postgresql import programs

CALLS = 100_000  # at scale 1
NIGHTS = 20  # a round
SERVER_NIGHTS = 5
LOOK_UPS = 2000
COLUMNS = "trip, sequence, arrival, departure, distance"


class Nights:
    """A feed, and what happens to it: of the calls, 1 % change in a night, 0.1 % are new, and 0.1 % gone."""

    def __init__(self, count, seed=1):
        self.random, self.path, self.trips = random.Random(seed), built("s.json"), 0
        self.stops = [{"id": f"de:11000:{900_000_000 + stop}", "name": f"Stop number {stop}"} for stop in range(2000)]
        self.calls = []
        while len(self.calls) < count:
            self.add_trip()
        self.write()

    def add_trip(self):
        self.trips += 1
        for sequence in range(20):
            minute = 300 + self.trips % 900 + 2 * sequence
            self.calls.append({
                "trip": f"T{1_000_000 + self.trips}", "sequence": sequence, "arrival": f"{minute // 60:02}:{minute % 60:02}:00",
                "departure": f"{minute // 60:02}:{minute % 60:02}:30", "distance": round(sequence * 0.7 + self.trips % 100 / 100, 2),
                "stop": self.stops[(self.trips * 7 + sequence) % 2000]["id"],
            })

    def write(self):
        with open(self.path, "w") as file:
            lists = [",\n".join(map(json.dumps, records)) for records in (self.stops, self.calls)]
            file.write('{"stops": [\n%s\n], "calls": [\n%s\n]}\n' % tuple(lists))

    def next(self):
        count = len(self.calls)
        for place in self.random.sample(range(count), count // 100):
            call = self.calls[place]
            if self.random.random() < 0.5:
                call["departure"] = f"{self.random.randrange(24):02}:{self.random.randrange(60):02}:00"
            else:
                call["stop"] = self.random.choice(self.stops)["id"]
        gone = set(self.random.sample(range(count), count // 1000))
        self.calls = [call for place, call in enumerate(self.calls) if place not in gone]
        while len(self.calls) < count:
            self.add_trip()
        self.write()


class History(NightsBeside):
    """One round of the workload."""

    letter, name, line = "s", "history", '  "history": true,\n'

    def prepare(self):
        self.write_definitions()
        self.remove_stores()
        self.bench.nights[self.letter] = Nights(int(CALLS * self.bench.scale))

    def round(self):
        if self.bench.round == 0:
            self.prepare()
            self.in_turn("first import", 0, self.run)
        self.in_turn("nights", NIGHTS, self.run)
        self.read()
        if programs() is not None:
            self.on_server(SERVER_NIGHTS, self.count_bytes_on_server)
        if self.bench.round == self.bench.rounds - 1:
            self.remove_stores()

    def count_bytes_on_server(self, server, databases):
        database = databases["with"]
        number = server.execute("SELECT number FROM history.sluice_history_table WHERE name = 'Call'", database).strip()
        table = f"history.sluice_history_{number}"
        size, count = (server.execute(sql, database).strip() for sql in (
            f"SELECT pg_total_relation_size('{table}')", f"SELECT count(*) FROM {table}"))
        self.bench.server_bytes = int(size) / int(count)

    # Reading

    def read(self):
        store = sqlite3.connect(f"file:{self.stores['with']}?mode=ro", uri=True)
        last, = store.execute("SELECT max(run) FROM sluice_run").fetchone()
        self.look_up(store, last)
        self.count_bytes(store)
        busiest, = store.execute("SELECT json_array(trip, sequence) FROM Call_history GROUP BY trip, sequence ORDER BY count(*) DESC LIMIT 1").fetchone()
        store.close()
        copy = built("s-copy.sqlite")
        self.command("VACUUM INTO", copy, [shutil.which("sqlite3"), self.stores["with"], f"VACUUM INTO '{copy}'"])
        for name, run in (("at, last run", last), ("at, halfway", last // 2), ("at, first run", 1)):
            self.command(name, copy, [self.sluice, "at", self.definitions["with"], str(run), "--output", copy])
        self.command("history of one object", copy, [self.sluice, "history", self.definitions["with"], "Call", busiest])

    def command(self, name, copy, words):
        remove_store(copy)
        self.keep(name, contenders.run(words, self.letter, self.environment("with", "none")))
        remove_store(copy)

    def look_up(self, store, last):
        """By identifier: some calls today, and as they were half of all nights ago, by the view."""
        keys = store.execute("SELECT trip, sequence FROM Call ORDER BY random() LIMIT ?", [LOOK_UPS]).fetchall()
        run = last // 2
        past = f"from_run <= {run} AND (to_run > {run} OR to_run IS NULL)"
        for name, table, condition in (("look-ups today", "Call", ""), ("look-ups as of a night", "Call_history", f" AND {past}")):
            sql = f"SELECT {COLUMNS} FROM {table} WHERE trip = ? AND sequence = ?{condition}"
            before, cpu = time.perf_counter(), time.process_time()
            for key in keys:
                store.execute(sql, key).fetchall()
            self.keep(name, Measurement(time.perf_counter() - before, time.process_time() - cpu, 0, ""))

    def count_bytes(self, store):
        """Of a version of a call with its indexes, and of the whole store beside that without a history."""
        number, = store.execute("SELECT number FROM sluice_history_table WHERE name = 'Call'").fetchone()
        table = f"sluice_history_{number}"
        sql = f"SELECT sum(pgsize) FROM dbstat WHERE name = '{table}' OR name GLOB '{table}_[id]'"
        said = subprocess.run([shutil.which("sqlite3"), self.stores["with"], sql], capture_output=True, text=True).stdout.strip()
        count, = store.execute(f"SELECT count(*) FROM {table}").fetchone()
        self.bench.version_bytes = int(said) / count if said else None
        self.bench.store_ratio = os.path.getsize(self.stores["with"]) / os.path.getsize(self.stores["without"])
