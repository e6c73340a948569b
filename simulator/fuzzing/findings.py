"""What a search found, as a file: written where scenarios are read, and tried from there before it is promised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seatrial.linter import read_text
from seatrial.schemas.wording import reason

from ..load import InvalidScript, Loader
from .cast import Role
from .files import ScenarioFile, placed
from .hunt import Found
from .search import Outcome
from .trial import Known, Problem, judged, known, second
from .wording import Document


@dataclass(frozen=True, slots=True)
class Saved:
    """The file of a failing scenario, and its text. `fails_alike`: read as that file it fails in the same way.

    `unwritten` says why it could not be written; None where it was. Then its configs stand in the text.
    """

    path: Path
    text: str
    fails_alike: bool
    unwritten: str | None = None


def saved(outcome: Outcome, roles: Sequence[Role], folder: Path) -> Saved | None:
    """The file in `folder` for what the search found, perhaps one that is there; None if it found nothing."""
    found = outcome.found
    if found is None:
        return None
    name = found.problem.name
    document = {**found.document, "scenario": f"found by fuzzing: {name}"}
    comment = tuple(_comment(outcome, found))
    file, unwritten = placed(document, name, comment, folder), None
    try:
        file.write()
    except OSError as failed:
        unwritten = reason(failed)
        file = placed(_with_configs(document, known(tuple(roles))), name, comment, folder)
    return Saved(file.path, file.text, _fails_alike(file, found.problem), unwritten)


def _with_configs(document: Document, configs: Known) -> Document:
    """The scenario with the configs in it that it names: wherever it is put, it needs no other file."""

    def whole(written: Any) -> Any:
        if not isinstance(written, str):
            return written
        name, config = configs[written]
        return {"agent": name, **config}

    def step(each: Any) -> Any:
        if "deploy" not in each:
            return each
        return {**each, "deploy": {**each["deploy"], "config": whole(each["deploy"]["config"])}}

    inlined = dict(document)
    if "config" in document:
        inlined["config"] = whole(document["config"])
    if "agents" in document:
        inlined["agents"] = {name: whole(each) for name, each in document["agents"].items()}
    inlined["steps"] = [step(each) for each in document["steps"]]
    return inlined


def _fails_alike(file: ScenarioFile, problem: Problem) -> bool:
    """It may not: what fails may be left to chance, and a config that it names be another by now."""
    try:
        script = Loader().loaded(file.path, read_text(file.text, path=str(file.path))).script
    except InvalidScript:
        return False
    return judged(script, second(problem.second)).like(problem) is not None


def _comment(outcome: Outcome, found: Found) -> Iterator[str]:
    yield from found.problem.lines
    if found.others:
        yield f"Also wrong: {', '.join(dict.fromkeys(each.name for each in found.others))}."
    where = "in what an earlier search kept" if found.kept else f"with the seed {outcome.seed}"
    yield f"Found by `seatrial fuzz` {where}."
