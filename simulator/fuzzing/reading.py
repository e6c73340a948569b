"""Config files -> the agents that a random scenario is about, as a scenario in some folder names them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seatrial.linter import Diagnostic, Document, identity, lint, read_path

from ..start import identified
from .cast import Role, Version
from .files import relative


class UnsoundConfigs(Exception):  # noqa: N818 - an answer to expect, told by its name
    """Configs that cannot be deployed. `documents` are those read, `errors` say why."""

    def __init__(self, documents: Sequence[Document], errors: Sequence[Diagnostic]) -> None:
        self.documents = tuple(documents)
        self.errors = tuple(errors)
        super().__init__(self.errors[0].message)


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
