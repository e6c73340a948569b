"""One formatter a file: a list of diagnostics in, text out."""
