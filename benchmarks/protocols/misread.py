"""Does a damaged reading give wrong totals that are sure? What print, paper and recogniser spoil is imitated.

    python -m benchmarks.protocols.misread --data DIR [--cache DIR] [--seed N]

Kept readings are damaged in four ways, each image once in each, and interpreted. Labels that their image
contradicts are left out. A sure total is one at .9 and more.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from msgspec.structs import replace

from benchmarks.datasets import Sample, faulty_labels, load
from benchmarks.reading_cache import DEFAULT_FOLDER
from benchmarks.runner import Setup, Worker, call_for
from receipt_engine.document import Reading, Span
from receipt_engine.errors import ImageError
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.trace import Trace

#: Share of the digits that are misread, of the texts that are lost, and score of a misread digit.
_MISREAD, _LOST, _SCORE = 0.03, 0.1, 0.93
#: Width of what the image cuts off, in text heights.
_CUT = (0.4, 1.6)
#: Share of the texts that end left of the edge of a column at the right.
_WITHIN = 0.97
_SURE = 0.9
_LOOK_ALIKES = {
    "0": "86",
    "1": "74",
    "2": "7",
    "3": "8",
    "4": "1",
    "5": "63",
    "6": "85",
    "7": "1",
    "8": "369",
    "9": "83",
}

#: (reading, printed total, chance) → the damaged reading; None where there is nothing to damage.
Damage = Callable[[Reading, Decimal, random.Random], Reading | None]


def one_digit_of_the_total(reading: Reading, total: Decimal, chance: random.Random) -> Reading | None:
    """One digit of the total is misread, once where it is printed several times."""
    whole, _, cents = str(total).partition(".")
    printed = re.compile(rf"(?<![\d.,]){whole}[.,]{cents}(?!\d)")
    places = [(i, m) for i, span in enumerate(reading.spans) for m in printed.finditer(span.text)]
    if not places:
        return None
    index, place = chance.choice(places)
    digits = [at for at in range(*place.span()) if reading.spans[index].text[at] in _LOOK_ALIKES]
    spans = list(reading.spans)
    spans[index] = _misread(spans[index], chance.choice(digits), chance)
    return replace(reading, spans=tuple(spans), papers=())


def digits(reading: Reading, total: Decimal, chance: random.Random) -> Reading | None:
    """Digits anywhere are misread."""
    spans = []
    for span in reading.spans:
        for at, char in enumerate(span.text):
            if char in _LOOK_ALIKES and chance.random() < _MISREAD:
                span = _misread(span, at, chance)
        spans.append(span)
    return replace(reading, spans=tuple(spans), papers=())


def lost_texts(reading: Reading, total: Decimal, chance: random.Random) -> Reading | None:
    """Some texts are not found."""
    return replace(reading, spans=tuple(s for s in reading.spans if chance.random() >= _LOST), papers=())


def right_edge(reading: Reading, total: Decimal, chance: random.Random) -> Reading | None:
    """The image cuts off the end of the column at the right."""
    ends = sorted(_right(span) for span in reading.spans)
    edge = ends[int(_WITHIN * len(ends))] - reading.quality.text_height * chance.uniform(*_CUT)
    spans = tuple(cut for span in reading.spans if (cut := _cut(span, edge)) is not None)
    return replace(reading, spans=spans, width=int(edge), papers=())


DAMAGES: dict[str, Damage] = {
    "one digit of the total": one_digit_of_the_total,
    "digits": digits,
    "lost texts": lost_texts,
    "right edge": right_edge,
}


@dataclass(slots=True)
class Count:
    """How many totals there are, and how many of them are right, sure, sure and wrong, proved, proved and
    wrong."""

    totals: int = 0
    right: int = 0
    sure: int = 0
    sure_wrong: int = 0
    proved: int = 0
    proved_wrong: int = 0


def judged(
    samples: Sequence[Sample], cache: Path, seed: int
) -> Iterator[tuple[str, Sample, Decimal | None, float, bool, bool]]:
    """(damage, sample, total, its confidence, whether proved, whether right) of every damaged reading."""
    worker = Worker(Setup(cache))
    for sample in samples:
        label = sample.fields.get("total")
        if label is None or not isinstance(label.main, Decimal) or (sample.id, "total") in faulty_labels():
            continue
        try:
            reading = worker.reading(sample)
        except (ImageError, ValueError):
            continue
        printed = label.main.quantize(Decimal("0.01"))
        for name, damage in DAMAGES.items():
            damaged = damage(reading, printed, random.Random(f"{seed} {sample.id} {name}"))
            if damaged is not None:
                options = ExtractOptions(region=call_for(sample).region)
                found = interpret(damaged, options, None, Trace(keep=False))
                right = found.total in label.accepted
                yield name, sample, found.total, found.total_confidence or 0.0, found.validated_total, right


def _misread(span: Span, at: int, chance: random.Random) -> Span:
    """The span with a look-alike in place of a digit; unchanged where characters have no places."""
    if len(span.chars) != len(span.text):
        return span
    text = chance.choice(_LOOK_ALIKES[span.text[at]])
    chars = list(span.chars)
    chars[at] = replace(chars[at], text=text, score=_SCORE, alternatives=())
    return replace(span, text=span.text[:at] + text + span.text[at + 1 :], chars=tuple(chars))


def _right(span: Span) -> float:
    return max(x for x, _ in span.quad.points)


def _cut(span: Span, edge: float) -> Span | None:
    """What is left of a span at the left of an edge; None where nothing is."""
    left, right = min(x for x, _ in span.quad.points), _right(span)
    if right <= edge:
        return span
    share = (edge - left) / (right - left)
    kept = int(len(span.text) * share)
    if kept <= 0 or len(span.chars) != len(span.text):
        return None
    chars = tuple(
        replace(char, start=char.start / share, end=min(1.0, char.end / share)) for char in span.chars[:kept]
    )
    return replace(span, text=span.text[:kept], chars=chars, quad=span.quad.slice(0.0, share))


def main() -> int:
    """Prints the wrong totals that are sure, and a row for every damage."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR")
    parser.add_argument("--cache", type=Path, default=DEFAULT_FOLDER, help="of readings")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    counts = {name: Count() for name in DAMAGES}
    for name, sample, total, confidence, proved, right in judged(
        load(arguments.data), arguments.cache, arguments.seed
    ):
        count, sure = counts[name], confidence >= _SURE
        count.totals += 1
        count.right += right
        count.sure += sure
        count.sure_wrong += sure and not right
        count.proved += proved
        count.proved_wrong += proved and not right
        if sure and not right:
            print(f"{name}: {sample.id} {total} at {confidence}{', proved' if proved else ''}", flush=True)
    for name, count in counts.items():
        print(name, count)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
