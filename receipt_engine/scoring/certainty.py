"""Four levels of certainty, on the scale of weights from 0 to 1.

A weight says how surely a phrase, or the words beside an amount, show a role. Stages compare it with one of
these; where another threshold stands, it means something else and says what.
"""

from __future__ import annotations

#: The words say so among other things.
POSSIBLE = 0.3
#: The words say so, and name too much else where they stand alone ("AMOUNT").
WEAK = 0.4
#: The words say so rather than anything else.
LIKELY = 0.5
#: The words say nothing else.
SURE = 0.8
