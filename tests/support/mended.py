"""What the safe fixes make of a text, and texts that lack them."""

from __future__ import annotations

from collections.abc import Iterable

from seatrial.linter import Diagnostic, Document, read_bytes
from seatrial.linter.check import findings
from seatrial.linter.fixes import repaired


def look(documents: Iterable[Document]) -> tuple[dict[str, Document], list[Diagnostic]]:
    taken = list(documents)
    return {each.path: each for each in taken}, findings(taken)


def fixed(text: str, path: str = "v1.yaml") -> str:
    repair = repaired([read_bytes(text.encode(), path=path)], look)
    return repair.after[path].data.decode()


def memory(*lines: str) -> str:
    return "harness:\n  memory:\n    enabled: true\n" + "".join(f"    {line}\n" for line in lines)
