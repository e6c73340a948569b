"""References to outside tools' results, and what the conversation shows in place of a large one (CTX-2, CTX-4, CTX-5).

Knows one turn: what it was told itself, and a way to ask for what its session was told before. Must not know the store,
or whose the results are that it cannot see.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from .plain import canonical
from .tokens import TokenCounter, cut
from .values import Json, Plane

PREFIX = "ref_"
DIGITS = 24
PREVIEW_TOKENS = 200  # of a result that is set aside; fewer where the threshold is lower

Earlier = Callable[[str], "str | None"]  # a reference -> the result that an earlier turn in view was told, whole


@dataclass(frozen=True, slots=True)
class Result:
    """An outside tool's result. `whole` is the message as it is kept, `shown` as the conversation of its turn has it.

    `read` is the text that the model reads of it.
    """

    ref: str
    whole: dict[str, Json]
    shown: dict[str, Json]
    read: str


class References:
    """The results that a turn can ask for by reference.

    A reference is issued here and derived like the id of a record (REC-2): no caller's id stands in it
    (deepagents#5560), and no other turn moves it.
    """

    def __init__(
        self,
        *,
        agent: str,
        plane: Plane,
        session: str | None,
        execution: str,
        threshold: int,
        count_tokens: TokenCounter,
        earlier: Earlier,
    ) -> None:
        self._of: list[Json] = [agent, plane, session, execution]
        self._threshold = threshold
        self._count_tokens = count_tokens
        self._earlier = earlier
        self._own: dict[str, str] = {}

    def keep(self, name: str, text: str) -> Result:
        """Give a result its reference. One of more tokens than the threshold is shown by its beginning (CTX-2)."""
        derived = canonical([*self._of, len(self._own), name, text]).encode("ascii")
        ref = PREFIX + hashlib.sha256(derived).hexdigest()[:DIGITS]
        self._own[ref] = text
        whole: dict[str, Json] = {"role": "tool", "name": name, "ref": ref, "text": text}
        tokens = self._count_tokens(text)
        if tokens <= self._threshold:
            return Result(ref, whole, whole, text)
        preview = cut(text, min(PREVIEW_TOKENS, self._threshold), self._count_tokens)
        note = f"This is the beginning of {tokens} tokens, which are set aside. read_result with `ref` returns them."
        return Result(ref, whole, {"role": "tool", "name": name, "ref": ref, "preview": preview, "note": note}, preview)

    def carried(self, whole: dict[str, Json]) -> dict[str, Json]:
        """A result of an earlier turn as this one's conversation shows it: large for this version is a note (CTX-4)."""
        text = whole["text"]
        assert isinstance(text, str)
        tokens = self._count_tokens(text)
        if tokens <= self._threshold:
            return whole
        note = f"These {tokens} tokens of an earlier turn are set aside. read_result with `ref` returns them."
        return {"role": "tool", "name": whole["name"], "ref": whole["ref"], "note": note}

    def read(self, ref: str) -> str | None:
        """The result, whole; None for what is unknown, malformed, another's, or of a turn that did not commit
        (CTX-5, VIEW-6)."""
        own = self._own.get(ref)
        return self._earlier(ref) if own is None else own
