"""Drawn configs lint clean and deploy, versions follow each other, drawn records are kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from seatrial.engine import Engine
from seatrial.linter import Diagnostic, read_text
from seatrial.linter.run import Run
from seatrial.linter.selection import Choice
from seatrial.linter.settings import Nearest
from seatrial.linter.settings.stages import Rulebook
from seatrial.testing import configs, labels, records, versions

SCOPES: list[Any] = [None, ["session"], ["agent"], ["session", "agent"]]
PAIRS = [(read, write) for read in SCOPES for write in SCOPES if not (read and write) or set(write) <= set(read)]


def told(*written: Any, least: Sequence[str] = ("error", "warning")) -> list[Diagnostic]:
    """What `seatrial lint` tells of configs, their comments heeded."""
    documents = [read_text(json.dumps(config), path=f"v{n}.json") for n, config in enumerate(written, 1)]
    found = Run(Rulebook(Choice(), Nearest())).findings(documents, ())
    return [each for each in found if each.severity in least]


def deployed(chain: Sequence[Any]) -> None:
    engine = Engine.open()
    for number, config in enumerate(chain, 1):
        assert engine.deploy("x", config, at=number) == number
    engine.close()


@given(configs(sessions=None))
@settings(max_examples=200)
def test_a_config_is_told_nothing_and_can_be_deployed(config: Any) -> None:
    assert told(config) == []
    deployed([config])


@given(st.data(), st.sampled_from(PAIRS))
@settings(max_examples=100)
def test_what_is_asked_for_is_had(data: st.DataObject, scopes: tuple[Any, Any]) -> None:
    read, write = scopes
    config = data.draw(
        configs(agent="desk", read=read, write=write, tools=["read_memory"], pinned=True, history=False,
                labels={"payer": 9}, kinds=["ruling"])
    )  # fmt: skip
    memory = config["harness"]["memory"]
    scope = memory.get("scope", {"read": ["session"], "write": ["session"]})
    assert read in (None, scope["read"])
    assert write in (None, scope["write"])
    assert (config["agent"], memory["tools"], memory["kinds"]) == ("desk", ["read_memory"], ["ruling"])
    assert memory["labels"]["payer"]["number"] == 9
    assert "pinned" in memory
    assert "history" not in config["harness"]
    assert told(config) == []


def test_every_choice_is_drawn() -> None:
    for wanted in ("summarize_at", "min_score", '"sessions": false', "messages_and_tools", "ignore[ST601]", '"desk"'):
        find(configs(sessions=None), lambda config, wanted=wanted: wanted in json.dumps(config))  # type: ignore[misc]  # a lambda's default has no type


def test_the_simplest_config() -> None:
    assert find(configs(), lambda config: True) == {"harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}}


@pytest.mark.parametrize("asked", [{"read": ["session"]}, {"write": ["session", "agent"]}, {"history": True}])
def test_an_agent_without_sessions_has_nothing_of_sessions(asked: Any) -> None:
    """SCO-1, VIEW-7"""
    with pytest.raises(ValueError, match="without sessions"):
        configs(sessions=False, **asked)


@given(versions(configs(sessions=None), min_size=2, max_size=4))
@settings(max_examples=60)
def test_versions_can_be_deployed_one_after_the_other(chain: list[Any]) -> None:
    """VER-2"""
    deployed(chain)
    assert told(*chain, least=["error"]) == []


LOOSE = st.dictionaries(st.sampled_from(["payer", "payee", "desk"]), st.integers(1, 4), max_size=3).filter(
    lambda declared: len(set(declared.values())) == len(declared)
)


@given(versions(LOOSE.flatmap(lambda declared: configs(labels=declared)), min_size=2))
@settings(max_examples=60)
def test_labels_keep_their_numbers_whatever_is_drawn(chain: list[Any]) -> None:
    """VER-2"""
    deployed(chain)


def test_the_simplest_chain() -> None:
    assert len(find(versions(min_size=2), lambda chain: True)) == 2
    assert find(versions(), lambda chain: True) == [{"harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}}]


@given(st.data())
@settings(max_examples=100)
def test_a_record_is_kept_unless_there_is_no_room(data: st.DataObject) -> None:
    """REC-1, REC-4, REC-5"""
    config = data.draw(configs(sessions=None, tools=["add_memory"]))
    record = data.draw(records(config))
    engine = Engine.open()
    engine.deploy("x", config, at=0)
    session = None if config.get("sessions") is False else "a"
    turn = engine.begin("x", session=session, execution="e", at=1, user="")
    error = turn.call("add_memory", record).error
    assert error is None or (error.code == "over_budget" and record["pinned"])
    engine.close()


def test_a_record_may_be_labelled_pinned_and_scoped() -> None:
    config = find(configs(write=["session", "agent"], pinned=True, labels={"payer": 1}), lambda config: True)
    drawn = find(records(config), lambda record: {"pinned", "labels", "scope", "content"} <= set(record))
    assert (drawn["scope"], drawn["labels"]) == ("session", {})
    assert find(records(config), lambda record: True).keys() == {"summary", "kind"}
    assert find(labels(config), bool) == {"payer": "c-17"}
    assert find(records(config, summaries=st.just("x")), lambda record: True)["summary"] == "x"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"agent": " a"}, '`agent`: " a": a name .* white space'),
        ({"sessions": "no"}, r"`sessions` is True or False; this is 'no' \(str\)"),
        ({"read": "session"}, r"`read` takes several names.* write \['session'\]"),
        ({"read": ["sesion"]}, '`read`: expected one of .*; did you mean "session"'),
        ({"write": ["session", "session"]}, '`write`: "session" is in this list already'),
        ({"tools": ["add"]}, '`tools`: expected one of "add_memory"'),
        ({"tools": ["add_memory"], "write": []}, "`tools`: add_memory can do nothing: no scope may be written"),
        ({"pinned": {"max_tokens": 20}}, "`pinned` is True or False"),
        ({"history": "messages"}, "`history` is True or False"),
        ({"labels": ["payer"]}, r"`labels` takes numbers by name, as in \{'customer': 5\}"),
        ({"labels": {"payer": "1"}}, r"'payer' \(str\) has '1' \(str\)"),
        ({"labels": {"Payer": 1}}, '`labels`: "Payer": a label\'s name is lower-case'),
        ({"labels": {"payer": 1, "desk": 1}}, '`labels`: labels "payer" and "desk" have one number, 1'),
        ({"kinds": ["fact", 3]}, r"`kinds` takes names.*among them is 3 \(int\)"),
        ({"kinds": ["fact", ""]}, '`kinds`: "": a name'),
    ],
)
def test_what_no_config_can_hold_is_told_by_its_argument(asked: Any, told: str) -> None:
    with pytest.raises((TypeError, ValueError), match=told):
        configs(**asked)


@pytest.mark.parametrize("read", [[], ["session"], ["agent"], ["session", "agent"]], ids=",".join)
@pytest.mark.parametrize("write", [["session"], ["agent"], ["session", "agent"]], ids=",".join)
def test_no_tool_is_drawn_that_can_do_nothing(read: Any, write: Any) -> None:
    """ST205: whatever is read and written."""

    @given(configs(read=read, write=write))
    @settings(max_examples=20)
    def drawn(config: Any) -> None:
        assert told(config, least=["error"]) == []

    drawn()


def test_a_tool_is_judged_by_the_scopes_that_are_drawn() -> None:
    """What is written alone is asked for, so what is read goes with it."""
    assert find(configs(write=["agent"], tools=["delete_memory"]), lambda _: True)
    with pytest.raises(ValueError, match=r"^`tools`: .*delete_memory"):
        configs(read=["session"], write=["agent"], tools=["delete_memory"])


def test_an_empty_list_is_what_was_asked_for() -> None:
    assert find(configs(read=[]), lambda config: True)["harness"]["memory"]["scope"]["read"] == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"each": configs}, r"a strategy of Hypothesis, as in versions\(configs\(\)\); this is <function"),
        ({"min_size": 0}, "`min_size` is a whole number from 1; this is 0"),
        ({"max_size": "2"}, "`max_size` is a whole number from 1"),
        ({"min_size": 3, "max_size": 2}, "`min_size` is 3, and `max_size`, 2, is less"),
    ],
)
def test_what_no_chain_can_be_is_told_by_its_argument(asked: Any, told: str) -> None:
    with pytest.raises((TypeError, ValueError), match=told):
        versions(**asked)


def test_records_and_labels_of_a_file(tmp_path: Path) -> None:
    config = find(configs(labels={"payer": 1}, kinds=["ruling"]), lambda config: True)
    path = tmp_path / "desk.v1.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    assert find(records(path), bool)["kind"] == "ruling"
    assert find(labels(str(path)), bool) == {"payer": "c-17"}
    for drawn in (records, labels):
        with pytest.raises(ValueError, match="is a folder: name the config files"):
            drawn(tmp_path)
        with pytest.raises(ValueError, match="ST101"):
            drawn({"harness": {"memry": {}}})
        with pytest.raises(TypeError, match="a config is a mapping, or the path of its file; this is a value"):
            drawn(configs())  # type: ignore[arg-type]  # what is tried
    with pytest.raises(TypeError, match="`summaries` takes a strategy"):
        records(config, summaries=["x"])  # type: ignore[arg-type]  # what is tried
