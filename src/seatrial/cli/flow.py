"""`seatrial flow`: what of a config can carry text to what, as text or as a picture."""

from __future__ import annotations

import click

from .exits import Exit
from .places import Place
from .sound import are_sound

EPILOG = """\b
Examples:
  seatrial flow configs/v1.yaml
  seatrial flow configs/v1.yaml --format svg > flow.svg
  seatrial flow - --format mermaid < v1.json
"""


@click.command("flow", epilog=EPILOG)
@click.argument("config", type=Place(piped=True), metavar="CONFIG")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "mermaid", "dot", "svg"]),
    default="text",
    show_default=True,
    help="text is one line a node; mermaid and dot are for other programs; svg is drawn as it is.",
)
@click.pass_context
def command(context: click.Context, config: str, form: str) -> None:
    """Show what can carry text to what: scopes, tools, recall, reviews, pins, history.

    CONFIG is one config, or - for standard input. Exit codes: 0 shown; 1 errors in the config; 2 it
    cannot be read; 3 a fault of seatrial; 141 the reader of the output went away.
    """
    from seatrial.linter import read_path, read_stdin, settled_config
    from seatrial.linter.flow import flow
    from seatrial.linter.flow_formats import draw
    from seatrial.schemas.wording import printable, reason

    try:
        document = read_stdin() if config == "-" else read_path(config)
    except (OSError, ValueError) as error:
        click.echo(f"seatrial: {printable(config)}: cannot be read: {reason(error)}", err=True)
        context.exit(Exit.MISUSE)
    if not are_sound([document], together=False, aim="the flow"):
        context.exit(Exit.FOUND)
    click.echo(draw(flow(settled_config(document)), form), nl=False)
