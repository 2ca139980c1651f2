"""Removes rows above an address that look like its beginning: the owner, the branch, the name repeated."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from rapidfuzz.distance import OSA

from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.stages.merchant.address.places import (
    CODE_AND_PLACE,
    PARTS,
    ends_in_street,
    is_street,
    shows_place,
)
from receipt_engine.stages.merchant.name.text import count_sentence_words
from receipt_engine.stages.merchant.row_kinds import is_list, is_slogan
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import has_store_number, is_branch, is_shop_of
from receipt_engine.vocabulary import find_terms, has_term, term_at_end, term_at_start
from receipt_engine.vocabulary.legal_forms import has_legal_form, without_legal_form
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME, tokens
from receipt_engine.vocabulary.trades import is_description, trade_share

_WORD = 4
#: Above this share of trade words, a row with a store's number names a shop.
_TRADE = 0.5
#: Fewest letters of a word that is told with one of them misread.
_LOGO_WORD = 6
#: A store's number before its name.
_STORE_NUMBER = re.compile(r"^\W*\d{3,5} +(?=[^\W\d_]{2})")
#: Fewest words of a chain's name with its town.
_SHOP_AND_TOWN = 2
#: A house number in a numbered street: "18 2ND ST".
_NUMBERED_STREET = re.compile(r"\d{1,5} \d{1,3}[^\W\d_]{2}\b")
#: A company's number in a register by the year, behind its name: "2014/044711/07", "CC/2014/04471".
_FILED = re.compile(r" (?:[A-Z]{2}/)?(?:19|20)?\d{2}/\d{5,6}(?:/\d{2})?$")
#: Brackets at the end of a row.
_OFFICE = re.compile(r" ?\([^()]*\)\W*$")
#: A company named by a number: "2233445 Ontario Ltd".
_NUMBERED = re.compile(r"\d{4,8}(?:-\d{4})? [^\W\d_]{4}")
#: A text up to its last digit.
_BEFORE_LAST = re.compile(r".*\d")
_SINCE = re.compile(r"^\W*\w{3,9}\.? (?:1[6-9]|20)\d\d\W*$")
#: A first row below _DOUBTED log-odds is doubted when the second one has at least _SURE_BELOW.
_DOUBTED = 0.35
_SURE_BELOW = 2.3
#: The same above a row that is a whole address.
_DOUBTED_ABOVE_WHOLE = 1.0
#: Most rows at the top of an address down to a slogan.
_SAID = 3
#: A person's first and family name, perhaps with another name or an initial between, or a title before.
_PERSON = re.compile(
    r"(?:[^\W\d_]{1,5}\. ?)?(?:[^\W\d_]{2,}|[^\W\d_]\.)(?: (?:[^\W\d_]{2,}|[^\W\d_]\.)){1,2}$"
)
_DEGREES = re.compile(
    r"(?=(?:[^A-Z]*[A-Z]){3})(?:[,\s]+(?:[A-Z][a-z]?\.?){2,4}(?![^\W_])(?: ?\([^)]*\))?)+\W*"
)
_TWO_GOODS = re.compile(r"[^\W\d_]{3,} & [^\W\d_]{3,}")
#: A name and a shop's number.
_LONG_NUMBER = re.compile(r"([^\d,]*[^\W\d_]) \d{4,6}")
#: Signs in place of a comma: "Larch Hill 14 · 97201 Portland".
_COMMA = re.compile(r" [·•|–-] |(?<=\d)[ -](?=\d\d[\d-]{2,4} ?[^\W\d_]{2})")
#: Most letters of a title before a person's name.
_TITLE = 4
_LETTER = re.compile(r"[^\W\d_]")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
#: Fewest letters that show in which script an address is written.
_WRITTEN_IN = 4


def without_owner(
    segments: Sequence[Segment], block: Sequence[int], scores: Sequence[float]
) -> tuple[int, ...]:
    """The block without a doubtful first row that shows no place, above a street or a city with its postcode:
    the owner's name, the branch, the year of foundation, a slogan. A company is never part of the address."""
    block = _without_company(segments, block)
    if len(block) < 2:
        return tuple(block)
    first, second = segments[block[0]], segments[block[1]]
    begins = _begins(second)
    for at in range(min(len(block) - 1, _SAID) - 1, -1, -1):
        below = segments[block[at + 1]]
        if (_begins(below) or (below.digits and below.places)) and _is_said(segments[block[at]]):
            return tuple(block[at + 1 :])
    if scores[block[0]] >= _DOUBTED or scores[block[1]] < _SURE_BELOW:
        return tuple(block)
    placeless = is_branch(first.rest) or _SINCE.match(first.rest) is not None
    placeless = placeless or not (shows_place(first) or ends_in_street(first.rest))
    return tuple(block[1:]) if placeless and begins and not first.rest.endswith(",") else tuple(block)


def _without_company(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without a company's row: below the address, or above it with the rows further up, which have
    no number and name the branch ("Central Station", "Kettle Retail Ltd", "12 Mill St")."""
    for place, at in enumerate(block):
        above, own, below = block[:place], segments[at], block[place + 1 :]
        begun = any(segments[other].digits for other in above)
        if not (_is_company(own) or (not begun and has_legal_form(own.rest) and _ends_in_form(own))):
            continue
        first = segments[below[0]] if below else own
        begins = _begins(first) or first.weight("address") > POSSIBLE
        begins = begins or any("postcode" in segments[other].places for other in below)
        if below and begins and shows_place(first) and not begun:
            return tuple(below)
    return tuple(block)


def _is_company(own: Segment) -> bool:
    """Whether a row is only a company's name, perhaps with its number in a register behind the label: "Kettle
    Retail Ltd, reg. no. 1234567"; or with its office in brackets, as on Thai invoices: "(Head Office)"."""
    label = next((match for match in find_terms(own.rest) if match.term == "company_number"), None)
    name = own.rest[: label.start].rstrip(" ,;.(-") if label is not None and own.digits else own.rest
    office = _OFFICE.search(name)
    if office is not None and has_term(office.group(), "registered_office", "store"):
        name = name[: office.start()]
    if filed := _FILED.search(name):
        return has_legal_form(name[: filed.start()])
    of_number = _NUMBERED.match(name) is not None  # with its province
    numbered = any(map(str.isdigit, name)) and not of_number
    # One or two words behind a company's legal form are its town, as in the Balkans.
    words = name.split()
    seated = own.places and any(has_legal_form(" ".join(words[:end])) for end in (-1, -2))
    placed = (own.places - {"country"} and not of_number and not seated) or has_term(name, *PARTS)
    listed = "," in without_legal_form(name) and not seated
    return (has_legal_form(name) or bool(seated)) and not (numbered or placed or listed)


def _begins(own: Segment) -> bool:
    """Whether a row may begin an address: with a number before or behind a name, a unit or a postcode."""
    numbered = own.numbered or own.unit_first or own.code
    return bool(numbered) or "postcode" in own.places or "postcode" in own.world


def _is_said(own: Segment) -> bool:
    """Whether a row without a place is a slogan, a list of goods, a sentence or a person with degrees: "Good
    bread for all", "Ann Lee, DDS, PC"."""
    if own.places or (own.digits and not own.rest.endswith("!")):  # "2 shops to serve you!"
        return False
    sentence = count_sentence_words(own.rest) > 1 and not has_term(own.rest, *PARTS)
    name, comma, degrees = own.rest.partition(",")
    title, point, bare = name.partition(". ")  # "Dr." is also a drive
    placed = has_term(bare if point and len(title) <= _TITLE else name, *PARTS)
    person = bool(comma) and _PERSON.match(name) is not None and not placed
    graduate = person and _DEGREES.fullmatch(degrees) is not None
    goods = is_list(own.rest) or (is_description(own.rest) and not has_term(own.rest, *PARTS))
    return is_slogan(own.rest) or goods or graduate or (sentence and not own.digits)


def _ends_in_form(own: Segment) -> bool:
    """Whether a company's legal form stands first, or behind its last number with no house number before its
    name: "SARL Kettle 12", "Highway 7 Fuel LLC", but not "Kettle Ltd 14 Larch Hill"."""
    first = not ("," in own.rest and own.digits) and has_legal_form(f"{own.rest.split()[0]} ")
    begun = own.number_first or (own.unit_first and own.digits > 0)
    return first or (not begun and has_legal_form(_BEFORE_LAST.sub("A B", own.rest)))


def without_heading(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without a first row that names the shop by its city ("Kettle Grand Portland"), above a street
    with its number and the same city, in the street's row or below."""
    heads = len(block) > 1 and _names_city([segments[at] for at in block])
    return tuple(block[1:]) if heads else tuple(block)


def _names_city(rows: Sequence[Segment]) -> bool:
    """Whether the first of an address's rows names the shop by its city."""
    first, second, *rest = rows
    placed = first.places & {"city", "state"} and not first.digits and not first.rest.endswith(",")
    street = second.numbered or _NUMBERED_STREET.match(second.rest) is not None
    street = street or has_term(second.rest.partition(",")[0], "street")
    if not placed or not street or has_term(first.rest, *PARTS, "venue"):
        return False
    words = {token.text for token in tokens(first.rest) if len(token.text) >= _WORD}
    below = [own.rest for own in rest if own.places]
    beside = [_behind_street(second.rest)] if second.places else []
    again = any(words & {token.text for token in tokens(text)} for text in (*below, *beside))
    # "ELMFORD, OR" above "12 Highway 9" and "Springfield, OR 97477": the shop's town, then its post office.
    return again or ("state" in first.places and any({"state", "postcode"} <= own.places for own in rest))


def _behind_street(text: str) -> str:
    """What follows the street in its row: behind the comma, or without one behind the word for a street."""
    street, comma, behind = text.partition(",")
    roads = [match.end for match in find_terms(street) if match.term == "street"]
    return behind if comma or not roads else street[roads[-1] :]


def without_person(
    segments: Sequence[Segment], block: Sequence[int], scores: Sequence[float]
) -> tuple[int, ...]:
    """The block without a first row that is no part of it: a person's name, the owner's, two goods ("Coffee &
    Cake") or a doubtful row without a place, such as the shop's trade, above a row that is a whole address
    with street, number, postcode and city; or a name behind a salutation ("Familie Kettle")."""
    if len(block) < 2:
        return tuple(block)
    first, second = segments[block[0]], segments[block[1]]
    named = _PERSON.match(first.rest.rstrip(" ,")) is not None
    named = named and (first.rest.istitle() or first.rest.isupper())
    greeted = term_at_start(first.rest, "salutation") is not None and not first.unit_first
    if greeted and not first.digits and shows_place(second):
        return tuple(block[1:])
    # The owner's tax number, or the shop's, stands between: "Rosa Leon Vega" is no town.
    parted = second.run.row - first.run.row > 1 and term_at_start(second.rest, "street") is not None
    place = first.whole_place if parted else first.places or first.world
    known = place or has_term(first.rest, *PARTS) or first.weight("address") > POSSIBLE
    goods = _TWO_GOODS.fullmatch(first.rest) is not None
    doubted = scores[block[0]] < _DOUBTED_ABOVE_WHOLE and not (first.digits or first.rest.endswith(","))
    other = (named or goods or doubted) and not known
    return tuple(block[1:]) if other and (_is_whole(second) or (named and parted)) else tuple(block)


def _is_whole(own: Segment) -> bool:
    """Whether a row is a complete address: a street with number before a comma or the like, a postcode and a
    city."""
    street, comma, _ = _COMMA.sub(",", own.rest).partition(",")
    numbered = bool(comma) and any(map(str.isdigit, street)) and any(map(str.isalpha, street))
    unnumbered = term_at_start(street, "street") or term_at_end(street, "no_number")
    numbered = numbered or (bool(comma) and unnumbered is not None)
    village = own.number_last and CODE_AND_PLACE.match(own.rest) is not None  # "97201 Elm 4"
    numbered = numbered and ("city" in own.places or own.number_last is False)
    return (numbered or village) and "postcode" in own.places


def without_branch_above(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without a first row that names the branch ("青山店", "新宿支店 0418", "Karen Branch"), or
    repeats the shop's name in another script."""
    if len(block) < 2:
        return tuple(block)
    first, second = segments[block[0]], segments[block[1]].rest
    numbered = first.digits > 0 and (_has_house(segments[block[1]]) or _is_whole(segments[block[1]]))
    if _begins_branch(first.rest) and (not first.digits or (numbered and not first.unit_first)):
        return tuple(block[1:])
    shop = trade_share(first.rest) > _TRADE and has_store_number(first.rest)  # "Drogeria nr 1123"
    if shop and numbered:
        return tuple(block[1:])
    east_asian = _IDEOGRAPHS.search(first.rest) is not None
    pieces = first.rest.rstrip(" 0123456789#:：").split() if east_asian else [first.rest]
    named = any(term_at_end(piece, "store") for piece in pieces) and (east_asian or not first.digits)
    branch = named and not has_term(first.rest, "building")
    of_town = branch and any(map(str.isdigit, second)) and not first.digits  # "Kilimani Branch"
    if first.number_first or (first.places and not of_town):
        return tuple(block)
    translated = (
        not first.digits
        and (_IDEOGRAPHS.search(second) is not None or not has_term(first.rest, *PARTS))
        and _script(first.rest) != _script(second)
        and len(_LETTER.findall(second)) >= _WRITTEN_IN
    )
    again = block[0] > 0 and _is_translation(first, segments[block[0] - 1])
    return tuple(block[1:]) if branch or translated or again else tuple(block)


def _is_translation(own: Segment, above: Segment) -> bool:
    """Whether a row with a trade word is the name of the row above in another script."""
    plain = not own.digits and "," not in own.rest and not has_term(own.rest, *PARTS)
    return plain and trade_share(own.rest) > 0 and _script(own.rest) != _script(above.rest) != ""


def without_shop_above(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without a first row that has the same first word as a row above, or that row's whole name,
    and names no place but its town: a chain's shop ("KETTLE NORTHGATE" below "KETTLE STORES LTD", "4418
    Kettle Elmford", "LEE'S KETTLE" below "KETTLE"), above a street or a post box. Or without a shop with its
    number above a street, or a building that the row below names behind a unit."""
    if len(block) < 2:
        return tuple(block)
    first, second = segments[block[0]], segments[block[1]]
    above = [own.rest for own in segments[: block[0]]]
    road = second.rest[:1].isdigit() and has_term(second.rest, "street")
    numbered = _is_whole(second) and is_shop_of(first.rest, above)
    for at, below in pairwise(block[:3]):
        if _is_name_and_number(segments[at], segments[at - 1]) and _has_house(segments[below]):
            return tuple(block[block.index(below) :])
    if numbered or (road and _is_numbered_shop(first)) or _repeats(first, second):
        return tuple(block[1:])
    named = _STORE_NUMBER.sub("", first.rest)
    of_street = _has_house(second) and any(named.startswith(f"{row} ") for row in above)  # "KETTLE MILL ROAD"
    placed = has_term(named, *(part for part in PARTS if part != "street" or not of_street))
    plain = not any(map(str.isdigit, named)) and "," not in named and not placed
    words = [token.text for token in tokens(named)]
    if not plain or len(words) < _SHOP_AND_TOWN:
        return tuple(block)
    again = any(_names_again(words, [token.text for token in tokens(row)]) for row in above)
    # "Elmford Mill" may stand between "0418 Kettle Market" and "Mill Street 4, Elmford".
    near = (segments[at] for at in block[1 : 2 + (not second.digits)])
    begins = any(
        _has_house(own) or ((own.digits or has_term(own.rest, "street")) and own.weight("address") > POSSIBLE)
        for own in near
    )
    return tuple(block[1:]) if again and begins else tuple(block)


def _names_again(words: Sequence[str], above: Sequence[str]) -> bool:
    """Whether a row's words begin with the same long word as those of a row above, or have all of these."""
    if not above:
        return False
    whole = "".join(above)
    ends = range(1, len(words) + 1)
    inside = any("".join(words[start:end]) == whole for end in ends for start in range(end))
    # One letter of a long word, as in a logo, may be misread.
    begins = len(words[0]) >= _WORD and OSA.distance(words[0], above[0]) <= (len(words[0]) >= _LOGO_WORD)
    return begins or (inside and len(whole) >= SHORTEST_NAME)


def _is_name_and_number(own: Segment, above: Segment) -> bool:
    """Whether a row right below a company's is a shop's name and number, not a place: "Kettle 112"."""
    named = has_legal_form(above.rest) or above.weight("company") > 0
    company = named and own.run.row == above.run.row + 1
    placed = own.places or own.world or own.weight("address") > 0 or has_term(own.rest, *PARTS)
    return company and own.number_last and not (own.number_first or placed or "," in own.rest)


def _has_house(own: Segment) -> bool:
    """Whether a row has a street with its house number, perhaps before its town."""
    numbered = own.digits > 0 or has_term(own.rest, "no_number")
    return is_street(own) or (numbered and has_term(own.rest, "street"))


def _is_numbered_shop(own: Segment) -> bool:
    """Whether a row is a name and a long number, with no word for a street right before it: "COPPER K 4417",
    but not "COUNTY ROAD 4417"."""
    numbered = _LONG_NUMBER.fullmatch(own.rest)
    street = numbered is None or term_at_end(numbered[1], "street", "route", "unit", "plot", "post_box")
    return not street and "city" not in own.places and not own.number_first


def _repeats(first: Segment, second: Segment) -> bool:
    """Whether a building's row is printed again behind a unit: "HARBOUR POINT" above "#2 HARBOUR POINT"."""
    again = not first.digits and letters(second.rest).find(letters(first.rest)) > 0
    return again and second.unit_first


def _begins_branch(text: str) -> bool:
    """Whether a row begins with a word for a shop or branch, as before its name: "Sucursal Morelos"."""
    plain = "," not in text and not has_term(text, *PARTS)
    return plain and term_at_start(text, "store") is not None


def _script(text: str) -> str:
    """The script of most letters of a text, by the first word of their Unicode names ("LATIN", "CJK"). Kana
    count as ideographs, since they are mixed in one text."""
    names = [unicodedata.name(c, "").split(" ")[0] for c in _LETTER.findall(text)]
    scripts = ["CJK" if name in ("HIRAGANA", "KATAKANA") else name for name in names]
    return max(sorted(set(scripts)), key=scripts.count, default="")
