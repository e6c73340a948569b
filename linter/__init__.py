"""Documents with positions in, diagnostics out."""

from .diagnostic import Diagnostic, Pointer, Related, Severity, Span, pointer_text
from .document import Document, read_bytes, read_path, read_text

__all__ = [
    "Diagnostic",
    "Document",
    "Pointer",
    "Related",
    "Severity",
    "Span",
    "pointer_text",
    "read_bytes",
    "read_path",
    "read_text",
]
