"""What a command's exit code means, and how a fault ends: told, never a bare traceback."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from enum import IntEnum

import click

from seatrial.simulator.interrupts import Ending


class Exit(IntEnum):
    CLEAN = 0  # nothing found, everything holds
    FOUND = 1  # findings, a violation, an unknown or a vacuous verdict that fails
    MISUSE = 2  # wrong use, a file that cannot be read or written, an invalid script
    FAULT = 3  # an internal fault, told as one


class Refused(click.ClickException):
    """What was given cannot be worked with, though it was given in the right way: no usage is shown."""

    exit_code = Exit.MISUSE


CLOSED_PIPE = 141  # what a shell shows for a program that SIGPIPE ended


def guarded(group: click.Group) -> None:
    """Run `group` and exit. A closed pipe ends quietly; any other escaped exception is told as our fault.

    What SIGTERM or SIGHUP ends has the exit code that a shell shows for it, and has put away what it made.
    """
    # A stream that was closed from the start (`>&-`) is None: what is said goes nowhere, the exit code still tells.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # what the terminal's encoding lacks must not end the run
    with Ending() as ending:
        code = _ended(group)
    # CPython notes an interrupt that meets code which is compiled as it goes (dataclasses, namedtuples), and ends the
    # process with the signal though it was caught; such code that runs to its end clears the note.
    exec("")  # noqa: S102 - nothing is run
    sys.exit(code if ending.by is None else 128 + ending.by)


def _ended(group: click.Group) -> int:
    """The exit code."""
    stdout = sys.stdout
    try:
        ended = group.main(prog_name="seatrial", standalone_mode=False)
        code = ended if isinstance(ended, int) else Exit.CLEAN  # click hands back what a command exits with
        sys.stdout.flush()
    except click.ClickException as misuse:
        misuse.show()
        code = Exit.MISUSE
    except (click.Abort, KeyboardInterrupt):
        _say("stopped")
        code = 130
    except BrokenPipeError:
        # The reader went away (`| head`): nothing is left to say.
        _abandon_output()
        code = CLOSED_PIPE
    except SystemExit:
        if sys.stdout is stdout:
            raise
        code = CLOSED_PIPE  # click has seen it first, muffled the stream, and would exit with 1: FOUND
    except OSError as failed:  # a full disk, a device that went away: the place's fault, not ours
        _abandon_output()
        about = f"{failed.filename}: " if failed.filename else ""
        _say(f"seatrial: {about}{failed.strerror or failed}")
        code = Exit.MISUSE
    except Exception as fault:
        _say(f"seatrial: internal fault: {type(fault).__name__}: {fault}")
        for note in getattr(fault, "__notes__", ()):
            _say(note)
        _say("This is a bug in seatrial. SEATRIAL_DEBUG=1 shows where.")
        if os.environ.get("SEATRIAL_DEBUG"):
            raise
        code = Exit.FAULT
    return code


def _say(text: str) -> None:
    """On standard error, while that takes it: the terminal may be closed."""
    with suppress(OSError):
        click.echo(text, err=True)


def _abandon_output() -> None:
    """Nothing more goes to standard output, also not by the interpreter at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
