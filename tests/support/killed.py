"""A process that dies on purpose, as a script: `python killed.py SCENE STORE FOLDER BY [EVERY]`.

It loads the engine once, then forks. Each fork copies STORE to FOLDER/N.sqlite, plays the scene on the copy and dies:

- BY `statement`: by SIGKILL, just before SQLite begins its N-th statement of the scene; the last one after all of them;
- BY `byte`: by SIGXFSZ, in the write that would make the write-ahead log N bytes long, during the scene's commit.

One more fork plays the scene whole and closes the store: FOLDER/whole.sqlite. EVERY leaves out points, but none between
the two last commits. Prints one JSON object: `statements`, the whole scene's, and `points`, N by N.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from reviews import reviewed
from steps import STEPS
from world import MINUTE, add

from seatrial.engine import Engine
from seatrial.engine.migrations import VERSION
from seatrial.engine.store import Store
from seatrial.engine.values import Plane

Scene = Callable[[Path, "Death"], None]
SPILLED = 3_000_000  # more than the page cache holds: pages are written before the commit


class Death:
    """Counts the statements of every connection while `armed`, and dies at `point`, if there is one."""

    def __init__(self, by: Literal["statement", "byte"], point: int | None) -> None:
        self.by = by
        self.point = point
        self.armed = False
        self.statements: list[str] = []
        self.log: tuple[int, int] = (0, 0)  # how long the write-ahead log is before the commit, and after it
        connect = sqlite3.connect

        def counted(*arguments: Any, **options: Any) -> sqlite3.Connection:
            sql: sqlite3.Connection = connect(*arguments, **options)
            sql.set_trace_callback(self._begins)
            return sql

        sqlite3.connect = counted  # type: ignore[assignment]  # in this process only, to be there from the first statement

    def _begins(self, statement: str) -> None:
        if self.armed:
            self.statements.append(statement)
            if self.by == "statement" and len(self.statements) == self.point:
                die()

    def commits(self, store: Path, commit: Callable[[], object]) -> None:
        """Run a scene's commit: from here on writes count."""
        log = store.with_name(store.name + "-wal")
        before = log.stat().st_size
        if self.by == "byte" and self.point is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.point, self.point))
        commit()
        self.armed = False
        self.log = before, log.stat().st_size
        if self.point is not None:
            die()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def a_turn(store: Path, death: Death, plane: Plane = "live", content: str = "See the statement.") -> None:
    """A turn that writes all that a turn can, beside an open one of another session."""
    engine = Engine.open(store)
    listed: Any = engine.console.memories("ann")["records"]
    ids = {record["summary"]: record["id"] for record in listed}
    beside = engine.begin("ann", session="t", execution="beside", at=10 * MINUTE, user="And here?")
    add(beside, "Never committed", scope="session")
    death.armed = True
    turn = engine.begin("ann", session="s", plane=plane, execution="killed", at=10 * MINUTE, user="Limits again?")
    turn.set_state({"step": 2})
    turn.tool_result("fetch", "wire 25 " * 40)
    turn.model_call()
    add(turn, "Limit 25", content=content, replaces=ids["Limit 20"], scope="session")
    turn.call("delete_memory", {"id": ids["Fee 3"], "scope": "session"})
    add(turn, "Close on Mondays", replaces=ids["Close on Fridays"], pinned=True, scope="agent")
    turn.call("search_memory", {"query": "limit"})
    turn.reply("The limit is 25 now.")
    reviewed(turn, {"summary": "The fee is 4 EUR"})
    death.commits(store, turn.commit)
    engine.close()


def a_preview(store: Path, death: Death) -> None:
    """The same in a preview: it names live records in place of ending them."""
    a_turn(store, death, "preview")


def a_large_turn(store: Path, death: Death) -> None:
    """The same, with a commit that SQLite cannot hold in memory."""
    a_turn(store, death, content="x" * SPILLED)


def a_delete(store: Path, death: Death) -> None:
    """An operator's delete."""
    engine = Engine.open(store)
    listed: Any = engine.console.memories("ann")["records"]
    death.armed = True
    death.commits(store, lambda: engine.console.delete("ann", listed[0]["id"], at=10 * MINUTE, operator="olga"))
    engine.close()


def a_deploy(store: Path, death: Death) -> None:
    """A new version."""
    engine = Engine.open(store)
    death.armed = True
    death.commits(store, lambda: engine.deploy("ann", {"harness": {"memory": {"enabled": False}}}, at=10 * MINUTE))
    engine.close()


def an_opening(store: Path, death: Death) -> None:
    """Opening a store: one that is not there yet, or one whose process died."""
    death.armed = True
    engine = Engine.open(store)
    if death.point is not None:
        die()
    death.armed = False
    engine.close()


def a_migration(store: Path, death: Death) -> None:
    """Opening a store of an older version."""
    death.armed = True
    opened = Store.open(store, version=VERSION + 2, migrations=STEPS)
    if death.point is not None:
        die()
    death.armed = False
    opened.close()


SCENES: dict[str, Scene] = {
    scene.__name__: scene for scene in (a_turn, a_preview, a_large_turn, a_delete, a_deploy, an_opening, a_migration)
}


def play(scene: Scene, store: Path, copy: Path, death: Death) -> dict[str, Any]:
    """Fork, and play `scene` on a copy of `store`. Returns what the fork told before it ended, if it did not die."""
    for ending in ("", "-wal"):
        if (file := store.with_name(store.name + ending)).exists():
            shutil.copy(file, copy.with_name(copy.name + ending))
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            scene(copy, death)
            os.write(writes, json.dumps({"statements": [s[:40] for s in death.statements], "log": death.log}).encode())
        finally:
            os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as told:
        text = told.read()
    _, status = os.waitpid(pid, 0)
    if death.point is None:
        return dict(json.loads(text))
    expected = signal.SIGKILL if death.by == "statement" else signal.SIGXFSZ
    assert os.WIFSIGNALED(status), f"point {death.point} was never reached"
    assert os.WTERMSIG(status) == expected
    return {}


def main(scene: str, store: Path, folder: Path, by: Literal["statement", "byte"], every: int = 1) -> None:
    whole = play(SCENES[scene], store, folder / "whole.sqlite", Death(by, None))
    statements = whole["statements"]
    if by == "statement":
        # a point before each statement, and one after the last; the last transaction has them all
        last = max((place for place, each in enumerate(statements, 1) if each.startswith("BEGIN")), default=1)
        points = [n for n in range(1, len(statements) + 2) if n >= last - 1 or n % every == 0]
    else:
        start, end = whole["log"]
        points = list(range(start, end, every))
    for point in points:
        play(SCENES[scene], store, folder / f"{point}.sqlite", Death(by, point))
    sys.stdout.write(json.dumps({"statements": statements, "points": points}))


if __name__ == "__main__":
    name, store_path, folder_path, by_what, *rest = sys.argv[1:]
    assert by_what in ("statement", "byte")
    main(name, Path(store_path), Path(folder_path), "byte" if by_what == "byte" else "statement", *map(int, rest))
