"""Manages accounts: their API keys and credits, passwords and dashboard sessions.

In: a key, a name with a password, or a session cookie. Out: the account it belongs to, or None.
Decides whether a secret is valid, taking the same time for known and unknown ones, and records credit
changes in the ledger. Secrets are stored only as digests. Does not depend on HTTP.
"""
