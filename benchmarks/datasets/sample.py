"""Defines a labelled image, in one form whatever folder it comes from.

Absent means unlabelled: a field without a `Label`, and `items` or `summary` of None, are not scored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

#: A label or an answer: text, an amount, several amounts, or barcodes as (data, type).
#: None and () mean that the receipt has none.
Value = str | Decimal | tuple[Decimal, ...] | tuple[tuple[str, str], ...] | None


@dataclass(frozen=True, slots=True)
class Label:
    """The expected value of a field.

    main: the value the strict score requires; `has_main` is False when only alternatives are known.
    accepted: every value the lenient score accepts, the main one first.
    contained: the answer only has to contain the label (for example a short merchant name).
    """

    main: Value
    accepted: tuple[Value, ...]
    has_main: bool = True
    contained: bool = False

    @staticmethod
    def of(value: Value, *others: Value) -> Label:
        """A label with a main value and other accepted ones."""
        return Label(value, (value, *(other for other in others if other != value)))

    @staticmethod
    def any_of(values: tuple[Value, ...]) -> Label:
        """A label with equally acceptable values: only the lenient score counts it."""
        return Label(None, values, has_main=False)

    @property
    def printed(self) -> bool:
        """Whether the receipt has this field."""
        return any(value is not None and value != () for value in self.accepted)


@dataclass(frozen=True, slots=True)
class ItemLabel:
    """One product line. descs: every accepted description. Other fields are None where unlabelled."""

    descs: tuple[str, ...]
    line_total: Decimal
    qty: Decimal | None = None
    price: Decimal | None = None
    unit: Decimal | None = None
    product_code: str | None = None


@dataclass(frozen=True, slots=True)
class SummaryLabel:
    """One line of the totals block. line_type: as the API contract names it, or None."""

    line_type: str | None
    amount: Decimal
    desc: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """An image and its labels.

    dataset: its row in the report. region: the hint a caller would give, if known.
    fields: canonical field name (see `benchmarks.scoring.fields`) to its label.
    items, summary: None when unlabelled, () when the receipt has none.
    """

    id: str
    dataset: str
    image: Path
    region: str | None = None
    fields: Mapping[str, Label] = field(default_factory=dict)
    items: tuple[ItemLabel, ...] | None = None
    summary: tuple[SummaryLabel, ...] | None = None
    notes: tuple[str, ...] = ()

    @property
    def labelled(self) -> bool:
        return bool(self.fields) or self.items is not None or self.summary is not None
