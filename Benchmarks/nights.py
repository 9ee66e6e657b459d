"""What workloads of nights share: a store with something beside one without it, the same nights in both, in turn."""

import os

import contenders
from contenders import remove_store
from feeds import HERE, built
from measure import Measurement, RunFailed
from postgresql import Server

KINDS = ("with", "without")


class NightsBeside:
    """One round. A workload says its letter, its definition (`NAME.jsonc`), the line that is left out of it, and what the
    variables in it begin with."""

    letter = name = line = ""

    def __init__(self, bench):
        self.bench, self.sluice = bench, bench.sluice.path
        self.stores = {kind: built(f"{self.letter}-{kind}.sqlite") for kind in KINDS}
        self.definitions = {kind: built(f"{self.letter}-{kind}.jsonc") for kind in KINDS}

    def write_definitions(self):
        with open(os.path.join(HERE, f"{self.name}.jsonc")) as file:
            text = file.read()
        for kind in KINDS:
            with open(self.definitions[kind], "w") as file:
                file.write(text if kind == "with" else text.replace(self.line, ""))

    def remove_stores(self):
        for path in self.stores.values():
            remove_store(path)

    @property
    def feed(self):
        """Goes on from round to round: it has a path, and a next night."""
        return self.bench.nights[self.letter]

    def environment(self, kind, feed):
        name = self.name.upper()
        return {f"{name}_FEED": feed, f"{name}_STORE": self.stores[kind]}

    def run(self, kind, store=None):
        options = ["--store", store] if store else []
        command = [self.sluice, "run", "--quiet", self.definitions[kind], *options]
        return contenders.run(command, self.letter, self.environment(kind, self.feed.path))

    def in_turn(self, name, nights, run):
        """Runs both, night by night, another one first each night; what all nights took together counts."""
        total = {kind: [] for kind in KINDS}
        for night in range(max(1, nights)):
            if nights:
                self.feed.next()
            for kind in KINDS if night % 2 else KINDS[::-1]:
                total[kind].append(run(kind))
        for kind, found in total.items():
            seconds, cpu = sum(one.seconds for one in found), sum(one.cpu for one in found)
            self.keep(f"{name} {kind}", Measurement(seconds, cpu, max(one.peak for one in found), ""))

    def keep(self, name, measurement):
        if self.bench.attempt(self.letter, name, lambda: measurement) is None:
            raise RunFailed(f"{name} failed")

    def on_server(self, nights, look=lambda server, databases: None):
        """A first import and some nights in PostgreSQL, with the server's CPU time; then a look at its databases."""
        server = Server()
        try:
            databases = {kind: server.database() for kind in KINDS}

            def run(kind):
                os.sync()
                server.execute("CHECKPOINT")
                before = server.seconds()
                measurement = self.run(kind, server.address(databases[kind]))
                measurement.cpu += server.seconds() - before
                return measurement

            self.in_turn("PostgreSQL, first import", 0, run)
            self.in_turn("PostgreSQL, nights", nights, run)
            look(server, databases)
        finally:
            server.stop()
