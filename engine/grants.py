"""What an operator may do: grants, as text such as `SELECT financial.AgentMemory.*` (ADM-3). Knows nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .values import EngineError

INDEXES = "financial.AgentMemory.indexes.*"
DOCUMENT = "financial.AgentMemory.document"
READING = (("SELECT", INDEXES), ("SELECT", DOCUMENT))
DELETING = (*READING, ("UPDATE", INDEXES), ("UPDATE", DOCUMENT))

_GRANT = re.compile(r"(SELECT|UPDATE) ([A-Za-z0-9_*]+(?:\.[A-Za-z0-9_*]+)*)")


def check_grants(grants: Iterable[str] | None, needed: Iterable[tuple[str, str]]) -> None:
    """Raise `missing_grant`, naming the first of `needed` that no grant covers. None stands for every grant.

    In a grant `*` stands for any run of characters, dots among them; all else is literal. What is needed may itself
    end in `*`: only a `*` of the grant covers that one.
    """
    if grants is None:
        return
    if isinstance(grants, str) or not isinstance(grants, Iterable):  # a text is an iterable of texts too
        raise EngineError("invalid_value", "grants are a list of texts")
    given = [_parsed(grant) for grant in grants]
    for action, resource in needed:
        if not any(action == granted and pattern.fullmatch(resource) for granted, pattern in given):
            raise EngineError("missing_grant", f"{action} on {resource} is not granted")


def _parsed(grant: object) -> tuple[str, re.Pattern[str]]:
    found = _GRANT.fullmatch(grant) if isinstance(grant, str) else None
    if found is None:
        raise EngineError(
            "invalid_value",
            "a grant is an action and a pattern, with one space between",
            f"Write it like `SELECT {DOCUMENT}`; the actions are SELECT and UPDATE.",
        )
    # A run of stars is one: tried one by one, thirty of them would match for hours.
    pattern = ".*".join(re.escape(part) for part in re.split(r"\*+", found[2]))
    return found[1], re.compile(pattern)
