"""Runs the command line within limits that the kernel keeps: a hang or a file that fills the memory ends it."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

MEMORY = 512 << 20  # bytes of address space: several times what a lint of the largest file takes


def bounded(
    *arguments: str, cwd: Path, seconds: int = 60, stdin: bytes = b"", prepare: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """`seatrial arguments` in at most `seconds` of a processor. It may find what it likes, but never fail."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if prepare is not None:
            prepare()

    done = subprocess.run(
        [sys.executable, "-m", "seatrial", *arguments],
        cwd=cwd, input=stdin, capture_output=True, check=False, preexec_fn=limit, timeout=20 * seconds,
    )  # fmt: skip
    assert done.returncode in (0, 1, 2), (done.returncode, done.stderr[-2000:])
    assert b"Traceback" not in done.stderr
    assert b"internal fault" not in done.stderr
    return done
