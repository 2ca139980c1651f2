"""The interface that this stage needs from a merchant table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from receipt_engine.document import KnownMerchant


class MerchantLookup(Protocol):
    """A table of merchants that can be searched by the text printed on a receipt."""

    def find(
        self, names: Sequence[str], phones: Sequence[str], address: str | None, ids: Sequence[str]
    ) -> KnownMerchant | None:
        """The best match. None unless a phone, address or registration number of a merchant matches."""
        ...
