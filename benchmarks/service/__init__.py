"""Measurements of the HTTP service: kill runs, load, and the disk it stands on. Loopback only."""
