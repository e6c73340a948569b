"""The JSON Schemas, what they say of a value, and the schema that a successor must satisfy.

Knows no document and no engine. jsonschema is loaded when a value is first checked, not before.
"""

from __future__ import annotations

from .labels import Labels, shared_numbers
from .loader import load, names, standalone, text
from .problem import Elsewhere, Problem
from .verdict import config_problems, problems

__all__ = [
    "Elsewhere",
    "Labels",
    "Problem",
    "config_problems",
    "load",
    "names",
    "problems",
    "shared_numbers",
    "standalone",
    "text",
]
