"""Decides the kind of a row: whether its words name a product or say that it is none (a payment, a total, a
note on the sale), and what it is without a name or amount."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.document import AmountReading, AmountRow, QuantityReading, QuantityRule, RoleMatch, says
from receipt_engine.region import SUMS, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.items.rows.item_row import RowKind
from receipt_engine.vocabulary import term_at_start
from receipt_engine.vocabulary.normalise import count_letters, letters, weigh_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Digits from which a code makes a row a code row even beside a few letters; and the letters of a unit.
_CODE_DIGITS = 6
_UNIT_LETTERS = 2
#: The list number or count before the article number: "002 7890000000017 LEITE", "(2)05900000017 BEANS".
_LIST_NUMBER = re.compile(r"\d{1,3}[.)-]? +(?=\d)|\(\d{1,2}\) ?(?=\d)")
#: Digits of an article number with its check digit.
_ARTICLE_DIGITS = 12
#: A count with decimals, its unit of any kind and its sign: "6.00 BOXS X 17.00".
_DECIMAL_COUNT = re.compile(r"\d{1,4}[.,]0{2,4} [^\W\d_]{2,5} [xX×*@] ")
#: Words between the price before and the one that is left: "now", "our price".
_MAX_NOW_WORDS = 2
#: Petrol named by its octane number, perhaps with its share of ethanol.
_GRADE = re.compile(r"(?:[A-Z]{2,3} ?\d{2}|9\dE\d{1,2})(?!\w)")
_NOT_PRODUCTS: frozenset[Role] = (
    SUMS
    | TENDERS
    | {"tip", "service", "withheld", "rounding", "savings", "loyalty", "balance", "item_count", "suggested"}
)
_ABOUT_SALE: frozenset[Role] = frozenset(
    ("date", "phone", "fax", "tax_id", "receipt_number", "cashier", "header", "invoice", "company", "footer")
)
#: Words for means of payment also name animals, shoes and drinks.
_SOLD_TOO: frozenset[Role] = frozenset(("card", "cash", "change", "balance"))
#: Words beside an article number above its amount: its department, or a service or tip that is sold as one.
_OF_ARTICLES: frozenset[Role] = frozenset(("header", "service", "tip"))
#: Smallest share of a row's letters for words that show that it is not a product; and for those of a tender.
_SHARE = 0.4
_SHARE_OF_TENDER = 0.6
#: Highest cost of an amount that is certain enough for the words beside it to be a product name.
_SURE_AMOUNT = 0.65
#: Weights from which words show that a row is not a product, and that they are an address; words of lower
#: weight occur in product names.
_NO_PRODUCT = 0.6
_PLACE = 0.9


#: Behind a column's word that labels a number of the product: "(Código: 21468)".
_LABELS_NUMBER = re.compile(r"\s?:\s?\d")


def kind_of_row(
    parsed: AmountRow,
    amount: AmountReading | None,
    quantity: QuantityReading | None,
    code: str | None,
    words: str,
    named: bool,
) -> RowKind:
    """What the row is in the product block. code: the row's, if it may be that of a product group. named: its
    words name something."""
    if amount is not None:
        # "RX 0448812-00  10.00", "77346111820 GP  9.99" or "Art. No. 77346  9.99" below a name
        labels = sum(len(m.phrase) for m in parsed.roles if m.role == "column")
        labelled = code is not None and count_letters(words) < max(SHORTEST_NAME, labels + 1)
        return "named" if named and not labelled else "bare"
    few = count_letters(words) <= 8 or " " not in words
    if quantity is not None and quantity.unit_price is not None and few:
        return "detail"
    long = code is not None and len(code) >= _CODE_DIGITS and code.isdigit()
    # After a full article number, or one behind its place in the list, a word is a short name; elsewhere it
    # is a product group.
    listed = _LIST_NUMBER.match(parsed.text)
    begins = parsed.text.startswith(code or "", listed.end() if listed else 0)
    article = long and begins and (listed is not None or len(code or "") >= _ARTICLE_DIGITS)
    beside = long and (not article or count_letters(words) <= _UNIT_LETTERS)
    if code is not None and (not named or (few and beside)):
        return "code"
    if not named:
        return "detail" if parsed.amounts or quantity else "skip"
    return "text"


def names_something(words: str, quantity: QuantityReading | None) -> bool:
    """Whether the words name something. Beside quantity, price and their product, signs and units do not, nor
    does one East Asian character, a mark of the tax ("内")."""
    if _GRADE.fullmatch(words):
        return True
    if all(like_a_code(word) for word in words.split() if any(c.isalpha() for c in word)):
        return False
    if quantity is None:
        return count_letters(words) >= 2
    if _DECIMAL_COUNT.match(quantity.raw):
        return False
    unit = (quantity.unit or "").lower()
    if _GRADE.match(words):
        return True
    for word in words.replace("/", " ").split():
        count = count_letters(word)
        if word.lower() != unit and (count > 2 or weigh_letters(word) > count > 1):
            return True
    return False


def like_a_code(word: str) -> bool:
    """Whether a word looks like an article number with letters: "KXP350"."""
    return len(word) >= 5 and word.isascii() and word.isupper() and sum(c.isdigit() for c in word) >= 3


def is_reduced(
    parsed: AmountRow, roles: Sequence[RoleMatch], amount: AmountReading | None, words: str
) -> bool:
    """Whether a row has only the price that is left of the product above, behind its discount ("DISC -2.90
    25.70") or the price before ("was 28.60 now 25.70", and perhaps once more "25.70")."""
    if amount is None or amount.value <= 0:
        return False
    before = [a for a in parsed.amounts if a.end <= amount.start and a.decimals == amount.decimals]
    if any(m.role == "discount" and len(m.phrase) == count_letters(words) for m in roles):
        return any(a.value < 0 and a.decimals for a in before)
    left = [a for a in before if a.value == amount.value]
    before = [a for a in before if a.value != amount.value]
    if not tells_former_price(parsed) or len(before) != 1 or before[0].value <= amount.value:
        return False
    between = parsed.text[before[0].end : (left or [amount])[0].start]
    return len(between.split()) <= _MAX_NOW_WORDS


def tells_former_price(parsed: AmountRow) -> bool:
    """Whether a row begins with the price that a product had before it was reduced: "Reg. 28.60"."""
    former = term_at_start(parsed.text, "former_price")
    first = next(iter(parsed.likely), None)
    return former is not None and first is not None and not letters(parsed.text[former.end : first.start])


def is_no_product(
    parsed: AmountRow, roles: Sequence[RoleMatch], amount: AmountReading | None, has_code: bool
) -> bool:
    """Whether a row's words say that it is not a product. roles: those of its words that count. amount: its
    own, if it has one. has_code: whether it has an article number."""
    letters = count_letters(parsed.text)
    negative = amount is not None and amount.value < 0
    if amount is not None and says(roles, ["deposit", "void"], LIKELY):
        return False
    for match in roles:
        share = _SHARE_OF_TENDER if match.role in _SOLD_TOO else _SHARE
        covers = len(match.phrase) >= share * letters
        taken_off = negative or (amount is None and says(roles, ["discount"], LIKELY))
        if taken_off and match.role in ("savings", "loyalty"):
            continue  # subtracted, not just information; the amount may be on the next row
        if negative and match.role == "item_count" and amount is not None and amount.decimals:
            continue  # "3 ITEMS SPECIAL -1.50"
        if negative and match.role == "card" and says(roles, ["discount"], LIKELY):
            continue  # "DISC. VISA -2.00": a discount for paying by card
        if negative and match.role == "change" and letters > len(match.phrase) + 2:
            continue  # "RETOUR JEAN": a returned product
        if match.role == "discount" and covers and amount is not None and not amount.value:
            return not any(q.rule is QuantityRule.LEADING for q in parsed.quantities)  # none was given
        if match.role in _OF_ARTICLES and has_code and amount is None:
            continue
        if match.role in _NOT_PRODUCTS and match.weight >= _NO_PRODUCT and covers:
            return True
        titled = match.role == "receipt" and amount is None and not match.start
        number = parsed.text[match.end :].strip(" .:#")
        if titled and (not number or number.isdigit()):
            return True  # the document's title
        if match.role == "address" and match.weight >= _PLACE and amount and amount.cost > _SURE_AMOUNT:
            return True  # a house number
        about = match.role in _ABOUT_SALE and match.weight >= _NO_PRODUCT and len(match.phrase) > 2
        # With an amount of low cost, the words are a product: a room may be sold, too.
        if about and (amount is None or (covers and amount.cost > _SURE_AMOUNT)):
            return True
    if amount is None and not parsed.quantities and _only_dates(parsed):
        return True
    if amount is None and parsed.dates and term_at_start(parsed.text, "earlier_document") is not None:
        return True  # the receipt of what is returned: "Orig: 0231 12/19/25 5102"
    columns = (m for m in roles if m.role == "column" and m.weight >= POSSIBLE)
    headings = sum(1 for m in columns if not _LABELS_NUMBER.match(parsed.text, m.end))
    priced = any(q.unit_price is not None for q in parsed.quantities)  # "Qty 3 @ 1.89 each"
    return headings >= 2 and amount is None and not priced


def _only_dates(parsed: AmountRow) -> bool:
    """Whether a row has a date and next to no words besides those that announce it: "Valid 18.06.2024", "Du
    12/06/2024 au 14/06/2024"."""
    announced = [(m.start, m.end) for m in parsed.roles if m.role in ("date", "not_date")]
    known = [*announced, *((d.start, d.end) for d in parsed.dates)]
    letters = (c for at, c in enumerate(parsed.text) if not any(s <= at < e for s, e in known))
    return bool(announced and parsed.dates) and count_letters("".join(letters)) < SHORTEST_NAME
