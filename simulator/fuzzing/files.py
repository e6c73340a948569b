"""A failing scenario as a file that people read: YAML, with what is wrong in front."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from seatrial.schemas.wording import printable

from .writer import Document

_WIDTH = 120


class _Flow(dict[str, Any]):
    """A mapping that is written on one line."""


class _Dumper(yaml.SafeDumper):
    """Block style, but for what fits on a line."""


def _flow(dumper: yaml.SafeDumper, value: _Flow) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)


_Dumper.add_representer(_Flow, _flow)


def save(document: Document, name: str, comment: Sequence[str], folder: Path) -> Path:
    """The file in `folder` that holds the scenario. It is named after what is wrong, and the same for the same text."""
    text = "".join(f"# {printable(line)}\n" for line in comment) + dumped(document)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name.replace(':', '-')}-{digest}.scenario.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def dumped(document: Document) -> str:
    """The scenario as YAML that reads back the same. It is ASCII: hostile text reorders nothing for who reads it."""
    shown = {key: value if key == "steps" else _folded(value) for key, value in document.items()}
    shown["steps"] = [_step(step) for step in document["steps"]]
    return yaml.dump(shown, Dumper=_Dumper, sort_keys=False, width=_WIDTH)


def _step(step: Document) -> Document:
    """A step in block style; what stands in it on a line each where it fits."""
    return {key: [_folded(item) for item in value] if isinstance(value, list) else _folded(value)
            for key, value in step.items()}  # fmt: skip


def _folded(value: Any) -> Any:
    """The value on one line, if it is short enough."""
    if not isinstance(value, dict):
        return value
    if len(str(value)) < _WIDTH - 20:
        return _Flow(value)
    return {key: _folded(item) for key, item in value.items()}


def relative(path: Path, folder: Path) -> str:
    """The path as a scenario in `folder` names it."""
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
