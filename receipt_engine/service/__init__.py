"""HTTP service around the engine: upload an image, get a token, poll for the result, pay with credits.

Installed with the extra `service`.

    http ─► accounts            authenticates and authorises the caller
      └───► jobs ─► storage     accepts and queues uploads, runs the engine, stores everything encrypted
    dashboard, ops              web pages for one account; probes, metrics, administration

The job row is the source of truth: an answer with a token is sent only after the row is on disk, and a
result counts only if it was stored under a valid lease. The service uses only `receipt_engine`'s public
names; of the rest of the package only the command line imports it.
"""
