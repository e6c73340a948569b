"""Documents with positions in, diagnostics out."""
