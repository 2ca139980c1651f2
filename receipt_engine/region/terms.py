"""The terms of the language files: what a word means wherever it stands.

A role says what a row is, and a row's roles compete; terms do not. One line each, in alphabetical order.
"""

from __future__ import annotations

from typing import Literal

Term = Literal[
    "billing_detail",  # what only a bill that is paid later states: "Payment terms", "Rechnungsdatum"
    "customer",  # to whom the document is made out: "Bill to", "Kunde"
    "due_day",  # the day by which to pay: "Due date", "Zahlbar bis"
    "stay",  # a guest's stay: "Arrival", "Check-out", "Nächte"
    "walk_in",  # a customer who is not named: "Walk-in", "Público general"
]
