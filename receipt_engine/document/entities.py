"""Definite things in the rows: what names and addresses are not."""

from __future__ import annotations

from typing import Literal

from receipt_engine.document.record import Record

#: What a definite thing is.
EntityKind = Literal["url", "email", "phone", "fax", "id", "date", "number"]


class Entity(Record, frozen=True):
    """A definite thing printed in a row, as text[start:end]: a telephone number, a web address, a date.

    value: as it is to be reported. score: how surely, about log-odds. label_start: where the words begin
    that name it ("Tel:"), or start. rule: what found it. name: in a web or e-mail address, the domain's
    name when it may be the merchant's ("acme-foods" of "www.acme-foods.co.uk"). tax: an id is one of the tax
    office, not of a register. valid: the country's numbering plan knows the telephone number.
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
