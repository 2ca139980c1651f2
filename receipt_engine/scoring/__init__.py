"""Shared thresholds for weights and reading costs, and the linear models that score features."""
