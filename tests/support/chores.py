"""Tasks for a crew: some die, some wait, some raise. Workers import them by name."""

from __future__ import annotations

import errno
import os
import signal
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path


def doubled(item: int) -> int:
    return 2 * item


def late_first(item: int) -> int:
    """The first is done last."""
    time.sleep(0.2 if item == 0 else 0)
    return item


def refused(item: int) -> int:
    if item == 3:
        raise ValueError("three")
    return item


def dies(item: int, *, of: int, once: Path | None = None) -> int:
    """Kills its process for the item `of`; with a file `once`, only if the file is not there yet."""
    if item == of and not (once is not None and once.exists()):
        if once is not None:
            once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def pid(_: int) -> int:
    time.sleep(0.02)
    return os.getpid()


def lingers(item: int) -> str:
    """A file in the temporary folder, which its worker does not remove."""
    handle, name = tempfile.mkstemp(prefix=f"chore-{item}-")
    os.close(handle)
    return name


def waits(seconds: float) -> None:
    time.sleep(seconds)


def dies_or_pid(item: int, *, of: int, once: Path) -> int:
    dies(item, of=of, once=once)
    return pid(item)


def unpackable(_: int) -> object:
    return lambda: None


def dies_telling(item: int, *, of: int, once: Path) -> int:
    """As `dies`, once, with half of the result told."""
    if item == of and not once.exists():
        once.touch()
        Connection._send = _half  # type: ignore[attr-defined]
    return item


def _half(pipe: Connection, told: bytes, *_: object) -> None:
    os.write(pipe.fileno(), told[: len(told) // 2])
    os.kill(os.getpid(), signal.SIGKILL)
