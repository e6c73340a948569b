"""Workers that are not well, for a search. A worker that loads this when it starts has what UNWELL names.

That is a fault of the catalogue, or a folder: then whoever works on shard 1 dies, until that has happened once, as a
file in the folder says; and whoever works on shard 2 dies.
"""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.fuzzing import hunt, search

_FAULTS = ExitStack()


def fails(name: str) -> None:
    """From here on, in this process."""
    _FAULTS.enter_context(altered(FAULTS[name]))


def recovers() -> None:
    _FAULTS.close()


def dies(folder: Path) -> None:
    def mortal(prey: hunt.Prey, shard: hunt.Shard, *more: Any) -> hunt.Tried:
        mark = folder / "died"
        if shard.number == 2 or (shard.number == 1 and not mark.exists()):
            if shard.number == 1:
                mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return hunt.try_shard(prey, shard, *more)

    setattr(search, "try_shard", mortal)  # noqa: B010 - of another module: it is not the one that exports it


if (wanted := os.environ.get("UNWELL")) is not None:
    if wanted in FAULTS:
        fails(wanted)
    else:
        dies(Path(wanted))
