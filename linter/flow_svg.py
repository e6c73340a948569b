"""A flow as SVG, drawn by hand: no outside program, the same bytes everywhere, legible on light and on dark.

Time goes from left to right: what a turn reads stands on the left, what it leaves on the right. What is kept stands on
both sides, so no line runs back. A line that passes a column gets a place of its own there (Sugiyama's way).
"""

from __future__ import annotations

from html import escape
from itertools import pairwise

from .flow import CONTEXT, Flow
from .flow_formats import crossings, verdict

_CHAR, _PAD, _HEIGHT, _GAP, _BETWEEN, _MARGIN, _TOP = 7.4, 14, 34, 18, 70, 24, 64
_TITLES = ("kept so far", "read by", "", "written by", "", "kept after the turn", "read by")
_STYLE = """\
  svg { background: #ffffff; font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
  text { fill: #1f2328; } .head { fill: #59636e; font-size: 12px; }
  rect { fill: #f6f8fa; stroke: #818b98; } .kept { fill: #ddf4ff; stroke: #0969da; }
  .shared { fill: #fff8c5; stroke: #9a6700; }
  path { fill: none; stroke: #818b98; stroke-width: 1.3; } .out { stroke: #bc4c00; stroke-width: 2.6; }
  .tip { fill: #818b98; stroke: none; } .outtip { fill: #bc4c00; stroke: none; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } text { fill: #f0f6fc; } .head { fill: #9198a1; }
    rect { fill: #151b23; stroke: #656c76; } .kept { fill: #121d2f; stroke: #4493f8; }
    .shared { fill: #272115; stroke: #d29922; } path { stroke: #656c76; } .out { stroke: #f0883e; }
    .tip { fill: #656c76; } .outtip { fill: #f0883e; }
  }
"""


class _Slot:
    """A place in a column: a node's box, or where a line passes (`name` empty)."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.left: list[_Slot] = []
        self.x = self.y = self.width = 0.0


def svg(flow: Flow) -> str:
    """The flow as one SVG document."""
    columns, lines = _columns(flow)
    width, height = _place(columns)
    words = verdict(flow)
    width = max(width, _MARGIN * 2 + max(len(word) for word in words) * _CHAR)
    full = height + 20 * len(words) + _MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{full:.0f}"'
        f' viewBox="0 0 {width:.0f} {full:.0f}" role="img" aria-label="What can carry text to what">',
        f"<style>\n{_STYLE}</style>",
        "<defs>",
        *(
            f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"'
            f' markerUnits="userSpaceOnUse" orient="auto"><path class="{name}" d="M0 0L8 4L0 8z"/></marker>'
            for name in ("tip", "outtip")
        ),
        "</defs>",
    ]
    for column, title in zip(columns, _TITLES, strict=True):
        if title and any(slot.name for slot in column):
            out.append(f'<text class="head" x="{column[0].x:.1f}" y="{_MARGIN + 12}">{title}</text>')
    crossing = crossings(flow)
    drawn = sorted(lines, key=lambda line: (line[0], line[1]) in crossing)  # what crosses to others on top
    out += [_line(points, out=(source, target) in crossing) for source, target, points in drawn]
    out += [_box(slot, flow) for column in columns for slot in column if slot.name]
    for number, word in enumerate(words):
        indent = (len(word) - len(word.lstrip())) * _CHAR
        y = height + 20 * (number + 1) - 8
        out.append(f'<text x="{_MARGIN + indent:.1f}" y="{y:.0f}">{escape(word.strip())}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def _columns(flow: Flow) -> tuple[list[list[_Slot]], list[tuple[str, str, list[_Slot]]]]:
    """The columns, and each edge with the slots it passes, first to last."""
    columns: list[list[_Slot]] = [[] for _ in _TITLES]
    slots: dict[tuple[str, int], _Slot] = {}

    def slot(name: str, column: int) -> _Slot:
        if (name, column) not in slots:
            slots[name, column] = _Slot(name)
            columns[column].append(slots[name, column])
        return slots[name, column]

    lines = []
    for source, target in flow.edges:
        start = _column(source, flow, leaving=target)
        end = _column(target, flow, leaving=None)
        passed = [slot(source, start)]
        for column in range(start + 1, end):
            passed.append(_Slot())
            columns[column].append(passed[-1])
        passed.append(slot(target, end))
        for left, right in pairwise(passed):
            right.left.append(left)
        lines.append((source, target, passed))
    return columns, lines


def _column(node: str, flow: Flow, *, leaving: str | None) -> int:
    """The column of a node, of what is kept by whether a line leaves it for the context or comes in."""
    if node in flow.kept:
        return 5 if leaving in (None, flow.everyone) else 0
    if node == CONTEXT:
        return 2
    if node == "messages":
        return 3
    if node == flow.everyone:
        return 6
    return 4 if "(" in node else 1


def _place(columns: list[list[_Slot]]) -> tuple[float, float]:
    """Gives each slot its place; the width and height of all."""
    x = float(_MARGIN)
    tallest = max(len(column) for column in columns)
    bottom = _TOP + tallest * (_HEIGHT + _GAP)
    for column in columns:
        named = [len(slot.name) for slot in column if slot.name]
        if not column:
            continue
        width = max(named, default=0) * _CHAR + 2 * _PAD
        rank = {id(slot): number for number, slot in enumerate(column)}
        column.sort(key=lambda slot: (_middle(slot, rank[id(slot)]), rank[id(slot)]))
        y = _TOP + (tallest - len(column)) * (_HEIGHT + _GAP) / 2
        for slot in column:
            slot.x, slot.y, slot.width = x, y + _HEIGHT / 2, width
            y += _HEIGHT + _GAP
        x += width + _BETWEEN
    return x - _BETWEEN + _MARGIN, bottom


def _middle(slot: _Slot, rank: int) -> float:
    """Where the lines into a slot come from, on average."""
    return sum(each.y for each in slot.left) / len(slot.left) if slot.left else float(rank)


def _line(passed: list[_Slot], *, out: bool) -> str:
    """One edge: curves from column to column, straight where it only passes."""
    first = passed[0]
    x, y = first.x + first.width, first.y
    steps = [f"M{x:.1f} {y:.1f}"]
    for slot in passed[1:]:
        half = (slot.x - x) / 2
        steps.append(f"C{x + half:.1f} {y:.1f} {slot.x - half:.1f} {slot.y:.1f} {slot.x:.1f} {slot.y:.1f}")
        x, y = slot.x, slot.y
        if not slot.name:
            x += slot.width
            steps.append(f"H{x:.1f}")
    kind, tip = ('class="out" ', "outtip") if out else ("", "tip")
    return f'<path {kind}d="{"".join(steps)}" marker-end="url(#{tip})"/>'


def _box(slot: _Slot, flow: Flow) -> str:
    kind = ""
    if slot.name in (*flow.own, CONTEXT):
        kind = ' class="kept"' if slot.name in flow.own else ""
    elif slot.name in (*flow.kept, flow.everyone):
        kind = ' class="shared"'
    radius = 6 if slot.name in flow.kept else 17 if slot.name in (CONTEXT, flow.everyone) else 2
    top = slot.y - _HEIGHT / 2
    middle = slot.x + slot.width / 2
    return (
        f'<rect{kind} x="{slot.x:.1f}" y="{top:.1f}" width="{slot.width:.1f}" height="{_HEIGHT}" rx="{radius}"/>'
        f'<text x="{middle:.1f}" y="{slot.y + 4.5:.1f}" text-anchor="middle">{escape(slot.name)}</text>'
    )
