"""Measurements of the HTTP service: kill runs, load, and the underlying disk. Loopback only."""
