"""Text recognition: boxes in, spans with per-character scores and alternatives out.

Lines are read one at a time at their exact width: padding a batch to its widest line costs 1.8 times
the work. Several lines are read at once on a pool of threads, each on a one-thread graph, so results
do not depend on the number of threads.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Self

import numpy as np
from msgspec.structs import replace

from receipt_engine.document import Page, Quad, Span, TextBox
from receipt_engine.runtime.onnx import Graph, stoppable
from receipt_engine.runtime.stopping import Stop
from receipt_engine.stages.recognize.classes import Feature, Head
from receipt_engine.stages.recognize.crop import crop, tensor
from receipt_engine.stages.recognize.foreign import read_foreign
from receipt_engine.stages.recognize.line_scripts import LineScripts
from receipt_engine.stages.recognize.scripts import (
    Script,
    is_cyrillic_alone,
    is_greek_alone,
    is_vietnamese,
    one_script,
    script_of,
)
from receipt_engine.stages.recognize.spans import SURE, UNREAD, each, is_number, read_line


@dataclass(frozen=True)
class Seen:
    """What is known of the boxes of one page: their features, by the page's rotation and the box's corners,
    and which of those features, by their identity, are of East Asian lines."""

    features: dict[tuple[int, Quad], Feature] = field(default_factory=dict)
    east_asian: dict[int, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class NetworkRecognizer:
    """The shipped `Recognizer`.

    backbone: x (1, 3, 48, width) → features (1, steps, 504). heads: what reads each script; whole: every
    character of the official model. seconds: further heads of a script, whose reading counts where it is
    surer, but for numbers. worn: what reads Latin lines with a doubtful character again. threads: how many
    lines are read at once. scripts: what names a script that Latin and East Asian classes lack. reader: x →
    logits (1, steps, classes) for heads that ask it. seen: of the page that is read, None when nothing is
    kept.
    """

    backbone: Graph
    heads: Mapping[Script, Head]
    whole: Head
    threads: int = 1
    seconds: Mapping[Script, Head] = field(default_factory=dict)
    worn: Head | None = None
    scripts: LineScripts | None = None
    reader: Graph | None = None
    seen: Seen | None = None

    def read(self, page: Page, boxes: Sequence[TextBox]) -> tuple[Span, ...]:
        """See `read_boxes`."""
        return read_boxes(page, boxes, self)

    def stopped_by(self, stop: Stop) -> Self:
        """The same one for a single extraction, which ends when `stop` says so."""
        reader = None if self.reader is None else stoppable(self.reader, stop)
        return dataclasses.replace(self, backbone=stoppable(self.backbone, stop), reader=reader)

    def for_page(self) -> Self:
        """The same one for a single page, which looks at no box twice."""
        return dataclasses.replace(self, seen=Seen())


def read_boxes(
    page: Page, boxes: Iterable[TextBox], recognizer: NetworkRecognizer, script: Script | None = None
) -> tuple[Span, ...]:
    """One span per box, in the order of boxes, but for lone ones that are no digit. script None: found out
    from the page itself."""
    boxes = tuple(boxes)
    quads = [box.quad for box in boxes]
    features = _look(page, quads, recognizer)
    chosen = script or find_script(features, recognizer)
    spans = _spans(quads, features, chosen, recognizer)
    if script is None and chosen != "cjk":
        other = _other_script(chosen, spans, features, recognizer)
        if other:
            chosen, spans = other, _spans(quads, features, other, recognizer)
    own = spans
    if script is None and recognizer.scripts is not None:
        spans = read_foreign(spans, features, recognizer.heads, recognizer.scripts, recognizer.threads)
        spans = [_cyrillic_line(span, f, recognizer) for span, f in zip(spans, features, strict=True)]
    if chosen == "latin":
        lines = list(zip(own, spans, features, strict=True))
        spans = each(lambda line: _read_again(*line, recognizer), lines, recognizer.threads)
    return tuple(s for s, box in zip(spans, boxes, strict=True) if not box.lone or _is_digit(s))


def _cyrillic_line(span: Span, feature: Feature, recognizer: NetworkRecognizer) -> Span:
    """A Cyrillic line on a page of another script, as the head that knows Latin best reads it, if surer."""
    if span.script != "cyrillic":
        return span
    head = recognizer.seconds.get("cyrillic", recognizer.heads["cyrillic"])
    other = _in_one_script(read_line(span.quad, feature, head), "cyrillic")
    return other if other.score > span.score else replace(span, script="")


def _read_again(own: Span, span: Span, feature: Feature, recognizer: NetworkRecognizer) -> Span:
    """The span; when a character is in doubt, as the head for worn print reads it if that is surer. own: as
    Latin letters; where span is another, or ideographs, some other head has read it."""
    settled = span is not own or any(script_of(c) == "cjk" for c in span.text)
    if settled or recognizer.worn is None or min(_scores(span), default=1.0) >= _IN_DOUBT:
        return span
    return max(span, read_line(span.quad, feature, recognizer.worn), key=lambda read: read.score)


def _scores(span: Span) -> Iterable[float]:
    return (c.score for c in span.chars if c.text)


def _is_digit(span: Span) -> bool:
    return len(span.text) == 1 and span.text in "0123456789" and span.score >= SURE


#: Different ideographs that make a line East Asian: rows of stars and scripts the model was not taught also
#: yield some, but not surely, and not three different ones on a line.
_MIN_EAST_ASIAN = 3
#: Letters that only one script has, different ones and surely read, which show it; Latin pages have
#: at most two. Lines with an accent before Vietnamese ones are looked for.
_MIN_GREEK = 4
_MIN_CYRILLIC = 5
_MIN_VIETNAMESE = 3
_MIN_ACCENTED = 2
#: East Asian lines among those with accents, as a share, on a Vietnamese page.
_MAX_EAST_ASIAN = 0.15
_SCRIPT_PROBES = 10
#: What another alphabet does to a line: it reads badly, or few of its steps give a character. Of the lines
#: that are no numbers, this share are then such ones; six in a hundred are on other pages.
_STRANGE_STEPS = 0.1
_MIN_STRANGE = 0.15
#: Score of a character below which a Latin line is read again with the head for worn print. Where all lines
#: are, those that were read well get worse; where the less sure reading counts, logos become words.
_IN_DOUBT = 0.8
#: On a Latin page, a line that reads worse than this is tried as East Asian.
_DOUBTFUL = 0.85


def find_script(features: Sequence[Feature], recognizer: NetworkRecognizer) -> Script:
    """The script of a page, from its widest lines; Vietnamese counts as Latin."""
    probes = _widest(features)
    if _is_mostly_east_asian(probes, recognizer):
        return "cjk"
    if _greek_letters(probes, recognizer) < _MIN_GREEK:
        return "latin"
    others = [f for f in probes if not _is_east_asian(f, recognizer)]
    return "greek" if _greek_letters(others, recognizer) >= _MIN_GREEK else "latin"


def _is_mostly_east_asian(probes: Sequence[Feature], recognizer: NetworkRecognizer) -> bool:
    """Whether two in five lines are East Asian. Looks at no more of them than it takes: all classes of a line
    cost half as much as its features."""
    needed = max(1.0, 0.4 * len(probes))
    found = 0
    for number, probe in enumerate(probes):
        if found + len(probes) - number < needed:
            return False
        found += _is_east_asian(probe, recognizer)
    return found >= needed


def _greek_letters(features: Sequence[Feature], recognizer: NetworkRecognizer) -> int:
    """How many different letters that only Greek has are surely on the lines."""
    return sum(map(is_greek_alone, _sure_letters(features, recognizer.heads["greek"])))


def _other_script(
    chosen: Script, spans: Sequence[Span], features: Sequence[Feature], recognizer: NetworkRecognizer
) -> Script | None:
    """The script of a page that was read as Latin or Greek, if it is another one."""
    if _is_cyrillic(spans, features, recognizer):
        return "cyrillic"
    if chosen == "latin" and _is_vietnamese(spans, features, recognizer):
        return "vietnamese"
    return None


def _is_cyrillic(spans: Sequence[Span], features: Sequence[Feature], recognizer: NetworkRecognizer) -> bool:
    """Whether lines that read badly show letters that only Cyrillic has, and read better so."""
    words = [(span, f) for span, f in zip(spans, features, strict=True) if not is_number(span)]
    strange = [(span, f) for span, f in words if _is_strange(span, f)]
    if len(strange) <= _MIN_STRANGE * len(words):
        return False
    probes = sorted(strange, key=lambda line: -line[1].values.shape[1])[:_SCRIPT_PROBES]
    head = recognizer.heads["cyrillic"]
    letters = _sure_letters([feature for _, feature in probes], head)
    if sum(map(is_cyrillic_alone, letters)) < _MIN_CYRILLIC:
        return False
    read = [read_line(span.quad, feature, head) for span, feature in probes]
    return sum(span.score for span in read) > sum(span.score for span, _ in probes)


def _is_strange(span: Span, feature: Feature) -> bool:
    printed = sum(not c.isspace() for c in span.text)
    return span.score < UNREAD or printed < _STRANGE_STEPS * feature.values.shape[1]


def _is_vietnamese(spans: Sequence[Span], features: Sequence[Feature], recognizer: NetworkRecognizer) -> bool:
    """Whether a page with accents shows letters that only Vietnamese has, and not because Latin classes
    took ideographs for them."""
    accented = [f for span, f in zip(spans, features, strict=True) if any(map(_is_accented, span.text))]
    if len(accented) < _MIN_ACCENTED:
        return False
    probes = _widest(accented)
    letters = _sure_letters(probes, recognizer.heads["vietnamese"])
    if sum(map(is_vietnamese, letters)) < _MIN_VIETNAMESE:
        return False
    return sum(_is_east_asian(f, recognizer) for f in probes) <= _MAX_EAST_ASIAN * len(probes)


def _widest(features: Sequence[Feature]) -> list[Feature]:
    return sorted(features, key=lambda f: -f.values.shape[1])[:_SCRIPT_PROBES]


def _sure_letters(features: Sequence[Feature], head: Head) -> set[str]:
    """The different characters that a head is sure of on any of the lines."""
    peaks = [head.probabilities(feature).max(axis=0) for feature in features]
    return {head.characters[i] for peak in peaks for i in np.flatnonzero(peak >= SURE)}


def _is_accented(character: str) -> bool:
    return character.isalpha() and not character.isascii()


def _is_east_asian(feature: Feature, recognizer: NetworkRecognizer) -> bool:
    """Whether a line has several different ideographs."""
    known = {} if recognizer.seen is None else recognizer.seen.east_asian
    line = id(feature)
    if line not in known:
        found = _sure_letters((feature,), recognizer.whole)
        known[line] = sum(script_of(c) == "cjk" for c in found) >= _MIN_EAST_ASIAN
    return known[line]


def _look(page: Page, quads: Sequence[Quad], recognizer: NetworkRecognizer) -> list[Feature]:
    seen = {} if recognizer.seen is None else recognizer.seen.features
    new = [quad for quad in dict.fromkeys(quads) if (page.rotation, quad) not in seen]
    found = each(lambda quad: _features(page, quad, recognizer), new, recognizer.threads)
    seen.update(((page.rotation, quad), feature) for quad, feature in zip(new, found, strict=True))
    return [seen[page.rotation, quad] for quad in quads]


def _features(page: Page, quad: Quad, recognizer: NetworkRecognizer) -> Feature:
    picture, share = tensor(crop(page, quad))
    reader = recognizer.reader
    again = None if reader is None else cache(lambda: reader.run({"x": tensor(crop(page, quad))[0]}))
    return Feature(recognizer.backbone.run({"x": picture}), share, again)


def _spans(
    quads: Sequence[Quad], features: Sequence[Feature], script: Script, recognizer: NetworkRecognizer
) -> list[Span]:
    return each(
        lambda pair: _span(*pair, script, recognizer),
        list(zip(quads, features, strict=True)),
        recognizer.threads,
    )


def _span(quad: Quad, feature: Feature, script: Script, recognizer: NetworkRecognizer) -> Span:
    span = read_line(quad, feature, recognizer.heads[script])
    if script in recognizer.seconds and not is_number(span):
        span = max(span, read_line(quad, feature, recognizer.seconds[script]), key=lambda read: read.score)
    if script in ("greek", "vietnamese", "cyrillic"):
        # Those heads were taught words, not rows of stars; nor long numbers.
        plain = read_line(quad, feature, recognizer.heads["latin"])
        if len(plain.text) >= len(span.text) and not any(map(str.isalnum, plain.text)):
            return plain
        if script == "cyrillic" and is_number(plain) and plain.score >= span.score:
            return plain
    if script in ("greek", "cyrillic"):
        return _in_one_script(span, script)
    doubtful = script == "latin" and span.score < _DOUBTFUL and feature.values.shape[1] >= _MIN_EAST_ASIAN
    if doubtful and _is_east_asian(feature, recognizer):
        return read_line(quad, feature, recognizer.heads["cjk"])
    return span


def _in_one_script(span: Span, script: Script) -> Span:
    """The span with each word in letters of the script or in Latin ones."""
    text = " ".join(one_script(word, script) for word in span.text.split(" "))
    changed = iter(text)
    chars = tuple(replace(c, text=next(changed)) if c.text else c for c in span.chars)
    return replace(span, text=text, chars=chars)
