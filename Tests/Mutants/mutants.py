"""Whether the tests can fail: small faults are put into the sources, and the tests are to notice them.

All faults of a sample are compiled at once, each behind `mutant(N)`, which the variable MUTANT makes true: one
build serves them all ("mutant schemata", Untch, Offutt and Harrold, 1993). A fault that does not compile is taken out.
Each suite of tests is run once without a fault, which tells how long it takes and which faults it reaches. Then each
fault is tried on the suites that reach it, those of its module first, the quick before the slow, until a test fails,
crashes, or takes three times as long as without a fault, or until the fault has had its seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import mmap
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeVar

MODULES = "Load,Transform,Seed,Fetch,Known,Schema,StoreSQLite,StorePostgreSQL"
# Those that take minutes, and try what others try as well; they stay out of what is run for a single fault.
SLOW = (
    r"ConsumerTests|GrowingStorePropertyTests|CacheLimitTests|GrowingServer|FaultTests|TortureTests|PackageTests"
    r"|ContainerTests|PlanEqualityTests|OtherEyesTests"
)

SWITCH = """import Glibc

private let chosen: Int = {
    guard let text = unsafe getenv("MUTANT") else { return -1 }
    return unsafe Int(String(cString: text)) ?? -1
}()

/// A byte for each fault, in a file that all processes of a suite share.
nonisolated(unsafe) private let reached: UnsafeMutablePointer<UInt8>? = {
    guard let path = unsafe getenv("MUTANTS_REACHED") else { return nil }
    let file = unsafe open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    let map = unsafe mmap(nil, COUNT, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    return unsafe map == MAP_FAILED ? nil : map?.assumingMemoryBound(to: UInt8.self)
}()

@inline(never) func mutant(_ number: Int) -> Bool {
    if let map = unsafe reached { unsafe map[number] = 1 }
    return chosen == number
}
"""

PREFIX = r"(?:(?:try|unsafe|await) )*"
COMPARISONS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
CONDITION = re.compile(
    r"^(?P<head>\s*(?:\} else )?(?:if|while|guard|return) )(?P<body>.+?)(?P<tail> else \{.*| \{.*|)$"
)
CALL = re.compile(rf"^\s*{PREFIX}(?!super\b)[a-zA-Z_][\w.!?\[\]]*\(.*\)$")
ASSIGNMENT = re.compile(rf"^\s*{PREFIX}[a-zA-Z_][\w.!?]*(?:\[[^=]*\])? (?:=|\+=|-=|\|=|&=) .+$")
NO_STATEMENT = re.compile(
    r"^\s*(?:let|var|return|throw|case|default|func|init|if|guard|for|while|switch|import|static|private|public|typealias"
    r"|assert|precondition|fatalError|preconditionFailure|assertionFailure|defer|else|break|continue|where|super|self\.init)\b"
)
Item = TypeVar("Item")
COMPILER_ERROR = re.compile(r"(?P<path>[^\s:]+\.swift):(?P<line>\d+):\d+: error: (?P<text>.*)")


@dataclass
class Mutant:
    """A fault in a line."""

    number: int
    path: Path
    line: int
    kind: str
    before: str
    after: str
    outcome: str = ""
    noticed_by: str = ""
    seconds: float = 0


@dataclass
class Suite:
    """Tests of a type: how long they take without a fault, and the numbers of the faults that they reach."""

    name: str
    seconds: float = 0
    outcome: str = "passed"
    reached: set[int] = field(default_factory=set)

    @property
    def module(self) -> str:
        return self.name.split(".")[0].removesuffix("Tests")

    @property
    def seeds(self) -> str:
        """Of random models few are enough for a fault that is not rare; of pairs of stores, some must be unlike."""
        return "0..<200" if self.module == "Seed" else "1..<3"


def code_of(line: str) -> str:
    """A line without the contents of texts and without a comment: of the same length, so that places stay."""
    masked = re.sub(r'"(?:\\.|[^"\\])*"', lambda text: '"' + "_" * (len(text[0]) - 2) + '"', line)
    place = masked.find("//")
    return masked if place < 0 else masked[:place].ljust(len(line))


def is_balanced(text: str) -> bool:
    """Whether all brackets of a text close in it."""
    depth = 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return False
    return depth == 0


def comparison(body: str) -> tuple[str, str, str] | None:
    """The two sides and the operator of a text that is one comparison and nothing else."""
    depth, found = 0, None
    for place, letter in enumerate(body):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            word = re.match(r" (==|!=|<=|>=|<|>|&&|\|\||\?\?|\?|is|as\??) ", body[place:])
            if word and (found or word[1] not in COMPARISONS):
                return None
            if word:
                found = (body[:place], word[1], body[place + len(word[0]) :])
    return found


def with_commas(body: str) -> bool:
    """Whether a condition has several parts, which one negation does not cover."""
    depth = 0
    for letter in body:
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and letter == ",":
            return True
    return False


def conditions_of(line: str, number: int) -> list[tuple[str, str]]:
    """What a condition in a line can become: kinds, and lines."""
    match = CONDITION.match(line)
    code = code_of(line)
    if not match or code.rstrip() != line or re.search(r"\b(let|var|case|#available|in)\b", match["body"]):
        return []
    word = match["head"].split()[-1]
    tail_is_needed = word != "return"
    if bool(match["tail"]) != tail_is_needed or with_commas(match["body"]) or not is_balanced(match["body"]):
        return []
    prefix = re.match(PREFIX, match["body"])
    start = prefix[0] if prefix else ""
    body = match["body"][len(start) :]
    found: list[tuple[str, str]] = []
    sides = comparison(code_of(match["body"])[len(start) :])
    if sides:
        place = len(sides[0])
        other = body[:place] + f" {COMPARISONS[sides[1]]} " + body[place + len(sides[1]) + 2 :]
        found.append(("comparison", f"{match['head']}{start}(mutant({number}) ? {other} : {body}){match['tail']}"))
    if tail_is_needed:
        found.append(("negation", f"{match['head']}{start}(mutant({number}) != ({body})){match['tail']}"))
    return found


def statement_of(lines: list[str], place: int, number: int) -> list[tuple[str, str]]:
    """What remains of a line when its statement is dropped."""
    line = lines[place]
    code = code_of(line)
    if code.rstrip() != line or NO_STATEMENT.match(line) or not is_balanced(code) or '"""' in line:
        return []
    if not (CALL.match(code) or ASSIGNMENT.match(code)):
        return []
    before, after = code_of(lines[place - 1]).rstrip(), lines[place + 1].strip() if place + 1 < len(lines) else ""
    if not re.search(r"(\{|\}|;|\)|\w|\]|\"| in|:|)$", before) or before.endswith(
        (",", "(", "[", "=", "?", "&&", "||")
    ):
        return []
    if after.startswith((".", "?", ":", "&&", "||", "+", "-", "/", "*", ")", "]")):
        return []
    indent = line[: len(line) - len(line.lstrip())]
    return [("drop", f"{indent}if !mutant({number}) {{ {line.strip()} }}")]


def candidates(tree: Path, modules: list[str]) -> list[Mutant]:
    """All faults that these modules can have."""
    found: list[Mutant] = []
    for module in modules:
        for path in sorted((tree / "Sources" / module).rglob("*.swift")):
            lines = path.read_text().split("\n")
            quoted = False
            for place, line in enumerate(lines):
                if line.count('"""') % 2:
                    quoted = not quoted
                    continue
                if quoted or place == 0:
                    continue
                number = len(found)
                for kind, after in conditions_of(line, number) + statement_of(lines, place, number):
                    number = len(found)
                    after = re.sub(r"mutant\(\d+\)", f"mutant({number})", after)
                    found.append(Mutant(number, path.relative_to(tree), place, kind, line, after))
    return found


def put_in(tree: Path, originals: dict[Path, list[str]], mutants: list[Mutant]) -> None:
    """Writes the sources with these faults in them."""
    by_path: dict[Path, dict[int, str]] = {path: {} for path in originals}
    for mutant in mutants:
        by_path[mutant.path][mutant.line] = mutant.after
    for path, changed in by_path.items():
        text = "\n".join(changed.get(place, line) for place, line in enumerate(originals[path]))
        file = tree / path
        if file.read_text() != text:
            file.write_text(text)


def blamed(mutants: list[Mutant], output: str) -> set[int]:
    """The faults that a compiler's messages are about: those of a line, else the nearest ones."""
    found: set[int] = set()
    for match in COMPILER_ERROR.finditer(output):
        line = int(match["line"]) - 1
        here = [mutant for mutant in mutants if match["path"].endswith(str(mutant.path))]
        for distance in (0, 1, 3, 12, 10**6):
            near = [mutant.number for mutant in here if abs(mutant.line - line) <= distance]
            if near:
                found.update(near)
                break
    return found


def build(tree: Path, mutants: list[Mutant]) -> list[Mutant]:
    """Builds the tests with all faults that compile, and gives those."""
    originals = {mutant.path: (tree / mutant.path).read_text().split("\n") for mutant in mutants}
    while True:
        put_in(tree, originals, mutants)
        done = subprocess.run(
            ["swift", "build", "--build-tests"], cwd=tree, capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return mutants
        out = blamed(mutants, done.stdout + done.stderr)
        if not out:
            sys.exit("the sources do not build, and no fault is to blame:\n" + (done.stdout + done.stderr)[-4000:])
        mutants = [mutant for mutant in mutants if mutant.number not in out]
        print(f"{len(out)} do not compile, {len(mutants)} are left", flush=True)


def build_with_switch(tree: Path, mutants: list[Mutant]) -> list[Mutant]:
    """Builds with faults, notes which there are, and gives those."""
    package = tree / "Package.swift"
    package.write_text(package.read_text().replace("    .treatAllWarnings(as: .error),\n", ""))
    for module in {mutant.path.parts[1] for mutant in mutants}:
        text = SWITCH.replace("COUNT", str(1 + max(mutant.number for mutant in mutants)))
        (tree / "Sources" / module / "Mutants.swift").write_text(text)
    mutants = build(tree, mutants)
    (tree / ".build/mutants.json").write_text(json.dumps([asdict(mutant) for mutant in mutants], default=str))
    return mutants


def read_built(tree: Path) -> list[Mutant]:
    """The faults with which a tree was built."""
    rows = json.loads((tree / ".build/mutants.json").read_text())
    return [Mutant(**{**row, "path": Path(row["path"])}) for row in rows]


def end(process: subprocess.Popen[str]) -> None:
    """Kills tests, and what they have started in their group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def end_all(folder: str) -> None:
    """Kills all that has a folder for its temporary files: commands have groups of their own, and a fault may keep them
    busy for ever."""
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"TMPDIR={folder}".encode() in environment.read_bytes().split(b"\0"):
                os.kill(int(environment.parent.name), signal.SIGKILL)


def run(tree: Path, suite: Suite, number: int, limit: float, map_of: Path | None = None) -> tuple[str, str, float]:
    """Runs tests until one fails.

    Returns: what came (passed, failed, crashed, slow), the test that failed first, and the seconds.
    """
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutant-", ignore_cleanup_errors=True) as folder:
        # Tests run as another user too.
        os.chmod(folder, 0o1777)
        environment = dict(os.environ, MUTANT=str(number), NO_COLOR="1", TMPDIR=folder, XDG_STATE_HOME=folder)
        environment["SLUICE_SEEDS"] = suite.seeds
        if map_of:
            environment["MUTANTS_REACHED"] = str(map_of)
        process = subprocess.Popen(
            # A fault may take all memory, or fill the disk.
            ["prlimit", "--as=17179869184", "--fsize=4294967296", ".build/debug/sluicePackageTests.xctest"]
            + ["--testing-library", "swift-testing", "--filter", f"^{re.escape(suite.name)}(/|$)", "--skip", SLOW],
            cwd=tree,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        timer = threading.Timer(limit, end, [process])
        timer.start()
        failed = ""
        assert process.stdout
        for line in process.stdout:
            match = re.match(r"✘ Test (\S+)", line)
            if match and match[1] != "run":
                failed = match[1]
                break
        timer.cancel()
        if failed:
            end(process)
        status = process.wait()
        end(process)
        end_all(folder)
        seconds = time.monotonic() - start
    if failed:
        return "failed", failed, seconds
    if seconds >= limit:
        return "slow", "", seconds
    return ("passed" if status == 0 else "crashed"), "", seconds


def suites_of(tree: Path) -> list[Suite]:
    """The suites that there are, but for the slow ones."""
    listed = subprocess.run(
        [".build/debug/sluicePackageTests.xctest", "--testing-library", "swift-testing", "--list-tests"],
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
    )
    names = sorted({line.split("/")[0] for line in listed.stdout.splitlines() if "." in line})
    return [Suite(name) for name in names if not re.search(SLOW, name)]


def look_at(tree: Path, suite: Suite, count: int) -> None:
    """Runs a suite without a fault, and notes which faults it reaches."""
    with tempfile.NamedTemporaryFile(prefix="reached-") as file:
        file.truncate(count)
        os.chmod(file.name, 0o666)
        suite.outcome, test, suite.seconds = run(tree, suite, -1, 1200, Path(file.name))
        with mmap.mmap(file.fileno(), count) as reached:
            suite.reached = {number for number in range(count) if reached[number]}
    if suite.outcome != "passed":
        print(f"{suite.name} is left out: without a fault, {suite.outcome} {test}", flush=True)


def survey(tree: Path, suites: list[Suite], count: int, jobs: int) -> list[Suite]:
    """Looks at all suites, and gives those that pass. What was seen once is read from the last call."""
    file = tree / ".build/suites.json"
    if file.exists():
        return [Suite(**{**row, "reached": set(row["reached"])}) for row in json.loads(file.read_text())]
    beside(jobs, suites, lambda suite: look_at(tree, suite, count))
    suites = [suite for suite in suites if suite.outcome == "passed"]
    file.write_text(json.dumps([{**asdict(suite), "reached": sorted(suite.reached)} for suite in suites]))
    return suites


def beside(jobs: int, items: Iterable[Item], action: Callable[[Item], None]) -> None:
    """Does something for each item, some at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        for _ in pool.map(action, items):
            pass


def try_out(tree: Path, mutant: Mutant, suites: list[Suite], budget: float) -> None:
    """Runs the suites that reach a fault until one notices it."""
    there = [suite for suite in suites if mutant.number in suite.reached]
    mutant.outcome = "passed" if there else "not reached"
    module = mutant.path.parts[1]
    # A slow one would take all the time that there is.
    there = [suite for suite in there if 2 * suite.seconds <= budget]
    for suite in sorted(there, key=lambda suite: (suite.module != module, suite.seconds)):
        outcome, test, seconds = run(tree, suite, mutant.number, max(30, 3 * suite.seconds))
        mutant.seconds += seconds
        if outcome != "passed":
            mutant.outcome = outcome
            mutant.noticed_by = f"{suite.name}: {test or outcome}"
            return
        if mutant.seconds > budget:
            mutant.outcome = "out of time"
            return


def report(mutants: list[Mutant], mutant: Mutant) -> None:
    """Prints what came of a fault."""
    done = sum(bool(mutant.outcome) for mutant in mutants)
    what = f"noticed by {mutant.noticed_by}" if mutant.noticed_by else f"NOT NOTICED, {mutant.outcome}"
    where = f"{mutant.path}:{mutant.line + 1}"
    print(f"{done}/{len(mutants)} {where} {mutant.kind}: {what} ({mutant.seconds:.0f} s)")
    if not mutant.noticed_by:
        print(f"    {mutant.before.strip()}")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, required=True, help="a copy of the sources, which is changed")
    parser.add_argument("--modules", default=MODULES, help=f"comma-separated, of Sources: {MODULES}")
    parser.add_argument("--sample", type=int, default=300, help="how many faults are tried (300)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument(
        "--budget", type=float, default=600, help="seconds of tests for a fault (600); slow suites are left out"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many are tried at a time")
    parser.add_argument("--start", type=int, default=0, help="how many of the sample are left out, as they were tried")
    parser.add_argument("--again", action="store_true", help="try what the last call has built")
    words = parser.parse_args()
    tree, modules = words.tree, words.modules.split(",")
    if words.again:
        sample = [mutant for mutant in read_built(tree) if mutant.path.parts[1] in modules][: words.sample]
    else:
        (tree / ".build/suites.json").unlink(missing_ok=True)
        everything = candidates(tree, modules)
        print(f"{len(everything)} faults can be made in {', '.join(modules)}", flush=True)
        # Some do not compile.
        wanted = min(len(everything), words.sample * 5 // 4)
        sample = build_with_switch(tree, random.Random(words.seed).sample(everything, wanted))[: words.sample]
    sample = sample[words.start :]
    print(f"{len(sample)} are tried", flush=True)
    suites = survey(tree, suites_of(tree), 1 + max(mutant.number for mutant in read_built(tree)), words.jobs)
    print(f"{len(suites)} suites, {sum(suite.seconds for suite in suites):.0f} s without a fault", flush=True)

    def try_and_report(mutant: Mutant) -> None:
        try_out(tree, mutant, suites, words.budget)
        report(sample, mutant)

    beside(words.jobs, sample, try_and_report)
    noticed = sum(bool(mutant.noticed_by) for mutant in sample)
    print(f"{noticed} of {len(sample)} noticed, {100 * noticed / max(1, len(sample)):.1f} %")


if __name__ == "__main__":
    main()
