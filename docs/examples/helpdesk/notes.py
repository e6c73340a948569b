"""A memory system of our own, as small as it gets: notes by account, found by a word, with a trace of what it does."""

from __future__ import annotations

from typing import Any


class Notes:
    """Keeps notes, and writes down what it was given and what it showed, for `check_trace`."""

    def __init__(self) -> None:
        self.kept: list[dict[str, str]] = []
        self.trace: list[dict[str, Any]] = [{"type": "trace", "format": 1, "scenario": "our notes"}]
        self._turns = 0

    def add(self, account: str, text: str) -> None:
        note = {"id": f"note-{len(self.kept):08}", "account": account, "summary": text}
        self.kept.append(note)
        shown = {"record": {"id": note["id"], "summary": text}}
        self._tell(account, {"type": "call", "call": 1, "tool": "add_memory", "answer": shown})

    def find(self, account: str, word: str) -> list[dict[str, str]]:
        found = [note for note in self.kept if word in note["summary"] and note["account"] == account]
        shown = {"records": [{"id": note["id"], "summary": note["summary"]} for note in found]}
        self._tell(account, {"type": "call", "call": 1, "tool": "search_memory", "answer": shown})
        return found

    def _tell(self, account: str, line: dict[str, Any]) -> None:
        self._turns += 1
        turn = f"t{self._turns}"
        self.trace.append({"type": "begin", "turn": turn, "agent": "desk", "session": account})
        self.trace.append({**line, "turn": turn})
        self.trace.append({"type": "end", "turn": turn, "outcome": "committed"})
