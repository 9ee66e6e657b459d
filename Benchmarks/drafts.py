#!/usr/bin/env python3
"""What `sluice init` saves: drafts of real feeds beside the definitions that people wrote of them.

    python3 Benchmarks/drafts.py [--sluice PATH] [--only NAME,…] [--missing]
    python3 Benchmarks/drafts.py --later [--sluice PATH]

A line of a definition is kept if the draft has it: an entity with the records (two lines), its identifier, an attribute
with the same path and type, a relationship that leads from the same path, or by the same values, to the same entities.
Names do not count: they are a matter of taste. Neither does which of two ways is taken to name the same objects, where
both hold in the next feed, too: see `is_same`. Feeds that are not on this machine are left out, and named.

With `--later`, what a draft takes for granted: that of each night of a feed is run on all later ones, as it is.
"""

import argparse
import glob
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

import feeds as generated
from shapes import open_data, operations, registers, services

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SHARED = os.environ.get("FEEDS", os.path.join(ROOT, "..", "shared", "feeds"))
ISO = os.environ.get("ISO_CODES", "/usr/share/iso-codes/json")
TESTS = os.path.join(ROOT, "Tests", "EndToEndTests", "Definitions")
PIPELINES = os.path.join(ROOT, "Pipelines")


def shared(pattern):
    return sorted(glob.glob(os.path.join(SHARED, pattern)))


def cases():
    """By name: the feeds, and the finished definition."""
    own = os.path.join(HERE, "drafts")
    iso = [os.path.join(ISO, f"iso_{name}.json") for name in ("3166-1", "3166-2", "3166-3", "639-2", "639-3", "639-5", "4217")]
    samples = os.path.join(ROOT, "Samples")
    return {
        "vbb": (shared("vbb/feed.json.zst"), f"{TESTS}/vbb.jsonc"),
        "congress": (shared("congress/*.json"), f"{TESTS}/congress.jsonc"),
        "tate": (shared("tate/*.json*"), f"{TESTS}/tate.jsonc"),
        "openflights": (shared("openflights/*.zst"), f"{TESTS}/openflights.jsonc"),
        "caniuse 2015": (shared("caniuse-nights/2015-04-14.json.zst"), f"{TESTS}/caniuse.jsonc"),
        "caniuse 2024": (shared("caniuse-nights/2024-09-05.json.zst"), f"{TESTS}/caniuse.jsonc"),
        "attack 2020": (shared("attack-nights/2020-10-27.json.zst"), f"{TESTS}/attack.jsonc"),
        "attack 2025": (shared("attack-nights/2025-11-13.json.zst"), f"{TESTS}/attack.jsonc"),
        "iso-3166": (iso[:2], f"{PIPELINES}/iso-3166.jsonc"),
        "iso-639": (iso[3:6], f"{own}/iso-639.jsonc"),
        "iso-4217": ([iso[6], iso[0], iso[2]], f"{own}/iso-4217.jsonc"),
        "berlin-transit": ([f"{samples}/berlin-transit.json"], f"{PIPELINES}/berlin-transit.jsonc"),
        "instruments": (
            [f"{samples}/instruments/{name}.ndjson" for name in ("objects", "makers")],
            f"{PIPELINES}/instruments.jsonc",
        ),
        "earthquakes": ([f"{samples}/earthquakes/monday.json"], f"{own}/earthquakes.jsonc"),
        "github-issues": ([f"{own}/github-issues.json"], f"{own}/github-issues.jsonc"),
        "bicycles": ([f"{own}/bicycles.geojson"], f"{own}/bicycles.jsonc"),
        "npm-package": ([f"{own}/npm-package.json"], f"{own}/npm-package.jsonc"),
        "wikidata": ([f"{own}/wikidata.json"], f"{own}/wikidata.jsonc"),
        "orders": ([generated.built("orders-0.02.json")], f"{HERE}/orders.jsonc"),
        "transit": ([generated.built("transit-0.02-forward.json")], f"{HERE}/transit.jsonc"),
        "deep": ([generated.built("deep-0.02.json")], f"{HERE}/deep.jsonc"),
        "wide": ([generated.built("wide-0.02.ndjson")], f"{HERE}/wide.jsonc"),
    }


def first_pages():
    """Feeds of a few records, as first pages and small files are: much is unique by chance in them, and one odd value may
    cost a lot."""
    found = {}
    for definition in sorted(glob.glob(os.path.join(HERE, "drafts", "first-pages", "*.jsonc"))):
        feed = os.path.join(os.path.dirname(definition), read(definition)["source"]["file"])
        found["first page " + os.path.basename(definition)[:-6]] = ([feed], definition)
    return found


def gallery():
    """The definitions of the gallery, whose feeds are small samples."""
    found = {}
    for definition in sorted(glob.glob(os.path.join(PIPELINES, "gallery", "*.jsonc"))):
        whole = read(definition)
        sources = list((whole.get("sources") or {"main": whole["source"]}).values())
        # What belongs to records is asked for one by one.
        if any("for" in source for source in sources):
            continue
        patterns = [str(source.get("file", "")) for source in sources]
        patterns = [re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", pattern) for pattern in patterns]
        paths = [os.path.join(PIPELINES, "gallery", pattern) for pattern in patterns if pattern]
        # As users name them: the files of a pattern may be one source.
        named = sorted({path for path in paths if glob.glob(path)})
        if named:
            found["gallery " + os.path.basename(definition)[:-6]] = (named, definition)
    return found


def shaped():
    """Feeds in the shapes of those that services and tools publish: by name, what makes one, and what it is in."""
    makers = {**services.SHAPES, **open_data.SHAPES, **operations.SHAPES, **registers.SHAPES}
    return {file.split(".")[0]: (make, generated.built(file)) for file, make in makers.items()}


def shapes():
    return {name: ([feed], os.path.join(HERE, "shapes", f"{name}.jsonc")) for name, (_, feed) in shaped().items()}


def make_shapes(only):
    os.makedirs(generated.BUILD, exist_ok=True)
    for name, (make, feed) in shaped().items():
        if only and name not in only:
            continue
        whole = make(random.Random(name))
        with open(feed, "w") as output:
            output.write(whole if isinstance(whole, str) else json.dumps(whole, indent=1, ensure_ascii=False) + "\n")


def make_feeds():
    generated.build_programs()
    generated.orders(0.02)
    generated.transit(0.02)
    generated.deep(0.02)
    generated.wide(0.02)


# Definitions


def read(path):
    """A definition, without its comments."""
    with open(path) as file:
        text = file.read()
    token = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
    return json.loads(token.sub(lambda found: found[0] if found[0][0] == '"' else "", text))


def listed(value):
    return value if isinstance(value, list) else [value]


def inherited(definition):
    """The entities, each with what it takes from its base."""
    bases = definition.get("bases", {})
    entities = {}
    for name, entity in definition["entities"].items():
        base = bases.get(entity.get("like"), {})
        whole = {**base, **entity}
        for key in ("attributes", "relationships"):
            members = {**base.get(key, {}), **entity.get(key, {})}
            whole[key] = {name: member for name, member in members.items() if member is not None}
        if "is" in whole:
            whole["where"] = {whole["kind"]: whole["is"]}
        entities[name] = whole
    return entities


def path(name, value):
    """Where a value looks first."""
    if isinstance(value, str):
        return name
    found = value.get("from", value.get("join", value.get("identifier")))
    if found is None and isinstance(value.get("to"), list) and isinstance(value["to"][0], dict):
        found = value["to"][0].get("from")
    while isinstance(found, list):
        found = found[0]
    return path(name, found) if isinstance(found, dict) else found or name


def plain(text):
    """A path without the quotes around its names."""
    return re.sub(r"""\[(["'])([^"']*)\1\]""", r".\2", text)


def places(name, value):
    """All paths that an attribute or a relationship looks at to name something: of several values, each."""
    parts = value.get("identifier") if isinstance(value, dict) else None
    if not isinstance(parts, list):
        return [path(name, value)]
    looked = [part for part in parts if isinstance(part, str) or "value" not in part]
    return [part if isinstance(part, str) else path(name, part) for part in looked]


def around(text):
    """Paths to what is around a record, from there or from the top, are the same, and so are names in quotes and others."""
    text = plain(text).removeprefix(".")
    text = re.sub(r"^@(?=\[)", "", text)
    if text.startswith("^"):
        return "^" + re.sub(r"^\^+\.?", "", text)
    if text.startswith(("$.", "$[")):
        # Up to the last list or map: what follows is in an element of it.
        return "^" + re.sub(r"^\$(.*(\[\*\]|\.\*))?\.?", "", text)
    return text


def within(text, member):
    """Where a path leads from the object around a member."""
    return text if text[0] in "^$" else f"{member}.{text}".replace(".[", "[")


class Entity:
    def __init__(self, name, entity, source):
        self.name, self.source = name, source
        self.records = {plain(text) for text in listed(entity["records"])}
        self.first = plain(listed(entity["records"])[0])
        self.where = json.dumps(entity.get("where"))
        self.repeats = entity.get("repeats", False)
        # Whether others, around them, have been taken for the records.
        self.is_inner = False
        types = {}
        for key, value in entity.get("attributes", {}).items():
            types[key] = (around(path(key, value)), value if isinstance(value, str) else value["type"])
        self.attributes = types
        self.relationships = {}
        for key, value in entity.get("relationships", {}).items():
            targets = {to if isinstance(to, str) else next(k for k in to if k[0].isupper()) for to in listed(value["to"])}
            self.relationships[key] = (around(path(key, value)), targets)
        members = {**entity.get("attributes", {}), **entity.get("relationships", {})}
        parts = listed(entity["identifier"])
        self.identifier = sorted({around(place) for part in parts for place in places(part, members.get(part, part))})
        # Where records are lists, and their values have no names in the feed but those that the definition gives.
        self.positions = {place: name for name, (place, _) in types.items() if re.fullmatch(r"\[\d+\]", place)}

    def called(self, place):
        """What a value is called."""
        return self.positions.get(place, place).lower()

    def is_known_by_key(self):
        """Whether the records are in maps, and their keys are said by nothing but what identifies them: a draft has no
        attribute of a key that a member of each record has, too."""
        looked = [place for place, _ in [*self.attributes.values(), *self.relationships.values()]]
        return all(records.endswith(".*") for records in self.records) and "~" not in looked

    def unwrap(self, draft):
        """Takes for records the objects around them, where a draft has these."""
        for records in self.records:
            found = re.fullmatch(r"(.+?)\.([^.*\[\]]+)", records)
            if found and any(found[1] in one.records for one in draft.values()):
                self.is_inner = True
                return self.move({found[1]}, lambda place: within(place, found[2]))

    def enter(self, draft):
        """Takes for records the objects in them that are identified, where a draft has these: the same objects, read from
        around them."""
        members = {place.partition(".")[0] for place in self.identifier if "." in place and place[0] not in "^$['"}
        if len(members) != 1 or any("." not in place for place in self.identifier):
            return
        member = members.pop()
        inner = {f"{records}.{member}" for records in self.records}
        if not any(inner & one.records for one in draft.values()):
            return

        def inside(place):
            if place[0] in "^$":
                return place
            return place[len(member) + 1 :] if place.startswith(member + ".") else around("^" + place)

        self.move(inner, inside)

    def move(self, records, moved):
        """Takes others for records; `moved` gives the path from there that leads to the same value."""
        self.records = records
        self.attributes = {name: (moved(place), type) for name, (place, type) in self.attributes.items()}
        self.relationships = {name: (moved(place), to) for name, (place, to) in self.relationships.items()}
        self.identifier = sorted(map(moved, self.identifier))


def entities(definition, feeds):
    """Their sources are told by the names of the feeds' files."""
    definition = read(definition)
    sources = definition.get("sources") or {"main": definition["source"]}
    found = {}
    for name, entity in inherited(definition).items():
        # Stubs alone have no records to draft from.
        if "records" not in entity:
            continue
        source = listed(entity.get("source", next(iter(sources))))[0]
        location = os.path.basename(sources[source].get("file", "")) if len(sources) > 1 else ""
        found[name] = Entity(name, entity, location.rsplit("}", 1)[-1].split(".")[0])
    return found


def owner(entity, among):
    """The entity in whose records these are."""

    def is_in(other):
        return any(inner.startswith((outer + ".", outer + "[")) for inner in entity.records for outer in other.records)

    outer = [one for one in among.values() if one is not entity and one.source == entity.source and is_in(one)]
    return max(outer, key=lambda one: max(map(len, one.records)), default=None)


def parts(entity, among):
    """What identifies an object: its own values, and those around it, or OWNER for what identifies its owner. What is
    wrong with that counts once, there."""
    own = {place for place in entity.identifier if place[0] != "^"}
    rest = set(entity.identifier) - own
    above = owner(entity, among)
    if above and rest == {"^" + place.removeprefix("^") for place in above.identifier}:
        rest = {OWNER}
    return own, rest


OWNER = "^"
# How the names of attributes end that identify something, and do nothing else; people know of numbers that do, too.
IDENTIFYING = ("id", "guid", "iri", "uri", "ref")


def is_same(entity, finished, other, draft):
    """Whether two identifiers name the same objects, and go on to do so: they are the same, or

    - the finished one takes the key of a map, and the draft a member that is the same in every record,
    - the finished one takes the place in a list, which says that nothing in the records was to be relied on, and the draft
      has measured that something is unique in each of the lists. So it is where nothing refers to that place, but what is
      in the records and has to say whose it is,
    - or each takes an attribute of its own that is called as an identifier (`OBJECTID`, `GlobalID`): both are unique, and
      in every record, and the draft does not take it for a reference.
    """
    own, rest = parts(entity, finished)
    drafted, drafted_rest = parts(other, draft)
    if other.identifier == entity.identifier or (own, rest) == (drafted, drafted_rest):
        return True
    if rest != drafted_rest or other.repeats != entity.repeats:
        return False
    if own == {"~"} and len(drafted) == 1 and other.is_known_by_key():
        return True
    if own == {"~"} and rest:
        return bool(drafted) and "~" not in drafted and not is_referred_to(entity, finished)
    references = {place for place, _ in other.relationships.values()}
    return (
        not rest
        and not entity.is_inner
        and len(own) == len(drafted) == 1
        and not drafted & references
        and all(other.called(place).endswith(IDENTIFYING) for place in drafted)
        and all(entity.called(place).endswith((*IDENTIFYING, "number")) for place in own)
    )


def is_referred_to(entity, finished):
    """Whether something leads to the records that is not in them: that refers to what is around it, whatever names it."""
    return any(
        entity.name in names and not (place.startswith("^") and is_in(one, entity, finished))
        for one in finished.values()
        for place, names in one.relationships.values()
    )


def is_in(one, entity, among):
    """Whether records are in those of another entity, or in what is in these."""
    while one := owner(one, among):
        if one is entity:
            return True
    return False


def is_elsewhere(place, others, meant, draft):
    """Whether a draft says of the same objects that they belong together, but elsewhere:

    - what is in a list of a record refers to it, or the record to all in its list,
    - what is in a list of a list refers to the record around both, or to what is between, and that to the record,
    - a record refers to what objects in its list name, or these are entities of their own, and refer to both.
    """

    def leads(one, way, to):
        """Whether an entity has a relationship from a place below its records."""
        return any(
            names & to and any(f"{records}.{place}".startswith(way) for records in one.records)
            for place, names in one.relationships.values()
        )

    own = {other.name for other in others}
    if place.startswith("^"):
        lists = [f"{records}." for other in others for records in other.records]
        return any(leads(draft[name], way, own) for name in meant for way in lists) or bool(meant & above(own, draft))
    return any(
        names & meant and own_place[0] != "^" and f"{records}.{place}".startswith(f"{inner}.") and leads_back(link, own)
        for other in others
        for records in other.records
        for link in draft.values()
        if link.name not in own
        for inner in link.records
        for own_place, names in link.relationships.values()
    )


def above(own, draft):
    """The entities around some, as far as each refers to the one around it."""
    found = set()
    for name in own:
        one = draft[name]
        while (outer := owner(one, draft)) and leads_back(one, {outer.name}):
            found.add(outer.name)
            one = outer
    return found


def leads_back(link, own):
    """Whether what is in a list of records refers to these."""
    return any(place.startswith("^") and names & own for place, names in link.relationships.values())


def rest(name, finished, draft, pairs):
    """Entities with the records that the finished one has at other places: what is one may be drafted as one for each."""
    if name not in finished or len(finished[name].records) == 1:
        return []
    paired = {one for names in pairs.values() for one in names}
    return [d.name for d in draft.values() if d.records & finished[name].records and d.name not in paired]


def stubs(finished, draft, pairs):
    """Entities of which a definition reads no records, only what refers to them, and which of the draft is the same: to
    which one most of its relationships from the same paths lead."""
    votes = {}
    for entity in finished.values():
        related = draft[pairs[entity.name][0]].relationships.values() if pairs[entity.name] else []
        for place, targets in entity.relationships.values():
            for target in targets - set(finished):
                votes.setdefault(target, []).extend(to for path, names in related if path == place for to in sorted(names))
    return {name: [max(found, key=found.count)] for name, found in votes.items() if found}


def compare(finished, draft):
    """How many lines, identifiers and relationships there are, and the draft has; and what it has not."""
    counts = {"lines": [0, 0], "identifiers": [0, 0], "relationships": [0, 0]}
    missing = []

    def count(kind, is_there, what):
        counts[kind][1] += 1
        counts[kind][0] += is_there
        if not is_there:
            missing.append(f"{kind[:-1]} {what}")

    for entity in finished.values():
        if not any(entity.records & one.records for one in draft.values()):
            entity.unwrap(draft)
        entity.enter(draft)
    pairs = {}
    for entity in finished.values():
        same = [d for d in draft.values() if d.source == entity.source and d.records & entity.records]
        same.sort(key=lambda d: (entity.first not in d.records, d.repeats != entity.repeats))
        exact = [d for d in same if d.where == entity.where][:1]
        # What is one entity may be drafted as several, by what the records say that they are.
        kinds = same if entity.where == "null" and all(d.where != "null" for d in same) else same[:1]
        pairs[entity.name] = [d.name for d in exact or kinds]
    pairs |= stubs(finished, draft, pairs)
    for entity in finished.values():
        others = [draft[name] for name in pairs[entity.name]]
        for _ in range(2):
            count("lines", bool(others), entity.name)
        instead = f"drafted {others[0].identifier}" if others else "not drafted"
        for what in ("lines", "identifiers"):
            is_there = bool(others) and all(is_same(entity, finished, other, draft) for other in others)
            count(what, is_there, f"{entity.name} {entity.identifier}, {instead}")
        types = {attribute for other in others for attribute in other.attributes.values()}
        for name, (place, type) in entity.attributes.items():
            count("lines", (place, type) in types, f"{entity.name}.{name} {place} {type}")
        related = list(others[0].relationships.values()) if others else []
        # Of several kinds, that of each path counts once.
        for other in others[1:]:
            known = {place for place, _ in related}
            related += [one for one in other.relationships.values() if one[0] not in known]
        wanted = []
        for name, (place, targets) in entity.relationships.items():
            meant = {one for target in targets for one in pairs.get(target, []) + rest(target, finished, draft, pairs)}
            wanted.append((name, place, targets, meant))
        # Those from the same path first; each of the draft counts once.
        for same_place in (True, False):
            for wish in list(wanted):
                found = [one for one in related if wish[3] & one[1] and (one[0] == wish[1] or not same_place)]
                if found:
                    related.remove(found[0])
                    wanted.remove(wish)
        wanted = [wish for wish in wanted if not is_elsewhere(wish[1], others, wish[3], draft)]
        for name, (place, targets) in entity.relationships.items():
            is_there = all(wish[0] != name for wish in wanted)
            for what in ("lines", "relationships"):
                count(what, is_there, f"{entity.name}.{name} {place} to {sorted(targets)}")
    return counts, missing


# Measuring


def draft(sluice, feeds, folder):
    """The draft, the processor's seconds for it, and why there is none."""
    output = os.path.join(folder, "draft.jsonc")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([sluice, "init", *feeds], capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    with open(output, "w") as file:
        file.write(done.stdout)
    return output, seconds, done.stderr.strip() if done.returncode else ""


def rejected(sluice, draft, feeds, folder):
    """What is wrong with a run of the draft on its feeds; empty where nothing is."""
    store = os.path.join(folder, "draft.sqlite")
    # A draft has its feeds relative to where it was made.
    moved = os.path.join(os.getcwd(), f".draft-{os.getpid()}.jsonc")
    with open(draft) as text, open(moved, "w") as file:
        file.write(text.read())
    try:
        done = subprocess.run([sluice, "run", moved, "--store", store, "--format", "json"], capture_output=True, text=True)
    finally:
        os.remove(moved)
    for name in os.listdir(folder):
        if name.startswith("draft.sqlite"):
            os.remove(os.path.join(folder, name))
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return f"does not run: {done.stderr.strip()[:200]}"
    rejects = sum(entity["rejected"] for entity in report["entities"].values())
    return "" if done.returncode == 0 and not rejects else f"runs with {rejects} rejects: {done.stderr.strip()[:200]}"


def later(sluice):
    """How many later nights the drafts of real nights lose records of, or fail with: a field that is gone from all records
    fails a run, and is to do so; a field that one record lacks is not."""
    print("| feed | later nights | with rejects | failed |\n| --- | --- | --- | --- |")
    for name in ("attack", "caniuse"):
        nights = shared(f"{name}-nights/*.json.zst")
        runs, rejecting, failing = 0, 0, 0
        for first in range(len(nights) - 1):
            with tempfile.TemporaryDirectory() as folder:
                feed, draft = os.path.join(folder, "feed.json"), os.path.join(folder, "draft.jsonc")
                unpack(nights[first], feed)
                subprocess.run([sluice, "init", feed, "--output", draft], capture_output=True, check=True)
                for night in nights[first:]:
                    unpack(night, feed)
                    done = subprocess.run([sluice, "run", draft, "--format", "json"], capture_output=True, text=True)
                    if night == nights[first]:
                        continue
                    entities = json.loads(done.stdout)["entities"].values()
                    runs += 1
                    rejecting += any(entity["rejected"] for entity in entities)
                    failing += done.returncode != 0
        print(f"| {name} | {runs} | {rejecting} | {failing} |" if nights else f"| {name} | not here | | |", flush=True)


def unpack(packed, path):
    subprocess.run(["zstd", "-dqfo", path, packed], check=True)


def size(feed):
    """Of what is in a file, in megabytes."""
    if feed.endswith(".zst"):
        return len(subprocess.run(["zstd", "-dc", feed], capture_output=True, check=True).stdout) / 1e6
    return os.path.getsize(feed) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", default=os.path.join(ROOT, ".build", "release", "sluice"))
    parser.add_argument("--only", help="names of feeds, separated by commas")
    parser.add_argument("--missing", action="store_true", help="name what a draft lacks")
    parser.add_argument("--keep", help="a folder for the drafts")
    parser.add_argument("--later", action="store_true", help="run the drafts of real nights on all later ones")
    options = parser.parse_args()
    if options.later:
        return later(options.sluice)
    only = options.only.split(",") if options.only else None
    if not only or {"orders", "transit", "deep", "wide"} & set(only):
        make_feeds()
    make_shapes(only)
    print("| feed | lines kept | identifiers | relationships | MB | MB/s |\n| --- | --- | --- | --- | --- | --- |")
    total = {"lines": [0, 0], "identifiers": [0, 0], "relationships": [0, 0]}
    absent = []
    runs = [0, 0]
    for name, (files, definition) in {**cases(), **gallery(), **first_pages(), **shapes()}.items():
        if only and name not in only:
            continue
        held = [file for pattern in files for file in glob.glob(pattern)]
        if not files or not all(map(glob.glob, files)):
            absent.append(name)
            continue
        with tempfile.TemporaryDirectory() as folder:
            if options.keep:
                folder = os.path.join(options.keep, name.replace(" ", "-"))
                os.makedirs(folder, exist_ok=True)
            drafted, seconds, problem = draft(options.sluice, files, folder)
            counts, missing = compare(entities(definition, files), {} if problem else entities(drafted, files))
            problem = problem or rejected(options.sluice, drafted, files, folder)
            runs = [runs[0] + (not problem), runs[1] + 1]
            if problem:
                missing.insert(0, problem)
        for kind, (found, of) in counts.items():
            total[kind][0] += found
            total[kind][1] += of
        megabytes = sum(map(size, held))
        speed = f"{megabytes / seconds:.0f}" if megabytes > 2 else ""
        print(f"| {name} | {row(counts)} | {megabytes:.1f} | {speed} |", flush=True)
        if options.missing:
            for line in missing:
                print(f"    {line}")
    print(f"| all | {row(total)} | | |")
    print(f"\n{runs[0]} of {runs[1]} drafts run on their feeds without a reject")
    if absent:
        print(f"\nnot here: {', '.join(absent)}")


def row(counts):
    found, of = counts["lines"]
    parts = [f"{found} of {of} ({100 * found // max(1, of)} %)"]
    return " | ".join(parts + [f"{counts[kind][0]} of {counts[kind][1]}" for kind in ("identifiers", "relationships")])


if __name__ == "__main__":
    main()
