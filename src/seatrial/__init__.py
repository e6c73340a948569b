"""seatrial: the trial an agent's memory passes before it goes live."""

__version__ = "0.1.0"
