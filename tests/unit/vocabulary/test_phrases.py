"""Key phrases in printed lines."""

from __future__ import annotations

import string

import pytest
from rapidfuzz.distance import OSA

from receipt_engine.region import load_region
from receipt_engine.vocabulary import phrases
from receipt_engine.vocabulary.phrases import best_role, find_roles


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("TOTAL 12.50", "total"),
        ("SUB TOTAL 12.50", "subtotal"),
        ("Sub-Total: 12.50", "subtotal"),
        ("SUBT0TAL 12.50", "subtotal"),
        ("TOTAL TAK 1.15", "total_tax"),
        ("TOTAL BAR 9.00", "total"),
        ("Amount Change 9.00", "change"),
        ("TOTAL SAVINGS 1.00", "savings"),
        ("T0TAL DUE", "total"),
        ("CHANGE DUE 1.00", "change"),
        ("CHAMGE DUE 1.00", "change"),
        ("SU8 TOTAL 12.50", "subtotal"),
        ("5UBTOTAL 12.50", "subtotal"),
        ("TOTA1 12.50", "total"),
        ("TAX1 1.00", "tax"),
        ("GlFT CARD 5.00", "card"),
        ("ARNOUNT DUE 5.00", "total"),
        ("ORD.5UBTOTAL 5.00", "subtotal"),
    ],
)
def test_a_line_has_its_role(text: str, role: str) -> None:
    found = best_role(text, load_region("us"))
    assert found is not None and found[0] == role


def test_two_letters_of_a_word_are_misread() -> None:
    found = best_role("CAMBl0 34.50", load_region("mx"))
    assert found is not None and found[0] == "change"


@pytest.mark.parametrize("text", ["WHOLE MILK 2.19", "TIPPING POINT BOOK 9.00", "TAXI 12.00"])
def test_part_of_a_word_is_no_phrase(text: str) -> None:
    money = {"total", "subtotal", "tax", "tip", "cash", "change"}
    (matches,) = find_roles((text,), load_region("us"))
    assert not money & {m.role for m in matches}


def test_no_phrase_reaches_across_an_amount() -> None:
    (matches,) = find_roles(("Amount Incl. GST 5.00 RM",), load_region("my"))
    assert all(m.end <= len("Amount Incl. GST") for m in matches)


def test_letters_of_a_code_are_no_phrase() -> None:
    (matches,) = find_roles(("SC-00931",), load_region("my"))
    assert matches == ()


@pytest.mark.parametrize("text", ["VAT20% 4.00", "VAT17.5% 4.00", "VAT 20 % 4.00", "VAT20.00% 4.00"])
def test_letters_before_a_rate_are_a_phrase(text: str) -> None:
    (matches,) = find_roles((text,), load_region("gb"))
    assert ("tax", 1.0) in [(m.role, m.weight) for m in matches]


@pytest.mark.parametrize("text", ["GROUND BEEF 4.00", "LINERS 30 PCS 4.00", "TODAY 4.00"])
def test_a_slip_that_makes_another_word_counts_little(text: str) -> None:
    (found,) = find_roles([text], load_region("us"))
    money = ("total", "subtotal", "rounding", "card", "cash", "tip", "discount")
    assert all(match.weight < 0.6 for match in found if match.role in money)


def test_no_phrase_reaches_across_the_number_of_another_label() -> None:
    (roles,) = find_roles(["Bàn: 05 Số: 1188"], load_region("vn"))
    assert [(m.role, m.phrase) for m in roles if m.role == "receipt_number"] == [("receipt_number", "so")]


def _with_edits(word: str) -> set[str]:
    """Everything that is one edit away from a word, with few letters put in."""
    at = range(len(word))
    return {
        *(word[:i] + word[i + 1 :] for i in at),
        *(word[:i] + new + word[i + 1 :] for i in at for new in "aez"),
        *(word[:i] + new + word[i:] for i in (*at, len(word)) for new in "aez"),
        *(word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in at[:-1]),
    }


@pytest.mark.parametrize("phrase", ["total", "discount", "nettoamount", string.ascii_lowercase * 6])
def test_no_phrase_that_is_near_enough_is_passed_over(phrase: str) -> None:
    once = sorted(_with_edits(phrase))
    read = [phrase, *once, *sorted(_with_edits(once[len(once) // 2]))]
    found = {row for row, _ in phrases._near(phrases._outlines(read), phrases._outlines([phrase]))}
    near = [i for i, key in enumerate(read) if OSA.distance(phrase, key) <= phrases._allowed(phrase, key)]
    assert found.issuperset(near)
    assert len(near) > len(once)


def test_words_that_share_few_letters_are_not_compared() -> None:
    read = phrases._outlines(["coffee", "sandwich", "totals"])
    assert list(phrases._near(read, phrases._outlines(["total", "subtotal"]))) == [(2, 0)]
    assert not list(phrases._near(read, phrases._outlines([])))


@pytest.mark.parametrize("text", ["Tas 2.42", "7ax: $2.42", "Tex 8.25% 2.42", "Tzs 8% 2.42"])
def test_a_short_word_below_a_subtotal_may_be_a_misread_tax(text: str) -> None:
    region = load_region("us")
    alone, below = find_roles([text], region), find_roles(["SUBTOTAL 29.00", text], region)
    assert not any(m.role == "tax" for m in alone[0])
    assert [(m.role, m.weight < 0.5) for m in below[1]] == [("tax", True)]


def test_a_tax_without_its_first_letter_is_one_beside_weaker_meanings() -> None:
    _, below = find_roles(["SUBTOTAL 29.00", "ax 2.42"], load_region("us"))
    assert {m.role for m in below} == {"card", "tax"}  # AX is a card, too


def test_other_short_words_below_a_subtotal_are_no_tax() -> None:
    _, bag, far = find_roles(["SUBTOTAL 29.00", "Bags 0.10", "Tas 12"], load_region("us"))
    assert not any(m.role == "tax" for m in (*bag, *far))
