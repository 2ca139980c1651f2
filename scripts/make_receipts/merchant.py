"""Invents businesses: name, address, contact details and registration numbers."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import phonenumbers

from receipt_engine.region import Region, role_phrases
from scripts.make_receipts import patterns
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.errors import DrawingError
from scripts.make_receipts.vocabulary import Country, Tongue, alternatives

#: The parts of `addressNorm`, in the contract's order.
PARTS = ("building", "number", "street", "suburb", "city", "state", "postcode", "country")


@dataclass(frozen=True, slots=True)
class Place:
    """lines: the address as printed. parts: `addressNorm`, only the printed parts."""

    lines: tuple[str, ...]
    parts: dict[str, str | None]
    state: str | None


@dataclass(frozen=True, slots=True)
class Merchant:
    """A business. legal: its legal name, when printed below the trading name. ids: (word, value)
    pairs, the tax number first when `taxed`."""

    name: str
    legal: str | None
    place: Place
    phone: str | None
    fax: str | None
    url: str | None
    email: str | None
    ids: tuple[tuple[str, str], ...]
    taxed: bool


def invent_merchant(kind: str, region: Region, country: Country, tongue: Tongue, dice: Dice) -> Merchant:
    """A business of a kind ("supermarket", "restaurant" …)."""
    family = dice.pick(alternatives(country.families or tongue.families) or ("Marlo", "Tavira", "Oldan"))
    name = _name(kind, family, country, tongue, dice)
    legal = None
    forms = alternatives(country.legal) or region_forms(region, tongue)
    if forms and dice.chance(0.45):
        legal = f"{dice.pick((name, family, f'{family} & Co'))} {dice.pick(forms)}"
        if legal == name:
            legal = None
    domain = f"{slug(name)}.{dice.pick(alternatives(country.domains))}"
    ids, taxed = _numbers(region, country, dice)
    return Merchant(
        name=name,
        legal=legal,
        place=invent_place(region, country, tongue, dice),
        phone=_phone(region, country, dice) if dice.chance(0.8) else None,
        fax=_phone(region, country, dice) if dice.chance(0.08) else None,
        url=f"www.{domain}" if dice.chance(0.4) and slug(name) else None,
        email=f"info@{domain}" if dice.chance(0.08) and slug(name) else None,
        ids=ids,
        taxed=taxed,
    )


def invent_place(region: Region, country: Country, tongue: Tongue, dice: Dice) -> Place:
    """An address in the country's order."""
    streets = alternatives(country.streets or tongue.streets) or ("Main Street", "Station Road")
    city, state, postcode, district = _city(region, country, dice)
    parts: dict[str, str | None] = dict.fromkeys(PARTS)
    parts["street"] = dice.pick(streets)
    if country.numbers:
        parts["number"] = dice.digits(dice.pick(alternatives(country.numbers)))
    else:
        parts["number"] = str(dice.whole(1, 280)) + (dice.pick("ABC") if dice.chance(0.06) else "")
    parts["city"], parts["state"], parts["postcode"] = city, state, postcode
    if district:
        parts["suburb"] = district
    elif country.suburbs and dice.chance(0.5):
        parts["suburb"] = dice.pick(alternatives(country.suburbs))
    if country.buildings and dice.chance(0.25):
        parts["building"] = dice.digits(dice.pick(alternatives(country.buildings)))
    template = dice.pick(alternatives(country.address) or (_usual_order(region),))
    lines = tuple(line for line in (_fill(line, parts) for line in template.split(" / ")) if line)
    printed = "\n".join(lines)
    if dice.chance(0.06) and region.address.country not in printed:
        lines = (*lines, region.address.country)
        parts["country"] = region.address.country
    shown = {
        part: value if value and (f"{{{part}}}" in template or part == "country") else None
        for part, value in parts.items()
    }
    return Place(lines, shown, state)


def region_forms(region: Region, tongue: Tongue) -> tuple[str, ...]:
    """Legal forms of the region data, short ones in capitals."""
    if tongue.code not in region.languages:
        return ()
    sure = [p.text for p in role_phrases(region, "company") if p.weight >= 0.95]
    return tuple(text.upper() if len(text) <= 4 else text.title() for text in sure[:4])


def person(tongue: Tongue, country: Country, dice: Dice) -> str:
    """A cashier's or a guest's name."""
    given = dice.pick(alternatives(tongue.given) or ("Alex", "Mira", "Noa"))
    family = dice.pick(alternatives(country.families or tongue.families) or ("Marlo", "Oldan"))
    return dice.pick((given, f"{given} {family[:1]}.", f"{given} {family}"))


def slug(name: str) -> str:
    """ASCII letters and digits of a name, for web addresses; "" when it has none.

    >>> slug("Café Löwe")
    'cafelowe'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]", "", plain)


def _name(kind: str, family: str, country: Country, tongue: Tongue, dice: Dice) -> str:
    templates = alternatives(country.names.get(kind, "") or tongue.names.get(kind, ""))
    template = dice.pick(templates or ("{family} & {other}", "{family}"))
    others = alternatives(country.families or tongue.families) or ("Oldan",)
    given = dice.pick(alternatives(tongue.given) or ("Mira",))
    return template.format(family=family, given=given, other=dice.pick(others), n=dice.whole(2, 99))


def _city(
    region: Region, country: Country, dice: Dice
) -> tuple[str | None, str | None, str | None, str | None]:
    """City, state, postcode and district."""
    if country.places:
        place = dice.pick(alternatives(country.places))
        city, state, pattern, *district = (part.strip() for part in place.split(";"))
        return city or None, state or None, dice.digits(pattern) or None, "".join(district) or None
    if not region.address.cities:
        raise DrawingError(f"regions/{region.code}.toml names no cities, and there is no file for it here.")
    postcode = patterns.matching(region.address.postcode, dice) if region.address.postcode else None
    if postcode:
        at_home = re.sub(r"^[A-Z]{1,2}-(?=\d)", "", postcode)  # most countries print no prefix at home
        postcode = at_home if re.fullmatch(region.address.postcode, at_home) else postcode
    return dice.pick(region.address.cities), None, postcode, None


def _usual_order(region: Region) -> str:
    """An address template from the region data alone."""
    street = "{number} {street}" if region.address.street_number == "before" else "{street} {number}"
    town = {
        "before_city": "{postcode} {city}",
        "after_city": "{city} {postcode}",
        "own_line": "{city} / {postcode}",
        "none": "{city}",
    }[region.address.postcode_place]
    return f"{street} / {town}"


def _fill(line: str, parts: dict[str, str | None]) -> str:
    """A line with its parts; a missing part's comma is dropped, and the whole line if all are missing."""
    named = re.findall(r"\{(\w+)\}", line)
    if named and not any(parts[part] for part in named):
        return ""
    text = line.format(**{part: value or "" for part, value in parts.items()})
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"(?:\s*,)+", ",", text)
    text = re.sub(r"\(\s*\)|\s+-\s*$|^\s*-\s+", "", text)
    return text.strip(" ,")


def _phone(region: Region, country: Country, dice: Dice) -> str:
    """A valid number of the country, in one of its usual spellings."""
    for _ in range(500):
        if country.phones:
            text = dice.digits(dice.pick(alternatives(country.phones)))
        else:
            text = _varied(phonenumbers.example_number(region.phone.region), region, dice)
        if _is_valid(text, region):
            return text
    raise DrawingError(f"No phone number of data/countries/{region.code}.toml is valid; correct `phones`.")


def _varied(example: phonenumbers.PhoneNumber | None, region: Region, dice: Dice) -> str:
    if example is None:
        raise DrawingError(
            f"phonenumbers knows no {region.phone.region}; correct regions/{region.code}.toml."
        )
    form = dice.pick((phonenumbers.PhoneNumberFormat.NATIONAL, phonenumbers.PhoneNumberFormat.INTERNATIONAL))
    text = phonenumbers.format_number(example, form)
    head, tail = text[:-5], text[-5:]
    return head + "".join(str(dice.whole(0, 9)) if char.isdigit() else char for char in tail)


def _is_valid(text: str, region: Region) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(text, region.phone.region))
    except phonenumbers.NumberParseException:
        return False


def _numbers(region: Region, country: Country, dice: Dice) -> tuple[tuple[tuple[str, str], ...], bool]:
    """(word, value) pairs, and whether the first one is a tax number."""
    taxed = dice.chance(0.85)
    ids = [_one_number(country.ids, region, True, dice)] if taxed else []
    if dice.chance(0.25):
        ids.append(_one_number(country.other_ids, region, False, dice))
    found = tuple(pair for pair in ids if pair is not None)
    return found, taxed and bool(ids[0])


def _one_number(own: str, region: Region, tax: bool, dice: Dice) -> tuple[str, str] | None:
    if own:
        parts = [part.strip() for part in dice.pick(alternatives(own)).split(";")]
        words, pattern, checker, *before = parts
        word = dice.pick([word.strip() for word in words.split("/")])
        return word, "".join(before) + patterns.checked(pattern, checker, dice)
    known = [identifier for identifier in region.identifiers if identifier.tax == tax]
    if not known:
        return None
    word = dice.pick(known[0].words[:3]) if known[0].words else known[0].name
    return word, patterns.number(known[0], dice)
