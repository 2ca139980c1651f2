"""One line's features read by one head."""

from __future__ import annotations

from receipt_engine.document import Quad, Span
from receipt_engine.runtime.onnx import Array
from receipt_engine.stages.recognize.classes import Head
from receipt_engine.stages.recognize.ctc import decode

#: What the backbone gives for a line, and the share of its width that is picture, not padding.
Feature = tuple[Array, float]

#: Score or probability from which a line, a letter or a script is surely what it was read as.
SURE = 0.9
#: What the model cannot read, another alphabet above all, scores less than this.
UNREAD = 0.93
#: Share of digits from which a text is a number, whatever its script.
_MOSTLY = 0.5


def read_line(quad: Quad, feature: Array, share: float, head: Head) -> Span:
    """The line in the head's characters, from left to right."""
    chars = decode(head.probabilities(feature), head.characters, share)
    printed = [c for c in chars if c.text]
    score = sum(c.score for c in printed) / len(printed) if printed else 0.0
    return Span("".join(c.text for c in printed), round(score, 5), quad, chars)


def is_number(span: Span) -> bool:
    """Whether digits are most of the text, whatever its script."""
    return sum(map(str.isdigit, span.text)) >= _MOSTLY * max(1, len(span.text))
