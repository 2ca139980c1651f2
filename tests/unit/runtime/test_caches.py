"""What the package's caches keep of receipts."""

from __future__ import annotations

import inspect

import pytest

import receipt_engine.engine  # noqa: F401 -- the caches of all that it imports are looked at
from receipt_engine.region import KEPT_REGIONS, load_region
from receipt_engine.runtime import caches
from receipt_engine.vocabulary.normalise import squeeze


def test_texts_are_forgotten_when_they_are_too_many_and_rules_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    region = load_region("gb")
    squeeze("a text that was printed")
    caches.trim()
    assert squeeze.cache_info().currsize
    monkeypatch.setattr(caches, "_MOST_TEXTS", 0)
    caches.trim()
    assert not squeeze.cache_info().currsize
    assert load_region("gb") is region


def test_a_cache_of_a_class_is_found_as_well() -> None:
    found = {cache.__qualname__ for cache in caches._all()}
    assert "squeeze" in found and any("." in name for name in found)
    assert len(found) > 80


def test_what_is_worked_out_from_a_region_is_kept_for_a_few_only() -> None:
    by_region = {
        cache.__qualname__: cache.cache_parameters()["maxsize"]
        for cache in caches._all()
        if any(p.annotation == "Region" for p in inspect.signature(cache).parameters.values())
    }
    assert by_region["lexicon"] == by_region["calendar_words"] == KEPT_REGIONS
    assert None not in by_region.values()


def test_clear_forgets_rules_too() -> None:
    region = load_region("gb")
    caches.clear()
    assert load_region("gb") is not region
