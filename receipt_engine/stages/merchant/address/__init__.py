"""Finds the merchant's address: a page's segments and the weights -> the address block and its text.

Computes the log-odds of every segment from its own features and its neighbours' (`features`), chooses the
likeliest run of segments (`block`), removes those at its edges that are of another kind (`edges`, `heading`,
`kinds`), and joins the rows into one text (`text`).
"""
