"""What all tests share: properties are searched the same way on every machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from git_repository import Repository
from hypothesis import HealthCheck, settings

from seatrial.engine.values import Record

settings.register_profile(
    "seatrial", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("seatrial")


@pytest.fixture(scope="session")
def make_record() -> Callable[..., Record]:
    """Makes a record of one believable session from its id, its summary, and whatever else matters to the test."""

    def make(record_id: str, summary: str, **changes: Any) -> Record:
        values: dict[str, Any] = {
            "agent": "reconciler",
            "plane": "live",
            "scope": "session",
            "session": "account-17",
            "content": None,
            "kind": "fact",
            "labels": (),
            "pinned": False,
            "status": "ACTIVE",
            "at": 1_760_000_000_000,
            "ordinal": 0,
            "execution": "e1",
            "version": 1,
            "turn": 1,
            "source": "tool",
        }
        return Record(id=record_id, summary=summary, **(values | changes))

    return make


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A new git repository, which is the current folder."""
    made = Repository(tmp_path / "repo")
    monkeypatch.chdir(made.root)
    return made
