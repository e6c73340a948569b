"""What reviews make of texts that are alike: the table that random scenarios state it by, and the engine (EXT-4)."""

from __future__ import annotations

from copy import deepcopy
from itertools import product
from typing import Any, Literal
from unittest.mock import patch

import pytest
from hunting import DESK, ROLES
from records import record

from seatrial.engine import reviewer
from seatrial.engine.reviewer import Candidate, review
from seatrial.simulator.fuzzing import roles
from seatrial.simulator.fuzzing.cast import changed
from seatrial.simulator.fuzzing.intents import Candidate as Found
from seatrial.simulator.fuzzing.intents import Deploy, Do, Search, Step, Turn
from seatrial.simulator.fuzzing.likeness import FAMILIES, Likeness
from seatrial.simulator.fuzzing.trial import judged, script_of
from seatrial.simulator.fuzzing.wording import Document
from seatrial.simulator.fuzzing.writer import write


def steps(*likenesses: Likeness, together: bool = False) -> list[Step]:
    first, second = (tuple(Found(likeness=each, half=half) for each in likenesses) for half in (0, 1))
    return [Turn(do=Do(extract=part)) for part in (((*first, *second),) if together else (first, second))]


def declaring(*kinds: str) -> dict[str, Any]:
    desk: dict[str, Any] = deepcopy(DESK)
    desk["harness"]["memory"]["kinds"] = [*kinds]
    return desk


def outcomes(document: Document) -> list[str]:
    """What is stated of the candidates of the last step."""
    return [each["gets"]["outcome"] for each in document["steps"][-1]["extract"]]


def problems(document: Document) -> object:
    script = script_of(document, {})
    assert script is not None
    return judged(script).problems


@pytest.mark.parametrize("family", range(len(FAMILIES)), ids=lambda number: FAMILIES[number].groups[0][0])
def test_any_two_texts_of_a_family_are_decided_as_the_table_says(family: int) -> None:
    places = range(len(FAMILIES[family].texts))
    for likeness in (Likeness(family, *pair) for pair in product(places, places)):
        old, new = (likeness.text(half)[1].format("canary913ae7c2acf95055") for half in (0, 1))
        candidate = Candidate(new, None, "fact", ((5, "c-17"),), "session")
        found = review(candidate, [record("mem_0", old, labels=((5, "c-17"),))], writable=lambda record: True)
        assert found.outcome == likeness.outcome(labelled=True, together=False), (old, new)


def test_so_are_they_in_the_reviews_of_turns() -> None:
    for number in (0, 1, 2):
        document = write(ROLES[:1], steps(*(Likeness(each, 0, number, number=each) for each in range(len(FAMILIES)))))
        assert problems(document) == ()


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("labels", ["both", "neither", "differ", "second"])
@pytest.mark.parametrize("content", ["neither", "first", "second", "both"])
def test_so_are_labels_contents_and_kinds(labels: Any, content: Any, together: bool) -> None:
    kinds: tuple[Literal["one", "two", "event"], ...] = ("one", "two", "event")
    likenesses = [Likeness(0, 0, second, labels, content, kind) for second in (0, 6) for kind in kinds]
    document = write(ROLES[:1], steps(*likenesses, together=together))
    assert problems(document) == ()
    assert len(outcomes(document)) == (12 if together else 6)


def test_without_labels_nothing_is_replaced() -> None:
    """Only records with labels are surely of one subject."""
    bare = {**DESK, "harness": {"memory": {"enabled": True}}}
    document = write(roles([bare]), steps(Likeness(0, 0, 1), Likeness(0, 0, 6)))
    assert outcomes(document) == ["skip", "add"]
    assert problems(document) == ()


@pytest.mark.parametrize("change", ["reviews seldom", "reads the agent", "writes the agent", "no memory"])
def test_nothing_is_stated_where_the_review_sees_otherwise(change: str) -> None:
    """EXT-2, VIEW-3: no review, or one that does not see what it wrote."""
    other = {**DESK, **changed(DESK, ["reads the session", change])}
    document = write(roles([other]), steps(Likeness(0, 0, 1)))
    assert not any("gets" in each for step in document["steps"] for each in step.get("extract", ()))
    assert problems(document) == ()


def test_of_two_kinds_nothing_is_stated_where_one_is_declared() -> None:
    one = declaring("fact")
    document = write(roles([one]), steps(Likeness(0, 0, 6, kind="two")))
    assert "gets" not in document["steps"][-1]["extract"][0]


def test_a_kind_that_was_written_is_not_sought_as_one_that_never_was() -> None:
    two = declaring("ruling", "fact")
    looking = Turn(do=Do((Search(by="nothing"),)))
    document = write(roles([two]), [looking, *steps(Likeness(0, 0, 6, kind="two")), looking])
    assert document["steps"][0]["do"][0]["gets"] == {"records": []}
    assert problems(document) == ()


def test_nothing_is_stated_once_another_version_may_run() -> None:
    first, second = steps(Likeness(0, 0, 1))
    document = write(ROLES[:1], [first, Deploy(changes=("few calls",)), second])
    assert "gets" not in document["steps"][-1]["extract"][0]


def test_a_reviewer_that_takes_opposites_for_nothing_is_caught() -> None:
    document = write(ROLES[:1], steps(*(Likeness(each, 0, 1) for each in range(len(FAMILIES)))))
    with patch.object(reviewer, "denies", lambda old, new, place: False):
        assert problems(document) != ()
