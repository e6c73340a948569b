"""What changes from one config to its successor, and what that means for memory that is there already (VER-5).

Defaults count as if they were stated, and settings of what is switched off count for nothing. What is wrong with the
change is told by the rules about versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from seatrial.schemas.wording import alternatives, quote

from .chain import Chain, Step, identity, is_stated
from .check import along
from .diagnostic import Diagnostic, Pointer
from .rules import RULES
from .settled import MEMORY, Settled
from .suppressions import suppressed, suppressions


class Effect(NamedTuple):
    """One change. `change` says what differs, `means` what becomes of memory that is there already; both one line.

    `pointer` is the setting's place, `clauses` are the memory system's clauses that say so.
    """

    pointer: Pointer
    change: str
    means: str
    clauses: tuple[str, ...] = ()


def differences(old: Settled, new: Settled) -> list[Effect]:
    """The effects of all that differs between two sound configs of one agent, the gravest topics first."""
    topics = [*_ALWAYS]
    if old.enabled and new.enabled:
        topics += _OF_MEMORY
    if old.sessions and new.sessions:
        topics += [_history]
    return [effect for topic in (*topics, _others) for effect in topic(old, new)]


def findings(old: Settled, new: Settled) -> list[Diagnostic]:
    """What the rules about versions find in `new`, were it deployed after `old`; but for what its comments hold back.

    Where `new` does not state its number it is taken to be the next.
    """
    before, after = identity(old.document), identity(new.document)
    assert before is not None  # a sound config has a version
    assert after is not None
    version = after.version if is_stated(new.document) else before.version + 1
    first, second = Step(before.version, old.document), Step(version, new.document)
    chain = Chain(before.agent, (first, second))
    if version <= before.version:  # ST509 says so, and names tell the two apart
        first = first._replace(revision=old.document.path)
        chain = Chain(before.agent, (first, second), before=(first,))
    found = sorted(along(chain, list(RULES.values())), key=lambda each: each.order)
    return suppressed(found, suppressions(new.document), {new.document.path: new.document}, lambda _path, _code: False)


def _sessions(old: Settled, new: Settled) -> Iterator[Effect]:
    if old.sessions and not new.sessions:
        means = (
            "SESSION records, history, conversations and states stay stored, and no turn reaches them until a version "
            "has sessions again; AGENT records are read as before where scope.read has them"
        )
        yield Effect(("sessions",), "the agent has no sessions any more", means, ("VIEW-7",))
    if new.sessions and not old.sessions:
        means = "every turn needs a session from now on; AGENT records are read only where scope.read has `agent`"
        yield Effect(("sessions",), "the agent has sessions from now on", means, ("VIEW-7", "VIEW-3"))


def _enabled(old: Settled, new: Settled) -> Iterator[Effect]:
    place = (*MEMORY, "enabled")
    if old.enabled and not new.enabled:
        means = (
            "all records stay stored, and operators list, read and delete them; no turn recalls, searches, lists or "
            "writes any, and no review runs, until a version enables memory again"
        )
        yield Effect(place, "memory is switched off", means, ("WRT-1", "ADM-1"))
    if new.enabled and not old.enabled:
        means = (
            "records that an earlier version wrote are found again, by the scopes of this one; what sessions said "
            "meanwhile is reviewed by the first review"
        )
        yield Effect(place, "memory is switched on", means, ("VIEW-3", "EXT-2"))


_NOTHING = "nothing: no record changes"
_READ = {
    ("agent", True): (
        "AGENT records that are there already inform every session from now on",
        ("VIEW-3",),
    ),
    ("agent", False): (
        "AGENT records that are there stay stored, and are no longer recalled, searched or listed as pins",
        ("VIEW-3", "VER-5"),
    ),
    ("session", True): ("SESSION records that are there are found again, each in its own session", ("VIEW-3",)),
    ("session", False): (
        "SESSION records that are there stay stored, and are no longer recalled, searched or listed as pins",
        ("VIEW-3", "VER-5"),
    ),
}
_WRITE = {
    ("agent", True): (
        "no record changes its scope; from now on an AGENT record may be written, replaced and deleted in any session",
        ("SCO-2", "WRT-3"),
    ),
    ("agent", False): (
        "AGENT records that are there stay as they are: the agent can neither replace nor delete them, an operator can",
        ("SCO-2", "WRT-3"),
    ),
    ("session", True): (
        "no record changes its scope; from now on a SESSION record may be written, replaced and deleted",
        ("SCO-2", "WRT-3"),
    ),
    ("session", False): (
        "SESSION records that are there stay as they are: the agent can neither replace nor delete them, an operator "
        "can",
        ("SCO-2", "WRT-3"),
    ),
}


def _scopes(old: Settled, new: Settled) -> Iterator[Effect]:
    for key, before, after, says in (
        ("read", old.read, new.read, _READ),
        ("write", old.write, new.write, _WRITE),
    ):
        for scope in ("agent", "session"):
            if (scope in before) != (scope in after):
                verb = "gains" if scope in after else "loses"
                means, clauses = says[scope, scope in after]
                yield Effect((*MEMORY, "scope", key), f"scope.{key} {verb} {quote(scope)}", means, clauses)


def _pins(old: Settled, new: Settled) -> Iterator[Effect]:
    place = (*MEMORY, "pinned", "max_tokens")
    before, after = old.value(*place), new.value(*place)
    if before == after:
        return
    if before is None:
        means = "no record is pinned by it: one that is there is pinned by replacing it"
        yield Effect(place, f"pins are allowed, within {after} tokens", means, ("PIN-1",))
    elif after is None:
        means = "pinned records stay, are recalled and searched, and are not listed in the instructions any more"
        yield Effect(place, "pins are not allowed any more", means, ("PIN-1", "PIN-3"))
    elif after < before:
        means = "pins that do not fit are left out of the listing, SESSION before AGENT, newest first; none is lost"
        yield Effect(place, f"the budget of pins shrinks from {before} to {after} tokens", means, ("PIN-4",))
    else:
        means = "pins that were left out are listed again, as far as they fit"
        yield Effect(place, f"the budget of pins grows from {before} to {after} tokens", means, ("PIN-4",))


def _kinds(old: Settled, new: Settled) -> Iterator[Effect]:
    place = (*MEMORY, "kinds")
    if gone := [kind for kind in old.kinds if kind not in new.kinds]:
        means = "records of such a kind stay, are recalled and are found by it; no new one can be written"
        yield Effect(place, f"{_named('kind', gone)} gone", means, ("REC-4", "VER-4"))
    if added := [kind for kind in new.kinds if kind not in old.kinds]:
        yield Effect(place, f"{_named('kind', added)} new", "no record that is there changes its kind", ("REC-4",))
    if not gone and not added and old.kinds != new.kinds:
        yield Effect(place, "the kinds are in another order", _NOTHING, ("CTX-8",))


def _labels(old: Settled, new: Settled) -> Iterator[Effect]:
    place = (*MEMORY, "labels")
    before, after = old.labels, new.labels
    owners = {label["number"]: name for name, label in before.items()}
    taken = {
        owners[label["number"]] for name, label in after.items() if label["number"] in owners and name not in before
    }
    for name in before:
        if name not in after and name not in taken:
            means = "values that are stored under it could not be read by its name: a deploy is refused"
            yield Effect(place, f"label {quote(name)} is gone", means, ("VER-2",))
    for name, label in after.items():
        here, number = (*place, name), label["number"]
        if name not in before and number in owners:
            means = f"values that are stored under {quote(owners[number])} would be read by it: a deploy is refused"
            change = f"label {quote(name)} is new, and has number {number} of {quote(owners[number])}"
            yield Effect(here, change, means, ("VER-2", "REC-5"))
        elif name not in before:
            means = "records that are there have none: a search by it finds only what is written from now on"
            yield Effect(here, f"label {quote(name)} is new, number {number}", means, ("REC-5",))
        elif number != before[name]["number"]:
            change = f"label {quote(name)} has number {number} in place of {before[name]['number']}"
            means = "values that are stored under the old number would not be read by its name: a deploy is refused"
            yield Effect((*here, "number"), change, means, ("VER-2", "REC-5"))
        if name in before and label.get("description", "") != before[name].get("description", ""):
            means = "stored values stay as they are, also where the new words mean something else by them"
            change = f"label {quote(name)} is described otherwise"
            yield Effect((*here, "description"), change, means, ("CTX-8", "VER-4"))


_TOOLS = {
    ("add_memory", False): (
        "records that are there cannot be replaced or consolidated by a call of the agent; reviews still do"
    ),
    ("read_memory", False): "the agent sees what recall and search show of a record, and cannot ask for one by its id",
    ("delete_memory", False): "records that are there are deleted by reviews and operators only",
    ("add_memory", True): "records that are there may be replaced by the agent, in the scopes that it writes",
    ("read_memory", True): "records in view are read by their ids, superseded ones too",
    ("delete_memory", True): "records that are there may be deleted by the agent, in the scopes that it writes",
}


def _tools(old: Settled, new: Settled) -> Iterator[Effect]:
    for tool in ("add_memory", "read_memory", "delete_memory"):
        if (tool in old.tools) != (tool in new.tools):
            verb = "has no" if tool in old.tools else "has"
            yield Effect((*MEMORY, "tools"), f"the agent {verb} {tool}", _TOOLS[tool, tool in new.tools], ("WRT-1",))


def _search(old: Settled, new: Settled) -> Iterator[Effect]:
    place = (*MEMORY, "search")
    for key, means in (
        ("mode", "the same records, found and ordered otherwise: by meaning, by keywords, or by both"),
        ("max_results", "the same records; how many of them one recall or search shows"),
        ("min_score", "the same records; how like one must be that matches by meaning alone"),
    ):
        before, after = old.value(*place, key), new.value(*place, key)
        if before != after:
            change = f"search.{key} is {quote(after)} in place of {quote(before)}"
            yield Effect((*place, key), change, means, ("SCH-2",))


class _Setting(NamedTuple):
    """A setting of which the same is to be said whatever it was and is. `called` is how people call it."""

    path: tuple[str, ...]
    called: str
    means: str
    clauses: tuple[str, ...] = ()


_REVIEWS = (
    _Setting(
        (*MEMORY, "extraction", "prompt"),
        "what a review is to keep",
        "records that are there stay; what was reviewed is not reviewed again",
        ("EXT-1",),
    ),
    _Setting(
        (*MEMORY, "extraction", "every"),
        "how often a review runs",
        "records that are there stay; the messages since the last review count towards the next",
        ("EXT-2",),
    ),
    _Setting((*MEMORY, "model"), "the model that reviews", "records that are there stay as they are", ("EXT-1",)),
)
_OTHERS = (
    _Setting(
        ("harness", "context", "offload_threshold"),
        "the size in tokens from which a result is set aside",
        "results of earlier turns are shown or set aside by the new size; references answer as before",
        ("CTX-2", "CTX-4"),
    ),
    _Setting(
        ("harness", "context", "summarize_at"),
        "the size in tokens at which a conversation is summarized",
        "summaries that were made stay; the next is made by the new size",
        ("CTX-3",),
    ),
    _Setting(
        ("harness", "context", "keep_messages"),
        "the number of messages that a summary spares",
        "summaries that were made stay",
        ("CTX-3",),
    ),
    _Setting(("limits", "model_calls"), "the number of model calls of a turn", _NOTHING, ("TXN-5",)),
    _Setting(("model", "name"), "the model", _NOTHING),
    _Setting(("model", "context_tokens"), "the size of the model's window in tokens", _NOTHING),
)


def _reviews(old: Settled, new: Settled) -> Iterator[Effect]:
    return _changed(old, new, _REVIEWS)


def _others(old: Settled, new: Settled) -> Iterator[Effect]:
    return _changed(old, new, _OTHERS)


def _changed(old: Settled, new: Settled, settings: Iterable[_Setting]) -> Iterator[Effect]:
    for path, called, means, clauses in settings:
        before, after = old.value(*path), new.value(*path)
        if before != after:
            yield Effect(path, f"{called} is {_worded(after)} in place of {_worded(before)}", means, clauses)


def _history(old: Settled, new: Settled) -> Iterator[Effect]:
    place = ("harness", "history", "index")
    before, after = old.value(*place), new.value(*place)
    if before == after:
        return
    if before is None:
        change, means = f"history is kept: {after}", "turns that ran before are not in it; it fills from now on"
    elif after is None:
        change = "history is not kept any more"
        means = "events that were kept stay stored, and cannot be searched until a version has history again"
    elif after == "messages":
        change, means = "history keeps messages only", "results of tools that were kept stay searchable"
    else:
        change = "history keeps results of tools, too"
        means = "results of turns that ran before are not added"
    yield Effect(place, change, means, ("HIS-1", "HIS-5"))


def _worded(value: Any) -> str:
    if value is None:
        return "not stated"
    return f"every {value['messages']} messages" if isinstance(value, dict) else quote(value)


def _named(word: str, names: list[str]) -> str:
    said = alternatives([quote(name) for name in names], "and")
    return f"{word} {said} is" if len(names) == 1 else f"{word}s {said} are"


_Topic: TypeAlias = Callable[[Settled, Settled], Iterator[Effect]]
_ALWAYS: list[_Topic] = [_enabled, _sessions, _labels]
_OF_MEMORY: list[_Topic] = [_scopes, _kinds, _pins, _tools, _search, _reviews]
