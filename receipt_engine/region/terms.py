"""The terms of the language files: what a word means wherever it stands.

A role says what a row is, and a row's roles compete; terms do not. One line each, in alphabetical order.
"""

from __future__ import annotations

from typing import Literal

Term = Literal[
    "customer",  # to whom the document is made out: "Bill to", "Kunde"
]
