"""The command line: one file a command, each loaded when it is called, so that no command pays for another."""

from __future__ import annotations

import importlib

import click

from seatrial import __version__

# name -> (module of this package that defines `command`, one line for --help)
COMMANDS = {
    "flow": "Show what of a config can carry text to what.",
    "check": "Judge the trace of any memory system by every invariant.",
    "diff": "Say what a new version changes for memory already there.",
    "fuzz": "Play random scenarios about configs until one fails.",
    "lint": "Check memory configs, with exact positions.",
    "mutate": "Try a suite against a catalogue of faults: which does it catch?",
    "rules": "List the linter's rules, or explain one.",
    "run": "Replay scenarios and judge them by every invariant.",
    "schema": "Print a JSON Schema.",
    "spec": "List the clauses of the memory system, and what covers each.",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when used: `lint` must not pay for the engine."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"seatrial.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: seatrial lint . && seatrial run scenarios\n\n"
    "Exit codes, besides those of each command: 130 interrupted (129 by a closed terminal, 143 by SIGTERM); "
    "141 the reader of a pipe went away.",
)
@click.version_option(__version__, prog_name="seatrial")
def cli() -> None:
    """The trial an agent's memory passes before it goes live."""


def main() -> None:
    """Run the command line; see exits.py for what its exit codes mean."""
    from .exits import guarded

    guarded(cli)
