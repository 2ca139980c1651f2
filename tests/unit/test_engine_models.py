"""Detectors and recognisers of one's own in the place of the shipped networks."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Self

import numpy as np
import pytest

from receipt_engine import Cancellation, CancelledError, Engine, Models, NoTextError, OptionError
from receipt_engine.document import Page, Quad, Span, TextBox
from receipt_engine.models import load_models
from receipt_engine.runtime.stopping import Stop
from receipt_engine.testing import fake_models

PICTURE = np.full((700, 420, 3), 255, np.uint8)
RECEIPT = """
    GREEN BICYCLE CAFE
    12 Harbor Street
    Pumpkin soup          7.20
    Apple tart            4.30
    TOTAL                11.50
    CASH                 12.00
    CHANGE                0.50
"""


def test_every_picture_shows_the_text_of_the_fake() -> None:
    result = Engine(models=fake_models(RECEIPT)).extract(PICTURE, region="us")
    assert result.total == Decimal("11.50") and result.validated_total
    assert [item.line_total for item in result.line_items] == [Decimal("7.20"), Decimal("4.30")]


@pytest.mark.parametrize(
    "wrong",
    [
        *({"threads": count} for count in (0, -1, "2", True, 1.5)),
        *({name: "a file"} for name in ("merchants", "memory", "models")),
    ],
)
def test_a_wrong_argument_is_refused_before_a_picture_is_read(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(OptionError, match=f"{name} is .*; use a"):
        Engine(**wrong)


def test_a_fake_without_text_raises_as_a_blank_picture_does() -> None:
    with pytest.raises(NoTextError):
        Engine(models=fake_models("")).extract(PICTURE)


def test_the_shipped_networks_are_not_loaded_for_models_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(threads: int | None = None) -> Models:
        raise AssertionError(f"loaded for {threads} threads")

    monkeypatch.setattr("receipt_engine.engine.load_models", refuse)
    assert Engine(models=fake_models(RECEIPT)).extract(PICTURE, region="us").total == Decimal("11.50")


def test_other_models_have_another_fingerprint() -> None:
    fingerprints = {Engine(models=fake_models(text)).fingerprint for text in ("TOTAL  5.00", "TOTAL  6.00")}
    assert len(fingerprints | {Engine().fingerprint}) == 3


def test_an_engine_with_models_can_be_pickled() -> None:
    copy = pickle.loads(pickle.dumps(Engine(models=fake_models(RECEIPT))))
    assert copy.extract(PICTURE, region="us").total == Decimal("11.50")


class _WholePage:
    """A detector that takes the page for one row."""

    def detect(self, page: Page) -> list[TextBox]:
        return [TextBox(Quad((0, 0), (page.width, 0), (page.width, page.height), (0, page.height)), 0.9)]


class _OneRow:
    """A recogniser that reads the same row in every box."""

    def read(self, page: Page, boxes: Sequence[TextBox]) -> list[Span]:
        return [Span("TOTAL", 0.95, box.quad) for box in boxes]


def test_either_half_can_be_replaced_alone() -> None:
    wide = np.full((40, 420, 3), 255, np.uint8)
    engine = Engine(models=dataclasses.replace(load_models(1), recognizer=_OneRow(), detector=_WholePage()))
    assert [span.text for span in engine.read(wide).spans] == ["TOTAL"]
    engine = Engine(models=dataclasses.replace(load_models(1), detector=_WholePage()))
    with pytest.raises(NoTextError):
        engine.read(wide)


class _Cancels:
    """A detector that is cancelled while it works, and knows how to stop."""

    def __init__(self, cancellation: Cancellation, stop: Stop | None = None) -> None:
        self._cancellation, self._stop = cancellation, stop

    def stopped_by(self, stop: Stop) -> Self:
        return type(self)(self._cancellation, stop)

    def detect(self, page: Page) -> tuple[TextBox, ...]:
        self._cancellation.cancel()
        assert self._stop is not None
        self._stop.check()
        raise AssertionError("was not stopped")


def test_models_that_can_be_stopped_are() -> None:
    cancellation = Cancellation()
    models = dataclasses.replace(fake_models(RECEIPT), detector=_Cancels(cancellation))
    with pytest.raises(CancelledError):
        Engine(models=models).extract(PICTURE, cancel=cancellation)
