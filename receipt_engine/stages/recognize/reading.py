"""Text recognition: boxes in, spans with per-character scores and alternatives out.

Lines are not batched but read at their exact width: padding a batch to its widest line costs 1.8 times the
work. Several lines are read in parallel on a thread pool, each on a one-thread graph, so results do not
depend on the number of threads.
"""

from __future__ import annotations

import dataclasses
import re
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
from receipt_engine.stages.recognize.crop import crop, straight_pieces, tensor
from receipt_engine.stages.recognize.foreign import read_foreign
from receipt_engine.stages.recognize.scripts import (
    Script,
    is_cyrillic_alone,
    is_greek_alone,
    is_sign,
    is_vietnamese,
    one_script,
    script_of,
)
from receipt_engine.stages.recognize.spans import (
    SURE,
    UNREAD,
    LineScripts,
    digits_of,
    each,
    is_number,
    line_score,
    read_line,
)


@dataclass(frozen=True)
class PageCache:
    """A cache for one page.

    features: by the page's rotation and the box. east_asian: whether a line is East Asian, by the
    `id` of its feature.
    """

    features: dict[tuple[int, TextBox], Feature] = field(default_factory=dict)
    east_asian: dict[int, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class NetworkRecognizer:
    """The shipped `Recognizer`.

    backbone: x (1, 3, 48, width) → features (1, steps, 504). heads: the head for each script. whole: the head
    with every character of the official model. seconds: a second head for a script, whose reading is used
    where its score is higher, except for numbers. worn: re-reads Latin lines with a doubtful character.
    threads: lines read in parallel. scripts: classifies scripts that the Latin and East Asian classes lack.
    reader: x → logits (1, steps, classes), for the heads that use it. seen: cache of the current page, None
    to cache nothing.
    """

    backbone: Graph
    heads: Mapping[Script, Head]
    whole: Head
    threads: int = 1
    seconds: Mapping[Script, Head] = field(default_factory=dict)
    worn: Head | None = None
    scripts: LineScripts | None = None
    reader: Graph | None = None
    seen: PageCache | None = None

    def read(self, page: Page, boxes: Sequence[TextBox]) -> tuple[Span, ...]:
        """See `read_boxes`."""
        return read_boxes(page, boxes, self)

    def stopped_by(self, stop: Stop) -> Self:
        """A copy for a single extraction, which `stop` can end."""
        reader = None if self.reader is None else stoppable(self.reader, stop)
        return dataclasses.replace(self, backbone=stoppable(self.backbone, stop), reader=reader)

    def for_page(self) -> Self:
        """A copy for a single page, which runs the networks on each box only once."""
        return dataclasses.replace(self, seen=PageCache())


def read_boxes(
    page: Page, boxes: Iterable[TextBox], recognizer: NetworkRecognizer, script: Script | None = None
) -> tuple[Span, ...]:
    """One span per box, in the order of boxes, or several for a bent row; lone boxes that are not a digit are
    left out.

    script: of the page; None to determine it from the page.
    """
    boxes = tuple(boxes)
    quads = [box.quad for box in boxes]
    features = _look(page, boxes, recognizer)
    chosen = script or find_script(features, recognizer)
    spans = _spans(quads, features, chosen, recognizer)
    if script is None and chosen != "cjk":
        other = _other_script(chosen, spans, features, recognizer)
        if other:
            chosen, spans = other, _spans(quads, features, other, recognizer)
    if script is None and chosen == "latin" and sum(map(_has_ideographs, spans)) >= _MIN_EAST_ASIAN_LINES:
        read = list(zip(spans, features, strict=True))
        spans = each(lambda line: _with_ideographs(*line, recognizer), read, recognizer.threads)
    own = spans
    if script is None and recognizer.scripts is not None:
        spans = read_foreign(spans, features, recognizer.heads, recognizer.scripts, recognizer.threads)
        spans = [_cyrillic_line(span, f, recognizer) for span, f in zip(spans, features, strict=True)]
    if chosen == "latin":
        lines = list(zip(own, spans, features, strict=True))
        spans = each(lambda line: _read_again(*line, recognizer), lines, recognizer.threads)
    kept = [(s, box) for s, box in zip(spans, boxes, strict=True) if not box.faint or _is_digit(s)]
    return tuple(piece for span, box in kept for piece in straight_pieces(span, box))


def _has_ideographs(span: Span) -> bool:
    return any(script_of(c) == "cjk" for c in span.text)


def _with_ideographs(span: Span, feature: Feature, recognizer: NetworkRecognizer) -> Span:
    """The line as the East Asian head reads it where that surely sees ideographs that the Latin one left out,
    to which "2024年3月5日" is "202435"."""
    if _has_ideographs(span):
        return span
    other = read_line(span.quad, feature, recognizer.heads["cjk"])
    sure = any(c.score >= SURE and script_of(c.text) == "cjk" for c in other.chars)
    longer = _printed(other) > _printed(span) or other.score > span.score
    return other if sure and longer and other.score >= _FAIR else span


def _printed(span: Span) -> int:
    return sum(not c.isspace() for c in span.text)


def _cyrillic_line(span: Span, feature: Feature, recognizer: NetworkRecognizer) -> Span:
    """A Cyrillic line on a page of another script: re-read by the Cyrillic head that knows Latin best.

    Where that scores no higher, the span without the script's name.
    """
    if span.script != "cyrillic":
        return span
    head = recognizer.seconds.get("cyrillic", recognizer.heads["cyrillic"])
    other = _in_one_script(read_line(span.quad, feature, head), "cyrillic")
    return other if other.score > span.score else replace(span, script="")


def _read_again(own: Span, span: Span, feature: Feature, recognizer: NetworkRecognizer) -> Span:
    """The span; when a character is in doubt, the reading of the head for worn print if it scores higher.

    own: the reading of the Latin head. Where span is not own, or has ideographs, another head has read it.
    """
    settled = span is not own or any(script_of(c) == "cjk" for c in span.text)
    if settled or recognizer.worn is None or min(_scores(span), default=1.0) >= _IN_DOUBT:
        return span
    return max(span, read_line(span.quad, feature, recognizer.worn), key=lambda read: read.score)


def _scores(span: Span) -> Iterable[float]:
    return (c.score for c in span.chars if c.text)


def _is_digit(span: Span) -> bool:
    return len(span.text) == 1 and span.text in "0123456789" and span.score >= SURE


#: Different ideographs, read with high confidence, that make a line East Asian. Rows of stars and scripts on
#: which the model was not trained also yield some, but with low confidence, and not three different ones per
#: line.
_MIN_EAST_ASIAN = 3
#: Lines with ideographs on a Latin page from which on all its lines may have some.
_MIN_EAST_ASIAN_LINES = 2
#: Least score of such a line's reading; rows of stars score lower.
_FAIR = 0.75
#: Different letters, read with high confidence, that only one script has and that identify it; Latin pages
#: have at most two. Vietnamese is tried only on pages with at least _MIN_ACCENTED accented lines.
_MIN_GREEK = 4
_MIN_CYRILLIC = 5
_MIN_VIETNAMESE = 3
_MIN_ACCENTED = 2
#: Largest share of East Asian lines among those with accents, on a Vietnamese page.
_MAX_EAST_ASIAN = 0.15
#: Lines that are examined to find a page's script.
_SCRIPT_PROBES = 10
#: A line in another alphabet reads badly, or fewer than this share of its steps give a character. On a page
#: in another alphabet, more than _MIN_STRANGE of the lines that are not numbers are like that; on other pages
#: 6 %.
_STRANGE_STEPS = 0.1
_MIN_STRANGE = 0.15
#: Cyrillic words of which each letter has a Latin likeness score up to this as Latin: "BKYNHO" for "ВКУПНО".
_CLEAR = 0.97
#: Score of a character below which a Latin line is re-read with the head for worn print. Re-reading all lines
#: makes well-read ones worse; accepting a lower-scoring reading turns logos into words.
_IN_DOUBT = 0.8
#: A word's first or last letter that looks like a digit: "4EK" is "ЧЕК", "EBP017.81" is "ЕВРО17.81".
_LETTER_AS_DIGIT = re.compile(r"(?<![^\W_])[0-9](?=[^\W\d_])|(?<=[^\W\d_])0(?=[0-9])")
#: On a Latin page, a line that scores lower than this is tried as East Asian.
_DOUBTFUL = 0.85


def find_script(features: Sequence[Feature], recognizer: NetworkRecognizer) -> Script:
    """The script of a page, from its widest lines; Vietnamese counts as Latin."""
    probes = _widest(features)
    if _is_mostly_east_asian(probes, recognizer):
        return "cjk"
    if _greek_letters(probes, recognizer) < _MIN_GREEK:
        return "latin"
    # On worn or blurred Latin pages single letters look Greek, but whole lines do not.
    head = recognizer.heads["greek"]
    others = [f for f in probes if not _is_east_asian(f, recognizer) and line_score(f, head) >= SURE]
    return "greek" if _greek_letters(others, recognizer) >= _MIN_GREEK else "latin"


def _is_mostly_east_asian(probes: Sequence[Feature], recognizer: NetworkRecognizer) -> bool:
    """Whether at least two in five lines are East Asian.

    Stops as soon as that is decided: evaluating all classes costs half as much as a line's features.
    """
    needed = max(1.0, 0.4 * len(probes))
    found = 0
    for number, probe in enumerate(probes):
        if found + len(probes) - number < needed:
            return False
        found += _is_east_asian(probe, recognizer)
    return found >= needed


def _greek_letters(features: Sequence[Feature], recognizer: NetworkRecognizer) -> int:
    """Number of different letters that only Greek has and that are read with high confidence on the lines."""
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
    """Whether lines that are not clear, some of them read badly, show letters that only Cyrillic has, and
    score higher read as Cyrillic."""
    lines = list(zip(spans, features, strict=True))
    words = [line for line in lines if not is_number(line[0])]
    if sum(_is_strange(*line) for line in words) <= _MIN_STRANGE * len(words):
        return False
    probes = [line for line in lines if line[0].score < _CLEAR or _is_strange(*line)]
    probes = sorted(probes, key=lambda line: -line[1].values.shape[1])[:_SCRIPT_PROBES]
    head = recognizer.heads["cyrillic"]
    letters = _sure_letters([feature for _, feature in probes], head)
    if sum(map(is_cyrillic_alone, letters)) < _MIN_CYRILLIC:
        return False
    read = [read_line(span.quad, feature, head) for span, feature in probes]
    return sum(span.score for span in read) > sum(span.score for span, _ in probes)


def _is_strange(span: Span, feature: Feature) -> bool:
    return span.score < UNREAD or _printed(span) < _STRANGE_STEPS * feature.values.shape[1]


def _is_vietnamese(spans: Sequence[Span], features: Sequence[Feature], recognizer: NetworkRecognizer) -> bool:
    """Whether a page with accents shows letters that only Vietnamese has, and those are not ideographs
    misread by the Latin classes."""
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
    """The different characters that a head reads with high confidence on any of the lines."""
    peaks = [head.probabilities(feature).max(axis=0) for feature in features]
    return {head.characters[i] for peak in peaks for i in np.flatnonzero(peak >= SURE)}


def _is_accented(character: str) -> bool:
    return character.isalpha() and not character.isascii()


def _is_east_asian(feature: Feature, recognizer: NetworkRecognizer) -> bool:
    """Whether a line has at least _MIN_EAST_ASIAN different ideographs."""
    known = {} if recognizer.seen is None else recognizer.seen.east_asian
    line = id(feature)
    if line not in known:
        found = _sure_letters((feature,), recognizer.whole)
        known[line] = sum(script_of(c) == "cjk" for c in found) >= _MIN_EAST_ASIAN
    return known[line]


def _look(page: Page, boxes: Sequence[TextBox], recognizer: NetworkRecognizer) -> list[Feature]:
    seen = {} if recognizer.seen is None else recognizer.seen.features
    new = [box for box in dict.fromkeys(boxes) if (page.rotation, box) not in seen]
    found = each(lambda box: _features(page, box, recognizer), new, recognizer.threads)
    seen.update(((page.rotation, box), feature) for box, feature in zip(new, found, strict=True))
    return [seen[page.rotation, box] for box in boxes]


def _features(page: Page, box: TextBox, recognizer: NetworkRecognizer) -> Feature:
    picture, share = tensor(crop(page, box))
    reader = recognizer.reader
    logits = None if reader is None else cache(lambda: reader.run({"x": tensor(crop(page, box))[0]}))
    return Feature(recognizer.backbone.run({"x": picture}), share, logits)


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
        # These heads were trained on words, not on rows of stars or long numbers.
        plain = read_line(quad, feature, recognizer.heads["latin"])
        if len(plain.text) >= len(span.text) and not any(map(str.isalnum, plain.text)):
            return plain
        if script == "cyrillic" and is_number(plain) and plain.score >= span.score:
            labelled = _labelled(plain, quad, feature, recognizer)
            if labelled is None:
                return plain
            span = labelled
    if script in ("greek", "cyrillic"):
        return _in_one_script(span, script)
    doubtful = script == "latin" and span.score < _DOUBTFUL and feature.values.shape[1] >= _MIN_EAST_ASIAN
    if doubtful and _is_east_asian(feature, recognizer):
        return read_line(quad, feature, recognizer.heads["cjk"])
    return span


def _labelled(number: Span, quad: Quad, feature: Feature, recognizer: NetworkRecognizer) -> Span | None:
    """A Cyrillic reading with the same digits, and with words or a sign that the Latin classes leave out or
    mistake: "ФД № 35118" is "35118" to them."""
    heads = [recognizer.heads["cyrillic"]]
    if "cyrillic" in recognizer.seconds:
        heads.append(recognizer.seconds["cyrillic"])
    read = (read_line(quad, feature, head) for head in heads)
    digits = (digits_of(number), digits_of(replace(number, text=_LETTER_AS_DIGIT.sub("", number.text))))
    found = [span for span in read if digits_of(span) in digits and _is_worded(span)]
    return max(found, key=lambda span: span.score, default=None)


def _is_worded(span: Span) -> bool:
    """Whether it has two Cyrillic letters, or a letter or sign that no Latin one looks like."""
    sure = [c.text for c in span.chars if c.score >= SURE and c.text and not c.text.isascii()]
    letters = [c for c in sure if script_of(c) == "cyrillic"]
    return len(letters) > 1 or any(map(is_cyrillic_alone, letters)) or any(map(is_sign, sure))


def _in_one_script(span: Span, script: Script) -> Span:
    """The span with each word in letters of one script: the given one or Latin."""
    text = " ".join(one_script(word, script) for word in span.text.split(" "))
    changed = iter(text)
    chars = tuple(replace(c, text=next(changed)) if c.text else c for c in span.chars)
    return replace(span, text=text, chars=chars)
