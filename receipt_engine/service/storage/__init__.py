"""Persistent storage: the database and its tables, encrypted images, encryption keys, and deletion.

In: rows and plain bytes. Out: the same data until its retention ends, and nothing after that.
Decides how bytes are encrypted, where they are stored, when they are durable and when they are deleted.
Knows only the tables of accounts and jobs, and nothing of HTTP.
"""
