"""The workload p: what programs do with the stop times of a store by SluiceStore; beside it, the same by hand, in C."""

import os
import subprocess

import contenders
from contenders import copy_store, remove_store
from feeds import HERE, REPOSITORY, built
from measure import RunFailed

# What is done, and what the C program is told to do for it.
WAYS = {
    "fetch": "fetch",
    "kept": "fetch",
    "batches": "fetch",
    "codable": "fetch",
    "update": "update",
    "ids": "ids",
    "look-up": "look-up",
}


class Objects:
    """One round of the workload."""

    def __init__(self, bench):
        self.bench, self.store, self.full = bench, built("p.sqlite"), built("p-full.sqlite")
        scratch = os.path.join(REPOSITORY, ".build", "objects")
        self.program = os.path.join(scratch, "release", "Objects")
        if bench.round == 0:
            package = ["--package-path", os.path.join(HERE, "objects"), "--scratch-path", scratch]
            subprocess.run(["swift", "build", "-c", "release", *package], check=True, stdout=subprocess.DEVNULL)

    def round(self):
        self.bench.full_store(self.full)
        for ours, theirs in WAYS.items():
            said = [self.measure(ours, self.program, ours), self.measure(f"{ours} by hand", built("objects"), theirs)]
            if said[0] != said[1]:
                raise RunFailed(f"{ours}: {said[0]} of the library, {said[1]} by hand")
        remove_store(self.full)
        remove_store(self.store)
        if self.bench.round == 0:
            self.bench.same.append("p: as many objects, and the same sums, as the C program")

    def measure(self, name, program, way):
        remove_store(self.store)
        copy_store(self.full, self.store)
        run = lambda: contenders.run([program, way, self.store], "p")
        if self.bench.attempt("p", name, run) is None:
            raise RunFailed(f"{name} failed")
        return subprocess.run([program, way, self.store], capture_output=True, text=True).stdout if way not in ("update", "ids") else ""
