"""Prepares receipts with a labelled name or address for the fits of names and addresses.

Segments are those that the merchant stage receives; labels tell which of them lie in the address and which
candidates are the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import fuzz

from benchmarks.datasets import Label, Sample, truth_form
from benchmarks.runner import Setup, Worker, call_for
from benchmarks.scoring.rules import contains_name, same_name
from benchmarks.scoring.text import letters
from receipt_engine.document import Line
from receipt_engine.errors import ReceiptEngineError
from receipt_engine.pipeline import sort_rows
from receipt_engine.region import region_codes
from receipt_engine.stages.contacts import find_entities
from receipt_engine.stages.group import group
from receipt_engine.stages.localize import choose_rules, localize
from receipt_engine.stages.merchant import prepare
from receipt_engine.stages.merchant.address.features import address_features
from receipt_engine.stages.merchant.name.candidates import NameCandidate
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.testing import spans
from receipt_engine.trace import Trace
from receipt_engine.vocabulary.trades import trade_share
from scripts.composed_lines import composed_lines
from scripts.data_splits import data_set
from scripts.make_receipts import DrawingError, compose_receipt
from scripts.written_headers import written_headers

Features = Mapping[str, float]

DRAWN, WRITTEN = "drawn", "written"
#: Minimum similarity in per cent of a segment to a part of the labelled address; maximum span of an address.
_ALIKE = 85
_WIDEST = 9
#: A row identifies the trade when at least this share of its words names a kind of business.
_TRADE = 0.55


@dataclass
class Receipt:
    """One labelled receipt. inside: for each segment, whether it lies in the labelled address. country: code
    of the region whose rules are applied."""

    sample: Sample
    segments: Sequence[Segment]
    domains: Sequence[str]
    rows: Sequence[Features]
    inside: list[bool] | None
    names: Sequence[Features]  # of every candidate, then of the name's absence
    candidates: Sequence[NameCandidate] = ()
    country: str = ""

    @property
    def group(self) -> str:
        """The data set, clean and photographed halves together."""
        return data_set(self.sample)


def collect(samples: Sequence[Sample], cache: Path) -> list[Receipt]:
    """The receipts with a labelled name or address, read from the cache where possible."""
    worker = Worker(Setup(cache=cache, workers=1))
    receipts: list[Receipt] = []
    for sample in samples:
        if not {"establishment", "address"} & set(sample.fields):
            continue
        try:
            lines = group(worker.reading(sample).spans)
        except (ReceiptEngineError, ValueError):
            continue  # an unreadable image cannot be used
        receipts.append(_receipt(sample, lines))
    return receipts


def draw(count: int, regions: Sequence[str] = ()) -> Iterator[Receipt]:
    """Invented receipts as text, `count` per region, of all regions by default."""
    for code in regions or region_codes():
        for seed in range(count):
            try:
                composed = compose_receipt(code, seed=seed)
            except DrawingError:
                continue  # a country whose data cannot be drawn is left out
            row = {"id": f"{code}-{seed}", "region": code, "truth": composed.truth}
            yield _receipt(truth_form.sample(row, DRAWN, Path()), composed_lines(composed))


def written() -> Iterator[Receipt]:
    """The receipts of `scripts/headers` with a name or an address."""
    for identifier, header in written_headers().items():
        labels = {"establishment": header.name, "address": header.address}
        truth: dict[str, object] = {}
        for name, accepted in labels.items():
            if accepted:
                truth |= {name: accepted[0], f"{name}_any": accepted[1:]}
        row = {"id": identifier, "region": header.region, "truth": truth}
        if truth:
            yield _receipt(truth_form.sample(row, WRITTEN, Path()), group(spans(header.text)))


def _receipt(sample: Sample, lines: Sequence[Line]) -> Receipt:
    region = choose_rules(lines, localize(lines, call_for(sample).region)[0].code)
    rows = parse(lines, region, AmountHints())
    sheet = sort_rows(rows, region, Trace())
    segments, domains = prepare(rows, sheet, region, find_entities(rows, sheet, region))
    label = sample.fields.get("address")
    inside = _inside(segments, str(label.main)) if label is not None and label.main else None
    return Receipt(sample, segments, domains, address_features(segments), inside, [], country=region.code)


def _inside(segments: Sequence[Segment], address: str) -> list[bool]:
    """Which segments make up the labelled address: the best window of those that lie in it."""
    wanted = letters(address)
    texts = [letters(segment.rest) if segment.letters + segment.digits >= 2 else "" for segment in segments]
    alike = [
        at
        for at, text in enumerate(texts)
        if (len(text) > 4 and len(text) <= len(wanted) + 6 and fuzz.partial_ratio(text, wanted) >= _ALIKE)
        or (3 <= len(text) <= 4 and text in wanted)
    ]
    best: tuple[float, list[int]] = (0.0, [])
    for first in alike:
        for last in alike:
            if not first <= last <= first + _WIDEST:
                continue
            window = [at for at in alike if first <= at <= last]
            holes = last - first + 1 - len(window)
            fit_ = fuzz.ratio("".join(texts[at] for at in window), wanted) - 1.5 * holes
            best = max(best, (fit_, window))
    return [at in best[1] for at in range(len(segments))]


def accepted_candidates(receipt: Receipt) -> list[float]:
    """1 for candidates that the label accepts, else 0; last, 1 for the name's absence when it accepts none.

    A label may hold text that is left out of a name (a greeting, a store's number), so the segments as
    printed are compared too. Of a name in parts with a row that identifies the trade ("Harbour" above
    "Restaurant"), only the whole is accepted.
    """
    found = [
        accepts(receipt, candidate.text) or accepts(receipt, _printed(receipt, candidate))
        for candidate in receipt.candidates
    ]
    whole = _whole_names(receipt)
    return [*map(float, whole or found), float(not any(found))]


def _printed(receipt: Receipt, candidate: NameCandidate) -> str:
    segments = receipt.segments[candidate.first : candidate.last + 1]
    return " ".join(segment.run.text for segment in segments)


def _whole_names(receipt: Receipt) -> list[bool]:
    """Which candidates are all parts of a name together; [] when the parts need not be joined."""
    accepted = [str(value) for value in receipt.sample.fields["establishment"].accepted]
    if len(accepted) < 3 or letters("".join(accepted[1:])) != letters(accepted[0]):
        return []
    whole = [
        any(same_name(accepted[0], text, False) for text in (candidate.text, _printed(receipt, candidate)))
        for candidate in receipt.candidates
    ]
    told = any(
        right and candidate.last > candidate.first and _tells_trade(receipt, candidate)
        for right, candidate in zip(whole, receipt.candidates, strict=True)
    )
    return whole if told else []


def _tells_trade(receipt: Receipt, candidate: NameCandidate) -> bool:
    edges = (receipt.segments[candidate.first], receipt.segments[candidate.last])
    return max(trade_share(segment.rest) for segment in edges) >= _TRADE


def accepts(receipt: Receipt, text: str) -> bool:
    """Whether the label accepts a name."""
    label: Label = receipt.sample.fields["establishment"]
    if label.contained:
        return contains_name(label.main, text, False)
    return any(value and same_name(value, text, False) for value in label.accepted)
