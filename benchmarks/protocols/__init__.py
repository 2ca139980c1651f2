"""Measurement protocols, one per module: each turns a `Study` into tables."""
