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
    from seatrial.linter.edits import fixable
    from seatrial.linter.report import Report, render

    found = lint(documents) if together else [each for document in documents for each in lint([document])]
    errors = [each for each in found if each.severity == "error"]
    if not errors:
        return True
    click.echo(render(Report(documents, errors, fixed=0), "text", color=False), err=True, nl=False)
    by_path = {document.path: document for document in documents}
    plain = any(fixable(by_path[each.path], each) for each in errors)
    hint = "; `seatrial lint --fix` corrects what is plain" if plain else ""
    click.echo(f"seatrial: {aim} can be told only of configs without errors{hint}", err=True)
    return False
