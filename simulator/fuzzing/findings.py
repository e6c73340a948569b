"""What a search found, as a file: written where scenarios are read, and tried from there before it is promised."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..load import Loader
from .files import save
from .search import Outcome
from .trial import judged, second


@dataclass(frozen=True, slots=True)
class Saved:
    """The file of a failing scenario. `fails_alike`: read from there it fails in the same way."""

    path: Path
    fails_alike: bool


def saved(outcome: Outcome, folder: Path) -> Saved | None:
    """The file in `folder` for what the search found; None if it found nothing."""
    found = outcome.found
    if found is None:
        return None
    comment = [*found.problem.lines, f"Found by `seatrial fuzz` with the seed {outcome.seed}."]
    document = {**found.document, "scenario": f"found by fuzzing: {found.problem.name}"}
    path = save(document, found.problem.name, comment, folder)
    script = Loader().load(path).script
    return Saved(path, judged(script, second(found.problem.name)).problem(found.problem.name) is not None)
