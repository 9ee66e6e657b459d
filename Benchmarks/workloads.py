"""The workloads: what runs in each round, and what is checked."""

import os
import sqlite3
import statistics
import subprocess
import sys

import contenders
import feeds
from contenders import by_hand, copy_store, remove_store
from feeds import HERE, built
from history import History
from measure import RunFailed
from objects import Objects
from postgresql import PostgreSQL, programs
from search import Search
from seeds import Seeds

WORKLOADS = {
    "a": "first import, every reference points forward",
    "b": "first import, every reference but a stop's parent points backward",
    "c": "nightly: the feed of a once more, nothing changed",
    "d": "nightly: 1 % changed, 0.1 % new, 0.1 % gone and deleted",
    "e": "wide records: sixty attributes, a record a line",
    "f": "records in records, with values of what encloses them, and to-many links",
    "g": "dry runs, of a without a store and of d on a full one",
    "h": "parsing only: a definition whose paths match nothing",
    "i": "a seed of the store of a: built, installed, and kept current by a delta of 1 %",
    "j": "first import, identifiers at random (UUIDs)",
    "k": "nightly: the feed of j once more, nothing changed",
    "l": "nightly: the records of j in another order, nothing changed",
    "m": "nightly: the records of j in another order, 1 % of the orders changed",
    "n": "a second feed as large as that of j, on the store that j left: every record is new",
    "o": "first import of j, saved batch by batch",
    "p": "programs: objects of the store of a, fetched and changed by the library",
    "q": "a and d into PostgreSQL, CPU time with the server's; for peers: a at 0.3 of the scale",
    "r": "nights that know their feed by fingerprints: after a first import, a byte more, 1 % changed, all in another order",
    "s": "a store that keeps its history: nights beside nights without, and how its past is read",
    "t": "objects found by words: nights beside nights without, and look-ups",
    "memory": "a at a tenth of the scale, for its peak memory",
    "batch": "a with other batch sizes, saved batch by batch, and with a small cache",
    "growth": "a at four times the scale and at two fifths of it; j and l at four times the scale",
}
BY_HAND = {"baseline", "by hand", "yajl-count"}
SMALL_CACHE = ("sluice, small cache", ("--cache-limit", "64MiB"))
BATCH_SIZES = (100, 500, 1000, 5000, 20000, 100000)
PHASES = ["insert", "update", "index", "sync"]


def say(text):
    print(text, flush=True)


def describe(measurement):
    return f"{measurement.seconds:.2f} s ({measurement.cpu:.2f} s CPU, {measurement.peak:.0f} MiB)"


def compare(script, ours, theirs):
    """Ends the workload unless both stores hold the same."""
    result = subprocess.run([sys.executable, os.path.join(HERE, script), ours, theirs], capture_output=True, text=True)
    said = (result.stdout + result.stderr).strip()
    if result.returncode != 0:
        different = "; ".join(line for line in said.splitlines() if not line.endswith(", same"))
        raise RunFailed(f"{ours} and {theirs} differ:\n{said}", f"other data: {different[:300]}")


def check_counts(report, outcome):
    """Every record must have had one outcome, `created` or `unchanged`."""
    for name, entity in report["entities"].items():
        if entity["records"] == 0 or entity[outcome] != entity["records"]:
            counts = {key: value for key, value in entity.items() if isinstance(value, int)}
            raise RunFailed(f"{name}: not every record is {outcome}: {counts}")


def written_pages(before, after):
    """The names of the tables and indexes whose pages differ, with how many."""
    with open(before, "rb") as one, open(after, "rb") as other:
        size = int.from_bytes(one.read(18)[16:18], "big") or 65536
        one.seek(0)
        numbers, number = [], 0
        while page := other.read(size):
            number += 1
            if page != one.read(size):
                numbers.append(number)
    store = sqlite3.connect(f"file:{after}?mode=ro", uri=True)
    found = {}
    try:
        names = dict(store.execute("SELECT pageno, name FROM dbstat")) if numbers else {}
    except sqlite3.OperationalError:  # an SQLite that was built without dbstat
        names = {}
    for number in numbers:
        name = names.get(number, "free")
        found[name] = found.get(name, 0) + 1
    store.close()
    return found


class Bench:
    """Every round runs all programs of all workloads in turn, so that what slows the machine for a while slows all."""

    def __init__(self, sluice, scale, rounds, workloads, peers):
        self.sluice, self.scale, self.rounds, self.workloads, self.peers = sluice, scale, rounds, workloads, peers
        self.measured = {}  # (workload, program): its measurements, by round
        self.failed = {}  # (workload, program): why
        self.same = []  # sentences: whose data were found to be the same
        self.seed_sizes = None  # of the delta and the whole that workload i built
        self.pages = None  # what workload c wrote: pages by table
        self.nights = {}  # the feeds of workloads s and t, which go on from round to round
        self.version_bytes = self.server_bytes = self.store_ratio = None  # of a version in s, and of its store to one without
        self.round = 0
        # One store for each that later workloads start with, or are compared with.
        self.store_a, self.store_d = built("a-sluice.sqlite"), built("d-sluice.sqlite")
        self.dry = {}  # reports of dry runs, and of the runs that they predicted

    def run(self):
        for self.round in range(self.rounds):
            say(f"round {self.round + 1} of {self.rounds}")
            for workload in self.workloads:
                getattr(self, workload)()
        for name in ("a-sluice", "a-baseline", "b-sluice", "b-baseline", "c-sluice", "d-sluice", "e-sluice", "e-by-hand", "f-sluice",
                     "f-by-hand", "g-sluice", "h-sluice", "j-sluice", "j-small-sluice", "j-by-hand", "k-sluice", "l-sluice", "m-sluice",
                     "n-sluice", "n-by-hand", "o-sluice", "o-by-hand", "q-sluice", "memory-sluice",
                     "batch-sluice", "growth-sluice", "fresh-sluice"):
            remove_store(built(name + ".sqlite"))
        for peer in self.peers:
            remove_store(peer.store)

    def of(self, workload, program="sluice"):
        return self.measured.get((workload, program))

    def ratios(self, one, other, attribute="seconds"):
        """Of two (workload, program), round by round; empty where one of them was not measured."""
        found, others = self.measured.get(one, []), self.measured.get(other, [])
        if len(found) != len(others):
            return []
        return [getattr(a, attribute) / getattr(b, attribute) for a, b in zip(found, others)]

    def phases(self, workload, program):
        """The C programs print `name seconds` for each of their phases: medians."""
        runs = [dict(line.split() for line in measurement.output.splitlines()) for measurement in self.of(workload, program)]
        return {name: statistics.median(float(run[name]) for run in runs) for name in PHASES if name in runs[0]}

    def attempt(self, workload, program, work):
        """Runs a program and keeps what was measured; one that failed once is not tried again. Returns the measurement, or
        None."""
        if (workload, program) in self.failed:
            return None
        try:
            measurement = work()
        except RunFailed as failure:
            self.fail(workload, program, failure)
            return None
        self.measured.setdefault((workload, program), []).append(measurement)
        say(f"  {workload}, {program}: {describe(measurement)}")
        return measurement

    def fail(self, workload, program, failure):
        self.failed[(workload, program)] = failure.reason
        self.measured.pop((workload, program), None)
        # Of a peer, the reason will do.
        said = failure.reason if any(program == peer.name for peer in self.peers) else failure
        say(f"  {workload}, {program}: failed: {said}")

    def attempt_round(self, workload, kind):
        """A round of a workload that has a class of its own; one that failed once is not tried again."""
        if (workload, "round") in self.failed:
            return
        try:
            kind(self).round()
        except RunFailed as failure:
            self.fail(workload, "round", failure)

    def in_turn(self, workload, works):
        """Runs programs, each round another one first."""
        names = list(works)
        first = self.round % len(names)
        for name in names[first:] + names[:first]:
            self.attempt(workload, name, works[name])

    def check(self, workload, program, script, ours, theirs, sentence):
        """After the first round: the same data? If not, the program's figures are worth nothing."""
        if self.round > 0 or (workload, program) in self.failed or not os.path.exists(ours):
            return
        try:
            compare(script, ours, theirs)
            self.same.append(sentence)
            say(f"  {sentence}")
        except RunFailed as failure:
            self.fail(workload, program, failure)

    # The workloads

    def first_import(self, workload, definition, feed, store, outcome="created", *options, **keywords):
        remove_store(store)
        measurement = self.sluice.run(definition, feed, store, *options, **keywords)
        check_counts(measurement.report, outcome)
        return measurement

    def against_hand(self, workload, definition, program, feed, peers=()):
        feeds.warm(feed)
        # The baseline has its name of old.
        name = "baseline" if program == "baseline" else "by hand"
        ours, theirs = built(f"{workload}-sluice.sqlite"), built(f"{workload}-{name.replace(' ', '-')}.sqlite")
        works = {
            name: lambda: by_hand(program, feed, theirs),
            "sluice": lambda: self.first_import(workload, definition, feed, ours),
        }
        for peer in peers:
            works[peer.name] = lambda peer=peer: peer.run(feed)
        self.in_turn(workload, works)
        self.check(workload, "sluice", "compare-stores.py", ours, theirs, f"{workload}: the same data as the C program's")
        for peer in peers:
            sentence = f"{workload}: {peer.name}: the same data as sluice's"
            self.check(workload, peer.name, "compare-peer.py", ours, peer.store, sentence)
        return ours

    def a(self):
        if self.peers:
            contenders.split_feed(self.scale)
        self.against_hand("a", "transit", "baseline", feeds.transit(self.scale), self.peers)

    def b(self):
        self.against_hand("b", "transit", "baseline", feeds.transit(self.scale, "backward"))

    def e(self):
        self.against_hand("e", "wide", "wide", feeds.wide(self.scale))

    def f(self):
        self.against_hand("f", "deep", "deep", feeds.deep(self.scale))

    def j(self):
        feed, (program, options) = feeds.orders(self.scale), SMALL_CACHE
        ours, store = self.against_hand("j", "orders", "orders", feed), built("j-small-sluice.sqlite")
        if self.attempt("j", program, lambda: self.first_import("j", "orders", feed, store, "created", *options)):
            self.check("j", program, "compare-stores.py", store, ours, "j: the same data with a small cache")

    def k(self):
        self.orders_again("k", feeds.orders(self.scale))

    def l(self):
        self.orders_again("l", feeds.orders(self.scale, "shuffled"))

    def orders_again(self, workload, feed):
        full, store = built("j-sluice.sqlite"), built(f"{workload}-sluice.sqlite")
        feeds.warm(feed)

        def work(*options):
            self.full_orders(store)
            measurement = self.sluice.run("orders", feed, store, *options)
            check_counts(measurement.report, "unchanged")
            return measurement

        self.with_both_caches(workload, work, store, full, "the same data as before the run")

    def with_both_caches(self, workload, work, store, other, sentence):
        """Runs a workload with the usual objectID cache and with a small one; `other` has what its store must have then."""
        programs = [("sluice", ()), SMALL_CACHE]
        for program, options in programs if self.round % 2 == 0 else programs[::-1]:
            if self.attempt(workload, program, lambda options=options: work(*options)):
                self.check(workload, program, "compare-stores.py", store, other, f"{workload}, {program}: {sentence}")

    def full_orders(self, copy):
        """A copy of the store that workload j left, which is made where j was not run."""
        full = built("j-sluice.sqlite")
        if not os.path.exists(full):
            self.first_import("j", "orders", feeds.orders(self.scale), full)
        copy_store(full, copy)

    def m(self):
        feed, store, fresh = feeds.orders(self.scale, "shuffled", "changed"), built("m-sluice.sqlite"), built("fresh-sluice.sqlite")
        feeds.warm(feed)

        if self.round == 0:
            self.first_import("m", "orders", feed, fresh)

        def work(*options):
            self.full_orders(store)
            return self.sluice.run("orders", feed, store, *options)

        self.with_both_caches("m", work, store, fresh, "the same data as a first import of the changed feed")

    def n(self):
        feed, ours, theirs = feeds.orders(self.scale, "others"), built("n-sluice.sqlite"), built("n-by-hand.sqlite")
        feeds.warm(feed)

        def sluice():
            self.full_orders(ours)
            measurement = self.sluice.run("orders", feed, ours)
            check_counts(measurement.report, "created")
            return measurement

        def hand():
            by_hand("orders", feeds.orders(self.scale), theirs)
            return contenders.run([built("orders-second"), feed, theirs], "orders-second")

        self.in_turn("n", {"by hand": hand, "sluice": sluice})
        self.check("n", "sluice", "compare-stores.py", ours, theirs, "n: the same data as the C program's")

    def o(self):
        feed, ours, theirs = feeds.orders(self.scale), built("o-sluice.sqlite"), built("o-by-hand.sqlite")
        feeds.warm(feed)
        self.in_turn("o", {
            "by hand": lambda: by_hand("orders-batches", feed, theirs),
            "sluice": lambda: self.first_import("o", "orders", feed, ours, "created", "--commit", "batch"),
        })
        self.check("o", "sluice", "compare-stores.py", ours, theirs, "o: the same data as the C program's")

    def full_store(self, copy):
        """A copy of the store that workload a left, which is made where a was not run."""
        if not os.path.exists(self.store_a):
            self.first_import("a", "transit", feeds.transit(self.scale), self.store_a)
        copy_store(self.store_a, copy)

    def c(self):
        feed, store = feeds.transit(self.scale), built("c-sluice.sqlite")
        feeds.warm(feed)

        def work():
            self.full_store(store)
            measurement = self.sluice.run("transit", feed, store)
            check_counts(measurement.report, "unchanged")
            return measurement

        if self.attempt("c", "sluice", work):
            self.pages = written_pages(self.store_a, store)
            self.check("c", "sluice", "compare-stores.py", store, self.store_a, "c: the same data as before the run")

    def d(self):
        feed = feeds.changed_transit(self.scale)
        feeds.warm(feed)

        def work():
            self.full_store(self.store_d)
            return self.sluice.run("transit", feed, self.store_d, absent="delete")

        if self.attempt("d", "sluice", work) and self.round == 0:
            fresh = built("fresh-sluice.sqlite")
            try:
                self.first_import("d", "transit", feed, fresh)
            except RunFailed as failure:
                self.fail("d", "sluice", failure)
            self.check("d", "sluice", "compare-stores.py", self.store_d, fresh, "d: the same data as a first import of the changed feed")

    def r(self):
        a, changed = feeds.transit(self.scale), feeds.changed_transit(self.scale)
        j, shuffled = feeds.orders(self.scale), feeds.orders(self.scale, "shuffled")
        wide = feeds.wide(self.scale)
        nights = [
            ("transit", [("first", a), ("again", feeds.again(a)), ("1 % changed", changed), ("all read", a)]),
            ("orders", [("first", j), ("another order", shuffled)]),
            ("wide", [("first", wide), ("1 % changed", feeds.edited(wide))]),
        ]
        for definition, runs in nights:
            store = built(f"r-{definition}.sqlite")
            remove_store(store)
            for name, feed in runs:
                feeds.warm(feed)
                absent = "delete" if definition == "transit" else "keep"
                work = lambda: self.sluice.run(definition, feed, store, absent=absent, knows=name != "all read")
                if self.attempt("r", f"{definition}, {name}", work) is None:
                    break

    def g(self):
        store = built("g-sluice.sqlite")

        def dry_a():
            remove_store(store)
            measurement = self.sluice.run("transit", feeds.transit(self.scale), store, "--dry-run")
            if os.path.exists(store):
                raise RunFailed("a dry run made a store")
            return measurement

        def dry_d():
            self.full_store(store)
            return self.sluice.run("transit", feeds.changed_transit(self.scale), store, "--dry-run", absent="delete")

        feeds.warm(feeds.transit(self.scale))
        for real, name, work in (("a", "dry run of a", dry_a), ("d", "dry run of d", dry_d)):
            measurement, predicted = self.attempt("g", name, work), self.of(real)
            if measurement is None or not predicted or self.round > 0:
                continue
            if measurement.report["entities"] != predicted[0].report["entities"]:
                self.fail("g", name, RunFailed(f"the dry run of {real} counts other things than the run"))
            else:
                self.same.append(f"g: the dry run of {real} counts what the run does")

    def h(self):
        feed, store = feeds.transit(self.scale), built("h-sluice.sqlite")
        feeds.warm(feed)

        def work():
            remove_store(store)
            return self.sluice.run("nothing", feed, store)

        yajl = lambda: contenders.run([built("yajl-count"), feed], "yajl-count")
        self.in_turn("h", {"yajl-count": yajl, "sluice": work})

    def i(self):
        self.attempt_round("i", Seeds)

    def p(self):
        self.attempt_round("p", Objects)

    def q(self):
        if programs() is None:
            self.failed["q", "round"] = "there is no PostgreSQL: apt-get install postgresql"
            return
        self.attempt_round("q", PostgreSQL)

    def s(self):
        self.attempt_round("s", History)

    def t(self):
        self.attempt_round("t", Search)

    def memory(self):
        feed = feeds.transit(self.scale / 10)
        self.attempt("memory", "sluice", lambda: self.first_import("memory", "transit", feed, built("memory-sluice.sqlite")))

    def batch(self):
        feed, store = feeds.transit(self.scale), built("batch-sluice.sqlite")
        feeds.warm(feed)
        variants = {f"batches of {size:,}": ["--batch-size", str(size)] for size in BATCH_SIZES}
        variants |= {f"commit: batch, of {size:,}": ["--commit", "batch", "--batch-size", str(size)] for size in (1000, 5000, 20000)}
        if self.sluice.can_limit_cache:
            variants["a cache of 1 MiB"] = ["--cache-limit", "1MiB"]
        works = {
            name: lambda options=options: self.first_import("batch", "transit", feed, store, "created", *options)
            for name, options in variants.items()
        }
        self.in_turn("batch", works)

    def growth(self):
        for factor, name in ((4, "growth, large"), (0.4, "growth, small")):
            feed = feeds.transit(self.scale * factor)
            feeds.warm(feed)
            self.attempt(name, "sluice", lambda: self.first_import(name, "transit", feed, built("growth-sluice.sqlite")))
        self.growth_of_orders()

    def growth_of_orders(self):
        feed, again, store = feeds.orders(self.scale * 4), feeds.orders(self.scale * 4, "shuffled"), built("growth-sluice.sqlite")
        feeds.warm(feed)
        first = self.attempt("growth, j", "sluice", lambda: self.first_import("growth, j", "orders", feed, store))
        feeds.warm(again)

        def work():
            measurement = self.sluice.run("orders", again, store)
            check_counts(measurement.report, "unchanged")
            return measurement

        if first:
            self.attempt("growth, l", "sluice", work)
