"""Documents with positions in, diagnostics out."""

from seatrial.schemas.problem import Fix

from .chain import Identity, identity
from .check import lint
from .diagnostic import Diagnostic, Pointer, Related, Severity, Span, pointer_text
from .document import Document, read_bytes, read_path, read_stdin, read_text
from .schema_check import schema_diagnostics
from .settled import Settled, settled_config

__all__ = [
    "Diagnostic",
    "Document",
    "Fix",
    "Identity",
    "Pointer",
    "Related",
    "Settled",
    "Severity",
    "Span",
    "identity",
    "lint",
    "pointer_text",
    "read_bytes",
    "read_path",
    "read_stdin",
    "read_text",
    "schema_diagnostics",
    "settled_config",
]
