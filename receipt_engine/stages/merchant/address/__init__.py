"""Finds the merchant's address: a page's segments and the weights -> the address block.

Computes the log-odds of every segment from its own features and its neighbours' (`features`), excludes rows
that are not the shop's (`other_rows`), chooses the likeliest run of segments (`search`, `block`), tells the
shop's from its company's (`two_addresses`), and corrects it at its edges (`edges`, `heading`, `kinds`).
"""
