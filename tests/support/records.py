"""Records for tests of parts that take records as they are, without an engine."""

from __future__ import annotations

from seatrial.engine.values import LabelValue, Record, Scope, Status


def record(
    name: str,
    summary: str,
    content: str | None = None,
    *,
    kind: str = "fact",
    labels: tuple[tuple[int, LabelValue], ...] = (),
    scope: Scope = "session",
    status: Status = "ACTIVE",
    at: int = 0,
) -> Record:
    """A live record of the agent `reconciler`, written in the session `account-17`."""
    return Record(
        id=name,
        agent="reconciler",
        plane="live",
        scope=scope,
        session="account-17",
        summary=summary,
        content=content,
        kind=kind,
        labels=labels,
        pinned=False,
        status=status,
        at=at,
        ordinal=0,
        execution="e1",
        version=1,
        turn=1,
        source="tool",
    )
