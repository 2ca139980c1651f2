"""Writes regions/brands/chains.tsv: ``python -m scripts.build_brands PACKAGE``.

PACKAGE: the unpacked npm package ``name-suggestion-index`` (8.0.20260918 was used): ``dist/json/nsi.json``
lists chains of shops with their countries, ``dist/wikidata/wikidata.json`` their web addresses. Only chains
of a kind that issues receipts are included. The same package gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from receipt_engine.vocabulary.brands import EVERYWHERE, UNKNOWN, chains_file
from receipt_engine.vocabulary.domains import domain_kind, domain_name
from receipt_engine.vocabulary.normalise import alphanumerics

#: OpenStreetMap place type, or a prefix of one ending in "*" → expense label; "" when several labels are
#: possible. The first match counts; types without a match are left out.
_TRADES = {
    "amenity/bar": "Meals/Bar",
    "amenity/pub": "Meals/Bar",
    "amenity/cafe": "Meals/Cafe",
    "amenity/ice_cream": "Meals/Cafe",
    "shop/coffee": "Meals/Cafe",
    "amenity/restaurant": "Meals/Restaurant",
    "amenity/fast_food": "Meals/Restaurant",
    "amenity/fuel": "Travel/Fuel",
    "amenity/pharmacy": "Health/Pharmacy",
    "shop/chemist": "Health/Pharmacy",
    "amenity/clinic": "Health/Medical",
    "amenity/dentist": "Health/Medical",
    "shop/optician": "Health/Medical",
    "healthcare/*": "Health/Medical",
    "amenity/cinema": "Entertainment/Leisure",
    "amenity/karaoke_box": "Entertainment/Leisure",
    "leisure/*": "Entertainment/Leisure",
    "tourism/theme_park": "Entertainment/Leisure",
    "amenity/car_rental": "Travel/Car rental",
    "amenity/car_wash": "Services/Vehicle",
    "shop/car*": "Services/Vehicle",
    "shop/tyres": "Services/Vehicle",
    "amenity/parking": "Travel/Parking",
    "amenity/post_office": "Services/Post and courier",
    "tourism/hotel": "Travel/Hotel",
    "tourism/motel": "Travel/Hotel",
    "tourism/hostel": "Travel/Hotel",
    "shop/supermarket": "Groceries/Supermarket",
    "shop/convenience": "Groceries/Supermarket",
    "shop/greengrocer": "Groceries/Supermarket",
    "shop/bakery": "Groceries/Supermarket",
    "shop/butcher": "Groceries/Supermarket",
    "shop/frozen_food": "Groceries/Supermarket",
    "shop/doityourself": "Shopping/Hardware",
    "shop/hardware": "Shopping/Hardware",
    "shop/paint": "Shopping/Hardware",
    "shop/trade": "Shopping/Hardware",
    "shop/electronics": "Shopping/Electronics",
    "shop/mobile_phone*": "Shopping/Electronics",
    "shop/computer": "Shopping/Electronics",
    "shop/books": "Office/Stationery and books",
    "shop/stationery": "Office/Stationery and books",
    "shop/clothes": "Shopping/Clothing",
    "shop/shoes": "Shopping/Clothing",
    "shop/fashion_accessories": "Shopping/Clothing",
    "shop/furniture": "Shopping/Household",
    "shop/houseware": "Shopping/Household",
    "shop/kitchen": "Shopping/Household",
    "shop/interior_decoration": "Shopping/Household",
    "shop/hairdresser": "Services/Beauty",
    "shop/beauty": "Services/Beauty",
    "shop/dry_cleaning": "Services/Laundry",
    "shop/laundry": "Services/Laundry",
    "shop/*": "",
}
#: A chain that has places of this kind gets its label, whatever else it runs.
_WHOLE = "shop/supermarket"
#: Minimum number of letters and digits in a name and in a web address that identify a chain.
_NAME, _SITE = 3, 4
#: A name shared by more chains than this identifies none of them.
_SHARED = 3
#: Minimum share of the chains with one web address whose names contain the name of its owner.
_OWN = 2 / 3
_COUNTRY = re.compile(r"[a-z]{2}")
#: Country codes in the index → codes of the region files, where they differ.
_CODES = {"jp": "ja", "fx": "fr", "gb-eng": "gb", "gb-sct": "gb", "gb-wls": "gb", "gb-nir": "gb"}
#: UN M49 codes in the index: the world, and continents, which count as the world too.
_WORLD = re.compile(r"\d{3}")


def main() -> None:
    """Reads the package and writes the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("package", type=Path)
    chains_file().write_text(table(parser.parse_args().package), encoding="utf-8")


def table(package: Path) -> str:
    """The content of the file."""
    index = json.loads((package / "dist" / "json" / "nsi.json").read_text("utf-8"))["nsi"]
    facts = json.loads((package / "dist" / "wikidata" / "wikidata.json").read_text("utf-8"))["wikidata"]
    chains = [(kind, item) for tree, of in index.items() if (kind := _kind(tree)) for item in of["items"]]
    spelled: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    sites: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for kind, item in chains:
        name = item["tags"].get("brand") or item["displayName"]
        for key in set(map(alphanumerics, _names(item))):
            spelled[key] += [(name, kind, country) for country in _countries(item)]
        for site in _sites(item, facts):
            sites[site][item["tags"]["brand:wikidata"]].add(name)
    rows = [row for key, found in spelled.items() if len(key) >= _NAME for row in _rows(key, found)]
    owners = ((site, _owner(site, list(chains.values()))) for site, chains in sites.items())
    rows += [(f"{site}.", owner, "", "") for site, owner in owners if owner is not None]
    return "".join("\t".join(row) + "\n" for row in sorted(rows))


def _owner(site: str, chains: Sequence[Collection[str]]) -> str | None:
    """The name of the chain that owns a web address: the name most similar to it. None where too few of the
    chains with the address contain that name, as with the hotels or shops of a group: any could print it.

    chains: the names of each chain with the address.
    """
    best = max((name for names in chains for name in names), key=lambda n: (_likeness(site, n), n))
    keys = [[key for key in map(alphanumerics, names) if key.isascii()] for names in chains]
    told = [any(alphanumerics(best) in key for key in of) for of in keys if of]
    return best if sum(told) >= _OWN * len(told) else None


def _likeness(site: str, name: str) -> float:
    return fuzz.ratio(site, alphanumerics(name))


def _rows(key: str, found: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str, str]]:
    """The rows of a key: of the chain with exactly this name, or else of the few chains that also use it.

    found: name, kind of place and country of every chain with the key.
    """
    chains: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for one in found:
        chains[one[0]].append(one)
    own = min((name for name in chains if alphanumerics(name) == key), default=None)
    if own is not None:
        chains = {own: list(found)}
    if len(chains) > _SHARED:
        return
    for name, of in chains.items():
        countries = {country for _, _, country in of}
        kinds = {kind for _, kind, _ in of}
        where = {EVERYWHERE} if EVERYWHERE in countries else countries - {UNKNOWN} or {UNKNOWN}
        yield key, name, _common(kinds), " ".join(sorted(where))


def _common(kinds: Collection[str]) -> str:
    """The expense label of a chain with places of these kinds: the supermarkets' if it has any, else the
    common label; "" when they differ, as for shops with pumps, where the line items decide."""
    labels = {_TRADES[kind] for kind in kinds}
    return _TRADES[_WHOLE] if _WHOLE in kinds else labels.pop() if len(labels) == 1 else ""


def _kind(tree: str) -> str | None:
    """The key in _TRADES for a branch of the index; None when the branch is left out."""
    root, _, place = tree.partition("/")
    fits = (of for of in _TRADES if place == of or (of.endswith("*") and place.startswith(of[:-1])))
    return next(fits, None) if root == "brands" else None


def _names(item: Mapping[str, Any]) -> Iterator[str]:
    """The names of a chain, in all languages."""
    yield item["displayName"]
    yield from item.get("matchNames", ())
    for tag, value in item["tags"].items():
        if tag.split(":")[0] in ("brand", "name", "short_name", "alt_name") and not tag.endswith("wikidata"):
            yield from value.split(";")


def _countries(item: Mapping[str, Any]) -> Iterable[str]:
    """Codes of the countries in which a chain operates."""
    codes = {str(code).removesuffix(".geojson") for code in item["locationSet"].get("include", ())}
    codes = {_CODES.get(code, code) for code in codes}
    if any(map(_WORLD.fullmatch, codes)):
        return (EVERYWHERE,)
    return sorted(filter(_COUNTRY.fullmatch, codes)) or (UNKNOWN,)


def _sites(item: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[str]:
    """The distinctive parts of a chain's web addresses."""
    known = facts.get(item["tags"].get("brand:wikidata"), {})
    for address in known.get("officialWebsites", ()):
        name = alphanumerics(domain_name(address))
        if len(name) >= _SITE and domain_kind(address) is None:
            yield name


if __name__ == "__main__":
    main()
