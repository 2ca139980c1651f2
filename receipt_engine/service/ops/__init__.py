"""What an operator sees and does: health, readiness, metrics, and the commands of administration.

In: the opened parts of the service, or a command's arguments. Out: probes and metrics over a port of their
own, and printed answers.
Decides what counts as ready and as sound, and how keys are rotated and backups made.
"""
