"""Mistakes that are put into a config by a function named like the code that finds them: what they share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from seatrial.linter import Document, Pointer, lint, read_text

Config = dict[str, Any]
Choose = Callable[[list[Any]], Any]
Change = Callable[[Config, Config, Choose], Pointer]  # (config, its memory, choose) -> where the finding stands

M = ("harness", "memory")
SCOPE = (*M, "scope")
TOOLS = ["add_memory", "read_memory", "delete_memory"]


def mistake(table: dict[str, tuple[Change, str]], also: str = "") -> Callable[[Change], Change]:
    def added(change: Change) -> Change:
        table[change.__name__] = (change, also)
        return change

    return added


def own_scope(memory: Config) -> Any:
    return memory["scope"]["write"][0]


def other_scope(memory: Config) -> str:
    return "agent" if own_scope(memory) == "session" else "session"


def read(config: Config, path: str) -> Document:
    return read_text(json.dumps(config), path=path)


def found(documents: list[Document], path: str) -> list[tuple[str, Pointer]]:
    told = lint(documents)
    assert {each.path for each in told} <= {path}
    return [(each.code, each.pointer) for each in told]
