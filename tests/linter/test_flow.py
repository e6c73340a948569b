"""The flow of a config: what can reach what, the shortest path, and the pictures of it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import product

import pytest

from seatrial.linter import lint, read_text, settled_config
from seatrial.linter.flow import Flow, flow, said
from seatrial.linter.flow_formats import draw

SCOPES = ("[session]", "[agent]", "[session, agent]")
NO_MEMORY = "harness: {history: {index: messages}}\n"


def config(read: str, write: str, *, tools: str = "[]", more: str = "", sessions: str = "true") -> str:
    return (
        f"sessions: {sessions}\nharness:\n  history: {{index: messages}}\n  memory:\n    enabled: true\n"
        f"    scope: {{read: {read}, write: {write}}}\n    tools: {tools}\n{more}"
    )


def flow_of(text: str) -> Flow:
    return flow(settled_config(read_text(text, path="v1.yaml")))


def found(text: str) -> list[str]:
    return [each.message for each in lint([read_text(text, path="v1.yaml")]) if each.code == "ST601"]


@pytest.mark.parametrize(("read", "write"), list(product(SCOPES, SCOPES)))
def test_st601_is_told_exactly_where_session_is_read_and_agent_written(read: str, write: str) -> None:
    assert bool(found(config(read, write))) == ("session" in read and "agent" in write)


def test_st601_prints_the_shortest_path() -> None:
    told = "session data can reach other sessions: session record -> recall -> "
    assert found(config("[session]", "[agent]", tools="[add_memory]")) == [f"{told}add_memory(agent) -> every session"]
    assert found(config("[session]", "[agent]")) == [f"{told}messages -> extraction(agent) -> every session"]


def test_st601_points_at_agent_in_write_and_names_what_is_read() -> None:
    stated, default = (
        next(each for each in lint([read_text(text, path="v1.yaml")]) if each.code == "ST601")
        for text in (
            config("[agent, session]", "[session, agent]"),
            "harness: {memory: {enabled: true, scope: {write: [agent]}}}",
        )
    )
    assert stated.pointer == ("harness", "memory", "scope", "write", 1)
    assert stated.related[0].pointer == ("harness", "memory", "scope", "read", 1)
    assert default.related[0].pointer == ("harness", "memory", "scope")
    assert default.related[0].message.endswith("by default")


def test_nothing_leaves_a_session_that_writes_no_agent_records() -> None:
    """VIEW-2: history, conversation and state are the session's own."""
    for text in (NO_MEMORY, config("[session, agent]", "[session]", tools="[add_memory]")):
        assert flow_of(text).escapes() == []


def test_a_conversation_reaches_others_where_only_agent_is_read_and_written() -> None:
    paths = [said(path) for path in flow_of(config("[agent]", "[agent]")).escapes()]
    assert "conversation -> messages -> extraction(agent) -> every session" in paths


def test_what_is_recalled_is_not_reviewed() -> None:
    """CTX-1: the recalled block is never conversation; only the messages are (EXT-1)."""
    graph = flow_of(config("[session]", "[agent]")).graph
    assert list(graph.predecessors("extraction(agent)")) == ["messages"]


def test_a_sessionless_agent_has_nothing_of_a_session() -> None:
    """VIEW-7."""
    text = "sessions: false\nharness: {memory: {enabled: true, scope: {read: [agent], write: [agent]}}}"
    whole = flow_of(text)
    assert whole.own == ()
    assert not {"state", "history", "conversation", "session record"} & set(whole.graph)


def test_tools_and_pins_are_nodes_only_where_they_exist() -> None:
    """WRT-1, PIN-1."""
    bare = set(flow_of(config("[session]", "[session]")).graph)
    full = set(
        flow_of(
            config("[session]", "[session]", tools="[add_memory, read_memory]", more="    pinned: {max_tokens: 9}\n")
        ).graph
    )
    assert full - bare == {"read_memory", "pins", "add_memory(session)"}


ALL = [
    NO_MEMORY,
    "harness: {}\n",
    *(config(read, write, tools="[add_memory]") for read, write in product(SCOPES, SCOPES)),
]


@pytest.mark.parametrize("text", ALL)
def test_every_format_shows_every_node_and_edge(text: str) -> None:
    whole = flow_of(text)
    nodes, edges = len(whole.graph), len(whole.edges)
    mermaid = draw(whole, "mermaid")
    assert len(re.findall(r'^    n\d+[\[(]+"[^"]+"[\])]+$', mermaid, re.MULTILINE)) == nodes
    assert len(re.findall(r"^    n\d+ (?:-->|==>) n\d+$", mermaid, re.MULTILINE)) == edges
    dot = draw(whole, "dot")
    assert len(re.findall(r'^    "[^"]+" -> "[^"]+"(?: \[penwidth=2\.5\])?;$', dot, re.MULTILINE)) == edges
    svg = ET.fromstring(draw(whole, "svg"))
    shown = {each.text for each in svg.iter("{http://www.w3.org/2000/svg}text")}
    drawn = [each for each in svg.iter("{http://www.w3.org/2000/svg}path") if each.get("marker-end")]
    assert {*whole.graph} <= shown
    assert len(drawn) == edges


@pytest.mark.parametrize("text", ALL)
def test_boxes_of_the_svg_do_not_overlap_and_stay_inside(text: str) -> None:
    svg = ET.fromstring(draw(flow_of(text), "svg"))
    keys = ("x", "y", "width", "height")
    boxes = [[float(each.get(key) or 0) for key in keys] for each in svg.iter("{http://www.w3.org/2000/svg}rect")]
    width, height = float(svg.get("width") or 0), float(svg.get("height") or 0)
    for x, y, w, h in boxes:
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
    for number, (x, y, w, h) in enumerate(boxes):
        for other_x, other_y, other_w, other_h in boxes[:number]:
            apart = x + w < other_x or other_x + other_w < x or y + h < other_y or other_y + other_h < y
            assert apart
