"""East Asian labels that are set as wide as the longer ones below them: "상    호:", "대 표 자 :"."""

from __future__ import annotations

import re

from receipt_engine.document import Record

_CHARACTER = r"[\u3400-\u9fff\uac00-\ud7a3]"
_WIDE = re.compile(rf"\W*((?:{_CHARACTER} +){{1,3}}{_CHARACTER}) *[:：]\s*")


class WideLabel(Record, frozen=True):
    """letters: the label as it is written in a text. end: where what it announces begins."""

    letters: str
    end: int


def wide_label(text: str) -> WideLabel | None:
    """The label of single characters, with blanks between them and a colon, that a text begins with.

    >>> wide_label("상    호: 한빛").letters, wide_label("상호: 한빛")
    ('상호', None)
    """
    found = _WIDE.match(text)
    return WideLabel("".join(found[1].split()), found.end()) if found else None
