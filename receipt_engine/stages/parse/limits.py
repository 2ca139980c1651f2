"""What the finders of amounts, dates and quantities agree on."""

from __future__ import annotations

#: Longer lines are cut: no receipt prints them, and a parser's time must be bounded.
MAX_LINE = 500
