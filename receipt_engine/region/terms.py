"""The terms of the language files: what a word means wherever it stands.

A role says what a row is, and a row's roles compete; terms do not. One line each, in alphabetical order.
"""

from __future__ import annotations

from typing import Literal

Term = Literal[
    "billing_detail",  # what only a bill that is paid later states: "Payment terms", "Rechnungsdatum"
    "company_number",  # of a register, a permit or a machine, not of the tax office: "HRB", "Licence No"
    "customer",  # to whom the document is made out: "Bill to", "Kunde"
    "due_day",  # the day by which to pay: "Due date", "Zahlbar bis"
    "stay",  # a guest's stay: "Arrival", "Check-out", "Nächte"
    "survey",  # asks for an opinion: "Tell us", "Umfrage"
    "walk_in",  # a customer who is not named: "Walk-in", "Público general"
    "arrival",  # before the time at which guests or cars came: "Time in"
    "bundle_price",  # between a count and the price of all of them: "3 for 5.00"
    "customer",  # to whom the document is made out: "Bill to", "Kunde"
    "departure",  # before the time at which they left and paid: "Time out"
    "each_price",  # between a count and the price of one: "2 at 1.50"
    "quantity_label",  # announces a count: "Qty", "Menge"
]
