"""Who may do what: accounts, their API keys and credits, their passwords and dashboard sessions.

In: a key, a name with a password, or a session cookie. Out: the account behind it, or None.
Decides whether a secret is valid, in the same time for known and unknown ones, and books every change of
credits in the ledger. Secrets are stored as digests only. Knows nothing of HTTP.
"""
