"""A town put into an address of its country is found again, whichever town it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from receipt_engine import assets
from receipt_engine.vocabulary.towns import find_towns

_LISTS = {
    path.stem.upper(): path.read_text(encoding="utf-8").partition("-")[0].split()
    for path in sorted((assets.shipped("regions") / "world").glob("*.txt"))
}
_TOWNS = st.sampled_from(sorted(country for country, names in _LISTS.items() if names)).flatmap(
    lambda country: st.tuples(st.just(country), st.sampled_from(_LISTS[country]))
)


@given(_TOWNS, st.sampled_from(["{}", "{} 12", "14 x, {}", "12345 {}", "({})", "{}, 99"]), st.booleans())
def test_a_town_is_found_again(place: tuple[str, str], pattern: str, capitals: bool) -> None:
    country, name = place
    printed = name.upper() if capitals and name.isascii() else name
    text = pattern.format(printed)
    found = [text[town.start : town.end] for town in find_towns(text, country)]
    assert printed in found
