"""Which characters a script may print."""

import pytest

from receipt_engine.stages.recognize.scripts import (
    allowed,
    is_cyrillic_alone,
    is_greek_alone,
    is_vietnamese,
    one_script,
    script_of,
)


@pytest.mark.parametrize("character", list("aZ09€£ñßéÅÑ%*#₫"))
def test_every_script_prints_latin_digits_and_money(character: str) -> None:
    assert all(allowed(character, script) for script in ("latin", "cjk"))


def test_stars_cannot_become_ideographs_on_a_latin_page() -> None:
    assert not allowed("本", "latin")
    assert allowed("本", "cjk")
    assert not allowed("Σ", "latin")


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("a", "latin"),
        ("Ω", "greek"),
        ("Ж", "cyrillic"),
        ("ә", "cyrillic"),
        ("ώ", "greek"),
        ("円", "cjk"),
        ("7", None),
    ],
)
def test_the_script_of_a_letter(character: str, script: str | None) -> None:
    assert script_of(character) == script


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("ΣΥNΟΛO", "ΣΥΝΟΛΟ"),
        ("TΡΑΠΕΖA", "ΤΡΑΠΕΖΑ"),
        ("GRΟWS", "GROWS"),
        ("Ε3F8ΒΑ0680", "E3F8BA0680"),
        ("ΚΑTE", "ΚΑΤΕ"),
        ("MASTERCARD", "MASTERCARD"),
        ("ΔSL", "ΔSL"),
        ("ΦΠΑ13%", "ΦΠΑ13%"),
        ("5ΤΕΜ", "5ΤΕΜ"),
        ("Ζ4311737", "Z4311737"),
        ("ΧΧΧΧ2597", "XXXX2597"),
        ("ΧXΧΧ2597", "XXXX2597"),
        ("0,20", "0,20"),
    ],
)
def test_a_word_is_of_one_script(word: str, expected: str) -> None:
    assert one_script(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("ИTOГ", "ИТОГ"),
        ("KАССA", "КАССА"),
        ("GLОBUS", "GLOBUS"),
        ("Т21DА056", "T21DA056"),
        ("VISA", "VISA"),
        ("ДAТA:12.05", "ДАТА:12.05"),
        ("СУММA", "СУММА"),
    ],
)
def test_a_word_is_cyrillic_or_latin(word: str, expected: str) -> None:
    assert one_script(word, "cyrillic") == expected


def test_letters_that_only_cyrillic_has() -> None:
    assert all(map(is_cyrillic_alone, "ЖЙЫяєљ"))
    assert not any(map(is_cyrillic_alone, ["", *"АСоПГФAΔ34"]))


def test_letters_that_only_vietnamese_has() -> None:
    assert all(map(is_vietnamese, "ạẻỗƯơỵ"))
    assert not any(map(is_vietnamese, ["", *"aàâãéêăđóöñ₫"]))


def test_letters_that_only_greek_has() -> None:
    assert all(map(is_greek_alone, "ΓΣΩλ"))
    assert not any(map(is_greek_alone, ["", *"ΑοήA"]))
