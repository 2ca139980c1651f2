"""The table of chains, made of a package like that of the Name Suggestion Index."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.build_brands import table


def chain(name: str, *where: str, fact: str = "", **tags: str) -> dict[str, Any]:
    return {
        "displayName": name,
        "locationSet": {"include": list(where)},
        "tags": {"brand": name, "brand:wikidata": fact, **tags},
    }


@pytest.fixture
def package(tmp_path: Path) -> Path:
    trees = {
        "brands/shop/supermarket": [
            chain("Copper & Kettle", "jp", "gb", fact="Q1", **{"name:ja": "銅とやかん"}),
            chain("Tin Can", "001", fact="Q2"),
            chain("Tin Can Express", "001", fact="Q3"),
            chain("Inn by Lake", "001", fact="Q4"),
            chain("Lakeside", "001", fact="Q5"),
            chain("Moor Inn", "001", fact="Q6"),
        ],
        "brands/amenity/fuel": [chain("Copper & Kettle", "gb"), chain("Oil", "somewhere.geojson")],
        "brands/amenity/atm": [chain("Cash Point", "001")],
        "operators/shop/supermarket": [chain("Operator", "001")],
    }
    facts = {
        "Q1": {"officialWebsites": ["https://www.copper-kettle.co.jp/shop", "https://facebook.com/copper"]},
        "Q2": {"officialWebsites": ["https://www.tincan.com"]},
        "Q3": {"officialWebsites": ["https://express.tincan.com"]},
        "Q4": {"officialWebsites": ["https://www.lake.com/inn"]},
        "Q5": {"officialWebsites": ["https://www.lake.com/lakeside"]},
        "Q6": {"officialWebsites": ["https://www.lake.com/moor"]},
    }
    for folder, name, data in (
        ("json", "nsi.json", {"nsi": {tree: {"items": of} for tree, of in trees.items()}}),
        ("wikidata", "wikidata.json", {"wikidata": facts}),
    ):
        path = tmp_path / "dist" / folder / name
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(data), encoding="utf-8")
    return tmp_path


def test_names_countries_trades_and_web_addresses(package: Path) -> None:
    assert table(package).splitlines() == [
        "copperkettle\tCopper & Kettle\tGroceries/Supermarket\tgb ja",
        "copperkettle.\tCopper & Kettle\t\t",
        "innbylake\tInn by Lake\tGroceries/Supermarket\t*",
        "lakeside\tLakeside\tGroceries/Supermarket\t*",
        "moorinn\tMoor Inn\tGroceries/Supermarket\t*",
        "oil\tOil\tTravel/Fuel\t?",
        "tincan\tTin Can\tGroceries/Supermarket\t*",
        "tincan.\tTin Can\t\t",
        "tincanexpress\tTin Can Express\tGroceries/Supermarket\t*",
        "銅とやかん\tCopper & Kettle\tGroceries/Supermarket\tgb ja",
    ]
