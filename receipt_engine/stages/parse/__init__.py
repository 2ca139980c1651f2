"""Parsing one printed line of text: amounts, percentages, quantities, dates and times.

Every finder takes the text of one line and the rules of a region, and returns frozen readings with their
offsets in that text. Nothing is decided silently: a place that can be read in several ways carries all of
them with a cost.

Costs are comparable between all finders: about the negative natural logarithm of the probability that
the print means this, so 0 is as good as certain, 0.7 even odds, 2.3 one in ten, 3 one in twenty. A reading
that costs more than `ACCEPTED` is a guess that needs support from elsewhere (a sum that closes, a label).
"""

from receipt_engine.stages.parse.amounts import AmountHints, find_amounts
from receipt_engine.stages.parse.characters import ACCEPTED
from receipt_engine.stages.parse.dates import find_dates
from receipt_engine.stages.parse.percent import find_percents
from receipt_engine.stages.parse.quantities import find_quantities
from receipt_engine.stages.parse.rows import parse
from receipt_engine.stages.parse.times import find_times

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
