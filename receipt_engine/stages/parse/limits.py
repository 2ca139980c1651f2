"""A limit that the finders of amounts, dates and quantities share."""

from __future__ import annotations

#: Maximum characters of a line; the rest is cut. No receipt has such lines, and parsing time must be bounded.
MAX_LINE = 500
