"""What was measured, as a picture: SVG, in light and dark as the reader's screen is."""

from html import escape

from goals import goals
from measure import median
from workloads import BY_HAND, WORKLOADS

WIDTH = 820
LEFT, RIGHT = 210, 90  # of the bars: names stand before them, numbers behind
BAR, GAP = 16, 6
OURS, HAND, PEER = "ours", "hand", "peer"

STYLE = """
svg { --page: #ffffff; --ink: #1f2328; --faint: #59636e; 
  --ours: #2563b8; --hand: #8a929b; --peer: #c98a2b; --missed: #b3362b;
  font: 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif }
@media (prefers-color-scheme: dark) {
  svg { --page: #0d1117; --ink: #e6edf3; --faint: #9198a1; 
    --ours: #5a9cf0; --hand: #7d8590; --peer: #d9a04a; --missed: #ef6b5e } }
text { fill: var(--ink) } .faint { fill: var(--faint); paint-order: stroke; stroke: var(--page); stroke-width: 3px } .title { font-size: 15px; font-weight: 600 }
.group { font-weight: 600 } .end { text-anchor: end } .middle { text-anchor: middle }
.page { fill: var(--page) } .limit { stroke: var(--ink); stroke-dasharray: 4 3 }
.ours { fill: var(--ours) } .hand { fill: var(--hand) } .peer { fill: var(--peer) } .missed { fill: var(--missed) }
"""


class Picture:
    def __init__(self):
        self.y = 12
        self.parts = []
        self.texts = []  # above all lines and bars

    def text(self, x, y, text, style=""):
        self.texts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{style}">{escape(text)}</text>')

    def title(self, text, below):
        self.y += 18
        self.text(16, self.y, text, "title")
        self.y += 18
        self.text(16, self.y, below, "faint")
        self.y += 12

    def bar(self, name, share, style, label):
        """A bar of a share of the width, from 0 to 1, with a name and a number."""
        width = max(share * (WIDTH - LEFT - RIGHT), 1)
        self.text(LEFT - 8, self.y + BAR - 4, name, "end")
        self.parts.append(
            f'<rect x="{LEFT}" y="{self.y}" width="{width:.1f}" height="{BAR}" rx="2" class="{style}">'
            f"<title>{escape(name)}: {escape(label)}</title></rect>"
        )
        self.text(LEFT + width + 6, self.y + BAR - 4, label, "faint")
        self.y += BAR + GAP

    def legend(self, entries):
        x = 16
        for style, text in entries:
            self.parts.append(f'<rect x="{x}" y="{self.y}" width="11" height="11" rx="2" class="{style}"/>')
            self.text(x + 16, self.y + 10, text, "faint")
            x += 34 + 6.6 * len(text)
        self.y += 24

    def svg(self):
        height = self.y + 12
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">\n'
            f"<title>Wall times, and goals</title>\n<style>{STYLE}</style>\n"
            f'<rect class="page" width="{WIDTH}" height="{height}"/>\n' + "\n".join(self.parts + self.texts) + "\n</svg>\n"
        )


def kind(program, bench):
    if program in BY_HAND:
        return HAND
    return PEER if any(program == peer.name for peer in bench.peers) else OURS


def times(picture, bench):
    """Each workload has a scale of its own: sqlite-utils' minutes would leave nothing of the others."""
    picture.title("Wall time", f"seconds, medians of {bench.rounds} {'round' if bench.rounds == 1 else 'rounds'} at scale {bench.scale:g}; each workload has its own scale")
    picture.legend([(OURS, "sluice"), (HAND, "C, by hand"), (PEER, "other tools")])
    for workload, words in WORKLOADS.items():
        rows = {key[1]: median(found, "seconds") for key, found in bench.measured.items() if key[0] == workload}
        lost = {key[1]: reason for key, reason in bench.failed.items() if key[0] == workload}
        if workload in ("memory", "growth") or not rows and not lost:
            continue
        picture.y += 14
        picture.text(16, picture.y, f"{workload}: {words}", "group")
        picture.y += 8
        longest = max(rows.values(), default=1)
        for program, seconds in sorted(rows.items(), key=lambda row: row[1]):
            picture.bar(program, seconds / longest, kind(program, bench), f"{seconds:.2f} s")
        for program, reason in lost.items():
            short = reason if len(reason) < 60 else reason[:57] + "…"
            picture.bar(program, 0, kind(program, bench), f"failed: {short}")


def reached(picture, bench):
    found = [goal for goal in goals(bench) if goal.is_measured and goal.limit > 0]
    if not found:
        return
    picture.y += 20
    picture.title("Goals", "what was measured, in parts of what the goal allows: a bar that ends before the line has reached it")
    picture.legend([(OURS, "reached"), ("missed", "missed")])
    top = picture.y
    longest = max(1.25, min(max(goal.share for goal in found), 3))
    for goal in found:
        shown = min(goal.share, longest)
        picture.bar(f"{goal.workload}: {goal.short}", shown / longest, OURS if goal.is_reached else "missed", f"{goal.share * 100:.0f} %")
    x = LEFT + (WIDTH - LEFT - RIGHT) / longest
    picture.parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 4}" y2="{picture.y}" class="limit"/>')
    picture.text(x, picture.y + 12, "the goal", "faint middle")
    picture.y += 16


def write(bench, path):
    picture = Picture()
    times(picture, bench)
    reached(picture, bench)
    with open(path, "w") as file:
        file.write(picture.svg())
