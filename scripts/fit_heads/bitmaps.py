"""Converts bitmap fonts, which resemble tills' built-in fonts, to outline fonts whose every dot is a square.

    python -m scripts.fit_heads.bitmaps FONT.bdf … FOLDER

`pcf2bdf` makes BDF of the X server's fonts (Debian: xfonts-base, xfonts-baekmuk). Letters are found by their
codes in KS C 5601, or in Unicode where the font says so. Needs fonttools.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

#: Font units per dot.
_DOT = 64
#: EUC-KR is KS C 5601 with the high bits set.
_HIGH_BITS = 0x8080
#: Ranges kept: ASCII, single letters of Hangul, its syllables.
_KEPT = ((0x21, 0x7F), (0x3131, 0x318F), (0xAC00, 0xD7A4))


@dataclass(frozen=True)
class Letter:
    """advance: dots to the next letter. left, bottom: origin of the rows. rows: "1" for each printed dot,
    from the top."""

    advance: int
    left: int
    bottom: int
    rows: tuple[str, ...]


def main() -> None:
    """Writes an outline font of each bitmap font."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fonts", nargs="+", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    for path in given.fonts:
        write_outlines(path.read_text(encoding="latin-1"), f"Bitmap {path.stem}", given.folder)


def write_outlines(bdf: str, family: str, folder: Path) -> Path:
    """Writes the font as a TrueType file named after the family; returns its path."""
    above, below = (int(_value(bdf, name)) for name in ("FONT_ASCENT", "FONT_DESCENT"))
    letters = read_letters(bdf)
    em = (above + below) * _DOT
    glyphs = {".notdef": TTGlyphPen(None).glyph(), "space": TTGlyphPen(None).glyph()}
    metrics = {".notdef": (em, 0), "space": (em // 2, 0)}
    names = {0x20: "space"}
    for code, letter in sorted(letters.items()):
        name = f"u{code:04X}"
        glyphs[name], names[code] = _outline(letter), name
        metrics[name] = (letter.advance * _DOT, letter.left * _DOT)
    font = FontBuilder(em, isTTF=True)
    font.setupGlyphOrder(list(glyphs))
    font.setupCharacterMap(names)
    font.setupGlyf(glyphs)
    font.setupHorizontalMetrics(metrics)
    font.setupHorizontalHeader(ascent=above * _DOT, descent=-below * _DOT)
    font.setupNameTable({"familyName": family, "styleName": "Regular"})
    font.setupOS2(sTypoAscender=above * _DOT, sTypoDescender=-below * _DOT)
    font.setupPost()
    path = folder / f"{family.replace(' ', '-')}.ttf"
    font.save(path)
    return path


def read_letters(bdf: str) -> dict[int, Letter]:
    """The letters that are kept, by Unicode code point."""
    is_unicode = "10646" in _value(bdf, "CHARSET_REGISTRY")
    letters: dict[int, Letter] = {}
    for described in re.findall(r"^STARTCHAR.*?^ENDCHAR", bdf, re.MULTILINE | re.DOTALL):
        code = _code(int(_value(described, "ENCODING")), is_unicode)
        if not any(first <= code < end for first, end in _KEPT):
            continue
        width, _, left, bottom = map(int, _value(described, "BBX").split())
        rows = described.split("BITMAP")[1].split()[:-1]
        dots = tuple(f"{int(row, 16):0{4 * len(row)}b}"[:width] for row in rows)
        letters[code] = Letter(int(_value(described, "DWIDTH").split()[0]), left, bottom, dots)
    return letters


def _value(text: str, name: str) -> str:
    found = re.search(rf'^{name} +"?([^"\n]*)', text, re.MULTILINE)
    if found is None:
        raise ValueError(f"The bitmap font has no {name}.")
    return found.group(1)


def _code(encoding: int, is_unicode: bool) -> int:
    """The Unicode code point of an encoding; -1 for an unassigned place of KS C 5601."""
    if is_unicode:
        return encoding
    try:
        text = (encoding | _HIGH_BITS).to_bytes(2, "big").decode("euc_kr")
    except (UnicodeDecodeError, OverflowError):
        return -1
    return ord(text) if len(text) == 1 else -1


def _outline(letter: Letter) -> object:
    """A glyph with each run of dots as a rectangle."""
    pen = TTGlyphPen(None)
    for number, row in enumerate(letter.rows):
        low = (letter.bottom + len(letter.rows) - 1 - number) * _DOT
        high = low + _DOT
        for run in re.finditer("1+", row):
            first, end = ((letter.left + at) * _DOT for at in run.span())
            for place, point in enumerate(((first, low), (first, high), (end, high), (end, low))):
                pen.lineTo(point) if place else pen.moveTo(point)
            pen.closePath()
    return pen.glyph()


if __name__ == "__main__":
    main()
