"""The oracle: what a trace must satisfy, told without the engine."""
