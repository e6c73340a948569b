"""What a test gives to seatrial.testing, looked at before it is used: what is wrong is told with what is wanted."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from seatrial.linter import Diagnostic, Document, lint, read_path
from seatrial.schemas.wording import LONGEST, printable, reason
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
    if path.is_dir():
        raise ValueError(
            printable(
                f"{path} is a folder: name the config files in it, as in sorted(Path({str(path)!r}).glob('*.yaml'))"
            )
        )
    try:
        return read_path(path)
    except (OSError, ValueError) as unreadable:  # ValueError: no file can have such a name
        where = "" if path.is_absolute() else f"; the test runs in {Path.cwd()}"
        raise ValueError(printable(f"{path}: {reason(unreadable)}{where}")) from unreadable


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
