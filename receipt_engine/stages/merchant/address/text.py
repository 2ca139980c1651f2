"""The address as it is printed: its rows joined by commas."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from receipt_engine.document import Found
from receipt_engine.stages.merchant.segments import Segment

_LABEL = re.compile(
    r"^\W*(?:(?:our\s|shop\s|store\s)?address|(?:hq\s)?add?r?\b|alamat|adresse|direcci[oó]n|direccion|"
    r"endere[cç]o|indirizzo|adres|adress|dia chi|địa chỉ|"
    r"住所|地址|jur\.?\s?adr(?:ese)?|dom(?:icilio)?\.?(?: comercial| fiscal)?)\s*[:.]+\s*",
    re.IGNORECASE,
)
_EDGES = " ,;|*=~_"
#: A point behind a whole word or number at the end of a row is a comma or nothing; "St." keeps its own.
_LAST_POINT = re.compile(r"(?<=[^\W_]{5})[., ]*\.$|(?<=\d)[., ]*\.$")


def address_found(segments: Sequence[Segment], block: Sequence[int], scores: Sequence[float]) -> Found | None:
    """The text of the block's segments; those on one row are joined by a blank, rows by ", "."""
    rows: dict[int, list[str]] = {}
    for index in block:
        text = _LABEL.sub("", segments[index].rest.strip(_EDGES)).strip(_EDGES)
        if any(c.isalnum() for c in text):
            rows.setdefault(segments[index].run.row, []).append(text)
    lines = [" ".join(texts) for texts in rows.values()]
    if not lines:
        return None
    lines = [*(_LAST_POINT.sub("", line) for line in lines[:-1]), lines[-1]]
    mean = sum(scores[i] for i in block) / len(block)
    confidence = 1 / (1 + math.exp(-0.8 * mean))
    return Found(", ".join(lines), round(confidence, 3), tuple(rows), "address block")
