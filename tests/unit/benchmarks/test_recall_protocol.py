"""The measure of remembered merchants, on receipts of two of them."""

from __future__ import annotations

from pathlib import Path

from benchmarks.datasets.sample import Label, Sample
from benchmarks.outcome import Outcome
from benchmarks.protocols.recall import recall
from receipt_engine.memory import MerchantMemory
from receipt_engine.result import Result


def _outcome(name: str, label: str, phone: str | None = None) -> Outcome:
    sample = Sample(name, "set", Path(f"{name}.jpg"), fields={"establishment": Label.of(label)})
    return Outcome(sample, Result(establishment=name, phone_number=phone).to_dict())


def test_later_receipts_are_counted(tmp_path: Path) -> None:
    outcomes = [
        _outcome("WELC0ME", "Bakery", "030 5550142"),
        _outcome("Florist", "Florist"),
        _outcome("THANK YOU", "Bakery", "030 5550142"),
        _outcome("Flower", "Florist"),
        _outcome("Kiosk", "Kiosk"),
    ]
    found = recall(outcomes, MerchantMemory(tmp_path / "merchants.csv"))
    assert [(o.sample.id, name, category) for o, name, category in found] == [
        ("THANK YOU", True, True),
        ("Flower", False, False),
    ]
