"""Measures the engine on labelled pictures; see ``python -m benchmarks --help``."""
