"""What a test gives to seatrial.testing, looked at before it is used: what is wrong is told with what is wanted."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time
from pathlib import Path
from typing import Any, TypeAlias

from seatrial.linter import Diagnostic, Document, lint, read_path, read_text
from seatrial.schemas import problems
from seatrial.schemas.wording import LONGEST, nearest, printable, reason
from seatrial.simulator.invariants import INVARIANTS, RERUNS
from seatrial.simulator.start import errors_of, start_of

Given: TypeAlias = "Mapping[str, Any] | str | os.PathLike[str]"
"""A config: a mapping, or its file."""

AGENT = "agent"  # whose a config is that nobody names


def config_of(given: Given, agent: str | None = None) -> tuple[str, Mapping[str, Any]]:
    """The agent and the config of a mapping or of a file: `agent`, else whom it names, else whom the file's name does.

    Raises TypeError for what is neither, and ValueError for a file that cannot be read or whose config has errors. A
    mapping is not judged here.
    """
    if isinstance(given, Mapping):
        return agent or str(given.get("agent", AGENT)), given
    document = config_file(given)
    errors = errors_of(lint([document]))
    if errors:
        raise ValueError(told(errors))
    start = start_of(document, str(given), agent)
    return start.agent, start.config


def config_file(given: Any) -> Document:
    """The document of a config file. Raises TypeError and ValueError."""
    if not isinstance(given, str | os.PathLike):
        raise TypeError(f"a config is a mapping, or the path of its file; this is {shown(given)}")
    path = Path(given)
    try:
        return read_path(path)
    except (OSError, ValueError) as unreadable:  # ValueError: no file can have such a name
        raise ValueError(unread(path, unreadable)) from unreadable


def unread(path: Path, error: Exception) -> str:
    """Why the file of a config could not be read, and what to do about it."""
    if path.is_dir():
        return printable(
            f"{path} is a folder: name the config files in it, as in sorted(Path({str(path)!r}).glob('*.yaml'))"
        )
    where = "" if path.is_absolute() else f"; the test runs in {Path.cwd()}"
    return printable(f"{path}: {reason(error)}{where}")


def sound(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """A copy of a config as plain values. Raises TypeError and ValueError for one that cannot be deployed."""
    copied: Mapping[str, Any] = plain(config, "the config")
    errors = errors_in(copied)
    if errors:
        raise ValueError(told(errors))
    return copied


def errors_in(config: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """What the linter finds in plain values with which they cannot be deployed."""
    return errors_of(lint([read_text(json.dumps(config), path="<config>")]))


def told(errors: Iterable[Diagnostic]) -> str:
    """The errors of configs, a line each, with their places."""
    return "a config has errors:\n" + "\n".join(
        printable(f"  {each.path}:{each.span.line}:{each.span.column}: {each.code} {each.message}") for each in errors
    )


def shown(value: Any) -> str:
    """A value of the wrong kind, as a message shows it: its type, and itself where that is short."""
    written = printable(repr(value))
    kind = type(value).__name__
    if value is None or value is ...:
        return written
    return f"{written} ({kind})" if len(written) <= LONGEST else f"a value of the type {kind}"


_INVARIANTS = tuple(each.name for each in INVARIANTS)
_SECOND_RUNS = tuple(each.name for each in RERUNS)


def invariants_of(
    given: Any, what: str, *, second_runs: bool = True, example: str = "['session-isolation']"
) -> tuple[str, ...]:
    """The names of invariants that `what` is given. Raises TypeError and ValueError, which say what there is."""
    known = (*_INVARIANTS, *_SECOND_RUNS) if second_runs else _INVARIANTS
    return _known(collection(given, what, example), "invariant", known)


def second_runs_of(given: Any) -> tuple[str, ...]:
    """Those that `second_runs` means: all of them, none, or those named. Raises TypeError and ValueError."""
    if isinstance(given, bool):
        return _SECOND_RUNS if given else ()
    if given is None or isinstance(given, int | float):
        raise TypeError(f"`second_runs` is True, False or several names, as in ['determinism']; this is {shown(given)}")
    return _known(collection(given, "second_runs", "['determinism']"), "second run", _SECOND_RUNS)


def _known(names: tuple[str, ...], what: str, known: Sequence[str]) -> tuple[str, ...]:
    """The names, if they are of those that there are. Raises ValueError."""
    for name in names:
        if name not in known:
            near = nearest(name, list(known))
            hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}"
            raise ValueError(f"there is no {what} {printable(name)}; {hint}")
    return names


def collection(given: Any, what: str, example: str) -> tuple[str, ...]:
    """The texts of a list, tuple or set; one text is none. Raises TypeError."""
    if isinstance(given, str):
        raise TypeError(f"`{what}` takes several names, as in {example}; for the text {shown(given)} write [{given!r}]")
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise TypeError(f"`{what}` takes several names, as in {example}; this is {shown(given)}")
    found = tuple(given)
    for each in found:
        if not isinstance(each, str):
            raise TypeError(f"`{what}` takes names, as in {example}; among them is {shown(each)}")
    return found


def flag(given: Any, what: str) -> bool:
    """True or False. Raises TypeError."""
    if not isinstance(given, bool):
        raise TypeError(f"`{what}` is True or False; this is {shown(given)}")
    return given


def line(given: Any, what: str, most: int) -> str:
    """One line of at most `most` printable characters, not blank. Raises TypeError and ValueError."""
    if not isinstance(given, str):
        raise TypeError(f"{what} is a text; this is {shown(given)}")
    if not (given.strip() and given.isprintable() and len(given) <= most):
        raise ValueError(f"{what} is one line of at most {most} printable characters; this is {shown(given)}")
    return given


def said(what: str, schema: str, value: Mapping[str, Any]) -> None:
    """Raises ValueError where a schema finds something wrong with a value that holds what `what` is given."""
    found = problems(schema, value)
    if found:
        raise ValueError(printable(f"`{what}`: {found[0].message}"))


def whole(given: Any, what: str, least: int = 1) -> int:
    """A whole number from `least`. Raises TypeError and ValueError."""
    if not isinstance(given, int) or isinstance(given, bool):
        raise TypeError(f"`{what}` is a whole number from {least}; this is {shown(given)}")
    if given < least:
        raise ValueError(f"`{what}` is a whole number from {least}; this is {given}")
    return given


def plain(value: Any, what: str) -> Any:
    """A copy of plain values as dicts and lists. Raises TypeError for what no file could hold; `what` says where."""
    if isinstance(value, Mapping):
        return {_key(key, what): plain(item, f"{what}, {key}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, f"{what}, {number}") for number, item in enumerate(value)]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or isinstance(value, str | int | float):
        return value
    remedy = f": write it as text, {value.isoformat()!r}" if isinstance(value, date | time) else ""
    raise TypeError(printable(f"{what}: {shown(value)} is none of the values that a file could hold{remedy}"))


def _key(key: Any, what: str) -> str:
    if not isinstance(key, str):
        raise TypeError(printable(f"{what}: a key is text; this is {shown(key)}"))
    return key
