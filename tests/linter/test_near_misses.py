"""What is nearly wrong is not told, and what is wrong in a way that nobody expects is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from seatrial.linter import Pointer, lint, read_text
from seatrial.linter.rules import RULES

S, A, SA, NONE = ["session"], ["agent"], ["session", "agent"], list[str]()
NO_SESSIONS = {"sessions": False}
AGENT_ONLY = {"scope": {"read": A, "write": A}}
JUDGED = [code for code in RULES if code[:3] in ("ST2", "ST3", "ST4", "ST6") and RULES[code].check and code != "ST602"]


def memory(top: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    return {**(top or {}), "harness": {"memory": {"enabled": True, **settings}}}


def scope(read: list[str], write: list[str], top: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    return memory(top, scope={"read": read, "write": write}, **settings)


def context(window: int | None = None, **settings: int) -> dict[str, Any]:
    return {"model": {} if window is None else {"context_tokens": window}, "harness": {"context": settings}}


def off(enabled: bool | None = False, **settings: Any) -> dict[str, Any]:
    return {"harness": {"memory": settings if enabled is None else {"enabled": enabled, **settings}}}


def labels(**descriptions: str | None) -> dict[str, Any]:
    return memory(
        labels={
            name: {"number": number} if text is None else {"number": number, "description": text}
            for number, (name, text) in enumerate(descriptions.items(), 1)
        }
    )


def both(prompt: str | None = None, **settings: Any) -> dict[str, Any]:
    return scope(SA, SA, **({} if prompt is None else {"extraction": {"prompt": prompt}}), **settings)


LABEL = {"customer_id": {"number": 5, "description": "The customer the memory is about."}}

SILENT: list[tuple[str, dict[str, Any]]] = [
    ("ST202", memory()),
    ("ST202", scope(SA, S)),
    ("ST202", scope(["agent", "session"], SA)),
    ("ST202", scope(S, NONE)),
    ("ST202", off(scope={"read": S, "write": A})),
    ("ST203", memory()),
    ("ST203", memory(scope={})),
    ("ST203", scope(S, A)),  # ST202
    ("ST203", scope(NONE, NONE)),  # ST208
    ("ST203", scope(S, NONE, tools=["add_memory"])),  # ST205
    ("ST203", scope(S, NONE, pinned={"max_tokens": 500})),  # ST304
    ("ST203", scope(S, NONE, model="small")),  # ST209
    ("ST204", {"harness": {}}),
    ("ST204", off(None)),
    ("ST204", off()),
    ("ST204", off(labels=LABEL)),
    ("ST204", off(None, **{"$comment": "none yet"})),
    ("ST204", off(None, scope={}, extraction={}, labels={})),
    ("ST204", off(tools=["add_memory"])),  # ST205
    ("ST205", memory(tools=[])),
    ("ST205", off(tools=[])),
    ("ST205", memory(tools=["add_memory", "read_memory", "delete_memory"])),
    ("ST205", scope(S, NONE, tools=["read_memory"])),
    ("ST205", scope(A, SA, tools=["delete_memory"])),
    ("ST205", scope(NONE, A, tools=["add_memory"])),
    ("ST206", memory(tools=["add_memory"])),
    ("ST206", off(tools=["search_memory"])),  # ST205
    ("ST207", memory()),
    ("ST207", scope(SA, A)),
    ("ST207", both("Scope agent only for what holds for every customer.")),
    ("ST207", both("Keep what one tenant says apart from house rules: per-tenant facts stay with their conversation.")),
    ("ST207", both("Company-wide rulings are shared, the rest is not.")),
    ("ST207", both("Customer-specific facts belong to that customer alone.")),
    ("ST207", both("裁定と上限だけを、すべての顧客に共有する。")),
    ("ST207", both(labels={"customer_id": {"number": 5, "description": "Give it for every SESSION record."}})),
    ("ST208", memory()),
    ("ST208", scope(NONE, S)),
    ("ST208", off(scope={"read": NONE, "write": NONE})),
    ("ST209", memory(model="small", extraction={"prompt": "Keep rulings."})),
    ("ST209", scope(NONE, S, extraction={"every": "turn"})),
    ("ST209", scope(S, NONE, extraction={})),
    ("ST209", scope(S, NONE, search={"max_results": 3}, kinds=["fact"], labels=LABEL)),
    ("ST209", off(scope={"read": S, "write": NONE}, model="small")),
    ("ST301", {"harness": {"history": {"index": "messages"}}}),
    ("ST301", {**NO_SESSIONS, "harness": {}}),
    ("ST302", memory(search={"mode": "lexical"})),
    ("ST302", memory(search={"min_score": 0.5})),
    ("ST302", off(search={"mode": "lexical", "min_score": 0.5})),
    ("ST303", memory({"model": {"context_tokens": 20_000}}, pinned={"max_tokens": 2000})),
    ("ST303", memory(pinned={"max_tokens": 1_000_000})),
    ("ST303", memory({"model": {"name": "m"}}, pinned={"max_tokens": 1_000_000})),
    ("ST303", memory({"model": {"context_tokens": 1}})),
    ("ST304", memory(pinned={"max_tokens": 500})),
    ("ST304", scope(S, NONE)),
    ("ST305", context(offload_threshold=60_000, summarize_at=60_000)),
    ("ST305", context(offload_threshold=60_000)),
    ("ST305", context(summarize_at=2000)),
    ("ST305", context(keep_messages=10_000)),
    ("ST305", context(keep_messages=1, summarize_at=2001)),
    ("ST306", {"harness": {}}),
    ("ST306", {"harness": {"history": {"index": "messages"}}}),
    ("ST306", {**NO_SESSIONS, "harness": {"history": {}}}),  # ST301
    ("ST307", context(60_001)),
    ("ST307", context(summarize_at=1_000_000)),
    ("ST307", context(32_000, summarize_at=31_999)),
    ("ST308", memory({"limits": {"model_calls": 2}})),
    ("ST308", memory({"limits": {}})),
    ("ST308", scope(S, NONE, {"limits": {"model_calls": 1}})),
    ("ST308", {"limits": {"model_calls": 1}, "harness": {"history": {"index": "messages"}}}),
    ("ST309", memory(pinned={"max_tokens": 13})),
    ("ST309", off(pinned={"max_tokens": 1})),
    ("ST310", memory(search={"mode": "vector", "min_score": 0.94})),
    ("ST310", memory(search={"mode": "hybrid", "min_score": 1})),
    ("ST310", memory(search={"mode": "vector"})),
    ("ST311", memory(extraction={"every": {"messages": 20}})),
    ("ST311", memory(NO_SESSIONS, **AGENT_ONLY, extraction={"every": "turn"})),
    ("ST311", memory(NO_SESSIONS, **AGENT_ONLY, extraction={"every": {"messages": 2}})),
    ("ST311", scope(A, NONE, NO_SESSIONS, extraction={"every": {"messages": 20}})),
    ("ST401", memory(labels={"a1": {"number": 1}, "a2": {"number": 10}, "a3": {"number": 11}})),
    ("ST403", labels(payer="Who pays.", payee="Who is paid.")),
    ("ST403", labels(v1="Of one.", v2="Of two.")),
    ("ST403", labels(id_a="Of one.", id_b="Of two.", at="When.", by="Who.")),
    ("ST403", labels(order="Which order.", border="Which border.", status="How far.", statue="Of whom.")),
    ("ST403", memory(kinds=["fact", "act", "pact"])),
    ("ST403", labels(reserve="Kept back.", reverse="Booked back.", price="Of it.", prince="Whose.")),
    ("ST403", labels(trade="Which trade.", trader="Whose.", deliver="By when.", delivery="Which delivery.")),
    ("ST403", memory(kinds=["guide", "event", "references_only"])),
    ("ST403", memory(kinds=["ruling"], labels={"rulings": {"number": 1, "description": "How many."}})),
    ("ST404", labels(urgent="Whether it can wait.")),
    ("ST404", labels(todo="TODO list of the customer that it belongs to.")),
    ("ST404", labels(todo="TODO-list number.")),
    ("ST404", labels(size="XXX-Large or smaller, as on the tag.")),
    ("ST404", labels(customer="Customer number.", test="The test it is about.")),
    ("ST404", labels(customer="顧客")),
    ("ST404", off(labels={"a": {"number": 1, "description": "TODO"}, "b": {"number": 2}})),
    ("ST405", memory(extraction={"prompt": "Keep rulings."})),
    ("ST405", memory(extraction={"prompt": "Todo lists of the customer."})),
    ("ST405", memory(extraction={})),
    ("ST405", off(extraction={"prompt": "TODO"})),
    ("ST406", labels(a="Who pays.", b="Who pays, in full.")),
    ("ST406", labels(a="TODO", b="todo")),  # ST404
    ("ST406", labels(a=None, b=None)),
    ("ST406", off(labels={"a": {"number": 1, "description": "One."}, "b": {"number": 2, "description": "One."}})),
    ("ST601", memory()),
    ("ST601", scope(S, S)),
    ("ST601", scope(A, SA)),
    ("ST601", scope(SA, S)),
    ("ST601", memory(NO_SESSIONS, **AGENT_ONLY)),
]

M = ("harness", "memory")
C = ("harness", "context")
FOUND: list[tuple[str, dict[str, Any], Pointer]] = [
    ("ST202", memory(scope={"read": A}), (*M, "scope", "read")),  # against the default of write
    ("ST202", memory(scope={"write": A}), (*M, "scope", "write", 0)),  # against the default of read
    ("ST202", memory(scope={"read": NONE}), (*M, "scope", "read")),
    ("ST202", scope(S, ["session", "agent"]), (*M, "scope", "write", 1)),
    ("ST203", memory(scope={"read": SA}), (*M, "scope", "read", 1)),
    ("ST203", memory(scope={"write": NONE}), (*M, "scope", "write")),
    ("ST204", off(None, kinds=["fact"]), M),
    ("ST204", off(None, labels=LABEL), M),
    ("ST204", off(model="small", labels=LABEL), (*M, "enabled")),
    ("ST205", off(None, tools=["add_memory"]), (*M, "tools")),
    ("ST205", off(tools=["search_memory"]), (*M, "tools")),
    ("ST205", memory(scope={"write": A}, tools=["read_memory", "delete_memory"]), (*M, "tools", 1)),
    ("ST205", memory(scope={"write": NONE}, tools=["read_memory", "delete_memory"]), (*M, "tools", 1)),
    ("ST205", memory(scope={"read": NONE}, tools=["add_memory", "read_memory"]), (*M, "tools", 1)),
    ("ST206", memory(tools=["search_memory"]), (*M, "tools", 0)),
    ("ST207", both(), (*M, "scope", "write")),
    ("ST207", both("Keep rulings and limits."), (*M, "scope", "write")),
    ("ST207", memory(scope={"write": SA}), (*M, "scope", "write")),
    ("ST207", both(labels=LABEL), (*M, "scope", "write")),
    ("ST208", scope(NONE, NONE), (*M, "scope")),
    ("ST209", memory(model="small", scope={"write": NONE}), (*M, "model")),
    ("ST209", scope(S, NONE, extraction={"every": {"messages": 3}}), (*M, "extraction")),
    ("ST301", {**NO_SESSIONS, "harness": {"history": {}}}, ("harness", "history")),
    ("ST302", memory(search={"mode": "lexical", "min_score": 0}), (*M, "search", "min_score")),
    ("ST303", memory({"model": {"context_tokens": 20_000}}, pinned={"max_tokens": 2001}), (*M, "pinned", "max_tokens")),
    ("ST304", memory(scope={"write": NONE}, pinned={"max_tokens": 500}), (*M, "pinned")),
    ("ST305", context(summarize_at=1999), (*C, "summarize_at")),
    ("ST305", context(offload_threshold=60_001), (*C, "offload_threshold")),
    ("ST305", context(keep_messages=10_001), (*C, "keep_messages")),
    ("ST306", {"harness": {"history": {"$comment": "all of it"}}}, ("harness", "history")),
    ("ST307", context(60_000), ("model", "context_tokens")),  # against the default of summarize_at
    ("ST307", context(32_000, summarize_at=32_000), (*C, "summarize_at")),
    ("ST308", memory({"limits": {"model_calls": 1}}), ("limits", "model_calls")),
    ("ST309", memory(pinned={"max_tokens": 12}), (*M, "pinned", "max_tokens")),
    ("ST310", memory(search={"mode": "vector", "min_score": 0.95}), (*M, "search", "min_score")),
    ("ST311", memory(NO_SESSIONS, **AGENT_ONLY, extraction={"every": {"messages": 3}}),
     (*M, "extraction", "every", "messages")),
    ("ST401", memory(labels={"a1": {"number": 7}, "b2": {"number": 7.0}}), (*M, "labels", "b2", "number")),
    ("ST403", memory(kinds=["Fact", "fact"]), (*M, "kinds", 1)),
    ("ST403", memory(kinds=["guidence"]), (*M, "kinds", 0)),
    ("ST403", labels(customer_id="The payer.", costumer_id="The payee."), (*M, "labels", "costumer_id")),
    ("ST403", memory(kinds=["house rule", "house-rules"]), (*M, "kinds", 1)),
    ("ST403", labels(customer_id="The payer.", customerid="The payee."), (*M, "labels", "customerid")),
    ("ST403", labels(currency="Of the amount.", curency="Of the limit."), (*M, "labels", "curency")),
    ("ST403", off(labels={"category": {"number": 1}, "categories": {"number": 2}}), (*M, "labels", "categories")),
    ("ST404", labels(urgent=None), (*M, "labels", "urgent")),
    ("ST404", labels(urgent=""), (*M, "labels", "urgent", "description")),
    ("ST404", labels(urgent="  \n"), (*M, "labels", "urgent", "description")),
    ("ST404", labels(urgent="Lorem"), (*M, "labels", "urgent", "description")),
    ("ST404", labels(urgent="[TODO] say when"), (*M, "labels", "urgent", "description")),
    ("ST404", labels(urgent="(tbd)"), (*M, "labels", "urgent", "description")),
    ("ST404", labels(urgent="TBD - ask legal"), (*M, "labels", "urgent", "description")),
    ("ST404", labels(customer_id="The Customer-ID."), (*M, "labels", "customer_id", "description")),
    ("ST404", labels(x="…"), (*M, "labels", "x", "description")),
    ("ST405", memory(extraction={"prompt": " "}), (*M, "extraction", "prompt")),
    ("ST405", memory(extraction={"prompt": "<your prompt>"}), (*M, "extraction", "prompt")),
    ("ST406", labels(a="Who pays.", b="who pays"), (*M, "labels", "b", "description")),
    ("ST601", memory(scope={"write": A}), (*M, "scope", "write", 0)),  # by the default of read
    ("ST601", scope(["agent", "session"], ["agent", "session"]), (*M, "scope", "write", 0)),
]  # fmt: skip


def found(config: dict[str, Any]) -> list[tuple[str, Pointer]]:
    return [(each.code, each.pointer) for each in lint([read_text(json.dumps(config), path="a.json")])]


@pytest.mark.parametrize(("code", "config"), SILENT, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_nearly_wrong_is_not_told(code: str, config: dict[str, Any]) -> None:
    told = found(config)
    assert code not in [each for each, _ in told]
    assert not [each for each in told if each[0].startswith("ST1")]  # it is judged at all


@pytest.mark.parametrize(
    ("code", "config", "pointer"), FOUND, ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_is_wrong_in_an_odd_way_is_told_once_at_its_place(
    code: str, config: dict[str, Any], pointer: Pointer
) -> None:
    assert [each for each in found(config) if each[0] == code] == [(code, pointer)]


@pytest.mark.parametrize("code", JUDGED)
def test_every_rule_of_one_config_is_tried_both_ways(code: str) -> None:
    assert code in [each for each, _ in SILENT]
    assert code in [each for each, *_ in FOUND]


def test_a_scope_that_is_stated_twice_is_one_scope() -> None:
    """ST105 says so; that both scopes may be written (ST207) would be wrong."""
    found = lint([read_text(json.dumps(scope(S, ["session", "session"])), path="a.json")])
    assert [each.code for each in found] == ["ST105"]
