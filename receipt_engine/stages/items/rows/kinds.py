"""Decides the kind of a row: whether its words name a product, and what it is without a name or amount."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.document import AmountReading, AmountRow, QuantityReading, RoleMatch
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
