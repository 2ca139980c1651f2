"""Thresholds for the cost of a reading: 0 is as printed; each unit makes it about e times less likely."""

from __future__ import annotations

#: Above this cost another meaning is as likely: "BOOK A4 12.00" read as a day in December.
DOUBTFUL = 1.0
#: Above this cost a reading is a guess: about one in twenty is right.
ACCEPTED = 3.0
#: Cost of a value that a rule forbids; no other evidence outweighs it.
FORBIDDEN = 9.0
