"""Measures the engine on labelled images; see ``python -m benchmarks --help``."""
