"""Random scenarios, valid by construction, and the search for one that a memory system fails. Needs Hypothesis."""

from __future__ import annotations

from .cast import Role, Version, roles
from .strategies import scenarios
from .wording import Document
from .words import hostile_text
from .writer import write

__all__ = ["Document", "Role", "Version", "hostile_text", "roles", "scenarios", "write"]
