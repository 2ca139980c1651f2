"""Legibility: judges how much of the page could be read and limits confidences accordingly.

In: the reading. Out: `Legibility`, with advice for a better photo; `limited` lowers a Result's confidences.
Decides: whether most words are unreadable or in a script that the recogniser does not know, so that amounts
lack the labels that identify them, and whether the image cuts off their last digits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import fields, replace

from receipt_engine.document import Reading, Record, Span, decimals_of
from receipt_engine.result import Result
from receipt_engine.scoring.certainty import SURE

#: Reading score below which a word counts as unread; 3 % of ordinary pages have a mean score below 0.9.
_UNREAD = 0.75
#: A box without text that is more than this many times as long as high holds words that were not read.
_LONG = 2.0
#: Least share of words that must be read; below it amounts lack their labels.
_ENOUGH = 0.45
#: Least share of the words in an unreadable script for it to be named.
_NAMED = 0.15
#: Largest confidence when most words cannot be read. Dates are exempt, since they need no words.
ILLEGIBLE = 0.6
_WORDLESS = ("date_confidence",)
#: Least number of texts at an edge for it to count as cut off, and their largest distance from it, as a share
#: of the page.
_CUT = 2
_EDGE = 0.004
#: Measures below which a photo is to be improved; 2 to 3 % of ordinary images are below.
_SHARP = 200.0
_CONTRAST = 0.42
_BRIGHT = 0.4
_TEXT_HEIGHT = 12.0
#: Percentile of the boxes' heights that is reported as the smallest print.
_SMALLEST = 5
_EDGES = ("left", "top", "right", "bottom")
#: Distance of the last text from the bottom edge, in text heights, up to which the receipt is assumed to go
#: on below when no total is certain: of 769 images this applies to five, four of which are cut off, and to 68
#: of 121 that were cut above their total.
_GOES_ON = 0.5


class Legibility(Record, frozen=True):
    """How well a page could be read.

    read: share of the words, by their width, that could be read, 0 to 1. script: the unreadable script of the
    others ("arabic"), None when there is none. cut: edges of the image that cut text off. smallest: height of
    the smallest print, in page pixels. advice: how to take a better photo.
    """

    read: float
    script: str | None
    cut: tuple[str, ...]
    smallest: float
    advice: tuple[str, ...]

    @property
    def enough(self) -> bool:
        """Whether enough words were read to tell what each amount is."""
        return self.read >= _ENOUGH


def judge(reading: Reading) -> Legibility:
    """Judges how well a page could be read."""
    words = [span for span in reading.spans if _is_words(span)]
    width = sum(_width(span) for span in words)
    unread = sum(_width(span) for span in words if span.script or span.score < _UNREAD)
    read = 1.0 - unread / width if width else 1.0
    script = _script(words, width)
    cut = _cut(reading)
    heights = [min(span.quad.width, span.quad.height) for span in reading.spans]
    smallest = float(np.percentile(heights, _SMALLEST)) if heights else 0.0
    return Legibility(
        round(read, 3), script, cut, round(smallest, 1), tuple(_advice(reading, read, script, cut))
    )


def _is_words(span: Span) -> bool:
    if span.script or any(map(str.isalpha, span.text)):
        return True
    short = min(span.quad.width, span.quad.height)
    return not span.text.strip() and _width(span) > _LONG * short


def _width(span: Span) -> float:
    return max(span.quad.width, span.quad.height)


def _script(words: Sequence[Span], width: float) -> str | None:
    """The most frequent unreadable script, by the width of its words; None when it has too small a share."""
    shares: dict[str, float] = {}
    for span in words:
        if span.script:
            shares[span.script] = shares.get(span.script, 0.0) + _width(span)
    best = max(shares, key=lambda script: (shares[script], script), default=None)
    return best if best is not None and shares[best] >= _NAMED * width else None


def _cut(reading: Reading) -> tuple[str, ...]:
    """The edges of the image that cut text off."""
    counts = dict.fromkeys(_EDGES, 0)
    across, down = _EDGE * reading.width, _EDGE * reading.height
    for span in reading.spans:
        xs, ys = zip(*span.quad.points, strict=True)
        counts["left"] += min(xs) <= across
        counts["top"] += min(ys) <= down
        counts["right"] += max(xs) >= reading.width - across
        counts["bottom"] += max(ys) >= reading.height - down
    return tuple(edge for edge in _EDGES if counts[edge] >= _CUT)


def _advice(reading: Reading, read: float, script: str | None, cut: Sequence[str]) -> list[str]:
    quality = reading.quality
    advice = []
    if script is not None:
        advice.append(f"Words in {script.capitalize()} script cannot be read.")
    elif read < _ENOUGH:
        advice.append(
            "Most words cannot be read. Photograph the receipt upright, from closer up and in focus."
        )
    advice += [_cut_off(edge) for edge in cut]
    if 0 < quality.brightness < _BRIGHT:
        advice.append("The picture is too dark. Use more light.")
    elif 0 < quality.contrast < _CONTRAST:
        advice.append("The print is faint. Use more light, without glare.")
    # Faint print has weak edges, even when it is in focus.
    faintness = min(1.0, quality.contrast / _CONTRAST) if quality.contrast else 1.0
    if 0 < quality.sharpness < _SHARP * faintness**2:
        advice.append("The picture is blurred. Hold the camera still and let it focus.")
    if 0 < quality.text_height < _TEXT_HEIGHT:
        advice.append("The print is too small. Photograph the receipt from closer up.")
    return advice


def _cut_off(edge: str) -> str:
    return f"The {edge} edge is cut off. Photograph the whole receipt."


def limit_if_illegible(result: Result, legibility: Legibility, decimals: int) -> Result:
    """The result with limited confidences, except for the date, where most words could not be read, or where
    amounts may have lost their last digits. decimals: those that the country prints."""
    if legibility.enough and not _is_shortened(result, legibility, decimals):
        return result
    return limited(result, ILLEGIBLE, but=_WORDLESS)


def _is_shortened(result: Result, legibility: Legibility, decimals: int) -> bool:
    """Whether the image cuts off the right of its text, and the total has fewer decimals than usual. Without
    decimals nothing shows whether digits are lost."""
    if "right" not in legibility.cut or result.total is None:
        return False
    return not decimals or decimals_of(result.total) < decimals


def limited(result: Result, most: float, but: Sequence[str] = ()) -> Result:
    """The result with no confidence above `most`, and nothing validated if that is below 0.99.

    but: names of confidence fields that stay unchanged.
    """
    changes: dict[str, object] = {}
    for field in fields(result):
        value = getattr(result, field.name)
        if field.name in but:
            continue
        if field.name.endswith(("_confidence", "_confidences")) and value is not None:
            many = isinstance(value, tuple)
            changes[field.name] = tuple(min(v, most) for v in value) if many else min(value, most)
        elif field.name.startswith("validated_"):
            changes[field.name] = value and most >= 0.99
    return replace(result, **changes)


def quality_evidence(reading: Reading, legibility: Legibility, result: Result) -> dict[str, object]:
    """The evidence entries about the image's quality."""
    cut, advice = legibility.cut, legibility.advice
    if _EDGES[-1] not in cut and legibility.enough and _goes_on_below(reading, result):
        cut, advice = (*cut, _EDGES[-1]), (*advice, _cut_off(_EDGES[-1]))
    return {
        "read": legibility.read,
        "script": legibility.script,
        "sharpness": round(reading.quality.sharpness, 1),
        "contrast": round(reading.quality.contrast, 3),
        "brightness": round(reading.quality.brightness, 3) or None,
        "textHeight": round(reading.quality.text_height, 1),
        "smallestPrint": legibility.smallest,
        "cutEdges": list(cut),
        "advice": list(advice),
    }


def _goes_on_below(reading: Reading, result: Result) -> bool:
    """Whether a receipt seems to go on below the image: no total is certain and text ends near the edge."""
    if result.validated_total or (result.total_confidence or 0) >= SURE or not reading.spans:
        return False
    height = float(np.median([min(span.quad.width, span.quad.height) for span in reading.spans]))
    lowest = max(y for span in reading.spans for _, y in span.quad.points)
    return reading.height - lowest <= _GOES_ON * height
