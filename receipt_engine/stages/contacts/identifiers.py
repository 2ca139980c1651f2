"""Finds tax and company registration numbers, and chooses the merchant's tax number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from receipt_engine.arithmetic.check_digits import is_valid_number
from receipt_engine.document import Entity, Found, ParsedLine, RoleMatch, Sheet
from receipt_engine.region import KEPT_REGIONS, Identifier, Region, Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.contacts.entities import in_columns, rows_of_customer
from receipt_engine.vocabulary import has_term, phrase_terms
from receipt_engine.vocabulary.confusions import DIGIT_LIKE, misread_digits, with_digits
from receipt_engine.vocabulary.gazetteer import is_postcode
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.tokens import word_tokens

#: A number after a label, in any country: digits and letters, with points, dashes or spaces between.
#: It matches the whole number or none, by a lookahead: Python before 3.11.5 fails on possessive groups.
_ANY_ID = re.compile(
    r"[\s:.#№\-(]*+((?:[A-Z]{1,5}[\s\-.]?)?\d[\dA-Z]*+(?:[\s.\-/]{1,2}(?=[A-Z]*\d)[\dA-Z]++)*"
    r"(?![\s.\-/]{1,2}[A-Z]*\d)(?:[\s-][A-Z])?)(?![\dA-Za-z])"
)
#: A number in brackets below or after a name: a registration number (Malaysia, Singapore, Hong Kong).
#: "S(188807)" is a postcode of Singapore.
_BRACKETED = re.compile(
    rf"(?<!\bS)(?<!\bS )\(\s?((?:[A-Z]{{2}})?[\d{DIGIT_LIKE}]{{4,12}}\s?-?\s?[A-Z]{{0,2}})\s?\)"
    r"|(?<![\w-])(\d{5,8}\s?-\s?[A-Z])(?![\w-]|\.[^\W\d_])"
)
#: What follows an area code in brackets: "(01904) 62 21 18".
_REST_OF_PHONE = re.compile(r" ?[-/]? ?\d(?:[ -]?\d){2,}")
_EU_VAT = re.compile(
    r"\b(?:AT ?U|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|"
    r"XI) ?(?=[A-Z]{0,2}\d)[\dA-Z](?:[ .]?[\dA-Z]){6,12}(?!\w)"
)
#: Affixes that a check-digit rule may reject: the tax's name after a number, a country's letters before it.
_TRAILING_WORD = re.compile(r"[ .]?[A-Z]{2,4}$")
_PREFIX = re.compile(r"^[A-Z]{1,3}[ -]?(?=\d)")
#: Letters inside a number, which may belong to it ("9S41022L") or be misread digits.
_MISREAD = re.compile(r"(?<=\d)[OIlSZBG]{1,2}(?=\d)")
_LABEL_REACH = 28
#: Confidence in a number that a fiscal code states.
_CODED = 0.99
#: A separator in a number in groups: "123-45-67890".
_GROUP = re.compile(r"(?<=\d)[-./](?=\d)")
#: Base score of a labelled number without the form of any of the region's identifiers: a little less certain.
_OF_ANY_FORM = 0.95
#: Score penalties for a customer's number, and for one in the rows below the word for the customer, which may
#: be the merchant's.
_OF_CUSTOMER, _BELOW_CUSTOMER = 2.0, 0.5
#: Minimum separators and digits of a number in groups.
_GROUPS, _DIGITS_OF_GROUPS = 2, 9
_TITLES: tuple[Role, ...] = ("receipt", "invoice")
#: A separate number between a label and the next number, which has its own label:
#: "NIF 508441184 Tel 213 ...", "NIF 508441184 T.213 ...".
_OTHER_NUMBER = re.compile(r"\d(?:[ .-]?\d){6,}(?=\W+[^\W\d_](?:[^\W\d_]|[.:]))")


def find_identifiers(rows: Sequence[ParsedLine], sheet: Sheet, region: Region) -> tuple[Entity, ...]:
    """Tax and registration numbers of all rows, top to bottom; `tax` is set on those of a tax office."""
    found: list[Entity] = []
    customer = rows_of_customer(rows, sheet)
    for index, parsed in enumerate(rows):
        if sum(map(str.isdigit, parsed.text)) < 4:
            continue
        above = rows[index - 1].text if index else ""
        text = in_columns(parsed, parsed.text)
        titled = index > 0 and any(m.role in _TITLES and m.weight >= LIKELY for m in sheet.roles[index - 1])
        entities: list[Entity] = []
        mended = _MISREAD.sub(lambda run: with_digits(run[0], misread_digits(run[0])), text)
        for printed in dict.fromkeys((text, mended)):
            entities += _known(index, printed, above, titled, sheet.roles[index], region, entities)
            entities += _european(index, printed, entities)
        for printed in dict.fromkeys((text, mended)):
            entities += _labelled(index, printed, sheet.roles[index], entities)
        entities += _in_brackets(index, text, sheet, entities, region)
        if index in customer:
            entities = [replace(own, score=own.score - _BELOW_CUSTOMER) for own in entities]
        found.extend(entities)
    return tuple(sorted(found, key=lambda m: (m.row, m.start)))


#: The beginning of a form at a word's edge, and one that a word for the number may touch: "NIT800123456".
_GLUED = re.compile(r"(?:^|(?<=\|))\\b(?=(?:\(\?:(?:[^()]*\)\?)?)?(?:\\d|\[\d|\d))")
_EDGE = r"(?:\\b|(?<=[^\\W\\d_]{2}))"


@lru_cache(maxsize=KEPT_REGIONS)
def _patterns(region: Region) -> tuple[tuple[Identifier, re.Pattern[str], tuple[str, ...]], ...]:
    return tuple(
        (known, re.compile(_GLUED.sub(_EDGE, known.pattern)), tuple(letters(word) for word in known.words))
        for known in region.identifiers
    )


def _known(
    index: int,
    text: str,
    above: str,
    titled: bool,
    roles: Sequence[RoleMatch],
    region: Region,
    others: Sequence[Entity],
) -> list[Entity]:
    """Numbers in the form of one of the region's identifiers, with words that announce them.

    Without such words, the check digits must be right, and the number must have a distinctive form, follow a
    company's legal form, or stand alone below the document's title. titled: the row above is that title.
    """
    found: list[Entity] = []
    for known, pattern, words in _patterns(region):
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(m.start < end and start < m.end for m in (*others, *found)):
                continue
            own = [r for r in roles if not (known.tax and _is_company(r))]
            label_start = _label_start(text, start, words, own)
            if label_start is None and text[:start][-1:].isalpha():
                continue
            named = label_start is not None or (_ends_with(above, words) and start < 4)
            shape = _tells(match.group()) or (titled and text.strip() == match.group())
            owner = not named and _follows_company(text[:start], match.group())
            sound = (named or shape or owner) and _checks(known.stdnum, match.group())
            if not named and not sound:
                continue
            score = 2.0 * named + 1.5 * sound - _of_customer(text[:start])
            label_start = start if label_start is None else label_start
            number = match.group()
            found.append(
                Entity("id", index, start, end, number, score, label_start, known.name, tax=known.tax)
            )
    return found


def _tells(number: str) -> bool:
    """Whether a number has letters or groups, and enough digits that right check digits are no accident."""
    alphabetic, digits = sum(c.isalpha() for c in number), sum(c.isdigit() for c in number)
    grouped = len(_GROUP.findall(number)) >= _GROUPS and digits >= _DIGITS_OF_GROUPS
    return (alphabetic >= 2 and digits >= 6) or (number[:1].isalpha() and digits >= 12) or grouped


def _follows_company(lead: str, number: str) -> bool:
    """Whether a number that begins with a letter is right after the legal form of a company
    ("EXAMPLE S.A. A-58818501")."""
    return number[:1].isalpha() and has_legal_form(lead) and lead[-1:] in " -"


def _of_customer(lead: str) -> float:
    """The score penalty if the words before a number name the customer, else zero."""
    return _OF_CUSTOMER if has_term(lead, "customer") else 0.0


def _label_start(text: str, start: int, words: tuple[str, ...], roles: Sequence[RoleMatch]) -> int | None:
    """The offset at which the words that announce a number begin; None without such words."""
    for match in reversed(roles):
        if match.role != "tax_id" or match.start >= start or start - match.end > _LABEL_REACH:
            continue
        if _OTHER_NUMBER.search(text, match.end, start) is None:
            return match.start
    reach = max(0, start - _LABEL_REACH)
    for other in _OTHER_NUMBER.finditer(text, reach, start):
        reach = other.end()
    runs = word_tokens(text[reach:start])
    for first in range(len(runs)):
        joined = "".join(t.text for t in runs[first:])
        if any(_alike(joined).startswith(_alike(word)) for word in words if word):
            return reach + runs[first].start
    return None


def _alike(word: str) -> str:
    """The word with i and l folded, as tills print them alike ("CU1T" is read as "cult")."""
    return word.replace("i", "l")


def _ends_with(above: str, words: tuple[str, ...]) -> bool:
    """Whether the words that announce a number end the row above, with no number of their own behind them."""
    joined = letters(above)
    return above.rstrip(" :.#-")[-1:].isalpha() and any(
        joined.endswith(word) for word in words if len(word) >= 3
    )


@lru_cache(maxsize=1024)
def _checks(module: str, number: str) -> bool:
    """Whether the number satisfies its check digits; False when no rule is known."""
    forms = (number, _TRAILING_WORD.sub("", number), _PREFIX.sub("", number))
    return any(is_valid_number(module, form) for form in dict.fromkeys(forms))


def _european(index: int, text: str, known: Sequence[Entity]) -> list[Entity]:
    """EU VAT numbers with their country prefix and right check digits, on receipts of any region."""
    found: list[Entity] = []
    for match in _EU_VAT.finditer(text):
        start, end = match.span()
        if any(m.start < end and start < m.end for m in known) or not _checks("eu.vat", match.group()):
            continue
        score = 3.0 - _of_customer(text[:start])
        rule = "European VAT number"
        found.append(Entity("id", index, start, end, match.group(), score, start, rule, tax=True))
    return found


def _labelled(index: int, text: str, roles: Sequence[RoleMatch], known: Sequence[Entity]) -> list[Entity]:
    """Numbers of any form, with five digits or more, right after words for a tax or registration number."""
    found: list[Entity] = []
    for role in roles:
        if role.role != "tax_id" or role.weight < LIKELY:
            continue
        match = _ANY_ID.match(text, role.end)
        if match is None or sum(c.isdigit() for c in match.group(1)) < 5:
            continue
        start, end = match.span(1)
        if any(m.start < end and start < m.end for m in (*known, *found)):
            continue
        score = _OF_ANY_FORM + role.weight - _of_customer(text[:start])
        number, tax = match.group(1).strip(), not _is_company(role)
        found.append(Entity("id", index, start, end, number, score, role.start, "labelled", tax=tax))
    return found


def _in_brackets(
    index: int, text: str, sheet: Sheet, known: Sequence[Entity], region: Region
) -> list[Entity]:
    """Registration numbers in the header, in brackets or of the form 123456-X, without those in the form of
    the country's postcodes."""
    if sheet.zones[index] != "header":
        return []
    found: list[Entity] = []
    for match in _BRACKETED.finditer(text):
        start, end = match.span()
        if any(m.start < end and start < m.end for m in (*known, *found)):
            continue
        value = (match.group(1) or match.group(2)).strip()
        if value.isdigit() and _REST_OF_PHONE.match(text, end):
            continue  # an area code
        if sum(c.isdigit() for c in value) >= 5 and not is_postcode(value, region):
            found.append(Entity("id", index, start, end, value, 0.5, start, "in brackets"))
    return found


def _same(printed: str, coded: str) -> bool:
    """Whether two numbers have the same digits; letters, such as a country prefix, are ignored."""
    return re.sub(r"\D", "", printed) == re.sub(r"\D", "", coded)


def _is_company(label: RoleMatch) -> bool:
    """Whether a label names a company register, a permit or a machine: no tax number follows it."""
    return "company_number" in phrase_terms(label.phrase)


def tax_number(entities: Sequence[Entity], coded: Sequence[str]) -> Found | None:
    """The merchant's tax number, as printed.

    coded: the numbers in fiscal codes, which choose among the printed ones, or replace one that is not
    printed.
    """
    numbers = (m for m in entities if m.kind == "id" and m.tax)
    ranked = sorted(numbers, key=lambda m: (-m.score, m.row, m.start))
    if not ranked:
        return Found(coded[0], _CODED, (), "fiscal code") if coded else None
    agreeing = [m for m in ranked if any(_same(m.value, number) for number in coded)]
    if agreeing:
        best = agreeing[0]
        return Found(best.value.strip(" .,-:"), _CODED, (best.row,), f"{best.rule}; fiscal code agrees")
    best = ranked[0]
    confidence = min(0.97, max(0.1, 0.45 + 0.15 * best.score))
    others = tuple((m.value, m.score) for m in ranked[1:4])
    return Found(best.value.strip(" .,-:"), round(confidence, 3), (best.row,), best.rule, others)
