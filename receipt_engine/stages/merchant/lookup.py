"""What the stage asks of a merchant table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from receipt_engine.document import KnownMerchant


class MerchantLookup(Protocol):
    """A table of merchants that can be searched by what a receipt prints."""

    def find(
        self, names: Sequence[str], phones: Sequence[str], address: str | None, ids: Sequence[str]
    ) -> KnownMerchant | None:
        """The merchant that agrees best; None when no phone, address or number of one does."""
        ...
