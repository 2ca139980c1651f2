"""What is printed between a quantity and the price of one, or of all of it: "x", "@", "for", "単価"."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from receipt_engine.vocabulary.terms import term_phrases


class PriceSigns(NamedTuple):
    """times: what stands between a quantity and the price of one, or of all of it; per: between the number of
    units that a price is for and that price ("@ 1 lb /0.58", "@ 2 for 5.00"). label: between a sign of
    multiplication and the price ("2個 X 単158", "(2 X @148)"). bundles: words before the price of all."""

    times: re.Pattern[str]
    per: re.Pattern[str]
    label: re.Pattern[str]
    bundles: frozenset[str]


@cache
def price_signs() -> PriceSigns:
    """The signs, with the words of every language."""
    bundles = term_phrases("bundle_price")
    words = "|".join(
        re.escape(word) + "(?= )" * (len(word) > 1) for word in (*bundles, *term_phrases("each_price"))
    )
    times = re.compile(
        r" ?(?:(?P<word>[^\W\d_]{2,12}|[\u3040-\u9fff])\.? )?"
        rf"(?P<sign>[xX*@]|(?i:{words})|/(?=[$€£]|[0-9]+[.,][0-9]{{2}}(?![0-9])))(?: |(?=[^\w\s]|[0-9]))"
    )
    per = re.compile(
        rf" ?(?P<per>[0-9]{{1,3}}) ?(?:[^\W\d_]{{1,3}} ?)?(?:/ ?|(?i:{'|'.join(map(re.escape, bundles))}) )"
    )
    each = "|".join(map(re.escape, sorted(term_phrases("each_price"), key=len, reverse=True)))
    return PriceSigns(times, per, re.compile(rf"(?: |@|(?i:{each}))*"), frozenset(bundles))
