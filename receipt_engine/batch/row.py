"""One line of a results file: a receipt, or a file that could not be read and why."""

from __future__ import annotations

from typing import Literal

import msgspec

from receipt_engine.errors import ImageError, NoTextError, in_words
from receipt_engine.result import Result


class Extracted(msgspec.Struct, frozen=True):
    """One receipt of a file. page and receipt count from 1, receipt restarts on each page."""

    result: Result
    page: int = 1
    receipt: int = 1


class Failure(msgspec.Struct, frozen=True):
    """Why a file gave no receipt. type: the name of the error's class; message: what to do about it."""

    type: str
    message: str

    @staticmethod
    def of(error: BaseException) -> Failure:
        return Failure(type(error).__name__, in_words(error, with_file=False))

    @property
    def is_final(self) -> bool:
        """Whether the same bytes would fail the same way, so that reading them again is pointless."""
        return self.type in _FINAL

    @property
    def has_picture(self) -> bool:
        """Whether the file can still be shown to a person as an image."""
        return self.type not in _WITHOUT_PICTURE


def _names(base: type[BaseException]) -> set[str]:
    return {base.__name__}.union(*(_names(kind) for kind in base.__subclasses__()))


_FINAL = frozenset(_names(ImageError))
_WITHOUT_PICTURE = _FINAL - _names(NoTextError)


class Duplicate(msgspec.Struct, frozen=True):
    """An earlier row that holds the same receipt. of: its file. why: the files have the same bytes, or it is
    the same receipt photographed again."""

    of: str
    page: int
    receipt: int
    why: Literal["same bytes", "same receipt"]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """file: its name as found; "-" is standard input. sha256: of its bytes, None when it could not be opened.

    receipts: number of receipts in the file. Exactly one of result and error is set.
    """

    file: str
    sha256: str | None
    page: int = 1
    receipt: int = 1
    receipts: int = 1
    duplicate: Duplicate | msgspec.UnsetType = msgspec.UNSET
    result: Result | msgspec.UnsetType = msgspec.UNSET
    error: Failure | msgspec.UnsetType = msgspec.UNSET

    @property
    def found(self) -> Result | None:
        """The result, None for a failure."""
        return None if self.result is msgspec.UNSET else self.result

    @property
    def failure(self) -> Failure | None:
        """The error, None for a result."""
        return None if self.error is msgspec.UNSET else self.error

    def to_json(self) -> str:
        """The row as one line of JSON, without a line break."""
        return _encoder.encode(self).decode()

    @staticmethod
    def from_json(text: str | bytes) -> Row:
        """The inverse of `to_json`; raises msgspec.DecodeError when the text is not a row."""
        return _decoder.decode(text)


_encoder = msgspec.json.Encoder(decimal_format="number")
_decoder = msgspec.json.Decoder(Row)


def rows_of(file: str, sha256: str | None, outcome: tuple[Extracted, ...] | Failure) -> tuple[Row, ...]:
    """The rows of one file, at least one."""
    if isinstance(outcome, Failure):
        return (Row(file=file, sha256=sha256, error=outcome),)
    return tuple(
        Row(
            file=file,
            sha256=sha256,
            page=found.page,
            receipt=found.receipt,
            receipts=len(outcome),
            result=found.result,
        )
        for found in outcome
    )
