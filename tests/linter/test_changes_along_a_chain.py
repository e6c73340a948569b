"""What changes along the versions of an agent is told once, where it happens, with both places (ST504 to ST510)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from seatrial.linter import Diagnostic, Document, lint, read_text
from seatrial.linter.chain import Chain, Step
from seatrial.linter.changes import changes
from seatrial.linter.settled import Settled

ON = {"enabled": True}


def memory(**settings: Any) -> dict[str, Any]:
    return {"harness": {"memory": {**ON, **settings}}}


def scope(read: list[str], write: list[str]) -> dict[str, Any]:
    return memory(scope={"read": read, "write": write})


def chain(*configs: dict[str, Any]) -> list[Diagnostic]:
    documents = [read_text(json.dumps(each), path=f"a/v{n}.json") for n, each in enumerate(configs, 1)]
    return [each for each in lint(documents) if each.code.startswith("ST5")]


def told(*configs: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each.path.removeprefix("a/").removesuffix(".json"), each.code) for each in chain(*configs)]


S, A, SA = ["session"], ["agent"], ["session", "agent"]


@pytest.mark.parametrize(
    ("configs", "expected"),
    [
        # kinds: gone, back, gone again; the four defaults count as stated
        ([memory(kinds=["x", "y"]), memory(kinds=["y"]), memory(kinds=["y"])], [("v2", "ST504")]),
        (
            [memory(kinds=["x", "y"]), memory(kinds=["y"]), memory(kinds=["x", "y"]), memory(kinds=["y"])],
            [("v2", "ST504"), ("v4", "ST504")],
        ),
        ([memory(), memory(kinds=["fact"])], [("v2", "ST504")]),
        ([memory(kinds=["guidance", "fact", "event", "reference", "x"]), memory()], [("v2", "ST504")]),
        ([memory(), memory(kinds=["reference", "event", "fact", "guidance"])], []),
        # a budget that shrinks twice, grows, goes
        ([memory(pinned={"max_tokens": n}) for n in (9, 8, 7, 9)], [("v2", "ST507"), ("v3", "ST507")]),
        ([memory(pinned={"max_tokens": 9}), memory(), memory()], [("v2", "ST507")]),
        ([memory(), memory(pinned={"max_tokens": 9})], []),
        # scopes: narrowed then widened; a default is the same as stated
        ([scope(SA, S), scope(S, S), scope(SA, S)], [("v2", "ST506"), ("v3", "ST505")]),
        ([memory(), scope(S, S)], []),
        ([scope(S, S), scope(SA, SA)], [("v2", "ST505"), ("v2", "ST505")]),
        ([scope(S, S), scope(A, A)], [("v2", "ST506"), ("v2", "ST505"), ("v2", "ST505")]),
        ([scope(A, A), scope(SA, SA)], []),
        ([scope(S, SA), scope(S, S)], []),  # what was written for all stays as readable as it was
        # memory off and on: told once, and versions without memory are passed over
        ([memory(kinds=["x"]), {"harness": {"memory": {"kinds": ["y"]}}}, memory(kinds=["x"])], [("v2", "ST506")]),
        ([memory(kinds=["x", "y"]), {"harness": {}}, memory(kinds=["x"])], [("v2", "ST506"), ("v3", "ST504")]),
        # history
        *(
            ([{"harness": one}, {"harness": other}], [("v2", "ST508")] if one != other else [])
            for kept in ({"index": "messages"}, {"index": "messages_and_tools"})
            for one, other in [({}, {"history": kept}), ({"history": kept}, {}), ({"history": kept}, {"history": kept})]
        ),
        ([{"harness": {}}, {"harness": {"history": {}}}], []),
        # sessions: one finding, though scopes go with them
        ([memory(), {"sessions": False, **scope(A, A)}], [("v2", "ST510")]),
        ([{"sessions": False, **scope(A, A)}, memory()], [("v2", "ST510"), ("v2", "ST506")]),
        ([memory(), {"sessions": False, **scope(A, A)}, memory()], [("v2", "ST510"), ("v3", "ST510"), ("v3", "ST506")]),
        ([{"harness": {}}, {"sessions": True, "harness": {}}], []),
    ],
)
def test_each_change_is_told_once(configs: list[dict[str, Any]], expected: list[tuple[str, str]]) -> None:
    assert told(*configs) == expected


def test_a_change_points_at_both_documents() -> None:
    (found,) = chain(memory(kinds=["x", "y"]), memory(kinds=["y"]))
    assert (found.path, found.pointer) == ("a/v2.json", ("harness", "memory", "kinds"))
    assert [(each.path, each.pointer) for each in found.related] == [("a/v1.json", ("harness", "memory", "kinds"))]
    assert found.message == (
        'kind "x" of version 1 is gone in version 2: its records stay and are found, and no new one can be written'
    )


def test_a_wider_scope_is_pointed_at_by_the_word_that_widens_it() -> None:
    (found,) = (each for each in chain(scope(S, S), scope(SA, S)) if each.code == "ST505")
    assert found.pointer == ("harness", "memory", "scope", "read", 1)


def test_what_is_left_out_is_pointed_at_by_the_key_around_it() -> None:
    (found,) = chain(memory(pinned={"max_tokens": 9}), memory())
    assert found.pointer == ("harness", "memory")
    assert found.span == read_text(json.dumps(memory()), path="a").span(("harness", "memory"), "key")


def test_what_has_an_error_is_not_compared_and_the_next_sound_version_is() -> None:
    broken = read_text(json.dumps(memory(kinds="x")), path="a/v2.json")
    first = read_text(json.dumps(memory(kinds=["x", "y"])), path="a/v1.json")
    third = read_text(json.dumps(memory(kinds=["y"])), path="a/v3.json")
    assert [(each.path, each.code) for each in lint([first, broken, third])] == [
        ("a/v2.json", "ST102"),
        ("a/v3.json", "ST504"),
    ]


def test_each_version_is_read_once_however_many_there_are() -> None:
    """Comparing costs as much as there is to compare."""
    asked: list[Document] = []

    def read(config: Settled) -> int:
        asked.append(config.document)
        return len(asked)

    documents = [read_text(json.dumps(memory()), path=f"a/v{n}.json") for n in range(1, 301)]
    steps = tuple(Step(n, document) for n, document in enumerate(documents, 1))
    assert len(list(changes(Chain("a", steps), read))) == 299
    assert asked == documents


def test_a_long_chain_is_compared_whole() -> None:
    labels = {f"l{k}": {"number": k, "description": f"Which {k}."} for k in range(1, 40)}
    documents = [
        read_text(json.dumps(memory(labels=labels, pinned={"max_tokens": n})), path=f"a/v{n}.json")
        for n in range(20, 420)
    ]
    assert lint(documents) == []
    documents[-1] = read_text(json.dumps(memory(pinned={"max_tokens": 20})), path="a/v419.json")
    assert [each.code for each in lint(documents)] == ["ST501", "ST507"]


def named(path: str, version: int) -> Document:
    return read_text(json.dumps({"agent": "a", "version": version, **memory()}), path=path)


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([named("v2.json", 5), named("v3.json", 4)], ["v3.json"]),
        ([named("v2.json", 5), named("v3.json", 4), named("v4.json", 3), named("v5.json", 6)], ["v3.json", "v4.json"]),
        ([named("v2.json", 4), named("v3.json", 5)], []),
        ([named("x.json", 5), named("v3.json", 4)], []),
    ],
)
def test_versions_in_another_order_than_their_names_are_told(documents: list[Document], expected: list[str]) -> None:
    """ST509: a version older than one it follows."""
    found = lint(documents)
    assert [each.path for each in found] == expected
    assert {each.code for each in found} <= {"ST509"}
    assert all(each.related[0].path == "v2.json" and each.pointer == ("version",) for each in found)


@pytest.mark.parametrize("name", ["v0.json", "a.v0.yaml", "V00.json", "v2147483648.json", "v99999999999.json"])
def test_a_version_that_only_the_name_gives_has_to_be_one(name: str) -> None:
    (found,) = lint([read_text(json.dumps(memory()), path=name)])
    assert (found.code, found.pointer) == ("ST103", ())
    assert "versions go from 1 to 2147483647" in found.message
    assert lint([named(name, 7)]) == []


def test_version_0_is_not_taken_for_version_1() -> None:
    documents = [read_text(json.dumps(memory(kinds=[f"k{n}"])), path=f"a/v{n}.json") for n in (0, 1)]
    assert [each.code for each in lint(documents)] == ["ST103", "ST504"]
