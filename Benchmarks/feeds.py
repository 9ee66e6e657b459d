"""What is needed before anything can be measured: the C programs and the feeds, under .build/bench."""

import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
BUILD = os.path.join(REPOSITORY, ".build", "bench")

PROGRAMS = {
    "generate-transit": ["-lm"],
    "generate-wide": ["-lm"],
    "generate-deep": ["-lm"],
    "generate-orders": [],
    "baseline": ["-lyajl", "-lsqlite3"],
    "orders": ["-lyajl", "-lsqlite3"],
    "orders-second": ["-lyajl", "-lsqlite3"],
    "orders-batches": ["-lyajl", "-lsqlite3"],
    "wide": ["-lyajl", "-lsqlite3"],
    "deep": ["-lyajl", "-lsqlite3"],
    "yajl-count": ["-lyajl"],
    "seed": ["-lsqlite3", "-lcrypto"],
    "objects": ["-lsqlite3"],
    "set-based": ["-lyajl", "-lpq"],
    "measure-child": [],
}
# Programs that are another one's source, with what makes them differ.
SAME_SOURCE = {
    "orders": ("baseline", "-DORDERS"),
    "orders-second": ("baseline", "-DORDERS", "-DSECOND"),
    "orders-batches": ("baseline", "-DORDERS", "-DBATCHES"),
    "set-based": ("set-based/load", "-I/usr/include/postgresql"),
}


def built(name):
    return os.path.join(BUILD, name)


def build_programs():
    os.makedirs(BUILD, exist_ok=True)
    for name, libraries in PROGRAMS.items():
        source_name, *own = SAME_SOURCE.get(name, (name,))
        source = os.path.join(HERE, f"{source_name}.c")
        flags = ["-O2", "-std=gnu11", "-Wall", "-Wextra", *own]
        subprocess.run(["cc", *flags, "-o", built(name), source, *libraries], check=True)


def generated(file_name, generator, *arguments):
    """The path of a feed, which is made unless it exists and is younger than its generator."""
    path = built(file_name)
    sources = [os.path.join(HERE, name) for name in (f"{generator}.c", "output.h", "wide-columns.h")]
    if not os.path.exists(path) or os.path.getmtime(path) < max(map(os.path.getmtime, sources)):
        print(f"generating {os.path.relpath(path, REPOSITORY)}", flush=True)
        # Under its own name only when it is whole.
        with open(path + ".part", "wb") as file:
            subprocess.run([built(generator), *arguments], stdout=file, check=True)
        os.replace(path + ".part", path)
    return path


def transit(scale, direction="forward"):
    return generated(f"transit-{scale:g}-{direction}.json", "generate-transit", f"{scale:g}", direction)


def changed_transit(scale):
    return generated(f"transit-{scale:g}-changed.json", "generate-transit", f"{scale:g}", "forward", "changed")


def split_transit(scale, lists):
    """The path of the whole feed, beside which a file for each list stands: see peers/transit_tables.py."""
    for name in lists:
        generated(f"transit-{scale:g}-forward.{name}.ndjson", "generate-transit", f"{scale:g}", name)
    return transit(scale)


def wide(scale):
    return generated(f"wide-{scale:g}.ndjson", "generate-wide", f"{scale:g}")


def deep(scale):
    return generated(f"deep-{scale:g}.json", "generate-deep", f"{scale:g}")


def orders(scale, *order):
    return generated("-".join(["orders", f"{scale:g}", *order]) + ".json", "generate-orders", f"{scale:g}", *order)


def again(path):
    """A copy of a feed with one byte more, white space at its end: another feed that says the same."""
    copy = "-again".join(os.path.splitext(path))
    if not os.path.exists(copy) or os.path.getmtime(copy) < os.path.getmtime(path):
        with open(path, "rb") as source, open(copy, "wb") as target:
            shutil.copyfileobj(source, target)
            target.write(b"\n")
    return copy


def edited(path):
    """A copy of a feed of lines in which each hundredth has another digit."""
    copy = "-edited".join(os.path.splitext(path))
    if not os.path.exists(copy) or os.path.getmtime(copy) < os.path.getmtime(path):
        with open(path, "rb") as source, open(copy, "wb") as target:
            for number, line in enumerate(source):
                target.write(re.sub(rb'"stock": ?\d', b'"stock":7', line, count=1) if number % 100 == 50 else line)
    return copy


def warm(path):
    """Reads a file once, so that no round pays for the disk."""
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 20):
            pass
