"""A scenario document as the YAML that people read."""

from __future__ import annotations

from typing import Any

import yaml

_WIDTH = 120


class _Flow(dict[str, Any]):
    """A mapping that is written on one line."""


class _Dumper(yaml.SafeDumper):
    """Block style, but for what fits on a line. What stands in two places is written twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _flow(dumper: yaml.SafeDumper, value: _Flow) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)


_Dumper.add_representer(_Flow, _flow)


def dumped(document: dict[str, Any]) -> str:
    """The scenario as YAML that reads back the same. It is ASCII: hostile text reorders nothing for who reads it.

    Takes any plain values: whether it is a scenario is for the loader to say.
    """
    shown = {
        key: [_step(step) for step in value] if key == "steps" and isinstance(value, list) else _folded(value)
        for key, value in document.items()
    }
    return yaml.dump(shown, Dumper=_Dumper, sort_keys=False, width=_WIDTH)


def _step(step: Any) -> Any:
    """A step in block style; what stands in it on a line each where it fits."""
    if not isinstance(step, dict):
        return step
    return {key: [_folded(item) for item in value] if isinstance(value, list) else _folded(value)
            for key, value in step.items()}  # fmt: skip


def _folded(value: Any) -> Any:
    """The value on one line, if it is short enough."""
    if not isinstance(value, dict):
        return value
    if len(str(value)) < _WIDTH - 20:
        return _Flow(value)
    return {key: _folded(item) for key, item in value.items()}
