"""What a turn is handed of its session's past: the conversation that it continues, and the results it may ask for.

The one place that reads the past of a session, and of that session alone (VIEW-2, VIEW-4). While a turn is open no
other of its session commits (TXN-3), so that what is read here at any time is the turn's snapshot (VIEW-5).
"""

from __future__ import annotations

from . import messages
from .config import Config
from .conversation import Conversation, Entry
from .journal import Start
from .messages import Mark, Message
from .plain import decoded, is_text
from .references import References
from .render import line
from .store import Store
from .tokens import TokenCounter
from .views import planes_seen


def references(store: Store, begun: Start, config: Config, count_tokens: TokenCounter) -> References:
    """The references of a turn that begins: its own, and those of its session's committed turns (CTX-5)."""
    session, planes = begun.session, planes_seen(begun.plane)

    def earlier(ref: str) -> str | None:
        if session is None or not is_text(ref):  # VIEW-7; and what SQLite cannot hold was never issued
            return None
        return messages.result(store.sql, begun.agent, session, planes, ref)

    return References(
        agent=begun.agent,
        plane=begun.plane,
        session=session,
        execution=begun.id,
        threshold=config.offload_threshold,
        count_tokens=count_tokens,
        earlier=earlier,
    )


def continued(store: Store, begun: Start, known: References, count_tokens: TokenCounter) -> Conversation:
    """The conversation that the turn continues: the latest summary in view, and what it does not stand for (VIEW-4)."""
    session, planes = begun.session, planes_seen(begun.plane)
    if session is None:  # VIEW-7
        return Conversation(begun.plane, carried=(), summary=None, count_tokens=count_tokens)
    summary = messages.latest_summary(store.sql, begun.agent, session, planes)
    marks = {} if summary is None else {mark.plane: mark for mark in summary.marks}
    kept = messages.since(store.sql, begun.agent, session, planes, marks)
    return Conversation(
        begun.plane,
        carried=[
            Entry(message.body, message.body, mark) if message.ref is None else _result(mark, message, known)
            for mark, message in kept
        ],
        summary=summary,
        count_tokens=count_tokens,
    )


def _result(mark: Mark, message: Message, known: References) -> Entry:
    """A kept result as a later turn shows it (CTX-4)."""
    shown = line(known.carried(decoded(message.body)))
    return Entry(shown, shown, mark)
