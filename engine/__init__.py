"""The memory system: agents, sessions, turns, records, recall (the clauses are listed in docs/memory-system.md)."""
