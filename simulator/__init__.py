"""Script -> run -> trace -> verdict."""
