"""`seatrial schema`: print a JSON Schema, or the one that a successor of given versions must satisfy."""

from __future__ import annotations

import json
from typing import Any

import click

from .exits import Exit
from .places import Place
from .sound import are_sound

EPILOG = """\b
Examples:
  seatrial schema agent > agent.schema.json
  seatrial schema agent --after v1.json --after v2.json > v3.schema.json
"""


@click.command("schema", epilog=EPILOG)
@click.argument("name", required=False)
@click.option(
    "--after",
    type=Place(),
    metavar="CONFIG",
    multiple=True,
    help="An earlier version; may be given several times. Labels and their numbers must then be kept.",
)
@click.pass_context
def command(context: click.Context, name: str | None, after: tuple[str, ...]) -> None:
    """Print the JSON Schema NAME, for an editor or another validator; without NAME, list them.

    With --after the agent schema also demands what the next version must keep, so that an editor flags a renumbered
    label while it is typed.
    """
    from seatrial import schemas
    from seatrial.schemas.wording import alternatives, nearest, quote

    if name is None:
        if after:
            raise click.UsageError("--after needs the schema it extends: seatrial schema agent --after …")
        for each in schemas.names():
            click.echo(f"{each:<10}  {schemas.load(each)['title']}")
        return
    if name not in schemas.names():
        near = nearest(name, list(schemas.names()))
        known = f"did you mean {near}?" if near else f"there are {alternatives(list(schemas.names()), 'and')}"
        raise click.UsageError(f"there is no schema {quote(name)}; {known}")
    if not after:
        click.echo(schemas.standalone(name), nl=False)
        return
    if name != "agent":
        raise click.UsageError(f"--after extends the schema agent, not {name}")
    extended = _after(after)
    if extended is None:
        context.exit(Exit.MISUSE)
    click.echo(json.dumps(extended, indent=2))


def _after(paths: tuple[str, ...]) -> dict[str, Any] | None:
    """The agent schema for the version after those at `paths`; None, with the reasons told, if one is not in order."""
    from seatrial.linter import identity, read_path
    from seatrial.schemas import Labels, load
    from seatrial.schemas.wording import reason

    documents = []
    for path in dict.fromkeys(paths):
        try:
            documents.append(read_path(path))
        except (OSError, ValueError) as error:
            raise click.UsageError(f"{path}: cannot be read: {reason(error)}") from error
    if not are_sound(documents, together=True, aim="the schema of the next version"):
        return None
    named = [(identity(document), document) for document in documents]
    agents = sorted({who.agent for who, _ in named if who is not None})
    if len(agents) > 1:
        raise click.UsageError(f"--after takes the versions of one agent, and these are of {', '.join(agents)}")
    labels = Labels()
    for who, document in sorted(named, key=lambda each: each[0] or ("", 0)):
        assert who is not None  # else its version would have been an error
        labels.add(who.version, document.value)
    return labels.successor_of(load("agent"))
