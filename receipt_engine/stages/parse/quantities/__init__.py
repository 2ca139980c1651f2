"""Counts, weights and volumes in one line of text.

In: the text of a line and the region's units; the amounts of the line are found on the way.
Out: quantities that do not overlap, left to right, each with its unit and the price of one beside it.
Decides: which numbers count or measure (`finder`), and which of three numbers in a row is the product of the
other two (`products`).
"""

from receipt_engine.stages.parse.quantities.finder import find_quantities

__all__ = ["find_quantities"]
