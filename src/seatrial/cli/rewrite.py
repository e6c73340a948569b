"""Writes a file anew, whole or not at all: nobody ever reads half of it, and what others wrote meanwhile stays."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from errno import EACCES, EBUSY, EINVAL
from pathlib import Path
from stat import S_IMODE, S_ISREG


def rewrite(path: str, before: bytes, after: bytes) -> None:
    """Replaces the content `before` of the file by `after`. Mode and, where that is allowed, owner are kept.

    A link stays, and the file that it leads to is written. Raises OSError, and then nothing has changed: where the file
    is read-only, is no file on a disk, or does not hold `before` any more.
    """
    target = Path(os.path.realpath(path))
    status = target.stat()
    if not S_ISREG(status.st_mode):
        raise OSError(EINVAL, "this is no file that can be written anew", path)
    if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise PermissionError(EACCES, "it is read-only", path)
    handle, name = tempfile.mkstemp(prefix=".seatrial-", dir=target.parent)
    made = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(after)
            file.flush()
            if status.st_uid != os.geteuid() or status.st_gid != os.getegid():
                with suppress(PermissionError):
                    os.fchown(file.fileno(), status.st_uid, status.st_gid)
            os.fchmod(file.fileno(), S_IMODE(status.st_mode))
            os.fsync(file.fileno())
        if target.read_bytes() != before:
            raise OSError(EBUSY, "it has been changed meanwhile, and was left alone", path)
        made.replace(target)
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    _settle(target.parent)


def _settle(folder: Path) -> None:
    """Makes the new name last, too, where the file system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
