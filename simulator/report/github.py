"""Annotations of a workflow run of GitHub: one workflow command for each thing that is wrong, and for each note."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.linter.relative import relative
from seatrial.linter.report.github import LEVELS, command, region

from ..suite import Judgement
from .findings import findings, notes


def render(judgements: Sequence[Judgement], root: str) -> str:
    """The commands, a line each, with paths from `root`. Empty where there is nothing to tell."""
    told = []
    for judgement in judgements:
        for found in (*findings(judgement), *notes(judgement)):
            place = {"file": relative(found.path, root), **(region(found.span) if found.span else {})}
            about = (judgement.scenario,) if judgement.scenario else ()
            told.append(command(LEVELS[found.level], {**place, "title": found.title}, *found.lines, *about))
    return "".join(f"{line}\n" for line in told)
