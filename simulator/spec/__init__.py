"""The clauses of the memory system. What covers each is told by `cover`, and put in words by `report`."""

from __future__ import annotations

from .clauses import CLAUSES, GROUPS, Clause

__all__ = ["CLAUSES", "GROUPS", "Clause"]
