"""Finds installed fonts and the characters that they cover. None is shipped.

Debian: fonts-liberation fonts-dejavu-core fonts-noto-mono fonts-noto-core fonts-terminus fonts-3270
fonts-noto-cjk. Without any, Pillow's own font prints Latin letters.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import ImageFont

from scripts.make_receipts.errors import DrawingError

Font = ImageFont.FreeTypeFont

#: Monospaced faces as (regular, bold) file stems; without a bold, text is printed twice, a dot apart.
MONO = (
    ("LiberationMono-Regular", "LiberationMono-Bold"),
    ("DejaVuSansMono", "DejaVuSansMono-Bold"),
    ("NotoSansMono-Regular", "NotoSansMono-Bold"),
    ("NotoMono-Regular", ""),
    ("TerminusTTF-4.46.0", ""),
    ("3270-Regular", ""),
    ("3270SemiCondensed-Regular", ""),
    ("LiberationMono-Bold", ""),
)
#: Faces of tills that print graphics.
PROPORTIONAL = (
    ("LiberationSans-Regular", "LiberationSans-Bold"),
    ("LiberationSansNarrow-Regular", "LiberationSansNarrow-Bold"),
    ("DejaVuSansCondensed", "DejaVuSansCondensed-Bold"),
    ("NotoSans-Regular", "NotoSans-Bold"),
)
#: Faces for scripts that the others lack: (regular, bold, index in the collection).
OTHERS = (
    ("NotoSansCJK-Regular", "NotoSansCJK-Bold", 0),
    ("NotoSerifCJK-Regular", "NotoSerifCJK-Bold", 0),
    ("NotoSansArabic-Regular", "NotoSansArabic-Bold", 0),
    ("NotoNaskhArabic-Regular", "NotoNaskhArabic-Bold", 0),
    ("NotoSansDevanagari-Regular", "NotoSansDevanagari-Bold", 0),
    ("NotoSansThai-Regular", "NotoSansThai-Bold", 0),
    ("NotoSansBengali-Regular", "NotoSansBengali-Bold", 0),
    ("DejaVuSansMono", "DejaVuSansMono-Bold", 0),
    ("DejaVuSans", "DejaVuSans-Bold", 0),
)
_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
    "/Library/Fonts",
)
_PROBE = 40
#: Prefixes of the Unicode names of characters in such scripts.
_FURTHER = (
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "HALFWIDTH KATAKANA",
    "FULLWIDTH",
    "IDEOGRAPHIC",
    "HANGUL",
    "SQUARE",
    "PARENTHESIZED IDEOGRAPH",
    "TELEPHONE SIGN",
    "POSTAL MARK",
    "ARABIC",
    "DEVANAGARI",
    "THAI",
)


@dataclass(frozen=True, slots=True)
class Face:
    """A font with its bold. regular: a path, None for Pillow's own; mono: monospaced."""

    regular: str | None
    bold: str | None
    index: int
    mono: bool

    def at(self, size: float, *, bold: bool = False) -> Font:
        """The font at a size in pixels."""
        return _opened(self.bold if bold and self.bold else self.regular, self.index, size)

    def covers(self, char: str) -> bool:
        """Whether it has a glyph for the character."""
        return char.isspace() or unicodedata.combining(char) > 0 or _has(self, char)

    def missing(self, text: Iterable[str]) -> set[str]:
        """The characters it lacks."""
        return {char for char in text if not self.covers(char)}


@cache
def _files() -> dict[str, str]:
    """Stem → path of every installed font file."""
    folders = [Path(folder).expanduser() for folder in (*_FOLDERS, os.environ.get("RECEIPT_FONTS", ""))]
    paths = sorted(
        path
        for folder in folders
        if str(folder) != "." and folder.is_dir()
        for path in folder.rglob("*")
        if path.suffix.lower() in (".ttf", ".otf", ".ttc")
    )
    return {path.stem: str(path) for path in paths}


@cache
def _opened(path: str | None, index: int, size: float) -> Font:
    if path is None:
        font = ImageFont.load_default(size)
        if not isinstance(font, ImageFont.FreeTypeFont):
            raise DrawingError("Pillow was built without FreeType; install a Pillow wheel.")
        return font
    return ImageFont.truetype(path, size, index=index)


@cache
def _plain(path: str | None, index: int) -> Font | None:
    """The font without shaping, which would put a dotted circle before a mark that the font lacks."""
    if path is None:
        return None
    return ImageFont.truetype(path, _PROBE, index=index, layout_engine=ImageFont.Layout.BASIC)


@cache
def _has(face: Face, char: str) -> bool:
    font = _plain(face.regular, face.index) or face.at(_PROBE)
    shape = font.getmask(char)
    nothing = font.getmask("\U0010fffe")
    return (shape.size, bytes(shape)) != (nothing.size, bytes(nothing))


@cache
def faces(mono: bool) -> tuple[Face, ...]:
    """Installed faces of the kind; Pillow's own last among the proportional ones."""
    files = _files()
    found = [
        Face(files[regular], files.get(bold), 0, mono)
        for regular, bold in (MONO if mono else PROPORTIONAL)
        if regular in files
    ]
    return tuple(found) if mono else (*found, Face(None, None, 0, False))


@cache
def other_faces() -> tuple[Face, ...]:
    """Installed faces for further scripts."""
    files = _files()
    return tuple(
        Face(files[regular], files.get(bold), index, False)
        for regular, bold, index in OTHERS
        if regular in files
    )


def covering(text: str, mono: bool) -> tuple[Face, ...]:
    """Faces that cover the text except for East Asian, Arabic, Indic and Thai letters.

    Raises DrawingError when neither an installed face nor one of the further scripts' faces has a letter.
    """
    wanted = set(text)
    further = {char for char in wanted if is_further(char)}
    lacking = {char for char in further if not any(face.covers(char) for face in other_faces())}
    fitting = [face for face in faces(mono) or faces(False) if not face.missing(wanted - further)]
    if not fitting:
        fitting = [face for face in faces(False) if not face.missing(wanted - further)]
    if not fitting:
        # A rare sign (₫, ₱) may come from a further face.
        best = min(faces(True) + faces(False), key=lambda face: len(face.missing(wanted - further)))
        lacking |= {c for c in best.missing(wanted - further) if not any(f.covers(c) for f in other_faces())}
        fitting = [best]
    if lacking:
        signs = " ".join(sorted(lacking))
        raise DrawingError(f"No installed font has {signs}; install fonts-noto-core and fonts-noto-cjk.")
    return tuple(fitting)


def is_further(char: str) -> bool:
    """Whether the letter belongs to a script that monospaced Latin faces lack."""
    return char > "\u0590" and unicodedata.name(char, "").startswith(_FURTHER)


def further_face(char: str, serif: bool) -> Face | None:
    """A face for a character that the main one lacks, or None."""
    fitting = [face for face in other_faces() if face.covers(char)]
    if not fitting:
        return None
    return fitting[1] if serif and len(fitting) > 1 and fitting[1].bold else fitting[0]
