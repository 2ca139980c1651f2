"""Parsing one printed line of text: amounts, percentages, quantities, dates and times.

In: the text of a line (`find_…`) or all rows (`parse`), and the rules of a region. Out: frozen readings with
their offsets in that text, from the rooms `amounts`, `dates` and `quantities`. Decides: what a page's own
habits say against its region's (`rows`), which blanks part columns (`column_gaps`), which accents are dirt
(`doubtful_accents`), which digits inside words are letters (`doubtful_digits`). Nothing else is decided
silently: print that can be read in several ways carries all of them with a cost.

Costs are comparable between all finders: about the negative natural logarithm of the probability that
the print means this, so 0 is as good as certain, 0.7 even odds, 2.3 one in ten, 3 one in twenty. A reading
that costs more than `ACCEPTED` is a guess that needs support from elsewhere (a sum that closes, a label).
"""

from receipt_engine.scoring.costs import ACCEPTED
from receipt_engine.stages.parse.amounts import AmountHints, find_amounts, find_percents
from receipt_engine.stages.parse.dates import find_dates, find_times
from receipt_engine.stages.parse.quantities import find_quantities
from receipt_engine.stages.parse.rows import parse

__all__ = [
    "ACCEPTED",
    "AmountHints",
    "find_amounts",
    "find_dates",
    "find_percents",
    "find_quantities",
    "find_times",
    "parse",
]
