"""TXN-1, TXN-2: a process that is killed at any point of a commit leaves all of it, or nothing, and a store that works.

Real processes die here, of real signals: see tests/support/killed.py.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from steps import STEPS
from world import BOTH, MINUTE, World, config, scopes

from seatrial.engine import Engine, EngineError
from seatrial.engine.migrations import VERSION
from seatrial.engine.store import Store

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes that die are forks")

SCRIPT = Path(__file__).parents[1] / "support" / "killed.py"
# What a turn that does not commit leaves (TXN-2); whatever else there is, now or later, is all or nothing.
STAYS = ("execution", "transcript", "use")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed store with records of both scopes, a pin, a long conversation and a state."""
    document = config(
        scope=scopes(BOTH, BOTH),
        pinned={"max_tokens": 200},
        extraction={"every": "turn"},
        context={"summarize_at": 200, "keep_messages": 2, "offload_threshold": 50},
    )
    document["harness"]["history"] = {"index": "messages_and_tools"}
    path = tmp_path_factory.mktemp("template") / "store.sqlite"
    world = World(path, document)
    world.keep("Limit 20", scope="session")
    world.keep("Fee 3", scope="session")
    world.keep("Close on Fridays", scope="agent", pinned=True)
    turn = world.begin(user="Match the entries of March.")
    for entry in range(6):
        turn.reply(f"Entry {entry} is matched. It took a while to find the statement that it belongs to.")
    turn.set_state({"step": 1})
    assert turn.commit().outcome == "committed"
    world.engine.close()
    return path


@dataclass(frozen=True)
class Killed:
    """What the script did: how often it died, and of which statements the whole scene is made."""

    folder: Path
    by: str
    statements: list[str]
    points: list[int]

    def done(self, point: int) -> list[str]:
        """The statements that lasted, of the process that died at `point`: before it, or within the last commit."""
        last = max(place for place, each in enumerate(self.statements) if each == "COMMIT")
        begun = self.statements[: point - 1 if self.by == "statement" else last]
        commits = [place for place, each in enumerate(begun, 1) if each == "COMMIT"]
        return begun[: commits[-1]] if commits else []

    def committed(self, point: int) -> bool:
        """Whether the last transaction of the scene lasted."""
        return self.done(point).count("COMMIT") == self.statements.count("COMMIT")


def killed(scene: str, template: Path, folder: Path, by: str, every: int = 1) -> Killed:
    command = [sys.executable, str(SCRIPT), scene, str(template), str(folder), by, str(every)]
    # One thread each: a fork takes no thread of a library along.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Killed(folder, by, **json.loads(done.stdout))


def rows(path: Path) -> dict[str, list[Any]]:
    """Every row of every table that a turn may not leave half written; the database finds itself whole."""
    sql = sqlite3.connect(path)
    assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert sql.execute("PRAGMA foreign_key_check").fetchall() == []
    tables = [name for (name,) in sql.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    found = {name: sql.execute(f"SELECT * FROM {name}").fetchall() for name in tables if name not in STAYS}
    sql.close()
    return found


def after(path: Path) -> list[Any]:
    """What two turns that come later observe: the first commits, the second follows it."""
    seen: list[Any] = []
    with Engine.open(path) as engine:
        for number in (1, 2):
            turn = engine.begin("ann", session="s", execution=f"later{number}", at=(19 + number) * MINUTE, user="limit")
            seen.append(turn.model_call().to_json())
            seen += [turn.call("search_memory", {"query": "close fee limit"}).to_json()]
            seen += [turn.call("search_history", {"query": "limits wire"}).to_json()]
            turn.reply("Thank you.")
            result = turn.commit()
            assert result.outcome == "committed"
            seen.append(result.state)
        preview = engine.begin("ann", session="s", plane="preview", execution="p", at=30 * MINUTE, user="close")
        seen.append(preview.model_call().to_json())
        seen.append(engine.console.memories("ann"))
    return seen


def transcript(engine: Engine, execution: str = "killed") -> list[Any]:
    """What it did and how it ended; nothing where it never began."""
    with suppress(EngineError):
        return list(engine.transcript("ann", execution))
    return []


def uses(engine: Engine) -> list[Any]:
    ledger: Any = engine.ledger().to_json()
    return [use for use in ledger["uses"] if use["turn"] == "killed"]


def check_all_or_nothing(run: Killed, template: Path, before: Path) -> None:
    """Each store is that of before or of after, by the rows and by what later turns observe."""
    whole = run.folder / "whole.sqlite"
    with Engine.open(whole) as engine:
        full, all_uses = transcript(engine), uses(engine)
    expected = {False: rows(template), True: rows(whole)}
    shutil.copy(template, before)
    observed = {False: after(before), True: after(whole)}
    assert expected[False] != expected[True]
    assert observed[False] != observed[True]
    for point in run.points:
        path = run.folder / f"{point}.sqlite"
        done = run.done(point)
        committed = run.committed(point)
        with Engine.open(path) as engine:
            entries = transcript(engine)
            assert entries[:-1] == full[: sum(each.startswith("INSERT INTO transcript") for each in done)], point
            if entries:
                assert entries[-1]["outcome"] == ("committed" if committed else "crashed"), point
            assert uses(engine) == all_uses[: sum(each.startswith("INSERT INTO use") for each in done)], point
            if full:
                assert transcript(engine, "beside")[-1]["outcome"] == "crashed"
        assert rows(path) == expected[committed], point
        assert after(path) == observed[committed], point


@pytest.mark.parametrize(("scene", "every"), [("a_turn", 4), ("a_preview", 20), ("a_delete", 1), ("a_deploy", 1)])
def test_txn_2_a_kill_between_two_statements(template: Path, tmp_path: Path, scene: str, every: int) -> None:
    """Between all statements of the commit, and between some of what comes before it."""
    run = killed(scene, template, tmp_path, "statement", every)
    assert {run.committed(point) for point in run.points} == {False, True}
    check_all_or_nothing(run, template, tmp_path / "before")


@pytest.mark.parametrize(("scene", "every"), [("a_turn", 12_345), ("a_large_turn", 567_890)])
def test_txn_2_a_kill_within_a_write_of_the_commit(template: Path, tmp_path: Path, scene: str, every: int) -> None:
    """The log ends in the middle of a page; a commit that is too large for memory has pages in it early."""
    run = killed(scene, template, tmp_path, "byte", every)
    assert len(run.points) >= 3
    check_all_or_nothing(run, template, tmp_path / "before")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scene", "by", "every"),
    [
        ("a_turn", "statement", 1),
        ("a_preview", "statement", 1),
        ("a_large_turn", "statement", 1),
        ("a_turn", "byte", 211),
        ("a_preview", "byte", 211),
        ("a_large_turn", "byte", 99_991),
    ],
)
def test_txn_2_a_kill_anywhere(template: Path, tmp_path: Path, scene: str, by: str, every: int) -> None:
    check_all_or_nothing(killed(scene, template, tmp_path, by, every), template, tmp_path / "before")


def test_txn_2_a_kill_while_a_store_is_made(tmp_path: Path) -> None:
    run = killed("an_opening", tmp_path / "none", tmp_path, "statement")
    assert len(run.points) > 30  # the schema has as many statements
    for point in run.points:
        World(tmp_path / f"{point}.sqlite").keep("Limit 20")


def test_txn_4_a_kill_while_an_older_store_is_migrated(template: Path, tmp_path: Path) -> None:
    """All steps or none: the file is never of the version between; opened again it is migrated, and nothing is lost."""
    run = killed("a_migration", template, tmp_path, "statement")
    before, whole = rows(template), rows(tmp_path / "whole.sqlite")
    found = set()
    for point in run.points:
        path = tmp_path / f"{point}.sqlite"
        sql = sqlite3.connect(path)
        (version,) = sql.execute("PRAGMA user_version").fetchone()
        sql.close()
        found.add(version)
        assert rows(path) == {VERSION: before, VERSION + 2: whole}[version], point
        Store.open(path, version=VERSION + 2, migrations=STEPS).close()
        assert rows(path) == whole, point
    assert found == {VERSION, VERSION + 2}


def test_txn_2_a_kill_while_a_store_whose_process_died_is_opened(template: Path, tmp_path: Path) -> None:
    died, opened = tmp_path / "died", tmp_path / "opened"
    died.mkdir()
    opened.mkdir()
    first = killed("a_turn", template, died, "statement", 1_000)
    point = next(each for each in first.points if not first.committed(each))
    run = killed("an_opening", died / f"{point}.sqlite", opened, "statement")
    for again in run.points:
        with Engine.open(opened / f"{again}.sqlite") as engine:
            assert {transcript(engine, each)[-1]["outcome"] for each in ("killed", "beside")} == {"crashed"}
        assert rows(opened / f"{again}.sqlite") == rows(template)
