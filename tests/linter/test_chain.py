"""All versions of one agent are one chain (ST501, ST502, ST503, ST509)."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.linter import Diagnostic, Document, Span, identity, lint, read_text


def config(path: str, text: str = "", **labels: int) -> Document:
    inner = ", ".join(
        f'"{name}": {{"number": {number}, "description": "Which {name}."}}' for name, number in labels.items()
    )
    return read_text(
        f'{{{text}"harness": {{"memory": {{"labels": {{{inner}}}, "enabled": true}}}}}}', path=path, kind="json"
    )


def told(found: list[Diagnostic]) -> list[tuple[str, str]]:
    return [(each.path, each.code) for each in found]


@pytest.mark.parametrize(
    ("path", "agent", "version"),
    [
        ("reconciler.v3.yaml", "reconciler", 3),
        ("reconciler.agent.json", "reconciler", 1),
        ("reconciler.v12.agent.json", "reconciler", 12),
        ("reconciler.json", "reconciler", 1),
        ("agents/reconciler/v3.json", "reconciler", 3),
        ("agents/reconciler/v3.agent.json", "reconciler", 3),
        ("agents/reconciler/V3.JSON", "reconciler", 3),
        ("Reconciler.V3.yaml", "Reconciler", 3),
        ("agents/reconciler/v0.json", "reconciler", 0),
        ("view.json", "view", 1),
        ("v.json", "v", 1),
    ],
)
def test_agent_and_version_default_to_the_file_name(path: str, agent: str, version: int) -> None:
    assert identity(config(path)) == (agent, version)
    assert identity(config(path, '"agent": "x", "version": 7, ')) == ("x", 7)


def test_a_bare_version_takes_the_folder_it_is_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "reconciler").mkdir()
    monkeypatch.chdir(tmp_path / "reconciler")
    assert identity(config("v2.json")) == ("reconciler", 2)


def test_a_changed_number_points_at_both_documents() -> None:
    (found,) = lint([config("a/v1.json", a=5), config("a/v2.json", a=6)])
    assert (found.code, found.path, found.span) == ("ST502", "a/v2.json", Span(1, 52, 1, 53))
    (there,) = found.related
    assert (there.path, there.span) == ("a/v1.json", Span(1, 52, 1, 53))
    assert found.message == 'label "a" has number 5 since version 1, and 6 in version 2'


def test_a_swap_is_one_finding_that_says_so() -> None:
    """buf (measured): swapping labels 1 and 2 gives four messages."""
    (found,) = lint([config("a/v1.json", a=1, b=2), config("a/v2.json", a=2, b=1)])
    assert found.message == 'labels "a" and "b" swapped their numbers 1 and 2 in version 2'
    assert [each.path for each in found.related] == ["a/v2.json", "a/v1.json", "a/v1.json"]


def test_the_whole_chain_is_compared_in_the_order_of_versions() -> None:
    """buf (measured): v1 to v2 drops a number, v2 to v3 reuses it, passes."""
    documents = [config("a/v10.json", c=5), config("a/v2.json"), config("a/v1.json", a=5)]
    assert told(lint(documents)) == [("a/v10.json", "ST503"), ("a/v2.json", "ST501")]


def test_agents_are_kept_apart() -> None:
    assert lint([config("a/v1.json", a=5), config("b/v2.json", a=6)]) == []
    assert lint([config("x/a/v1.json", a=5), config("y/a/v2.json", a=6)]) == []
    assert lint([config("a.v1.json", a=5), config("b.v2.json", a=6)]) == []


def test_a_stated_name_joins_what_the_folder_names() -> None:
    documents = [config("x/a/v1.json", '"agent": "a", ', a=5), config("x/a/v2.json", a=6)]
    assert told(lint(documents)) == [("x/a/v2.json", "ST502")]


def test_two_documents_of_one_version_are_told_apart() -> None:
    (found,) = lint([config("a.v1.json", a=5), config("b.json", '"agent": "a", "version": 1, ', a=6)])
    assert (found.code, found.path, found.pointer, found.span) == ("ST509", "b.json", ("version",), Span(1, 27, 1, 28))
    assert [each.path for each in found.related] == ["a.v1.json"]


def test_the_same_document_twice_is_no_clash() -> None:
    assert lint([config("x/a.v1.json", a=5), config("y/a.v1.json", a=5)]) == []


def test_a_version_that_cannot_be_read_is_left_out_of_the_chain() -> None:
    broken = read_text("{", path="a/v2.json")
    assert told(lint([config("a/v1.json", a=5), broken, config("a/v3.json", a=6)])) == [
        ("a/v2.json", "ST001"),
        ("a/v3.json", "ST502"),
    ]


def test_what_is_wrong_with_one_version_is_not_told_again_of_the_chain() -> None:
    first = config("a/v1.json", a=5)
    assert told(lint([first, config("a/v2.json", a=0)])) == [("a/v2.json", "ST103")]
    assert told(lint([first, config("a/v2.json", a=5, b=5)])) == [("a/v2.json", "ST401")]
    misspelt = read_text('{"harness": {"memry": {"labels": {"a": {"number": 5}}}}}', path="a/v2.json")
    assert told(lint([first, misspelt])) == [("a/v2.json", "ST101")]
    mistyped = config("a/v2.json", '"version": "2", ', a=6)
    assert told(lint([first, mistyped])) == [("a/v2.json", "ST102")]
