"""The workload q: a and d into PostgreSQL; beside it sluice into SQLite, the set-based way, pgloader and dlt.

The server is one of its own below .build/bench, reached by a socket, with its defaults but for 512 MB of shared buffers and
4 GB of write-ahead log between checkpoints; fsync is on. CPU time is that of the program and of the server.
"""

import glob
import os
import pwd
import shutil
import subprocess
import sys

import contenders
import feeds
from contenders import PEERS, remove_store
from feeds import BUILD, HERE, built
from measure import Limits, RunFailed

# The peers take ten times as long, and a tenth says as much.
PEER_SCALE = 0.3
SETTINGS = "-c listen_addresses= -c shared_buffers=512MB -c max_wal_size=4GB -c log_min_messages=error"
USER = "importer"


def programs():
    """Where the programs of the server are; None: nowhere."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
    if found:
        return os.path.dirname(found[-1])
    initdb = shutil.which("initdb")
    return os.path.dirname(initdb) if initdb else None


class Server:
    """A cluster that is made anew, and goes with its folder. It does not run as root: then as the user postgres."""

    def __init__(self):
        self.folder, self.bin = os.path.join(BUILD, "postgresql"), programs()
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.as_user = []
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.as_user = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        self.data = os.path.join(self.folder, "data")
        self.call("initdb", "-D", self.data, "-A", "trust", "-U", USER, "--encoding", "UTF8", "--locale", "C")
        # A path of a socket may not be long.
        self.socket = subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True).stdout.strip()
        os.chmod(self.socket, 0o777)
        self.call("pg_ctl", "-D", self.data, "-l", os.path.join(self.folder, "log"), "-o", f"-k {self.socket} {SETTINGS}", "-w", "start")
        self.databases = 0

    def call(self, program, *arguments):
        result = subprocess.run([*self.as_user, os.path.join(self.bin, program), *arguments], cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if result.returncode != 0:
            raise RunFailed(f"{program}: {result.stderr}")

    def stop(self):
        self.call("pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.socket, ignore_errors=True)

    def address(self, database="postgres"):
        return f"postgresql:///{database}?host={self.socket}&user={USER}"

    def execute(self, sql, database="postgres"):
        command = [os.path.join(self.bin, "psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, self.address(database)]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            raise RunFailed(f"psql: {result.stderr}")
        return result.stdout

    def database(self, template=None):
        """The name of a new database, of its own or a copy of another."""
        self.databases += 1
        name = f"bench{self.databases}"
        self.execute(f"CREATE DATABASE {name}" + (f" TEMPLATE {template}" if template else ""))
        return name

    def drop(self, *names):
        for name in names:
            self.execute(f"DROP DATABASE IF EXISTS {name}")

    def seconds(self):
        """CPU time of the server and of all sessions, those that have ended, too."""
        with open(os.path.join(self.data, "postmaster.pid")) as file:
            postmaster = int(file.readline())
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(postmaster)], capture_output=True, text=True).stdout
        ticks = 0
        for pid in [postmaster, *map(int, children.split())]:
            try:
                with open(f"/proc/{pid}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            ticks += int(fields[11]) + int(fields[12])
            if pid == postmaster:
                ticks += int(fields[13]) + int(fields[14])
        return ticks / os.sysconf("SC_CLK_TCK")


class PostgreSQL:
    """One round of the workload."""

    def __init__(self, bench):
        self.bench, self.server = bench, Server()

    def round(self):
        try:
            self.load(self.bench.scale, "", {"set-based": self.set_based})
            self.load_beside_peers()
        finally:
            self.server.stop()

    def load(self, scale, suffix, others):
        """A first import and a night that reads all, each into SQLite, into PostgreSQL, and by the others; then a night that
        knows its feed."""
        forward, changed = feeds.transit(scale), feeds.changed_transit(scale)
        ours = self.server.database()
        for night, feed in ((f"first{suffix}", forward), (f"nightly{suffix}", changed)):
            feeds.warm(feed)
            self.measure(f"{night}, SQLite", lambda: self.sqlite(feed, is_first=feed == forward))
            self.measure(f"{night}, PostgreSQL", lambda: self.sluice(feed, self.server.address(ours), is_first=feed == forward))
            for name, other in others.items():
                self.measure(f"{night}, {name}", lambda: other(feed, is_first=feed == forward))
            self.check(ours, night)
        # The night before has left its fingerprints, and the definition is the same.
        night = f"known{suffix}"
        self.measure(f"{night}, SQLite", lambda: self.sqlite(forward, is_first=False, knows=True))
        self.measure(f"{night}, PostgreSQL", lambda: self.sluice(forward, self.server.address(ours), is_first=False, knows=True))
        self.check(ours, night)
        self.server.drop(ours)

    def measure(self, name, work):
        if self.attempt(name, work) is None:
            raise RunFailed(f"{name} failed")

    def attempt(self, name, work):
        """What was measured; a peer may fail."""

        def whole():
            os.sync()
            self.server.execute("CHECKPOINT")
            before = self.server.seconds()
            measurement = work()
            measurement.cpu += self.server.seconds() - before
            return measurement

        return self.bench.attempt("q", name, whole)

    def sqlite(self, feed, is_first, knows=False):
        store = built("q-sluice.sqlite")
        if is_first:
            remove_store(store)
        return self.sluice(feed, store, is_first, knows)

    def sluice(self, feed, store, is_first, knows=False):
        # As in a and d.
        absent = "keep" if is_first else "delete"
        return self.bench.sluice.run("transit", feed, built("q-unused"), "--store", store, absent=absent, knows=knows)

    def set_based(self, feed, is_first):
        if is_first:
            self.by_hand = self.server.database()
        script = os.path.join(HERE, "set-based", "first.sql" if is_first else "nightly.sql")
        address = self.server.address(self.by_hand)
        measurement = contenders.run([built("set-based"), feed, address, script], "q")
        self.compare("public", self.by_hand)
        if not is_first:
            self.server.drop(self.by_hand)
        return measurement

    def check(self, database, night):
        if self.bench.round == 0:
            self.compare("transit", database)
            self.bench.same.append(f"q: {night}: the same data in PostgreSQL as in SQLite")

    def compare(self, schema, database):
        """With the store in SQLite."""
        if self.bench.round > 0:
            return
        command = [sys.executable, os.path.join(HERE, "compare-server.py"), os.path.join(self.server.bin, "psql"),
                   self.server.address(database), schema, built("q-sluice.sqlite")]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            raise RunFailed(f"{database} has other data:\n{result.stdout}{result.stderr}", "other data")

    # MARK: Peers

    def load_beside_peers(self):
        there = {}
        if self.bench.peers and shutil.which("pgloader"):
            there["pgloader"] = self.pgloader
        if self.bench.peers and contenders.has_module("dlt"):
            there["dlt"] = self.dlt
        if not there:
            return
        feed = feeds.transit(self.bench.scale * PEER_SCALE)
        feeds.warm(feed)
        ours = self.server.database()
        self.measure("for peers, SQLite", lambda: self.sqlite(feed, is_first=True))
        self.measure("for peers, PostgreSQL", lambda: self.sluice(feed, self.server.address(ours), is_first=True))
        for name, work in there.items():
            database = self.server.database()
            self.attempt(f"for peers, {name}", lambda work=work, database=database: work(feed, database))
            self.server.drop(database)
        self.server.drop(ours)

    def pgloader(self, feed, database):
        """Brings the store that sluice made in SQLite into the server."""
        store = f"sqlite://{built('q-sluice.sqlite')}"
        target = f"pgsql://{USER}@unix:{self.server.socket}:5432/{database}"
        return contenders.run([shutil.which("pgloader"), "--quiet", store, target], "pgloader", None, Limits(0, 900))

    def dlt(self, feed, database):
        script = os.path.join(PEERS, "with-dlt.py")
        environment = {"DLT_DATA_DIR": built("dlt"), "RUNTIME__DLTHUB_TELEMETRY": "false"}
        # dlt wants a host and a password; the server asks for none, and the socket counts.
        address = f"postgresql://{USER}:none@localhost:5432/{database}?host={self.server.socket}"
        return contenders.run([sys.executable, "-B", script, feed, address], "dlt", environment, Limits(0, 900))
