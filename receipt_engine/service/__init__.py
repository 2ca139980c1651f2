"""The HTTP service around the engine: upload, token, poll, credits. Installed by the extra `service`.

    http ─► accounts            who calls, and what it may
      └───► jobs ─► storage     accepts, queues, reads with the engine, keeps sealed
    dashboard, ops              the pages of one account; probes, logs, administration

The job row is the truth: an answer that carries a token is sent after the row is on the disk, and a
result counts only when it was stored under a valid lease. Only `receipt_engine`'s public names are used,
and nothing else in the package imports this one.
"""
