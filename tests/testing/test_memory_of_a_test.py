"""Memory: what it deploys, for whom, and what it says where it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seatrial.engine import EngineError
from seatrial.testing import Memory

KEEPS: dict[str, Any] = {"harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}}


def test_the_agent_of_a_file_is_the_one_that_its_name_says(tmp_path: Path) -> None:
    for name in ("support.v1.yaml", "support.v2.yaml", "billing.yaml"):
        (tmp_path / name).write_text("harness: {memory: {enabled: true}}\n", encoding="utf-8")
    with Memory() as memory:
        numbers = [memory.deploy(tmp_path / name) for name in ("support.v1.yaml", "billing.yaml", "support.v2.yaml")]
        assert numbers == [1, 1, 2]
        assert [memory.deploy(KEEPS), memory.deploy(KEEPS, agent="desk")] == [1, 1]
        for agent in ("support", "billing", "agent", "desk"):
            with memory.turn("account-17", agent=agent) as turn:
                turn.model_call()


def test_a_turn_where_nothing_is_deployed_says_how_to_deploy() -> None:
    with Memory() as memory:
        with (
            pytest.raises(EngineError, match=r"not_found: no version of agent .*--memory-config FILE"),
            memory.turn("a"),
        ):
            pass
        memory.deploy(KEEPS, agent="desk")
        with pytest.raises(EngineError, match=r"not_found: no version of dsk .* There are desk\."):
            memory.turn("a", agent="dsk").__enter__()
        with pytest.raises(EngineError, match=r"invalid_value: .*sessions only\. Name the session\."):
            memory.turn().__enter__()


def test_what_cannot_be_deployed_is_told(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("harness: {memry: {}, histroy: {}}\n", encoding="utf-8")
    (tmp_path / "desk.yaml").write_text("agent: desk\nharness: {}\n", encoding="utf-8")
    with Memory() as memory:
        with pytest.raises(ValueError, match=r"wrong\.yaml:1:11: ST101(?s:.*)wrong\.yaml:1:22: ST101"):
            memory.deploy(wrong)
        with pytest.raises(ValueError, match=r"gone\.yaml: No such file or directory"):
            memory.deploy("gone.yaml")
        with pytest.raises(ValueError, match=r"is a folder: name the config files in it, as in sorted\("):
            memory.deploy(tmp_path)
        with pytest.raises(ValueError, match="the config says that it is desk's"):
            memory.deploy(tmp_path / "desk.yaml", agent="rates")
        for given, said in (
            (None, "this is None"),
            (3, r"this is 3 \(int\)"),
            ([KEEPS], "this is a value of the type list"),
        ):
            with pytest.raises(TypeError, match=f"a config is a mapping, or the path of its file; {said}"):
                memory.deploy(given)  # type: ignore[arg-type]  # what is tried
