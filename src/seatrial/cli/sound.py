"""What a command says that works on sound configs only, where one has errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from seatrial.linter import Document


def are_sound(documents: Sequence[Document], *, together: bool, aim: str) -> bool:
    """Whether the linter finds no error in the documents; those that it finds are told on standard error.

    `together` looks at them as versions of one agent, too. `aim` says what has to wait for the errors.
    """
    from seatrial.linter import lint
    from seatrial.linter.report import Report, fixable, render

    found = lint(documents) if together else [each for document in documents for each in lint([document])]
    errors = [each for each in found if each.severity == "error"]
    if not errors:
        return True
    report = Report(documents, errors, fixed=0)
    click.echo(render(report, "text", color=False), err=True, nl=False)
    hint = "; `seatrial lint --fix` corrects what is plain" if fixable(report) else ""
    click.echo(f"seatrial: {aim} can be told only of configs without errors{hint}", err=True)
    return False
