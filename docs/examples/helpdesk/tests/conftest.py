"""Hypothesis tries the same examples on every machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None)
settings.load_profile("same")
