"""A sound config with every setting, and the layouts it can be written in: for properties of all layouts."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from written import Layout, Node

CONFIG: dict[str, Any] = {
    "agent": "réconcilié 😀",
    "version": 3,
    "sessions": True,
    "model": {"name": "large-model", "context_tokens": 200000},
    "limits": {"model_calls": 50},
    "harness": {
        "context": {"offload_threshold": 2000, "summarize_at": 60000, "keep_messages": 8},
        "history": {"index": "messages_and_tools"},
        "memory": {
            "enabled": True,
            "scope": {"read": ["session", "agent"], "write": ["session"]},
            "tools": ["add_memory", "read_memory", "delete_memory"],
            "pinned": {"max_tokens": 2000},
            "model": "small-model",
            "extraction": {"prompt": "Keep rulings: 顧客, “limits”.", "every": {"messages": 20}},
            "search": {"mode": "hybrid", "max_results": 8, "min_score": 0.35},
            "kinds": ["guidance", "fact", "événement"],
            "labels": {
                "customer_id": {"number": 5, "description": "The customer 😀 it is about."},
                "currency": {"number": 6, "description": "Its currency."},
            },
        },
    },
}


def shuffled(draw: st.DrawFn, inside: Node) -> None:
    if inside.entries is not None:
        inside.entries[:] = draw(st.permutations(inside.entries))
        for each in inside.entries:
            shuffled(draw, each.value)


layouts = st.builds(
    Layout,
    kind=st.sampled_from(["json", "yaml", "flow"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    indent=st.sampled_from(["", " ", "  ", "    "]),
    choices=st.lists(st.integers(0, 59), min_size=1, max_size=40),
) | st.builds(Layout, kind=st.just("json"), newline=st.sampled_from(["\n", "\r\n"]), indent=st.just("\t"))
