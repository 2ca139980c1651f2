"""Entities in the rows, such as telephone numbers and dates: text that is neither a name nor an address."""

from __future__ import annotations

from typing import Literal

from receipt_engine.document.record import Record

#: The type of an entity.
EntityKind = Literal["url", "email", "phone", "fax", "id", "date", "number"]


class Entity(Record, frozen=True):
    """An entity printed in a row, as text[start:end]: a telephone number, a web address, a date.

    value: as it is reported. score: confidence, roughly in log-odds. label_start: where its label begins
    ("Tel:"), or start. rule: what found it. name: in a web or e-mail address, the domain's name when it may
    be the merchant's ("acme-foods" of "www.acme-foods.co.uk"). tax: an id is issued by the tax office, not by
    a register. valid: the telephone number is valid in the country's numbering plan.
    """

    kind: EntityKind
    row: int
    start: int
    end: int
    value: str
    score: float
    label_start: int
    rule: str
    name: str = ""
    tax: bool = False
    valid: bool = False
