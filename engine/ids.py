"""Record ids, derived from what they name (REC-2). No counter, clock or random number: no other turn moves an id."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from .plain import canonical
from .values import Json, Record

PREFIX = "mem_"
DIGITS = 24


def with_id(draft: Record) -> Record:
    """`draft` with its id: 96 bits of a hash over who wrote it, where, and the written value."""
    written: dict[str, Json] = {
        "content": draft.content,
        "kind": draft.kind,
        "labels": [[number, value] for number, value in draft.labels],
        "pinned": draft.pinned,
        "replaces": list(draft.replaces),
        "summary": draft.summary,
        "would_delete": draft.would_delete,
        "would_replace": list(draft.would_replace),
    }
    whole = canonical([draft.agent, draft.plane, draft.session, draft.execution, draft.scope, draft.ordinal, written])
    return replace(draft, id=PREFIX + hashlib.sha256(whole.encode("ascii")).hexdigest()[:DIGITS])
