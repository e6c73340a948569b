"""The option of commands that print for people or for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])


def text_or_json(schema: str) -> Callable[[_Command], _Command]:
    """Gives a command `form`: text, or the JSON that the schema of this name describes."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help=f"json is for machines: `seatrial schema {schema}` describes it.",
    )
