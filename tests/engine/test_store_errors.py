"""TXN-4: a file that cannot be a store, or not any more, is told as such, with what to do, and loses nothing."""

from __future__ import annotations

import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from world import World, add

from seatrial.engine import Engine, EngineError, StoreError
from seatrial.engine.migrations import VERSION

CHILD = """
import os, resource, sys
from seatrial.engine import Engine, EngineError, StoreError
import world
{before}
try:
    {act}
except StoreError as error:
    print(error.code)
    print(error.message)
    print(error.remedy)
"""


def told(act: str, before: str = "") -> list[str]:
    """What a process of its own is told: code, message and remedy."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    script = CHILD.format(act=act, before=before)
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def refused(path: Path) -> StoreError:
    """The error of opening `path`, which leaves all files beside it as they were."""
    before = files(path.parent)
    with pytest.raises(StoreError) as error:
        Engine.open(path)
    assert error.value.remedy
    assert str(error.value) == f"{error.value.message}. {error.value.remedy}"
    assert files(path.parent) == before
    return error.value


def files(folder: Path) -> dict[str, bytes]:
    """The files of a folder, without the index of a log, which holds nothing of its own."""
    return {
        each.name: each.read_bytes() for each in folder.iterdir() if each.is_file() and each.suffix != ".sqlite-shm"
    }


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "own" / "store.sqlite"
    path.parent.mkdir()
    world = World(path)
    world.keep("Limit 20", content="x" * 20_000)
    world.engine.close()
    return path


@pytest.fixture
def left(store: Path, tmp_path: Path) -> Path:
    """A store as a killed process leaves it: what it committed last is in the log alone."""
    world = World.__new__(World)
    world.path, world.clock, world.begun, world.engine = store, 10**7, 10, Engine.open(store)
    world.keep("Limit 25")
    path = tmp_path / "left" / "store.sqlite"
    path.parent.mkdir()
    for name in ("store.sqlite", "store.sqlite-wal"):
        shutil.copy(store.with_name(name), path.with_name(name))
    world.engine.close()
    return path


def summaries(path: Path) -> list[str]:
    with Engine.open(path) as engine:
        records: Any = engine.console.memories("ann")["records"]
        return [record["summary"] for record in records]


def test_a_log_that_was_left_is_read(left: Path) -> None:
    assert left.with_name("store.sqlite-wal").stat().st_size
    assert summaries(left) == ["Limit 25", "Limit 20"]
    assert [each.name for each in left.parent.iterdir()] == ["store.sqlite"]


@pytest.mark.parametrize("size", [None, 0])
def test_a_log_without_its_store_is_kept(left: Path, size: int | None) -> None:
    """SQLite would make a new store and drop the log."""
    kept = left.read_bytes()
    left.unlink()
    if size is not None:
        left.write_bytes(b"")
    assert refused(left).code == "store_damaged"
    left.write_bytes(kept)
    assert summaries(left) == ["Limit 25", "Limit 20"]


def test_a_log_of_garbage_does_not_harm_what_the_file_has(left: Path) -> None:
    left.with_name("store.sqlite-wal").write_bytes(b"garbage" * 9_999)
    assert summaries(left) == ["Limit 20"]


def test_a_later_version_with_a_log_is_left_byte_for_byte(left: Path) -> None:
    """beads#4985: closing a connection that may write would fold the log into the file."""
    other = sqlite3.connect(left)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute(f"PRAGMA user_version = {VERSION + 1}")
    copy = left.parent.parent / "copy"
    shutil.copytree(left.parent, copy)
    other.close()
    assert (copy / "store.sqlite-wal").stat().st_size
    assert refused(copy / "store.sqlite").code == "store_newer"


@pytest.mark.parametrize("kept", [1, 99, 512, 4096, 4097, 20_000, -1])
def test_a_truncated_store_is_told(store: Path, kept: int) -> None:
    store.write_bytes(store.read_bytes()[:kept])
    assert refused(store).code in ("not_a_store", "store_damaged")


def test_damage_that_shows_later_is_told(store: Path) -> None:
    """A page whose bytes are gone; the header is whole."""
    bytes_ = bytearray(store.read_bytes())
    bytes_[8192:] = b"\xff" * (len(bytes_) - 8192)
    store.write_bytes(bytes_)
    with pytest.raises(StoreError) as error:
        summaries(store)
    assert error.value.code == "store_damaged"
    assert "copy" in error.value.remedy


def test_a_store_without_its_tables_is_told(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    sql = sqlite3.connect(path)
    sql.executescript(f"PRAGMA application_id = 0x53545231; PRAGMA user_version = {VERSION};")
    sql.close()
    assert refused(path).code == "store_damaged"


@pytest.mark.parametrize("name", ["nul\0", "x" * 300, "half \ud800"])
def test_a_name_that_no_file_can_have_is_told(tmp_path: Path, name: str) -> None:
    assert refused(tmp_path / name).code == "store_unreadable"


def test_what_is_no_file_is_told(store: Path, tmp_path: Path) -> None:
    """A folder, a place below a file, a pipe, a device that keeps nothing."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, store / "below", tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(StoreError) as error:
            Engine.open(path)
        assert error.value.code == "store_unreadable"
        assert error.value.remedy


@pytest.fixture
def shared(store: Path) -> Iterator[Path]:
    """The store in a folder that every user reaches, unlike pytest's."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        shutil.copy(store, folder)
        yield Path(folder) / "store.sqlite"


@pytest.mark.parametrize(("folder", "file"), [(0o755, 0o644), (0o755, 0o600), (0o777, 0o444), (0o700, 0o666)])
def test_a_store_without_permission_is_told(shared: Path, folder: int, file: int) -> None:
    before = files(shared.parent)
    shared.chmod(file)
    shared.parent.chmod(folder)
    be_nobody = "os.setuid(65534)" if os.geteuid() == 0 else ""
    if not be_nobody:  # an owner loses what all others lose
        shared.chmod(file & 0o555)
        shared.parent.chmod(folder & 0o555 if folder != 0o700 else 0)
    for path in (shared, shared.with_name("new.sqlite")):
        if path == shared or folder != 0o777:
            code, message, remedy = told(f"Engine.open({str(path)!r})", be_nobody)
            assert code == "store_unreadable"
            assert str(path) in message
            assert remedy
    shared.parent.chmod(0o755)
    assert files(shared.parent) == before
    shared.chmod(0o644)
    assert summaries(shared) == ["Limit 20"]


def test_a_full_disk_is_told_and_loses_nothing(store: Path) -> None:
    """However much still fits: while the store is opened, begins a turn, appends to its transcript, or commits."""
    codes = set()
    for room in (0, 4_000, 12_000, 30_000, 50_000, 70_000):
        limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))"
        path = str(store)
        turn = f"e.begin('ann', session='s', execution='e{room + 100}', at=10**9, user='x' * 9_999)"
        more = f"e = Engine.open({path!r}); t = {turn}; world.add(t, 'Limit 25', content='y' * 99_999); t.commit()"
        code, message, remedy = told(more, limit)
        codes.add(code)
        assert remedy
        assert message
        assert summaries(store) == ["Limit 20"]
    assert "store_failed" in codes


def test_a_full_disk_while_a_store_is_made_is_told(tmp_path: Path) -> None:
    for room in (0, 3_000, 5_000, 40_000):
        path = tmp_path / f"{room}.sqlite"
        limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))"
        code, _, remedy = told(f"Engine.open({str(path)!r})", limit)
        assert code == "store_unreadable"
        assert "room" in remedy
        World(path).keep("Limit 20")  # with room it is made after all


def test_a_store_that_fails_while_it_is_read_is_told(store: Path) -> None:
    """Not only a write raises StoreError: what a turn reads later may be gone by then."""
    world = World.__new__(World)
    world.path, world.clock, world.begun, world.engine = store, 10**7, 10, Engine.open(store)
    world.engine._store.sql.execute("PRAGMA cache_size = 0")
    os.truncate(store, 8192)
    with pytest.raises(StoreError) as error:
        add(world.begin(), "Limit 25")
    assert error.value.code in ("store_damaged", "store_failed")


@pytest.mark.parametrize(
    "error", [StoreError("store_failed", "no room", "Make some."), EngineError("busy", "b", "Wait.")]
)
def test_an_error_comes_whole_from_a_process_that_works_for_another(error: StoreError | EngineError) -> None:
    told = pickle.loads(pickle.dumps(error))
    assert (type(told), str(told)) == (type(error), str(error))
    assert (told.code, told.message, told.remedy) == (error.code, error.message, error.remedy)
