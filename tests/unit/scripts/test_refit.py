"""Refitting all models: the same receipts give the same bytes, and --check leaves everything as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.datasets import Label, Sample
from scripts import fit_merchant, model_cards, refit
from scripts.data_splits import data_set, folds
from scripts.merchant_examples import Receipt, draw


def drawn() -> list[Receipt]:
    return list(draw(1, ("de", "us", "my")))


def test_the_same_receipts_give_the_same_bytes() -> None:
    one, two = drawn(), drawn()
    weights, again = fit_merchant.fit(one), fit_merchant.fit(two)
    assert fit_merchant.as_toml(weights) == fit_merchant.as_toml(again)
    left_out = {"drawn": fit_merchant.shares(weights, one)}
    pages = [
        [model_cards.page(card, "commit") for card in fit_merchant.cards(weights, receipts, left_out)]
        for receipts in (one, two)
    ]
    assert pages[0] == pages[1]


def sample(dataset: str, name: str, merchant: str | None) -> Sample:
    fields = {} if merchant is None else {"establishment": Label.of(merchant)}
    return Sample(name, dataset, Path(), None, fields)


def test_two_pictures_of_a_receipt_are_on_one_side() -> None:
    shops = [f"{first}ORBEN {second}AHL" for first in "ABCDE" for second in "KLMNOPST"]
    clean = [sample("invented-clean", name, name) for name in shops]
    photo = [sample("invented-photo", name, name if name < "C" else None) for name in shops]
    assert {data_set(one) for one in (*clean, *photo)} == {"invented"}
    found = folds([*clean, *photo], 5)
    assert found[:40] == found[40:]
    assert set(found) == set(range(5))


def test_receipts_of_a_merchant_are_on_one_side() -> None:
    shops = [sample("invented", str(number), f"Shop of {'ABCDEFGH'[number % 8]}") for number in range(32)]
    found = folds(shops, 3)
    assert all(found[at] == found[at % 8] for at in range(32))
    assert len(set(found)) == 3


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of models and cards, and fits that write another weight and a card."""
    folder, cards = tmp_path / "models", tmp_path / "cards"
    folder.mkdir()
    cards.mkdir()
    for name in refit.WRITTEN:
        (folder / name).write_text("old", encoding="utf-8")
    (cards / "name.md").write_text("old", encoding="utf-8")

    def fit(arguments: list[str]) -> None:
        assert arguments[0] == "--data" and arguments[2] == "--cache"
        (folder / "merchant.toml").write_text("new", encoding="utf-8")
        (cards / "name.md").write_text("new", encoding="utf-8")
        (cards / "address.md").write_text("new", encoding="utf-8")

    monkeypatch.setattr(refit, "MODELS", folder)
    monkeypatch.setattr(refit, "CARDS", cards)
    monkeypatch.setattr(refit, "_fit", fit)
    return tmp_path


def test_a_check_says_what_would_change_and_changes_nothing(
    models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--data", str(models), "--cache", str(models)]
    assert refit.main([*arguments, "--check"]) == 1
    assert capsys.readouterr().out == "changed: merchant.toml\n"
    texts = {path.read_text(encoding="utf-8") for path in models.rglob("*") if path.is_file()}
    assert texts == {"old"}
    assert not (models / "cards" / "address.md").exists()


def test_without_a_check_the_fits_stay(models: Path) -> None:
    arguments = ["--data", str(models), "--cache", str(models)]
    assert refit.main(arguments) == 0
    assert (models / "models" / "merchant.toml").read_text(encoding="utf-8") == "new"
    assert refit.main([*arguments, "--check"]) == 0
