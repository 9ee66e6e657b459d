"""The workload i: a seed that is built, changed, and installed by a delta; beside it, its parts by hand, in C."""

import glob
import json
import os
import shutil
import subprocess

import contenders
import feeds
from contenders import copy_store, remove_store
from feeds import HERE, built
from measure import RunFailed


class Seeds:
    """One round of the workload."""

    def __init__(self, bench):
        self.bench, self.sluice = bench, bench.sluice.path
        self.store, self.folder = built("i-sluice.sqlite"), built("i-seeds")
        self.installed, self.by_hand = built("i-installed.sqlite"), built("i-by-hand.sqlite")
        self.definition = os.path.join(HERE, "transit.jsonc")
        self.environment = {"TRANSIT_FEED": feeds.transit(bench.scale), "TRANSIT_STORE": self.store, "TRANSIT_ABSENT": "delete"}

    def round(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.clear()
        self.bench.full_store(self.store)
        os.sync()
        self.hand("VACUUM INTO", "vacuum", self.store, self.by_hand)
        self.hand("content hash", "hash", self.by_hand)
        self.command("build, level 1", "build", self.definition, "--output", self.folder, "--level", "1")
        self.measure("zstd -1", [shutil.which("zstd"), "-1qf", self.by_hand, "-o", built("i-seed.zst")])
        self.command("install, whole", "install", self.folder, "--store", self.installed)
        copy_store(self.installed, self.by_hand)
        os.chmod(self.by_hand, 0o600)
        self.bench.sluice.run("transit", feeds.changed_transit(self.bench.scale), self.store, absent="delete")
        self.command("build with a delta", "build", self.definition, "--output", self.folder)
        self.command("install by a delta", "install", self.folder, "--store", self.installed)
        self.command("install again", "install", self.folder, "--store", self.installed)
        self.delta_by_hand()
        self.clear()

    def delta_by_hand(self):
        delta, patchset = os.path.join(self.folder, "transit-1-2.delta.zst"), built("i-patchset")
        if not os.path.exists(delta):
            raise RunFailed("there is no delta")
        subprocess.run(["zstd", "-dqf", delta, "-o", patchset], check=True)
        self.measure("copy", [shutil.which("cp"), self.installed, built("i-copy.sqlite")])
        self.hand("apply", "apply", self.by_hand, patchset)
        self.hand("content hash, changed", "hash", self.by_hand)
        with open(os.path.join(self.folder, "transit.seed.json")) as file:
            manifest = json.load(file)
        said = subprocess.run([built("seed"), "hash", self.by_hand], capture_output=True, text=True, check=True).stdout.strip()
        if said != manifest["content"]:
            raise RunFailed("the content is not that of the C program")
        if self.bench.round == 0:
            self.bench.same.append("i: the same content hash as the C program's, after the same patchset")
        self.bench.seed_sizes = (os.path.getsize(delta), manifest["whole"]["bytes"])

    def command(self, name, *words):
        self.measure(name, [self.sluice, "seed", words[0], "-q", *words[1:]])

    def hand(self, name, *words):
        if words[0] == "vacuum":
            remove_store(words[2])
        self.measure(name, [built("seed"), *words])

    def measure(self, name, command):
        if self.bench.attempt("i", name, lambda: contenders.run(command, "i", self.environment)) is None:
            raise RunFailed(f"{name} failed")

    def clear(self):
        for path in (self.store, self.installed, self.by_hand):
            if os.path.exists(path):
                os.chmod(path, 0o600)
            remove_store(path)
        for path in glob.glob(built("i-*.zst")) + [built("i-patchset"), built("i-copy.sqlite")]:
            if os.path.exists(path):
                os.remove(path)
