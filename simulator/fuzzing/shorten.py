"""A failing scenario made shorter: without steps, acts, keys, names and agents, and in plain words.

What is left out must not matter: the same thing is still wrong, and the loader still finds nothing. Where it is an
expectation that fails, only other expectations are left out: it was stated for the scenario as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, TypeAlias

from .wording import Document

Place: TypeAlias = tuple[Any, ...]
Fails: TypeAlias = Callable[[Document], bool]

_OPTIONAL = frozenset(
    {"agent", "agents", "as", "at", "content", "decision", "extract", "gets", "ids", "kinds", "labels", "length"}
    | {"limit", "offset", "outcome", "pinned", "replaces", "scope", "sees", "user"}
)
_STATED = frozenset({"sees", "gets"})
_PLAIN = {"reply": "Noted.", "user": "Hello.", "summary": "A note", "content": "More of it", "query": "note"}
_CANARY = re.compile(r" ?\bcanary[0-9a-f]+\b")


def shortened(document: Document, fails: Fails, *, expectation: bool = False) -> Document:
    """What is left when parts are left out one by one, until none can be; then in plain words where they do."""
    found, before = document, None
    while found != before:
        before = found
        together = _joined(found)
        if together != found and fails(together):
            found = together
        found = _once(found, fails, _STATED if expectation else None)
    return found if expectation else _plainer(found, fails)


def _joined(document: Document) -> Document:
    """The document in which a turn that goes on in the next step is one step. Later steps come a little earlier."""
    steps: list[Document] = []
    for step in deepcopy(document["steps"]):
        before = steps[-1] if steps else {}
        name = step.get("continue")
        if name is not None and name in (before.get("id"), before.get("continue")) and "gets" not in before:
            del step["continue"]
            del before["outcome"]
            before["do"] = [*before.get("do", ()), *step.pop("do", ())]
            before.update(step)
        else:
            steps.append(step)
    going_on = {step.get("continue") for step in steps}
    for step in steps:
        if not step.get("do", True):
            del step["do"]
        if step.get("id") not in going_on and step.get("outcome") != "open":
            step.pop("id", None)
    return {**document, "steps": steps}


def _once(document: Document, fails: Fails, only: frozenset[str] | None) -> Document:
    """One walk over all parts, from the last to the first: what is later often rests on what is earlier."""
    number = 0
    while number < len(places := [place for place in _places(document) if only is None or place[-1] in only]):
        place = places[-1 - number]
        shorter = next((each for each in (_without(document, place), _begun_with(document, place))
                        if each is not None and fails(each)), None)  # fmt: skip
        if shorter is None:
            number += 1
        else:
            document = shorter
    return document


def _begun_with(document: Document, place: Place) -> Document | None:
    """The document that begins with the config which is deployed at that place."""
    found = _without(document, place) if place[0] == "steps" and len(place) == 2 else None
    deploy = _at(document, place).get("deploy") if found is not None else None
    if found is None or deploy is None:
        return None
    if "agents" in found:  # one alone need not be named
        found["agents"][deploy.get("agent", next(iter(found["agents"])))] = deploy["config"]
    else:
        found["config"] = deploy["config"]
    return found


def _plainer(document: Document, fails: Fails) -> Document:
    """Each text in a few plain words, else without its canary, where that is shorter and fails as well."""
    for place in [*_texts(document)]:
        text = _at(document, place)
        for plain in (_PLAIN[place[-1]], _CANARY.sub("", text)):
            if plain.strip() and len(plain) < len(text):
                changed = deepcopy(document)
                _at(changed, place[:-1])[place[-1]] = plain
                if fails(changed):
                    document = changed
                    break
    return document


def _texts(value: Any, at: Place = ()) -> Iterator[Place]:
    """Where texts stand that somebody says, in the steps."""
    items = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, item in items:
        if at or key == "steps":
            if key in _PLAIN and isinstance(item, str):
                yield (*at, key)
            elif key != "config":
                yield from _texts(item, (*at, key))


def _at(document: Document, place: Place) -> Any:
    found: Any = document
    for key in place:
        found = found[key]
    return found


def _places(value: Any, at: Place = ()) -> Iterator[Place]:
    """The items and keys that can be left out, the larger before what is in them."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield (*at, index)
            yield from _places(item, (*at, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in _OPTIONAL or at == ("agents",) or (key == "do" and len(at) == 2):
                yield (*at, key)
            if key not in ("config", "agents") or (key == "agents" and len(item) > 1):
                yield from _places(item, (*at, key))


def _without(document: Document, place: Place) -> Document | None:
    """The document without that part. A turn that no longer goes on commits."""
    found = deepcopy(document)
    holder: Any = found
    for key in place[:-1]:
        holder = holder[key]
    gone = holder.pop(place[-1])
    if place[0] == "steps" and len(place) == 2:
        if not found["steps"]:
            return None
        if "continue" in gone:
            _close(found, gone)
    return found


def _close(document: Document, gone: Document) -> None:
    name = gone["continue"]
    parts = [step for step in document["steps"] if name in (step.get("id"), step.get("continue"))]
    if parts and gone.get("outcome") != "open":
        parts[-1].pop("outcome", None)
    if len(parts) == 1:
        parts[0].pop("id", None)
