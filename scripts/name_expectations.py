"""Prior values for the weights of the name model, before any receipt is seen; see `scripts/fit_merchant.py`.

A few hundred receipts of a few countries do not show every feature's value elsewhere. The fit therefore
penalises each weight's distance from the value expected here, not from zero, and allows no weight of the
opposite sign to a feature that can only speak for or only against a name. The values are set by hand, from
how tills print headers; none is fitted.
"""

from __future__ import annotations

#: Feature → its expected weight, in log-odds; 0 for others.
EXPECTED: dict[str, float] = {
    "domain": 1.5,
    "domain_all": 1.0,
    "greeting_own": 3.0,
    "programme": 2.0,
    "numbered": 1.0,
    "broad>1.4": 0.8,
    "trade": 1.0,
    "one_word": 0.3,
    "biggest": 0.5,
    "logo": 1.0,
    "generic_legal": -2.0,
    "trade_only": -2.0,
    "trade_only_above": -3.0,
    "legal:bhd": 1.0,
    "legal_only": -2.0,
    "row_goes_on": -2.0,
    "labelled": -1.5,
    "sentence": -3.0,
    "lower_words": -2.0,
    "lower_many": -2.5,
    "join:place": -0.5,
    "owner": -1.0,
    "owned_above": -0.5,
    "zone:items": -1.5,
    "title": -1.0,
    "address_score": -1.0,
    "in_address": -1.0,
    "after_address": -1.0,
    "in_address_again": -1.0,
    "brackets": -0.5,
    "colon": -0.5,
    "digit_share": -1.0,
    "digits_first": -0.3,
    "short": -0.5,
    "poor": -1.0,
    "poor:0.85": -0.5,
    "open_start": -1.0,
    "open_end": -1.0,
    "entity:phone": -0.5,
    "entity:date": -1.0,
    "join:trade_close": 1.0,
    "join:open": 0.7,
    "join:open_inside": 1.0,
    "join:uneven": -0.7,
    "join:uneven_breadth": -0.5,
    "join:all_broad": 0.3,
    "join:address": -0.5,
    "join:title": -1.0,
    "join:entity": -1.0,
}
#: Features that only speak for a name, and those that only speak against it.
_LIST_FOR = """
biggest broad>1.4 centred domain domain_all join:trade_close logo numbered programme trade
"""
FOR = frozenset(_LIST_FOR.split())
_LIST_AGAINST = """
address_score after_address brackets colon digit_share digits_first entity:date entity:phone generic_legal
in_address in_address_again join:address join:entity join:place join:title join:uneven join:uneven_breadth
labelled legal_only lower_many lower_words many_words off_centre open_end open_start poor poor:0.85
role:quantity row_goes_on sentence short smaller_than_head title trade_only trade_only_above zone:items
"""
AGAINST = frozenset(_LIST_AGAINST.split())
