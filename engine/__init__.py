"""The memory system: agents, sessions, turns, records, recall (the clauses are listed in docs/memory-system.md)."""

from .answers import Answer
from .console import Console
from .context import Context
from .engine import Engine
from .extraction import Decided
from .ledger import Ledger
from .memory import Memory
from .tokens import TokenCounter, count_tokens
from .trouble import StoreError
from .turn import Helper, Turn, TurnResult
from .values import ERROR_CODES, EngineError

__all__ = [
    "ERROR_CODES",
    "Answer",
    "Console",
    "Context",
    "Decided",
    "Engine",
    "EngineError",
    "Helper",
    "Ledger",
    "Memory",
    "StoreError",
    "TokenCounter",
    "Turn",
    "TurnResult",
    "count_tokens",
]
