"""The shipped suites, by theme. Data only."""
