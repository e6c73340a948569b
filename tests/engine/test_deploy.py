"""VER: which config is deployed, and which version a turn runs."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest
from world import World, add, code, config, found

from seatrial.engine import Engine, EngineError
from seatrial.schemas import config_problems

LABEL = {"number": 5, "description": "The customer."}


def refused(world: World, document: Any, agent: str = "ann", **where: Any) -> EngineError:
    """The refusal of a deploy, after which everything is as it was."""
    turn = world.begin()
    turn.rollback()
    with pytest.raises(EngineError) as error:
        world.engine.deploy(agent, document, at=0, **where)
    after = world.begin()
    after.rollback()
    assert after.version == turn.version
    return error.value


def test_ver_1_later_turns_run_the_deployed_version_and_open_turns_keep_their_own() -> None:
    world = World(document=config(kinds=["fact"]))
    turn = world.begin("open")
    assert world.engine.deploy("ann", config(kinds=["fact", "ruling"]), at=0) == 2
    assert turn.version == 1
    assert code(turn.call("add_memory", {"summary": "x", "kind": "ruling"})) == "undeclared_kind"
    later = world.begin("later")
    assert later.version == 2
    assert code(later.call("add_memory", {"summary": "x", "kind": "ruling"})) is None


def test_ver_1_previews_run_the_latest_of_either_plane() -> None:
    world = World()
    world.engine.deploy("ann", config(kinds=["ruling"]), plane="preview", at=0)
    assert (world.begin("a").version, world.begin("b", plane="preview").version) == (1, 2)
    world.engine.deploy("ann", config(), at=0)
    assert (world.begin("c").version, world.begin("d", plane="preview").version) == (3, 3)


def test_ver_1_an_agent_without_a_version_has_no_turn() -> None:
    engine = Engine.open()
    for plane in ("live", "preview"):
        with pytest.raises(EngineError) as error:
            engine.begin("bob", session="s", plane=plane, execution="e", at=0, user="x")
        assert error.value.code == "not_found"
        assert str(error.value) == f"not_found: no version of bob is deployed {plane}. Deploy one first."
        again = pickle.loads(pickle.dumps(error.value))
        assert (repr(again), again.to_json()) == (repr(error.value), error.value.to_json())
    engine.deploy("bob", config(), plane="preview", at=0)
    with pytest.raises(EngineError):
        engine.begin("bob", session="s", execution="e", at=0, user="x")


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        ({}, "customer_id"),
        ({"customer_id": {**LABEL, "number": 6}}, "customer_id"),
        ({"client_id": LABEL}, "customer_id"),
        ({"customer_id": LABEL, "client_id": LABEL}, "client_id"),
    ],
)
@pytest.mark.parametrize("plane", ["live", "preview"])
def test_ver_2_a_deploy_that_breaks_a_label_is_refused_and_names_it(
    labels: dict[str, Any], named: str, plane: str
) -> None:
    world = World(document=config(labels={"customer_id": LABEL}))
    error = refused(world, config(labels=labels), plane=plane)
    assert error.code == "deploy_refused"
    assert named in error.message


def test_a_config_of_another_agent_is_refused_and_both_are_named() -> None:
    error = refused(World(), {**config(), "agent": "bob"})
    assert (error.code, error.message) == ("deploy_refused", "the config names the agent bob, and is deployed for ann")


def test_ver_2_preview_deploys_join_the_chain() -> None:
    world = World()
    world.engine.deploy("ann", config(labels={"customer_id": LABEL}), plane="preview", at=0)
    error = refused(world, config(labels={"customer_id": {**LABEL, "number": 6}}))
    assert "2" in error.message
    assert "3" in error.message


def test_ver_3_going_back_is_a_new_version() -> None:
    world = World(document={**config(), "version": 1})
    world.engine.deploy("ann", {**config(kinds=["ruling"]), "version": 2}, at=0)
    assert "older" in refused(world, {**config(), "version": 1}).message
    assert "already" in refused(world, {**config(), "version": 2}).message
    assert world.engine.deploy("ann", {**config(), "version": 7}, at=0) == 7
    assert world.engine.deploy("ann", config(), at=0) == 8


def test_ver_1_a_preview_version_goes_live_under_its_number() -> None:
    world = World()
    document = {**config(kinds=["ruling"]), "version": 2}
    world.engine.deploy("ann", document, plane="preview", at=0)
    assert world.engine.deploy("ann", document, at=0) == 2
    assert world.begin().version == 2


def test_ver_4_filters_accept_every_kind_and_label_ever_declared() -> None:
    world = World(document=config(kinds=["fact", "note"], labels={"customer_id": LABEL}))
    record = world.keep("Noted", kind="note", labels={"customer_id": "c"})
    world.engine.deploy("ann", config(kinds=["fact"], labels={"customer_id": LABEL}), at=0)
    turn = world.begin()
    assert found(turn, kinds=["note"], labels={"customer_id": "c"}) == [record]
    assert code(turn.call("add_memory", {"summary": "x", "kind": "note"})) == "undeclared_kind"


def test_ver_4_a_live_turn_knows_no_kind_that_only_previews_declared() -> None:
    world = World()
    world.engine.deploy("ann", config(kinds=["note"]), plane="preview", at=0)
    assert code(world.begin("a").call("search_memory", {"kinds": ["note"]})) == "undeclared_kind"
    assert code(world.begin("b", plane="preview").call("search_memory", {"kinds": ["fact", "note"]})) is None


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"harness": {"memory": {"enabled": "true"}}},
        {"harness": {"memory": {"scope": {"read": ["global"]}}}},
        {"sessions": False, "harness": {"memory": {"enabled": True}}},
        {"harness": {}, "agent": "bob"},
        {"harness": {}, "version": 0},
        {"harness": {}, "limits": {"model_calls": float("nan")}},
        {"harness": {"memory": {"kinds": ["\ud800"]}}},
    ],
)
def test_a_config_that_is_not_valid_is_refused(document: Any) -> None:
    assert refused(World(), document).code == "deploy_refused"


def test_a_whole_number_may_be_written_with_a_point() -> None:
    world = World(document=config(search={"max_results": 2.0}, labels={"customer_id": {**LABEL, "number": 5.0}}))
    turn = world.begin()
    for number in range(3):
        add(turn, f"wire {number}", labels={"customer_id": "c"})
    assert len(found(turn, query="wire", labels={"customer_id": "c"})) == 2


FULL: dict[str, Any] = {
    "agent": "ann",
    "version": 1,
    "sessions": True,
    "model": {"name": "large-model", "context_tokens": 200_000},
    "limits": {"model_calls": 50},
    "harness": {
        "context": {"offload_threshold": 2000, "summarize_at": 60_000, "keep_messages": 8},
        "history": {"index": "messages_and_tools"},
        "memory": {
            "enabled": True,
            "scope": {"read": ["session"], "write": ["session"]},
            "tools": ["add_memory", "read_memory", "delete_memory"],
            "pinned": {"max_tokens": 2000},
            "model": "small-model",
            "extraction": {"prompt": "Keep rulings and limits.", "every": {"messages": 20}},
            "search": {"mode": "hybrid", "max_results": 8, "min_score": 0.35},
            "kinds": ["fact", "ruling"],
            "labels": {"customer_id": {"number": 5, "description": "The customer."}},
        },
    },
}


def keys_in(document: dict[str, Any], above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The path of every key of a document."""
    below = [
        path for key, value in document.items() if isinstance(value, dict) for path in keys_in(value, (*above, key))
    ]
    return [*((*above, key) for key in document), *below]


@pytest.mark.parametrize("path", keys_in(FULL), ids="/".join)
def test_a_config_without_a_key_is_refused_or_runs(path: tuple[str, ...]) -> None:
    """Every key but a few is optional, and a config that is deployed runs, reviews and commits."""
    document = copy.deepcopy(FULL)
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    engine = Engine.open()
    if config_problems(document):
        with pytest.raises(EngineError, match=path[-1]):
            engine.deploy("ann", document, at=0)
        return
    engine.deploy("ann", document, at=0)
    turn = engine.begin("ann", session="s", execution="e", at=0, user="hello")
    assert turn.model_call().text
    turn.review()
    assert turn.commit().outcome == "committed"


def test_ver_5_scope_kinds_pins_search_and_history_may_change() -> None:
    """What was written stays as it was, and is found wherever the new version still reads its scope."""
    world = World(document=config(kinds=["fact"], pinned={"max_tokens": 100}))
    record = world.keep("Wire 4471 is approved", pinned=True)
    narrowed = config(kinds=["ruling"], scope={"read": ["agent"], "write": ["agent"]}, search={"mode": "lexical"})
    world.engine.deploy("ann", narrowed, at=0)
    turn = world.begin(user="wire 4471?")
    assert found(turn, query="wire 4471") == []
    assert code(turn.call("add_memory", {"summary": "x", "kind": "fact"})) == "undeclared_kind"
    assert "Wire 4471" not in turn.model_call().instructions
    turn.rollback()
    widened = config(kinds=["ruling"], search={"max_results": 1})
    widened["harness"]["history"] = {"index": "messages"}
    world.engine.deploy("ann", widened, at=0)
    turn = world.begin(user="wire 4471?")
    assert found(turn, kinds=["fact"]) == [record]
    assert turn.call("search_history", {"query": "wire"}).error is None
    assert world.listed()[record]["pinned"] is True


@pytest.mark.parametrize("wrong", [{"agent": ""}, {"agent": " a"}, {"at": -1}, {"plane": "staging"}])
def test_a_deploy_with_a_bad_value_is_refused(wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {"agent": "ann", "document": config(), "at": 0, **wrong}
    with pytest.raises(EngineError) as error:
        Engine.open().deploy(given.pop("agent"), given.pop("document"), **given)
    assert error.value.code == "invalid_value"


def test_rec_6_a_config_is_copied() -> None:
    world = World()
    document = config(kinds=["fact"])
    world.engine.deploy("ann", document, at=0)
    document["harness"]["memory"]["kinds"].append("ruling")
    assert code(world.begin().call("add_memory", {"summary": "x", "kind": "ruling"})) == "undeclared_kind"


def test_ver_1_versions_survive_closing(tmp_path: Any) -> None:
    world = World(tmp_path / "store.sqlite", config(labels={"customer_id": LABEL}))
    turn = world.begin()
    add(turn, "x", labels={"customer_id": "c"})
    turn.commit()
    world.reopen()
    assert "customer_id" in refused(world, config()).message
    assert world.engine.deploy("ann", config(labels={"customer_id": LABEL}), at=0) == 2


def test_txn_4_a_refusal_names_labels_in_the_same_order_after_a_restart(tmp_path: Path) -> None:
    """The store keeps a config with its keys sorted."""
    labels = {"desk": {**LABEL, "number": 12}, "customer": LABEL}
    world = World(tmp_path / "store.db", document=config(labels=labels))
    before = refused(world, config())
    world.reopen()
    assert str(refused(world, config())) == str(before)
