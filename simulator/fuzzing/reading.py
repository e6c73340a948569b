"""Config files -> the agents that a random scenario is about, as a scenario in some folder names them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from seatrial.linter import Diagnostic, Document, identity, lint, read_path
from seatrial.linter.discover import passed_over
from seatrial.linter.document import LARGEST
from seatrial.linter.settings import Nearest

from ..start import identified
from .cast import Role, Version
from .files import relative


class UnsoundConfigs(Exception):  # noqa: N818 - an answer to expect, told by its name
    """Configs that cannot be deployed. `documents` are those read, `errors` say why."""

    def __init__(self, documents: Sequence[Document], errors: Sequence[Diagnostic]) -> None:
        self.documents = tuple(documents)
        self.errors = tuple(errors)
        super().__init__(self.errors[0].message)


@dataclass(frozen=True, slots=True)
class Overlooked:
    """A file of a folder that looks like a config and is not taken, and why."""

    path: str
    reason: str


_KEYS = ("agent", "harness")
_LOOKS = re.compile(rb"""(agent|harness)["']?\s*:""")


def overlooked(paths: Sequence[str], settings: Nearest) -> Iterator[Overlooked]:
    """The files of the folders among `paths` that have a config's keys at the top, but not the name of one."""
    named = {Path(path).resolve() for path in paths}
    for path in passed_over(paths, settings):
        file = Path(path)
        if file.resolve() not in named and ".scenario." not in file.name and _is_like_a_config(file):
            given = settings.of(path).include is not None
            fitting = f"its name is not a config's, as {file.stem}.v1{file.suffix} is"
            why = "`include` of its settings does not fit it" if given else fitting
            yield Overlooked(path, f"{why}; name the file itself to take it")


def _is_like_a_config(path: Path) -> bool:
    try:
        if path.stat().st_size > LARGEST or not _LOOKS.search(path.read_bytes()):
            return False  # to parse all YAML below a folder would take long
        value = read_path(path).value
    except OSError:
        return False
    return isinstance(value, dict) and any(key in value for key in _KEYS)


def read_roles(paths: Sequence[Path], folder: Path) -> tuple[Role, ...]:
    """The agents of config files, each with its versions in order. Scenarios will stand in `folder`.

    Raises OSError for a file that cannot be read, and UnsoundConfigs for what has errors.
    """
    documents = [read_path(path) for path in paths]
    errors = [each for each in lint(documents) if each.severity == "error"]
    if errors:
        raise UnsoundConfigs(documents, errors)
    chains: dict[str, list[tuple[int, Version]]] = {}
    for path, document in zip(paths, documents, strict=True):
        named = identity(document)
        assert named is not None  # the linter found no error
        agent, config = identified(document)
        chains.setdefault(agent, []).append((named.version, Version(dict(config), relative(path, folder))))
    return tuple(Role(agent, tuple(each for _, each in sorted(chain, key=lambda pair: pair[0])))
                 for agent, chain in chains.items())  # fmt: skip
