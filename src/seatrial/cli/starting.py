"""The option that says what config the scenarios of a suite start with, in place of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .places import Place

if TYPE_CHECKING:
    from seatrial.simulator.start import Start

_Command = TypeVar("_Command", bound=Callable[..., Any])


def start_option(command: _Command) -> _Command:
    """Gives a command `configs`, for `starts`."""
    return click.option(
        "--config",
        "configs",
        type=Place(),
        multiple=True,
        metavar="[AGENT=]FILE",
        help="Start with this config in place of the scenario's own for the agent that it names, or for AGENT. "
        "May be given several times.",
    )(command)


def starts(configs: Sequence[str]) -> Mapping[str, Start]:
    """What each agent starts with. The linter's errors are told on standard error; all of it is wrong use."""
    if not configs:
        return {}
    from seatrial.linter.report import Report, render
    from seatrial.schemas.wording import printable
    from seatrial.simulator.start import StartError, read_starts

    try:
        return read_starts(configs)
    except StartError as unusable:
        if unusable.errors:
            report = Report(list(unusable.documents), list(unusable.errors), fixed=0)
            click.echo(render(report, "text", color=False), err=True, nl=False)
        raise click.UsageError(printable(f"--config: {unusable}")) from unusable


def told_unused(given: Mapping[str, Start], agents: Iterable[str]) -> bool:
    """Whether a config was given that no scenario starts with, which is then told on standard error."""
    if not given:
        return False
    from seatrial.schemas.wording import printable
    from seatrial.simulator.start import unused

    lines = unused(given, agents)
    for line in lines:
        click.echo(printable(f"seatrial: --config {line}"), err=True)
    return bool(lines)
