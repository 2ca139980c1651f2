"""Finds East Asian labels that are spaced out to the width of longer ones: "상    호:", "대 표 자 :"."""

from __future__ import annotations

import re

from receipt_engine.document import Record

_CHARACTER = r"[\u3400-\u9fff\uac00-\ud7a3]"
_WIDE = re.compile(rf"\W*((?:{_CHARACTER} +){{1,3}}{_CHARACTER}) *[:：]\s*")


class WideLabel(Record, frozen=True):
    """letters: the label without the gaps. end: offset at which its value begins."""

    letters: str
    end: int


def wide_label(text: str) -> WideLabel | None:
    """Returns the label at the start of a text: single characters with spaces between them and a colon.

    >>> wide_label("상    호: 한빛").letters, wide_label("상호: 한빛")
    ('상호', None)
    """
    found = _WIDE.match(text)
    return WideLabel("".join(found[1].split()), found.end()) if found else None
