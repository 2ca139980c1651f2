"""Reads lines in scripts that share no letter with Latin, each with the head of its script.

Lines are classified one by one, since pages in these scripts have Latin lines too: `LineScripts` names the
script of badly read lines. A page with several lines that their head then reads is treated as being in that
script; a single one may be a logo or an ideograph. Every other line is then tried too, since a short word may
read well as Latin letters of the same shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from receipt_engine.document import Char, Span
from receipt_engine.stages.recognize.classes import Feature, Head
from receipt_engine.stages.recognize.scripts import Script, is_sign, script_of
from receipt_engine.stages.recognize.spans import SURE, LineScripts, digits_of, each, is_number, read_line
from receipt_engine.stages.recognize.writing import in_arabic, in_own_digits, reading_order

#: Scripts whose lines are found one by one.
FOREIGN: tuple[Script, ...] = ("hangul", "thai", "arabic", "devanagari", "hebrew", "bengali")
#: Least number of lines that determine a page's script, and of different letters that determine a line's; and
#: the least score of these letters: a logo or a fold is sometimes mistaken for a line of the script, but
#: scores lower.
_MIN_LINES = 2
_MIN_LETTERS = 2
_SURE_LETTER = 0.8


def read_foreign(
    spans: Sequence[Span],
    features: Sequence[Feature],
    heads: Mapping[Script, Head],
    scripts: LineScripts,
    threads: int = 1,
) -> list[Span]:
    """The spans, each as read by the head of its script; where no head reads it, with the script's name."""
    named = [
        "" if is_number(s) else scripts.unreadable(f, s.score) for s, f in zip(spans, features, strict=True)
    ]
    read = [_of_script(*line, heads) for line in zip(spans, features, named, strict=True)]
    page = _page_script(read, named)
    if page is None:
        return [replace(s, script=name) if name else s for s, name in zip(spans, named, strict=True)]
    lines = list(zip(read, features, strict=True))
    return each(lambda line: _surer(*line, page, heads[page]), lines, threads)


def _of_script(span: Span, feature: Feature, name: str, heads: Mapping[Script, Head]) -> Span:
    script = next((known for known in FOREIGN if known == name and known in heads), None)
    if script is not None:
        other = read_as(span, feature, heads[script])
        if other.score >= max(span.score, SURE) and _shown(other, script) >= _MIN_LETTERS:
            return other
    return replace(span, script=name) if name else span


def _page_script(spans: Sequence[Span], named: Sequence[str]) -> Script | None:
    """The script that several lines were classified as and read in; None when there is none."""
    found = Counter(name for span, name in zip(spans, named, strict=True) if name and not span.script)
    script = max(FOREIGN, key=lambda known: found[known])
    return script if found[script] >= _MIN_LINES else None


def _surer(span: Span, feature: Feature, script: Script, head: Head) -> Span:
    """The better of the span and the reading of the script's head.

    The latter is used where it shows letters of the script and scores higher or is longer, as the other head
    may have left a word out, or where it is the same number with a currency sign.
    """
    other = read_as(span, feature, head)
    signed = digits_of(other) == digits_of(span) != "" and any(map(_is_sure_sign, other.chars))
    better = span.script or other.score > span.score or len(other.text) > len(span.text)
    return other if signed or (better and _shown(other, script)) else span


def _is_sure_sign(char: Char) -> bool:
    return char.score >= _SURE_LETTER and is_sign(char.text)


def _shown(span: Span, script: Script) -> int:
    """Number of different letters and digits of the script that are read with high confidence on the line."""
    sure = {c.text for c in span.chars if c.score >= _SURE_LETTER and c.text}
    return sum(script_of(text) == script or (text.isdigit() and not text.isascii()) for text in sure)


def read_as(span: Span, feature: Feature, head: Head) -> Span:
    """The line as read by the script's head, in reading order."""
    return in_reading_order(read_line(span.quad, feature, head))


def in_reading_order(span: Span) -> Span:
    """The span with its characters in reading order; each keeps its place on paper."""
    order = reading_order([c.text for c in span.chars])
    known = in_own_digits(in_arabic("".join(text[:1] or "\0" for _, text in order)))
    chars = tuple(
        _written(span.chars[at], text and letter) for (at, text), letter in zip(order, known, strict=True)
    )
    return span if chars == span.chars else replace(span, text="".join(c.text for c in chars), chars=chars)


def _written(char: Char, text: str) -> Char:
    return char if char.text == text else replace(char, text=text)
