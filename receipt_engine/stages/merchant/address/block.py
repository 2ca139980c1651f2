"""Finds the address block: the likeliest run of segments by their log-odds, completed with a postcode, street
or house number printed beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.stages.merchant.address.places import (
    CODE_AND_PLACE,
    ends_in_street,
    is_letterhead,
    is_street,
)
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import is_store_row
from receipt_engine.vocabulary import has_term, is_term, term_at_start
from receipt_engine.vocabulary.tokens import SHORTEST_NAME, tokens

#: Log-odds that an address is printed at all.
_START = 1.0
#: A postcode alone in its row, where it also has the form of the region's (`is_code`): "〒460-0001", with T
#: for 〒 too, "S(188807)" or "(S)188807", perhaps behind a unit, "T5J 2K1", "T5J-2K1", "LS1 6HD", "V94 T701",
#: "52031-000", "GA-183-8164", "LV-1050", "1012 AB".
_CODE_ALONE = re.compile(
    r"(?:〒|T) ?\d{3}-\d{4}|(?:#\d\d-\d{1,3}[A-Z]?,? ?)?\(?S\)? ?\(? ?\d{6} ?\)?"
    r"|[A-Z]\d[A-Z][ -]?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}"
    r"|[A-Z]\d[\dW] ?(?=[A-Z\d]*[A-Z])[A-Z\d]{4}|\( ?\d{5} ?\)"
    r"|\d{5}-\d{3}|[A-Z]{2,3}[- ]?\d{3,4}(?:-\d{4})?|\d{4} ?[A-Z]{2}"
)
#: A town and such a code, British, Canadian or of Singapore, in brackets.
PLACE_AND_CODE = re.compile(
    r"[^\d]*[^\W\d_]{3}[\s,]+(?:[A-Z]\d[A-Z][ -]?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})"
    r"|[^\W\d_]{4,}[ ,]*\( ?\d{6} ?\)"  # "Singapcre(188807)"
)
#: A town, its state and its postcode, read as one word.
_PLACE_AND_DIGITS = re.compile(r"[^\W\d_]{4,}[,.]?\d{5}(?:-\d{4})?\W*")
#: A house number behind its label or alone.
_HOUSE = re.compile(r"[.\s]*\d{1,4}(?:[/-]\d{1,3})?\s?[^\W\d_]?\.?")
#: One or several house numbers behind their label.
_HOUSES = re.compile(r"[.:\s]*\d{1,4}[A-Z]?(?:\s?[-/&,]\s?\d{1,4}[A-Z]?)*[\s.,]*")
#: A house number joined to a street's abbreviation: "Lindenstr.14".
_GLUED = re.compile(r"[^\W\d_]\.\d{1,4} ?[a-z]?$")
#: A house number without other numbers behind it.
_HOUSE_ALONE = re.compile(r"\W*\d{1,5} [^\d]*$")
#: The last part of an address in Japan: "中央1-2-3".
_PLOT = re.compile(r"[^\W\d_a-zA-Z]{1,12} ?\d{1,4}(?:-\d{1,4}){0,3}[^\W\d_]{0,2}")
#: Units of a mall: "LG-41 & LG-43", "B1-20/21", "#02-15", "K12".
_UNIT = r"(?:[A-Z]{1,3}\d?[.-]\d|#\d{1,2}-\d|[A-Z]\d)\d{1,2}[A-Z]?"
_UNITS = re.compile(rf"\W*{_UNIT}(?:(?: ?[&/,-] ?| )(?:{_UNIT}|\d{{2,3}}))*\W*")
_DIGITS_ALONE = re.compile(r"\d{4,6}")
#: Log-odds of the next segment behind one in the block: directly, or after leaving out one or two segments.
_SKIPPED = (0.7, -2.0, -4.0)
#: Log-odds of the next segment when it scores higher and the name is known to be elsewhere: an address's
#: first row has the least evidence.
_LED = 1.0


def best_block(
    scores: Sequence[float], alone: Sequence[float] = (), behind: Sequence[float] = (), *, named: bool = False
) -> tuple[int, ...]:
    """Indices of the segments of the likeliest address, in order; empty when none is likelier than not.

    scores: log-odds of every segment. alone: log-odds that each segment gains as the first one of a block;
    behind: as the next one of the segment right before it. named: the name's segments are already excluded by
    their scores.
    """
    best: tuple[float, tuple[int, ...]] = (0.0, ())
    ends: list[tuple[float, tuple[int, ...]]] = []
    for at, own in enumerate(scores):
        choices: list[tuple[float, tuple[int, ...]]] = [(_START + own + (alone[at] if alone else 0.0), (at,))]
        for skipped, cost in enumerate(_SKIPPED):
            before = at - 1 - skipped
            if before < 0:
                continue
            gain = _LED if named and skipped == 0 and own > scores[before] else cost
            if skipped == 0 and behind:
                gain += behind[at]
            choices.append((ends[before][0] + gain + own, (*ends[before][1], at)))
        ends.append(max(choices))
        best = max(best, ends[-1], key=lambda block: block[0])
    return best[1]


def with_postcode(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block with a row inside or right beside it that is only a postcode ("S(188807)"), or the
    row below it that is a town with an unmistakable one ("Marple SK99 7ZZ"), with the village between a
    street and the code and town of its post office.

    Bare digits may be anything, so they count only right below a city or state without numbers.
    """
    if not block or any("postcode" in segments[at].places and not _is_house(segments[at]) for at in block):
        return tuple(block)
    last = _next_row(segments, block[-1])
    if last + 1 < len(segments) and _is_phone(segments[last]):
        last += 1  # a telephone stands between the street and its city
    found = [
        at
        for at in range(max(0, block[0] - 1), min(len(segments), last + 1))
        if at not in block
        and (
            is_code(segments[at])
            or _below_city(segments, at, block)
            or (at == last and any(_below_street(segments[i], segments[at]) for i in block[-2:]))
            or (at == last and is_letterhead(segments[at]) and _is_right_below(segments, at, block))
            or (at == last and PLACE_AND_CODE.fullmatch(segments[at].rest.strip()) is not None)
        )
    ]
    return tuple(sorted((*block, *found[:1])))


def _is_right_below(segments: Sequence[Segment], at: int, block: Sequence[int]) -> bool:
    """Whether a row stands right below a block without numbers, as a road does below its service area."""
    close = segments[at].run.row == segments[block[-1]].run.row + 1
    return close and not any(segments[i].digits for i in block)


def with_street(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block with its street. A block that begins with a postcode and city takes the street with its
    number above, even with a telephone between; one that is only that row also takes the street below, as
    some German and Austrian tills print it: right below, or below the shop's name printed once more. One
    that ends with a city, its state and postcode takes the street below, where it has none; one that is only
    that row, the street right above."""
    if block and CODE_AND_PLACE.fullmatch(segments[block[0]].rest.strip()) is None:
        above = block[0] - 1
        town = len(block) == 1 and "postcode" in segments[block[0]].places
        if above >= 0 and town and _is_street_right_above(segments[above], segments[block[0]]):
            return (above, *block)
        return _with_street_below(segments, block)
    if not block:
        return ()
    below = block[0] + 1
    if _repeats_name(segments, block[0]):
        block = [at for at in block if at != below]
        below += 1
    if len(block) == 1 and below < len(segments):
        numbered = _is_numbered_name(segments[below : below + 2], segments[block[0]])
        if numbered or _is_numbered_street(segments[below]):
            return (*block, below)
    above = block[0] - 1
    if above > 0 and _is_phone(segments[above]):
        above -= 1
    street = segments[above]
    numbered = street.numbered or (street.unit_first and street.digits > 0)
    alone = not any(has_term(segments[at].rest, "street") for at in block)
    if above < 0 or not (numbered and alone and has_term(street.rest, "street")) or street.amount:
        return tuple(block)
    return (above, *block)


def _is_street_right_above(own: Segment, town: Segment) -> bool:
    """Whether the row right above a town is a street behind its house number, where the town has a state, or
    ends in a street and a comma: "Kettle School, Chelwood Lane," above "Yeovil BA21 3QQ"."""
    plain = not (own.amount or own.entities or town.number_first) and town.run.row == own.run.row + 1
    named = own.number_first and (is_street(own) or own.weight("address") > 0)
    open_street = own.rest.rstrip().endswith(",") and ends_in_street(own.rest)
    return plain and own.run.zone == town.run.zone and ((named and "state" in town.places) or open_street)


def _with_street_below(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block with the street right below its city, state and postcode, or below its post box as in East
    Africa, where none of its rows has one."""
    last, below = segments[block[-1]], block[-1] + 1
    own = segments[below] if below < len(segments) else last
    streets = any(has_term(segments[at].rest, "street") for at in block)
    if streets or own.run.row != last.run.row + 1:
        return tuple(block)
    box = has_term(last.rest, "post_box") and has_term(own.rest, "street")
    boxed = box and own.run.zone == "header" and not (own.amount or own.entities)
    towned = {"postcode", "state"} <= last.places and own.number_first and _is_numbered_street(own)
    return (*block, below) if boxed or towned else tuple(block)


def _next_row(segments: Sequence[Segment], at: int) -> int:
    """The index behind a segment and those beside it in its row, as in another column."""
    row = segments[at].run.row
    return next((i for i in range(at + 1, len(segments)) if segments[i].run.row != row), len(segments))


def _repeats_name(segments: Sequence[Segment], city: int) -> bool:
    """Whether the row below a city is one word without numbers, as the first one of a row above the city."""
    words = tokens(segments[city + 1].rest) if city + 1 < len(segments) else ()
    if len(words) != 1 or segments[city + 1].digits or len(words[0].text) < SHORTEST_NAME:
        return False
    first = [tokens(own.rest)[0].text for own in segments[:city] if tokens(own.rest)]
    return any(len(w) >= SHORTEST_NAME and words[0].text.startswith(w) for w in first)


def _is_numbered_street(own: Segment) -> bool:
    """Whether a segment of the header is only a street with its number."""
    plain = not (own.amount or own.entities or "postcode" in own.places) and own.run.zone == "header"
    named = has_term(own.rest, "street") or own.weight("address") > POSSIBLE
    return plain and named and (own.numbered or _GLUED.search(own.rest) is not None)


def _is_numbered_name(rows: Sequence[Segment], town: Segment) -> bool:
    """Whether the first row, right below a town's, is a name and a number that no word says anything of, as
    of a street ("Larch Hill 4"), and no text but a telephone, tax number or the like stands right below."""
    own, *others = rows
    plain = not (own.roles or own.amount or own.entities or own.places) and own.run.zone == "header"
    ends = all(other.run.row > own.run.row + 1 or other.entities for other in others)
    return plain and ends and own.number_last and own.run.row == town.run.row + 1


def with_house(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block with the house number that is alone in the row below a street without one, or behind its
    label in the row above, or with the street above the row that begins with its number, or with the units of
    a mall alone in the row between the name and the block."""
    if block and block[0] > 0 and _is_house_above(segments[block[0] - 1], segments[block[0]]):
        return (block[0] - 1, *block)
    if block and block[0] > 1 and _is_unit_above(segments[block[0] - 1], segments[block[0]]):
        return (block[0] - 1, *block)
    if block and block[0] > 0 and _is_street_above(segments[block[0] - 1], segments[block[0]]):
        return (block[0] - 1, *block)
    at = block[-1] + 1 if block else 0
    if not block or at >= len(segments) or segments[at].run.row != segments[block[-1]].run.row + 1:
        return tuple(block)
    street, own = segments[block[-1]].rest.rstrip(), segments[at].rest.strip()
    if _PLOT.fullmatch(own) and not (street.isascii() or street[-1:].isdigit()):
        return (*block, at)
    label = term_at_start(own, "house")
    number = _HOUSE.fullmatch(own, label.end if label else 0)
    last = street.rstrip(" ,").rpartition(",")[2]
    open_street = has_term(last, "street") and not any(map(str.isdigit, last))
    return (*block, at) if number and open_street and (label or street.endswith(",")) else tuple(block)


def _is_house_above(own: Segment, street: Segment) -> bool:
    """Whether a row is only a label and the house number of the street right below it: "No. 19 & 21"."""
    label = term_at_start(own.rest, "house", "number")
    if label is None or street.run.row != own.run.row + 1 or own.entities:
        return False
    numbers = _HOUSES.fullmatch(own.rest, label.end)
    return numbers is not None and has_term(street.rest, "street") and not street.number_first


def _is_street_above(own: Segment, below: Segment) -> bool:
    """Whether a row is only a street up to the comma before its number: "RUA DO SOL," above "87 - LAPA"."""
    ended = own.rest.rstrip().endswith(",") and not own.digits and not own.entities
    return ended and below.rest[:1].isdigit() and term_at_start(own.rest, "street") is not None


def _is_unit_above(own: Segment, below: Segment) -> bool:
    """Whether a row is only the numbers of units, right above the rest of their address: "LG-41 & LG-43"; or
    a word for a unit and its number, as also behind the shop's name in its row."""
    plain = not (own.entities or own.amount) and own.run.zone == "header"
    unit = term_at_start(own.rest, "unit", "plot") if own.digits else None
    alone = unit is not None and len(own.rest[unit.end :].split()) == 1 and not is_store_row(own.rest)
    behind = alone or (unit is not None and own.run.start > 0)
    return plain and below.run.row == own.run.row + 1 and (behind or _UNITS.fullmatch(own.rest) is not None)


def with_row_begin(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block with what stands before its city on the same row, if that begins with a house number: a wide
    gap between the two ("600 E Elm    Portland OR 97205")."""
    town = segments[block[0]] if block else None
    if (
        town is None
        or "city" not in town.places
        or town.number_first
        or (town.digits and "postcode" not in town.places)
    ):
        return tuple(block)
    row, start = town.run.row, town.run.start
    left = [at for at, own in enumerate(segments) if own.run.row == row and own.run.start < start]
    own = segments[left[0]] if len(left) == 1 else None
    street = own is not None and own.number_first and own.letters and not (own.amount or own.entities)
    return (left[0], *block) if street else tuple(block)


def _is_phone(own: Segment) -> bool:
    """Whether a segment is a telephone's label, or its number alone."""
    return is_term(own.rest, "phone", "fax") or ("phone" in own.entities and not own.letters)


def _is_house(own: Segment) -> bool:
    """Whether the only number of a segment is a house number that looks like a postcode: "18200 Elm Road"."""
    return own.number_first and _HOUSE_ALONE.match(own.rest) is not None


def is_code(own: Segment) -> bool:
    """Whether a row is only a postcode of the region that cannot be anything else, or is behind a label."""
    label = term_at_start(own.rest, "postcode_label")
    text = own.rest[label.end :].strip(" .:-") if label else own.rest.strip()
    lettered = _CODE_ALONE.fullmatch(text) is not None
    return "postcode" in own.places and (lettered or (label is not None and not any(map(str.isalpha, text))))


def _below_city(segments: Sequence[Segment], at: int, block: Sequence[int]) -> bool:
    above = max((i for i in block if i < at), default=None)
    if above is None or at > _next_row(segments, above) or "postcode" not in segments[at].places:
        return False
    city = segments[above]
    behind_street = (
        len(block) > 1 and segments[block[0]].digits > 0 and city.run.row + 1 == segments[at].run.row
    )
    alone = (bool(city.places & {"city", "state"}) or behind_street) and not city.digits
    return alone and _DIGITS_ALONE.fullmatch(segments[at].rest.strip()) is not None


def _below_street(street: Segment, own: Segment) -> bool:
    """Whether a row below a street with its number is a postcode, of any country, and a name, or these as one
    word: "ELKONV89801"."""
    numbered = street.numbered or (street.digits > 0 and street.weight("address") > POSSIBLE)
    coded = "postcode" in own.places or own.code
    if not (numbered and coded) or own.amount:
        return False
    glued = street.number_first and "postcode" in own.places and _PLACE_AND_DIGITS.fullmatch(own.rest)
    return bool(glued or CODE_AND_PLACE.fullmatch(own.rest.strip()))
