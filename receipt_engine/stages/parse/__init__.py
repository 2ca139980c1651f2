"""Parses printed lines of text: finds amounts, percentages, quantities, dates and times.

In: the text of one line (`find_…`) or all rows of a page (`parse`), and the rules of a region. Out: frozen
readings with their offsets in that text, from the subpackages `amounts`, `dates` and `quantities`. Decides:
where the page's own number format overrides the region's (`rows`), which spaces separate columns
(`column_gaps`), which accents are dirt and which digits inside words are letters (`doubtful`). Nothing else
is decided here: text that can be read in several ways keeps all its readings, each with a cost.

Costs are comparable between all finders: about the negative natural logarithm of the probability that the
reading is right, so 0 is as good as certain, 0.7 even odds, 2.3 one in ten, 3 one in twenty. A reading that
costs more than `ACCEPTED` is a guess that needs other evidence (a sum that adds up, a label).
"""

from receipt_engine.scoring.costs import ACCEPTED
from receipt_engine.stages.parse.amounts import AmountHints, find_amounts, find_percents
from receipt_engine.stages.parse.dates import find_dates, find_times
from receipt_engine.stages.parse.quantities import find_quantities
from receipt_engine.stages.parse.rows import parse

__all__ = [
    "ACCEPTED", "AmountHints", "find_amounts", "find_dates", "find_percents", "find_quantities", "find_times",
    "parse",
]  # fmt: skip
