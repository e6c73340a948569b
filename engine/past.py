"""What a turn is handed of its session's past: the conversation that it continues, and the results it may ask for.

The one place that reads the past of a session, and of that session alone (VIEW-2, VIEW-4). While a turn is open no
other of its session commits (TXN-3), so that what is read here at any time is the turn's snapshot (VIEW-5).
"""

from __future__ import annotations

import json

from . import journal
from .config import Config
from .journal import Start
from .plain import is_text
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
        return journal.result(store.sql, begun.agent, session, planes, ref)

    return References(
        agent=begun.agent,
        plane=begun.plane,
        session=session,
        execution=begun.id,
        threshold=config.offload_threshold,
        count_tokens=count_tokens,
        earlier=earlier,
    )


def carried_messages(store: Store, begun: Start, known: References) -> tuple[str, ...]:
    """The conversation so far as the turn's context shows it, oldest first, each one line of JSON (VIEW-4, CTX-4)."""
    if begun.session is None:
        return ()
    kept = journal.conversation(store.sql, begun.agent, begun.session, planes_seen(begun.plane))
    return tuple(
        message.body if message.ref is None else line(known.carried(json.loads(message.body))) for message in kept
    )
