"""What the finders of amounts, dates and quantities agree on."""

from __future__ import annotations

#: A reading with a larger cost is a guess: about one in twenty is right.
ACCEPTED = 3.0

#: What a value costs that a rule forbids: no other cost makes up for it.
FORBIDDEN = 9.0

#: Longer lines are cut: no receipt prints them, and a parser's time must be bounded.
MAX_LINE = 500
