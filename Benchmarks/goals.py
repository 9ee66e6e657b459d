"""The goals, and what was measured of them."""

import statistics
from dataclasses import dataclass

import measure
from workloads import SMALL_CACHE

PEAK_LIMIT = 96  # MiB, less the objectID cache
FLAT_LIMIT = 1.15  # of the peak memory less the cache, from a small feed to a large one
C_RECORDS_LIMIT = 1e6  # a second


@dataclass
class Goal:
    workload: str
    text: str  # the goal, in words
    short: str  # in few words, for the plot
    limit: float
    value: float  # nan: not measured
    unit: str = ""
    is_least: bool = False  # at least the limit, instead of at most
    remark: str = ""

    @property
    def is_measured(self):
        return self.value == self.value

    @property
    def is_reached(self):
        return self.is_measured and (self.value >= self.limit if self.is_least else self.value <= self.limit)

    @property
    def share(self):
        """What was measured, in parts of the limit, which is not 0: at most 1 where the goal is reached."""
        return self.limit / self.value if self.is_least else self.value / self.limit

    @property
    def measured(self):
        if not self.is_measured:
            return "not measured" + (f" ({self.remark})" if self.remark else "")
        number = f"{self.value:,.0f}" if self.value >= 1000 else f"{self.value:.1f}" if self.unit and self.value >= 1 else f"{self.value:.2f}"
        return f"{number}{' ' + self.unit if self.unit else ''}{' (' + self.remark + ')' if self.remark else ''}"

    @property
    def verdict(self):
        if not self.is_measured:
            return "–"
        return "yes" if self.is_reached else "**no**"


NAN = float("nan")


def ratio(bench, workload, text, short, limit, one, other, is_least=False):
    found = bench.ratios(one, other)
    missing = [pair for pair in (one, other) if pair in bench.failed]
    remark = "; ".join(f"{pair[1]}: {bench.failed[pair]}" for pair in missing)
    return Goal(workload, text, short, limit, statistics.median(found) if found else NAN, is_least=is_least, remark=remark)


def in_both_times(bench, text, short, limit, one, other, counts="seconds"):
    """A ratio in one of wall time and CPU time, with that in the other one beside it."""
    beside, name = ("cpu", "CPU") if counts == "seconds" else ("seconds", "wall")
    found, other_found = bench.ratios(one, other, counts), bench.ratios(one, other, beside)
    remark = f"in {name} time {statistics.median(other_found):.2f}" if other_found else ""
    return Goal(one[0], text, short, limit, statistics.median(found) if found else NAN, remark=remark)


def best(bench, name):
    """The form in which a peer was quickest; where none was measured, the first."""
    forms = [key for key in bench.measured if key[0] == "a" and key[1].startswith(name + ",")]
    return min(forms, key=lambda key: measure.median(bench.measured[key], "seconds"), default=("a", f"{name}, whole"))


def goals(bench):
    a, baseline = ("a", "sluice"), ("a", "baseline")
    utils = best(bench, "sqlite-utils")
    found = [
        ratio(bench, "a", "wall time at most 0.75 of the C baseline's", "to the C baseline", 0.75, a, baseline),
        ratio(bench, "a", "at most 0.45 of DuckDB's on the feed as it is", "to DuckDB, whole", 0.45, a, ("a", "DuckDB, whole")),
        ratio(bench, "a", "at most 0.7 of DuckDB's told the types, whole job", "to DuckDB, linked", 0.7, a, ("a", "DuckDB, linked")),
        ratio(bench, "a", "at most 0.45 of DuckDB's told the types, no keys, no indexes", "to DuckDB, typed", 0.45, a, ("a", "DuckDB, typed")),
        ratio(bench, "a", f"at most 0.2 of sqlite-utils' ({utils[1].split(', ')[1]}, its quicker form)", "to sqlite-utils", 0.2, a, utils),
        ratio(bench, "b", "at most 0.6 of the baseline's wall time in a", "to the C baseline in a", 0.6, ("b", "sluice"), baseline),
        *nightly(bench, a),
        ratio(bench, "d", "at most 0.4 of a", "to a", 0.4, ("d", "sluice"), a),
        ratio(bench, "e", "at most 1.0 of the C program", "to C, by hand", 1.0, ("e", "sluice"), ("e", "by hand")),
        ratio(bench, "f", "at most 1.0 of the C program", "to C, by hand", 1.0, ("f", "sluice"), ("f", "by hand")),
        ratio(bench, "g", "dry run of a at most 0.7 of a", "dry run of a, to a", 0.7, ("g", "dry run of a"), a),
        ratio(bench, "g", "dry run of d at most 0.8 of d", "dry run of d, to d", 0.8, ("g", "dry run of d"), ("d", "sluice")),
        ratio(bench, "h", "at least 0.85 of yajl's own speed", "to yajl alone", 0.85, ("h", "yajl-count"), ("h", "sluice"), is_least=True),
        *seeds(bench),
        ratio(bench, "j", "at most 0.75 of the C program, unique indexes last", "to C, by hand", 0.75, ("j", "sluice"), ("j", "by hand")),
        ratio(bench, "l", "in another order at most 1.5 of the same order", "to k", 1.5, ("l", "sluice"), ("k", "sluice")),
        ratio(bench, "m", "in another order, 1 % changed, at most 1.7 of the same order", "to k", 1.7, ("m", "sluice"), ("k", "sluice")),
        *small_cache(bench),
        ratio(bench, "n", "a second feed at most 1.0 of the C program", "to C, by hand", 1.0, ("n", "sluice"), ("n", "by hand")),
        ratio(bench, "o", "saved batch by batch at most 1.0 of the C program", "to C, by hand", 1.0, ("o", "sluice"), ("o", "by hand")),
        *programs(bench),
        *postgresql(bench),
        *memory(bench),
        *growth(bench),
        *known(bench),
        *history(bench),
        *search(bench),
    ]
    wanted = set(bench.workloads)
    if "a" in wanted:
        wanted.add("growth")  # so that nobody takes it for reached who did not measure it
    return [goal for goal in found if goal.is_measured or goal.workload in wanted]


def nightly(bench, a):
    c = bench.of("c") or []
    speeds = [measurement.records / measurement.seconds for measurement in c]
    speed = statistics.median(speeds) if speeds else NAN
    yield Goal("c", "at least 1 million records/s", "records/s", C_RECORDS_LIMIT, speed, "records/s", is_least=True)
    yield ratio(bench, "c", "at most 0.4 of a", "to a", 0.4, ("c", "sluice"), a)
    if bench.pages is None:
        return
    # The first page holds the file's change counter; the ledger is Sluice's own.
    others = {name: count for name, count in bench.pages.items() if not name.startswith("sluice_")}
    schema = others.pop("sqlite_schema", 0)
    data = sum(others.values())
    remark = f"{sum(bench.pages.values()) - data} of the ledger and the first page" + (f"; {others}" if others else "")
    yield Goal("c", "no page of the store written apart from the ledger", "pages written", 0, data + max(0, schema - 1), "pages", remark=remark)


def known(bench):
    def of(name):
        return ("r", name)

    first, orders, wide = of("transit, first"), of("orders, first"), of("wide, first")
    yield ratio(bench, "r", "one byte differs: at most 0.1 of the first import", "again, to first", 0.1, of("transit, again"), first)
    yield ratio(bench, "r", "1 % changed: at most 0.15 of the first import", "changed, to first", 0.15, of("transit, 1 % changed"), first)
    yield ratio(bench, "r", "another order: at most 0.25 of the first import", "order, to first", 0.25, of("orders, another order"), orders)
    yield ratio(bench, "r", "wide, 1 % changed: at most 0.15 of the first import", "wide, to first", 0.15, of("wide, 1 % changed"), wide)


def history(bench):
    def of(name):
        return ("s", name)

    def beside(text, short, limit, one, other):
        return in_both_times(bench, text, short, limit, of(one), of(other))

    yield beside("a night with a history at most 1.1 of one without", "night, to one without", 1.1, "nights with", "nights without")
    yield beside("as of a night, by identifier, at most 2 of today", "look-up, to today", 2, "look-ups as of a night", "look-ups today")
    for name in ("last run", "halfway", "first run"):
        yield beside(f"`sluice at`, {name}, at most 3 of VACUUM INTO", f"at, {name}", 3, f"at, {name}", "VACUUM INTO")
    found = bench.of("s", "history of one object") or []
    # The machine may be slow at times: the quickest round counts.
    yield Goal("s", "`sluice history` of one object at most 20 ms", "history, ms", 20, min((1000 * one.cpu for one in found), default=NAN), "ms")
    yield Goal("s", "a version with its indexes at most 110 bytes", "bytes a version", 110, bench.version_bytes or NAN, "bytes")
    yield Goal("s", "the store at most 4 times one without", "store, to one without", 4, bench.store_ratio or NAN)
    names = [f"PostgreSQL, nights {kind}" for kind in ("with", "without")]
    found = bench.ratios(*map(of, names), "cpu")
    remark = f"a version {bench.server_bytes:.0f} bytes" if bench.server_bytes else ""
    yield Goal("s", "PostgreSQL: a night at most 1.15 in CPU time", "night, PostgreSQL", 1.15, statistics.median(found) if found else NAN, remark=remark)
    names = [f"PostgreSQL, first import {kind}" for kind in ("with", "without")]
    found = bench.ratios(*map(of, names), "cpu")
    yield Goal("s", "PostgreSQL: a first import at most 1.5 in CPU time", "first, PostgreSQL", 1.5, statistics.median(found) if found else NAN)


def search(bench):
    pair = ("t", "nights with"), ("t", "nights without")
    yield in_both_times(bench, "a night with a search at most 1.1 of one without, in CPU time", "night, to one without", 1.1, *pair, counts="cpu")
    look_ups = bench.of("t", "a look-up")
    found = 1000 * statistics.median(one.seconds for one in look_ups) if look_ups else NAN
    yield Goal("t", "three letters at most 5 ms", "look-up", 5, found, "ms")


def small_cache(bench):
    program = SMALL_CACHE[0]
    for workload in "jklm":
        text = "with a cache limit of 64 MiB at most 1.5 of the usual"
        yield ratio(bench, workload, text, f"{workload}, small cache", 1.5, (workload, program), (workload, "sluice"))


def seeds(bench):
    def figure(name, attribute="cpu"):
        found = bench.of("i", name)
        return statistics.median(getattr(measurement, attribute) for measurement in found) if found else NAN

    # In CPU time: a build syncs its files, and VACUUM INTO does not.
    parts = 2.5 * figure("VACUUM INTO") + figure("content hash")
    build = figure("build, level 1") - figure("zstd -1")
    yield Goal("i", "a build less its compression at most 2.5 VACUUM INTO and one content hash", "build, to its parts", 1.0, build / parts)
    delta, whole = bench.seed_sizes or (NAN, 1)
    yield Goal("i", "a delta of 1 % at most 1 % of the whole, both compressed", "delta, in % of the whole", 1.0, 100 * delta / whole, "%")
    parts = figure("copy") + figure("apply") + figure("content hash, changed")
    yield Goal("i", "its installation at most 1.1 of copy, apply and content hash", "install, to its parts", 1.1, figure("install by a delta") / parts)
    yield Goal("i", "the second installation of a version at most 10 ms", "again", 10, 1000 * figure("install again", "seconds"), "ms")


def programs(bench):
    def cpu(name):
        found = bench.of("p", name)
        return statistics.median(measurement.cpu for measurement in found) if found else NAN

    for name, limit, text in (
        ("fetch", 1.6, "objects one by one at most 1.6 of a loop over columns"),
        ("kept", 2.0, "all objects in memory at most 2.0"),
        ("batches", 1.8, "batches of 1,000 at most 1.8"),
        ("codable", 7, "Codable rows at most 7"),
        ("update", 1.1, "a batch update, counted, at most 1.1 of the bare statement"),
        ("ids", 1.3, "a batch update with objectIDs at most 1.3"),
    ):
        yield Goal("p", text, f"{name}, to C", limit, cpu(name) / cpu(f"{name} by hand"))


def postgresql(bench):
    def of(name):
        return ("q", name)

    ours = of("first, PostgreSQL")
    yield ratio(bench, "q", "first import at most 1.7 of that into SQLite", "first, to SQLite", 1.7, ours, of("first, SQLite"))
    yield ratio(bench, "q", "first import at most 0.85 of the set-based way", "first, to set-based", 0.85, ours, of("first, set-based"))
    night = of("nightly, PostgreSQL")
    yield ratio(bench, "q", "nightly at most 1.8 of that into SQLite", "nightly, to SQLite", 1.8, night, of("nightly, SQLite"))
    yield ratio(bench, "q", "nightly at most 0.5 of the set-based way", "nightly, to set-based", 0.5, night, of("nightly, set-based"))
    text = "a night that knows its feed, 1 % changed: at most 0.15 of the first import"
    yield ratio(bench, "q", text, "known, to first", 0.15, of("known, PostgreSQL"), ours)
    ours = bench.of("q", "for peers, PostgreSQL") or []
    for peer, limit, before in (("pgloader", 0.4, ["for peers, SQLite"]), ("dlt", 0.1, [])):
        parts = [bench.of("q", name) or [] for name in (f"for peers, {peer}", *before)]
        found = [one.cpu / sum(part.cpu for part in theirs) for one, *theirs in zip(ours, *parts)]
        text = f"CPU at most {limit:g} of {'SQLite and pgloader' if before else peer}"
        yield Goal("q", text, f"CPU, to {peer}", limit, statistics.median(found) if found else NAN, remark="" if found else "not installed")


def memory(bench):
    runs = [(workload, program, found) for (workload, program), found in bench.measured.items()
            if (program == "sluice" or program.startswith("dry run")) and not workload.startswith(("memory", "batch", "growth"))]
    for workload, program, found in runs:
        peak = max(measurement.own_peak for measurement in found)
        cache = [measurement.cache for measurement in found if measurement.cache is not None]
        remark = f"besides {max(cache):.1f} MiB of cache" if cache else "the report does not tell the cache: it is included"
        what = program if program != "sluice" else "peak memory"
        yield Goal(workload, f"{what}: at most {PEAK_LIMIT} MiB plus the objectID cache", f"{what} less the cache" if program == "sluice" else f"{what}, memory", PEAK_LIMIT, peak, "MiB", remark=remark)
    for large, small, text in (
        ("a", "memory", "peak memory less the cache is flat: from a tenth of the scale"),
        ("growth, large", "memory", "peak memory less the cache is flat: from a tenth of the scale to four times"),
    ):
        found = bench.ratios((large, "sluice"), (small, "sluice"), "own_peak")
        if found:
            yield Goal("memory", f"{text}, at most {FLAT_LIMIT:g} times", "memory is flat", FLAT_LIMIT, statistics.median(found))


def growth(bench):
    for large, small, text in (
        ("growth, large", "growth, small", "time per record at four times the scale at most 1.25 times that at two fifths of it"),
        ("growth, j", "j", "j: time per record at four times the scale at most 1.25 times that at the scale"),
        ("growth, l", "l", "l: time per record at four times the scale at most 1.25 times that at the scale"),
    ):
        found = [(a.seconds / a.records) / (b.seconds / b.records) for a, b in zip(bench.of(large) or [], bench.of(small) or [])]
        value, remark = (statistics.median(found), "") if found else (NAN, "with --growth")
        yield Goal("growth", text, "time per record" if large == "growth, large" else large, 1.25, value, remark=remark)
