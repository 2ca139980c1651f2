"""Decides when an answer counts as right, and computes scores from the counts."""
