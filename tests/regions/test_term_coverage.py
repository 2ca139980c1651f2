"""Every language knows every term, or it is said here that its receipts print no word for it."""

from __future__ import annotations

from typing import get_args

import pytest

from receipt_engine import assets
from receipt_engine.region import Term, load_language

LANGUAGES = {path.stem for path in (assets.folder("regions") / "languages").glob("*.toml")}
#: Terms of some languages alone: East Asian characters, and habits of a few countries.
ONLY: dict[Term, str] = {
    "addressee": "da de en es fr hu it nl no pt sv",
    "activity": "af bg de el en es fr hr id it mk ms nl pl pt ro ru sl sr sw tr uk",
    "place_sign": "ja ko zh",
    "hail": "cs da de en es et fi fr hu id is it lt lv ms nl no pl pt ro sk sv tr",
    "seat": "bg cs da de en es et fi fr hr hu id is it lt lv ms nl no pl pt ro ru sk sl sr sv sw tr uk",
    "manager": (
        "af ar bg bn cs da de el en es et fi fr he hi hr hu id is it ja ko lt lv mk ms ne nl no pl pt "
        "ro ru sk sl sr sv sw th tl tr uk ur vi zh"
    ),
    "staff": (
        "af ar bg bn cs da de el en es et fi fr he hi hr hu id is it ko lt lv mk ms ne nl no pl pt ro "
        "ru sk sl sr sv sw tl tr uk ur vi"
    ),
    "tax_status": (
        "af bg cs da de en es et fi fr hr hu id is it lt lv mk nl no pl pt ro ru sk sl sr sv tr uk"
    ),
    "trip": "bg cs da de el en es et fi fr hr hu id is it lt lv mk ms nl no pl pt ro ru sk sl sr sv tr uk",
    "debit": "en",
    "not_given": "pt",
    "estate": "id ms",
    "former_price": (
        "af ar bg bn cs da de el en es et fi fr he hi hr hu id is it ja ko lt lv mk ms ne nl no pl pt "
        "ro ru sk sl sr sv sw th tl tr uk ur vi zh"
    ),
    "garment_size": "cs da de en es et fi fr hu is it lt lv nl no pl pt sk sv",
    "length": "en",
    "trading_as": "en",
    "trading_name_of": "en",
    "unit_heading": (
        "ar bg cs da de en et fi fr he hr hu id is it ja ko lt lv mk nl no pl ro ru sk sl sr sv th tr "
        "uk vi zh"
    ),
    "venue": "af bg cs da de en es et fi fr hr hu id is it lt lv mk nl no pl pt ro ru sk sl sr sv sw tr uk",
    "house_suffix": "es fr it nl",
    "no_number": "es fr hr it pt ro ru sl sr uk",
    "city_label": "bg ro ru tl uk vi",
    "honorific": "ja ko zh",
    "house": "en ru uk",
    "state_label": "bg ro ru uk",
}
#: Languages that have no such word: Chinese and Japanese write it as a part of another one or leave it out;
#: Arabic and Swahili join it to the next word; Tongan tills print it in English.
ABSENT: dict[Term, str] = {
    "apiece": "ja to",
    "arrival": "to",
    "building": "to",
    "bundle_price": "ar bn el es et he hi hu is it ja ko lt lv ne no pt sk sl th to ur vi zh",
    "conjunction": (
        "af ar bn et fi he hi hr hu is it ja ko lt lv ne nl no pl pt ro sk sl sw th tl to ur vi zh"
    ),
    "corner": "ja ko ms th to zh",
    "departure": "to",
    "determiner": "af ar et hi id ja ko lt lv ms sw th tl to vi zh",
    "each_price": "ar pl tl to vi zh",
    "floor": "to",
    "formerly": "to",
    "invitation": "hi ja to",
    "invoice_request": "af ar bn da el hi id ja ne sv sw tl to ur",
    "landmark": "to",
    "link": "ar et hu is ja ko lt lv sw th tl to zh",
    "means": "hu ja ko sl th tl to zh",
    "name_label": "to",
    "number": "ja ko th zh",
    "offer": "to",
    "opening": "to",
    "owner": "to",
    "plot": "de ja ko nl sv th to vi zh",
    "postcode_label": "sw tl to",
    "programme": "hi ja tl to",
    "pump": "ja to zh",
    "route": "ar ja sw tl to",
    "salutation": "ja ms tl to zh",
    "sentence": "ar ja to zh",
    "slip_label": "to",
    "street": "ja ko zh",
    "suburb_label": "af el en ja ko ms nl sv sw th tl to vi zh",
    "thanks": "ja zh",
    "till": "to",
    "unit": "to",
    "until": "to",
    "visit": "hi ja ko th to zh",
    "walk_in": "ja tl to",
}
TERMS: tuple[Term, ...] = get_args(Term)


@pytest.mark.parametrize("term", TERMS)
def test_every_language_knows_the_term_or_has_no_word_for_it(term: Term) -> None:
    silent = LANGUAGES - set(ONLY[term].split()) if term in ONLY else set(ABSENT.get(term, "").split())
    without = {code for code in LANGUAGES if term not in load_language(code).terms}
    assert without - silent == set(), "write what tills print there, or name the languages in ABSENT"
    assert silent - without == set(), "they have words by now: take them out of ABSENT"


@pytest.mark.parametrize("term", TERMS)
def test_a_term_has_an_example(term: Term) -> None:
    languages = map(load_language, sorted(LANGUAGES))
    assert any(example.term == term for language in languages for example in language.example)
