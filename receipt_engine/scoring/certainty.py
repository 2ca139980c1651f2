"""Four thresholds for role weights, which range from 0 to 1.

A role weight says how strongly a phrase, or the words beside an amount, indicate a role. Stages compare it
with one of these levels. A stage that uses another threshold says what it means.
"""

from __future__ import annotations

#: The role is one of several that the words may name.
POSSIBLE = 0.3
#: The words name the role, but are too ambiguous where they stand alone ("AMOUNT").
WEAK = 0.4
#: The role is more likely than any other meaning of the words.
LIKELY = 0.5
#: The words have no other meaning.
SURE = 0.8
