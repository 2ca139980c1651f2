"""Levels of what readings cost: 0 is as printed, and each unit makes a reading about e times less likely."""

from __future__ import annotations

#: A reading that costs more may as well be something else: "BOOK A4 12.00" a day in December.
DOUBTFUL = 1.0
#: A reading that costs more is a guess: about one in twenty is right.
ACCEPTED = 3.0
#: What a value costs that a rule forbids: no other cost makes up for it.
FORBIDDEN = 9.0
