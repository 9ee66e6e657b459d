"""What was measured, as a page: RESULTS.md."""

import statistics

from goals import goals
from measure import median
from workloads import PHASES, WORKLOADS


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


# What each workload's programs are compared with, in the table of figures.
def reference_of(bench, workload):
    for program in {"a": ["baseline"], "b": ["baseline"], "e": ["by hand"], "f": ["by hand"], "h": ["yajl-count"], "j": ["by hand"]}.get(workload, []):
        if (workload, program) in bench.measured:
            return workload, program
    return None


def figures(bench):
    rows = []
    for (workload, program), found in bench.measured.items():
        seconds = [measurement.seconds for measurement in found]
        reference = reference_of(bench, workload)
        ratios = bench.ratios((workload, program), reference) if reference and reference[1] != program else []
        records = [measurement.records / measurement.seconds for measurement in found if measurement.records]
        caches = [measurement.cache for measurement in found if measurement.cache is not None]
        rows.append(
            [
                workload,
                program,
                f"{median(found, 'seconds'):.2f}",
                f"{min(seconds):.2f} to {max(seconds):.2f}",
                f"{median(found, 'cpu'):.2f}",
                f"{median(found, 'peak'):.1f}",
                f"{max(caches):.1f}" if caches else "",
                f"{statistics.median(records):,.0f}" if records else "",
                f"{statistics.median(ratios):.2f}" if ratios else "",
            ]
        )
    for (workload, program), reason in bench.failed.items():
        rows.append([workload, program, f"**failed**: {reason.replace('|', '/').replace(chr(10), ' ')}", "", "", "", "", "", ""])
    # In the order of the workloads; those that failed beside those that did not.
    names = list(WORKLOADS)
    rows.sort(key=lambda row: names.index(row[0].split(",")[0]))
    head = ["workload", "program", "wall (s)", "all rounds (s)", "CPU (s)", "peak memory (MiB)", "of it cache (MiB)",
            "records/s", "ratio to the C program"]
    return table(head, rows)


def changes(bench):
    """What workload d changed: a benchmark of few changes should say how few."""
    found = bench.of("d")
    if not found:
        return []
    entities = found[0].report["entities"].values()
    total = {name: sum(entity[name] for entity in entities) for name in ("records", "created", "updated", "unchanged", "deleted")}
    words = ", ".join(f"{count:,} {name}" for name, count in total.items())
    return [f"In d: {words}.\n"]


def write(bench, about, missing, size, path, plot):
    reached = goals(bench)
    lines = [[goal.workload, goal.text, goal.measured, goal.verdict] for goal in reached]
    parts = [
        "# What was measured\n",
        f"By `make bench`: scale {bench.scale:g} (a: {size / 1e6:.0f} MB, one JSON document), {bench.rounds} {'round' if bench.rounds == 1 else 'rounds'}. "
        "The words are explained in [README.md](README.md).\n",
        table(["", ""], [list(pair) for pair in about]),
        *[f"{sentence}.\n" for sentence in missing],
        "## Goals\n",
        table(["workload", "goal", "measured", "reached"], lines),
        f"![Wall times of all programs, and what was measured in parts of each goal]({plot})\n",
        "## Figures\n",
        "Medians. All programs of all workloads run in turn, round by round; a ratio is the median of the ratios of each round.\n",
        figures(bench),
        "\n".join(f"- `{name}`: {WORKLOADS[name]}" for name in bench.workloads) + "\n",
        *changes(bench),
    ]
    programs = [key for key in bench.measured if key[1] in ("baseline", "by hand")]
    if programs:
        found = [(key, bench.phases(*key)) for key in programs]
        rows = [[*key, *(f"{phases[name]:.2f}" if name in phases else "" for name in PHASES)] for key, phases in found]
        parts += ["The phases of the C programs, in seconds:\n", table(["workload", "program", *PHASES], rows)]
    if bench.same:
        parts += ["## The same data\n", "\n".join(f"- {sentence}" for sentence in bench.same) + "\n"]
    with open(path, "w") as file:
        file.write("\n".join(parts))
    return reached
