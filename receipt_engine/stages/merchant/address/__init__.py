"""Where was sold: the segments of a page and the weights in, the address block and its text out.

Decides with a log-odds for every segment, from what it and its neighbours show (`features`), which run of
them is the likeliest address (`block`), which segments at its edges are of another kind (`edges`), and how
the rows are joined into one text (`text`).
"""
