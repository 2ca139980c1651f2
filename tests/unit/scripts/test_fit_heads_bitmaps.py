"""Bitmap letters keep their dots as outlines."""

from pathlib import Path

import pytest
from PIL import ImageFont

from scripts.fit_heads.bitmaps import read_letters, write_outlines

#: 가 as a square with a hole, by its place in KS C 5601; and a place that stands for nothing.
FONT = """STARTFONT 2.1
STARTPROPERTIES 3
CHARSET_REGISTRY "KSC5601.1987"
FONT_ASCENT 4
FONT_DESCENT 0
ENDPROPERTIES
CHARS 2
STARTCHAR a
ENCODING 12321
DWIDTH 4 0
BBX 4 4 0 0
BITMAP
F0
90
90
F0
ENDCHAR
STARTCHAR b
ENCODING 32639
DWIDTH 4 0
BBX 4 4 0 0
BITMAP
F0
F0
F0
F0
ENDCHAR
ENDFONT
"""


def test_letters_are_found_by_the_codes_of_korea() -> None:
    letters = read_letters(FONT)
    assert {chr(code): letter.rows for code, letter in letters.items()} == {
        "가": ("1111", "1001", "1001", "1111")
    }


def test_codes_of_unicode_are_taken_as_they_are() -> None:
    letters = read_letters(FONT.replace("KSC5601.1987", "ISO10646").replace("12321", str(ord("각"))))
    assert list(map(chr, letters)) == ["각"]


def test_every_dot_becomes_a_square(tmp_path: Path) -> None:
    path = write_outlines(FONT, "Bitmap test", tmp_path)
    assert path.name == "Bitmap-test.ttf"
    drawn = ImageFont.truetype(path, 400).getmask("가")
    middles = range(50, 400, 100)
    rows = ["".join("1" if drawn.getpixel((x, y)) else "0" for x in middles) for y in middles]
    assert rows == ["1111", "1001", "1001", "1111"]


def test_a_font_that_names_no_codes_is_refused() -> None:
    with pytest.raises(ValueError, match="CHARSET_REGISTRY"):
        read_letters(FONT.replace("CHARSET_REGISTRY", "OTHER"))
