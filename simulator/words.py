"""The words of the scenario language: its steps, its actions, and what may stand beside and inside each.

Two literal tables. `schemas/scenario.schema.json` says what a word's value looks like; these say how words go together,
which a person is told better in a sentence than by a schema.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# step -> the keys that belong to it
STEPS: dict[str, frozenset[str]] = {
    "turn": frozenset({"user", "do", "summary", "extract", "outcome", "id", "gets"}),
    "continue": frozenset({"do", "summary", "extract", "outcome", "gets"}),
    "deploy": frozenset({"gets"}),
    "review": frozenset({"gets"}),
    "restart": frozenset(),
}

REVIEWS: tuple[Literal["list", "read", "delete"], ...] = ("list", "read", "delete")

# step, or `review` with its kind -> what its `gets` may state
STEP_ANSWERS: dict[str, frozenset[str]] = {
    "turn": frozenset({"error"}),
    "continue": frozenset({"error"}),
    "deploy": frozenset({"error"}),
    "list": frozenset({"records", "text", "error"}),
    "read": frozenset({"record", "text", "error"}),
    "delete": frozenset({"text", "error"}),
}


@dataclass(frozen=True, slots=True)
class Word:
    """An action of `do`: what its `gets` may state (nothing: it has no answer), and whether it is a harness tool.

    A helper may call harness tools only. `ids` are the parameters that hold names, or ids of records and references.
    """

    answers: frozenset[str] = frozenset()
    harness: bool = False
    ids: tuple[str, ...] = ()


ACTIONS: dict[str, Word] = {
    "reply": Word(),
    "tool": Word(),
    "set_state": Word(),
    "fail": Word(),
    "subagent": Word(),
    "program": Word(),
    "add_memory": Word(frozenset({"record", "text", "error"}), harness=True, ids=("replaces",)),
    "read_memory": Word(frozenset({"record", "text", "error"}), harness=True, ids=("id",)),
    "delete_memory": Word(frozenset({"text", "error"}), harness=True, ids=("id",)),
    "search_memory": Word(frozenset({"records", "text", "error", "score"}), harness=True, ids=("ids",)),
    "search_history": Word(frozenset({"events", "text", "error", "score"}), harness=True),
    "read_result": Word(frozenset({"text", "error"}), harness=True, ids=("ref",)),
}

EXTRACT = "extract"  # an item of `extract`: a candidate of the review, which stands in no `do`
WORDS: dict[str, Word] = {**ACTIONS, EXTRACT: Word(frozenset({"outcome", "record", "text", "error"}))}

HELPERS = ("subagent", "program")
