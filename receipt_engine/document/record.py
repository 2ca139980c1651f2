"""The base class of the records that pass between stages."""

from __future__ import annotations

from msgspec import Struct


class Record(Struct, frozen=True, gc=False):
    """Base of what a stage takes and returns. Hundreds are created per receipt, each in a tenth of the time
    of a dataclass."""
