"""Reads products sold by measure whose volume, price and amount are printed on separate rows: mostly fuel.

In: the products, the page's rows and the entries of the totals. Out: the products, with volume and unit price
(`completion`). The rows are matched by arithmetic, volume × price = amount (`measures`), because labels and
their order differ from pump to pump; the name is on a row near them.
"""
