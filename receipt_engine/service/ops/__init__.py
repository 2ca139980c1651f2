"""Serves the operator: health, readiness, metrics, and the administration commands.

In: the opened parts of the service, or a command's arguments. Out: probes and metrics on a separate port, and
printed output.
Decides what counts as ready and as sound, and how keys are rotated and backups made.
"""
