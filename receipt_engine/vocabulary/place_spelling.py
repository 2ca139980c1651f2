"""Names of places as a country writes them, for scripts that the recogniser spells with confusions."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import OSA

from receipt_engine.region import Region, load_language
from receipt_engine.vocabulary.normalise import fold_letters, squeeze

#: Letters of a name in which one confusion is forgiven, and two.
_ONE_SLIP, _TWO_SLIPS = 4, 8


def spelled_by_shape(city: str, region: Region) -> str:
    """The city as the region's data spells it, where its script is one whose letters are taken for each other
    and for Latin ones; else as read. Capitals stay capitals, without accents."""
    if load_language(region.languages[0]).script != "greek":
        return city
    key = squeeze(city)
    distances = {name: OSA.distance(key, shape) for name, shape in _shapes(region)}
    if not key or not distances:
        return city
    least = min(distances.values())
    nearest = {fold_letters(name): name for name, distance in distances.items() if distance == least}
    allowed = 2 if len(key) >= _TWO_SLIPS else 1 if len(key) >= _ONE_SLIP else 0
    if least > allowed or len(nearest) > 1:
        return city
    ((plain, name),) = nearest.items()
    if fold_letters(city) == plain:
        return city  # printed without accents, as many tills do
    if sum(map(str.isupper, city)) * 2 > sum(map(str.isalpha, city)):
        return plain.upper()
    return name


@lru_cache(maxsize=8)
def _shapes(region: Region) -> tuple[tuple[str, str], ...]:
    return tuple((name, squeeze(name)) for name in region.address.cities if not name.isascii())
