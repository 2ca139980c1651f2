"""Finds counts, weights and volumes in one line of text.

In: the text of a line and the region's units; the line's amounts are found here too.
Out: quantities that do not overlap, left to right, each with its unit and the unit price beside it.
Decides: which numbers are counts or measures (`finder`), and which of three numbers in a row is the product
of the other two (`products`).
"""

from receipt_engine.stages.parse.quantities.finder import find_quantities

__all__ = ["find_quantities"]
