"""What lasts: the database and its tables, sealed pictures, the keys they are sealed with, and deletion.

In: rows and plain bytes. Out: the same again for as long as they are kept, and nothing after that.
Decides how bytes are sealed, where they lie, when they are durable and when they are gone. Knows nothing of
HTTP, accounts or jobs beyond their tables.
"""
