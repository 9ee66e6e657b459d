"""The workload t: what an index of words costs a first import and a night, and how quickly it answers.

The feed goes on from round to round; each round begins with first imports of it.
"""

import random
import sqlite3
import time

from feeds import built
from measure import Measurement, RunFailed
from nights import NightsBeside
from postgresql import programs

TRIPS = 1_500_000  # at scale 1
NIGHTS = 5  # a round
SERVER_NIGHTS = 2
LOOK_UPS = 500
SYLLABLES = "al an ber bur char dorf eck feld gar hau in kreuz lich mar nord ost park ring schö see stadt tor ufer wald zoo".split()


class Nights:
    """A feed, and what happens to it: of the trips, 1 % change one of their two texts in a night, 0.1 % are new, and 0.1 % gone."""

    def __init__(self, count, seed=1):
        self.random, self.path, self.last = random.Random(seed), built("t.json"), 0
        self.trips = [self.trip() for _ in range(count)]
        self.write()

    def words(self):
        return " ".join("".join(self.random.choices(SYLLABLES, k=self.random.randint(2, 4))).capitalize() for _ in range(3))

    def trip(self):
        self.last += 1
        return [self.last, self.words(), f"Line {self.last % 997}", self.last % 2]

    def write(self):
        # Texts hold nothing that JSON has marks for.
        lines = (f'{{"id": "T{1_000_000 + id}", "headsign": "{headsign}", "shortName": "{name}", "direction": {direction}}}'
                 for id, headsign, name, direction in self.trips)
        with open(self.path, "w") as file:
            file.write('{"trips": [\n%s\n]}\n' % ",\n".join(lines))

    def next(self):
        count = len(self.trips)
        for place in self.random.sample(range(count), count // 100):
            trip, text = self.trips[place], self.random.randint(1, 2)
            trip[text] = self.words()
        gone = set(self.random.sample(range(count), count // 1000))
        self.trips = [trip for place, trip in enumerate(self.trips) if place not in gone]
        while len(self.trips) < count:
            self.trips.append(self.trip())
        self.write()


class Search(NightsBeside):
    """One round of the workload."""

    letter, name, line = "t", "search", '      "search": { "fields": "headsign" },\n'

    def prepare(self):
        self.write_definitions()
        self.bench.nights[self.letter] = Nights(int(TRIPS * self.bench.scale))

    def round(self):
        if self.bench.round == 0:
            self.prepare()
        self.remove_stores()
        self.in_turn("first import", 0, self.run)
        self.in_turn("nights", NIGHTS, self.run)
        self.look_up()
        if programs() is not None:
            self.on_server(SERVER_NIGHTS)
        if self.bench.round == self.bench.rounds - 1:
            self.remove_stores()

    def look_up(self):
        """The first twenty with a word that begins with three letters of a word that is there: on the average of many."""
        store = sqlite3.connect(f"file:{self.stores['with']}?mode=ro", uri=True)
        texts = store.execute("SELECT headsign FROM Trip ORDER BY random() LIMIT ?", [LOOK_UPS]).fetchall()
        beginnings = [text.split()[0][:3].lower() for text, in texts]
        sql = """SELECT t.headsign FROM sluice_Trip_search f CROSS JOIN Trip t ON t.objectID = f.rowid
            WHERE f.sluice_Trip_search MATCH ? ORDER BY f.rowid LIMIT 20"""
        before, cpu = time.perf_counter(), time.process_time()
        for beginning in beginnings:
            if not store.execute(sql, [f'"{beginning}"*']).fetchall():
                raise RunFailed(f"nothing begins with {beginning}")
        seconds, cpu = time.perf_counter() - before, time.process_time() - cpu
        store.close()
        self.keep("a look-up", Measurement(seconds / LOOK_UPS, cpu / LOOK_UPS, 0, ""))
