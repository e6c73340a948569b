"""Configs that the random programs deploy, by name: what a program prints is then a word."""

from __future__ import annotations

from typing import Any

TOOLS = ["add_memory", "read_memory", "delete_memory"]
LABELS = {"customer": {"number": 1}, "urgent": {"number": 4}}
BOTH = {"read": ["session", "agent"], "write": ["session", "agent"]}


def _config(
    *, context: dict[str, int] | None = None, calls: int = 50, history: str | None = "messages_and_tools", **memory: Any
) -> dict[str, Any]:
    settings = {
        "enabled": True,
        "tools": TOOLS,
        "scope": BOTH,
        "labels": LABELS,
        "pinned": {"max_tokens": 40},
        **memory,
    }
    harness: dict[str, Any] = {"memory": {key: value for key, value in settings.items() if value is not None}}
    if history is not None:
        harness["history"] = {"index": history}
    if context is not None:
        harness["context"] = context
    return {"limits": {"model_calls": calls}, "harness": harness}


CONFIGS: dict[str, dict[str, Any]] = {
    "both": _config(),
    "pins": _config(pinned={"max_tokens": 20}),
    "tiny_pins": _config(pinned={"max_tokens": 1}),
    "no_pins": _config(pinned=None),
    "narrow": _config(scope=None),
    "reads_session": _config(scope={"read": ["session"], "write": ["session", "agent"]}),
    "writes_agent": _config(scope={"read": ["session", "agent"], "write": ["agent"]}),
    "writes_only": _config(scope={"read": [], "write": ["session", "agent"]}),
    "lexical": _config(search={"mode": "lexical", "max_results": 2}),
    "vector": _config(search={"mode": "vector", "min_score": 0.1}),
    "strict": _config(search={"min_score": 1.0}),
    "lenient": _config(search={"min_score": 0.0, "max_results": 3}),
    "own_kinds": _config(kinds=["ruling", "fact"]),
    "more_labels": _config(labels={**LABELS, "extra": {"number": 2}}),
    "number_4_reused": _config(labels={"customer": {"number": 1}, "extra": {"number": 4}}),
    "renumbered": _config(labels={"customer": {"number": 2}, "urgent": {"number": 4}}),
    "no_labels": _config(labels=None),
    "few_calls": _config(calls=2),
    "small_results": _config(context={"offload_threshold": 5}),
    "messages": _config(history="messages", context={"offload_threshold": 5}),
    "no_history": _config(history=None),
    "summaries": _config(context={"offload_threshold": 20, "summarize_at": 60, "keep_messages": 2}),
    "summaries_of_all": _config(context={"offload_threshold": 5, "summarize_at": 25, "keep_messages": 1}),
    "few_calls_for_summaries": _config(calls=1, context={"summarize_at": 10, "keep_messages": 1}),
    "reviews_seldom": _config(extraction={"every": {"messages": 6}}, model="small-model"),
    "few_calls_for_reviews": _config(calls=1, extraction={"every": {"messages": 4}}),
    "no_tools": _config(tools=None),
    "off": _config(enabled=None),
    "version_5": {"version": 5, **_config()},
    "version_5_otherwise": {"version": 5, **_config(kinds=["fact"])},
    "sessionless": {"sessions": False, **_config(scope={"read": ["agent"], "write": ["agent"]})},
    "sessionless_wrong": {"sessions": False, **_config()},
}
