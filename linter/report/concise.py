"""One line a finding: PATH:LINE:COL: CODE message."""

from __future__ import annotations

from seatrial.schemas.wording import printable

from . import Report, said


def render(report: Report, *, color: bool) -> str:
    """The lines; `color` makes no difference."""
    return "".join(
        f"{printable(each.path)}:{each.span.line}:{each.span.column}: {each.code} {said(each)}\n"
        for each in report.diagnostics
    )
