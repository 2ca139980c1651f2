"""Runs `extract` on damaged files: each must give a Result or a typed error, soon and in little memory.

    python -m benchmarks.protocols.mutations [--count 10000] [--seed 1] [--real 50] [--more DIR]

Sound files of every supported format are generated, then damaged: bits flipped, bytes overwritten, parts cut
out, doubled or taken from another file, numbers made huge, the end cut off. They go through the whole of
`extract` with fake models that return a text for every image; every Nth file (--real N) through the shipped
networks. --more adds the files of a folder to those that are damaged.
"""

from __future__ import annotations

import argparse
import io
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from benchmarks.protocols.badimages import Child, Row
from receipt_engine import Engine
from receipt_engine.testing import fake_models

#: Megabytes that the process may reach at most.
MEMORY_LIMIT = 1500.0
#: Choices for the number of damages per file: mostly one, so that code behind the damage is still reached.
_DAMAGES_EACH = (1, 1, 1, 2, 4)
_TEXT = """
NORTH GATE STATIONERS
14/03/2024
Notebook            4.50
Pencils             2.25
TOTAL               6.75
"""
#: Numbers likely to trip header parsers.
_ODD_NUMBERS = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)

Damage = Callable[[bytearray, Sequence[bytes], random.Random], None]


def fake_extract(file: bytes) -> None:
    """Runs `extract` with fake models that return a text for every image."""
    _engine(False).extract(file)


def real_extract(file: bytes) -> None:
    """Runs `extract` with the shipped networks."""
    _engine(True).extract(file)


@cache
def _engine(real: bool) -> Engine:
    return Engine(threads=1, models=None if real else fake_models(_TEXT))


def originals() -> dict[str, bytes]:
    """A sound file of every format whose writer is installed, by name."""
    picture = _picture()
    palette = picture.quantize(16)
    found = {
        "jpeg": _saved("JPEG", picture, quality=80),
        "jpeg-progressive": _saved("JPEG", picture.convert("L"), progressive=True),
        "jpeg-cmyk": _saved("JPEG", picture.convert("CMYK")),
        "png": _saved("PNG", picture),
        "png-palette": _saved("PNG", palette),
        "png-16-bit": _saved("PNG", Image.fromarray(np.asarray(picture.convert("L"), np.uint16) * 257)),
        "webp": _saved("WEBP", picture),
        "webp-lossless": _saved("WEBP", picture, lossless=True),
        "tiff-pages": _saved("TIFF", picture, save_all=True, append_images=[picture], compression="tiff_lzw"),
        "tiff-fax": _saved("TIFF", picture.convert("1"), compression="group4"),
        "tiff-jpeg": _saved("TIFF", picture, compression="jpeg"),
        "bmp": _saved("BMP", picture),
        "gif": _saved("GIF", palette, save_all=True, append_images=[palette]),
        "pdf-scan": _saved("PDF", picture),
        "pdf-text": _pdf(),
    }
    for format_ in ("AVIF", "HEIF"):
        try:
            found[format_.lower()] = _saved(format_, picture)
        except (KeyError, OSError, ImportError):
            continue
    return found


def _picture() -> Image.Image:
    picture = Image.new("RGB", (240, 320), (244, 242, 236))
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(_TEXT.strip().splitlines()):
        draw.text((16, 20 + 40 * row), line, fill=(20, 20, 24), font_size=15)
    return picture


def _saved(format_: str, picture: Image.Image, **options: object) -> bytes:
    if format_ == "HEIF":
        from pillow_heif import register_heif_opener

        register_heif_opener()
    buffer = io.BytesIO()
    picture.save(buffer, format_, **options)
    return buffer.getvalue()


def _pdf() -> bytes:
    """A page with a text layer, uncompressed, so that damage reaches its content."""
    stream = "BT /F 12 Tf 14 TL 20 280 Td " + " ".join(
        f"({line}) Tj T*" for line in _TEXT.strip().splitlines()
    )
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 240 320] /Contents 4 0 R "
        "/Resources << /Font << /F 5 0 R >> >> >>",
        f"<< /Length {len(stream) + 3} >>\nstream\n{stream} ET\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
    )
    file, places = "%PDF-1.4\n", list[int]()
    for number, text in enumerate(objects, 1):
        places.append(len(file))
        file += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    file += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return (file + f"startxref\n{file.rindex('xref', 0, len(file) - 20)}\n%%EOF\n").encode("ascii")


def mutations(files: dict[str, bytes], count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """`count` damaged files with their names, the same for the same arguments."""
    names = list(files)
    for number in range(count):
        chance = random.Random(f"{seed}:{number}")
        name = names[number % len(names)]
        file = bytearray(files[name])
        for _ in range(chance.choice(_DAMAGES_EACH)):
            chance.choice(_DAMAGES)(file, list(files.values()), chance)
        yield f"{name}-{seed}-{number}", bytes(file)


def _place(file: bytearray, chance: random.Random) -> int:
    """A random offset; half of the time within the first 256 bytes, the header."""
    end = min(len(file), 256) if chance.random() < 0.5 else len(file)
    return chance.randrange(max(1, end))


def _flip(file: bytearray, files: Sequence[bytes], chance: random.Random) -> None:
    for _ in range(chance.randint(1, 16)):
        if file:
            file[_place(file, chance) % len(file)] ^= 1 << chance.randrange(8)


def _overwrite(file: bytearray, files: Sequence[bytes], chance: random.Random) -> None:
    start, length = _place(file, chance), chance.randint(1, 64)
    filling = chance.choice((b"\0", b"\xff", chance.randbytes(1))) * length
    file[start : start + length] = chance.choice((filling, chance.randbytes(length)))


def _number(file: bytearray, files: Sequence[bytes], chance: random.Random) -> None:
    start, size = _place(file, chance), chance.choice((1, 2, 4))
    number = chance.choice(_ODD_NUMBERS) & (1 << 8 * size) - 1
    file[start : start + size] = number.to_bytes(size, chance.choice(("little", "big")))


def _remove(file: bytearray, files: Sequence[bytes], chance: random.Random) -> None:
    start = _place(file, chance)
    del file[start : start + chance.choice((1, 2, 4, chance.randint(1, 1 + len(file) // 4)))]


def _double(file: bytearray, files: Sequence[bytes], chance: random.Random) -> None:
    start = _place(file, chance)
    part = file[start : start + chance.randint(1, 2048)]
    file[start:start] = part * chance.choice((1, 1, 2, 40))


def _splice(file: bytearray, files: Sequence[bytes], chance: random.Random) -> None:
    other = chance.choice(files)
    start, place = chance.randrange(len(other)), _place(file, chance)
    part = other[start : start + chance.randint(1, 4096)]
    file[place : place + chance.choice((0, len(part)))] = part


def _truncate(file: bytearray, files: Sequence[bytes], chance: random.Random) -> None:
    del file[_place(file, chance) :]


def _digits(file: bytearray, files: Sequence[bytes], chance: random.Random) -> None:
    """Replaces a digit of a number in decimal notation, as in a PDF file, changing the number."""
    places = [i for i in range(_place(file, chance), len(file)) if chr(file[i]).isdigit()][:64]
    if places:
        at = chance.choice(places)
        file[at : at + 1] = chance.choice((b"0", b"9", b"-1", b"99999", b"4294967297", b"1e9", b"/"))


_DAMAGES: tuple[Damage, ...] = (_flip, _overwrite, _number, _remove, _double, _splice, _truncate, _digits)


def run(files: dict[str, bytes], count: int, seed: int, real: int) -> Iterator[tuple[Row, bytes]]:
    """The row of every damaged file, and the file. real: every Nth goes through the networks; 0 for none."""
    here, first = "benchmarks.protocols.mutations", next(iter(files.values()))
    readers = ("fake_extract", "real_extract") if real else ("fake_extract",)
    children = {name: Child(f"{here}:{name}", first) for name in readers}
    try:
        for number, (name, file) in enumerate(mutations(files, count, seed)):
            reader = "real_extract" if real and number % real == 0 else "fake_extract"
            row = children[reader].read(name, file)
            yield row, file
            if row.megabytes > MEMORY_LIMIT:  # a process's peak memory never falls
                children[reader].restart()
    finally:
        for child in children.values():
            child.stop()


def fault(row: Row) -> str:
    """A description of the row's fault; "" when there is none."""
    return row.fault or ("too much memory" if row.megabytes > MEMORY_LIMIT else "")


def main() -> int:
    """Prints the table; the exit status is 1 when a file caused a fault."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", type=int, default=50, help="every so many go through the networks")
    parser.add_argument("--more", type=Path, help="a folder whose files are damaged too")
    parser.add_argument("--keep", type=Path, help="a folder for the files that did harm")
    arguments = parser.parse_args()
    files = originals()
    if arguments.more:
        files |= {path.name: path.read_bytes() for path in sorted(arguments.more.iterdir()) if path.is_file()}
    table: Counter[str] = Counter()
    faults, slowest, largest = 0, 0.0, 0.0
    for row, file in run(files, arguments.count, arguments.seed, arguments.real):
        table[row.outcome] += 1
        slowest, largest = max(slowest, row.milliseconds), max(largest, row.megabytes)
        if wrong := fault(row):
            faults += 1
            print(f"{row.file}: {wrong} ({row.outcome}: {row.message}{row.leak})", flush=True)
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                (arguments.keep / row.file).write_bytes(file)
    for outcome, number in sorted(table.items()):
        print(f"{number:6}  {outcome}")
    print(f"{arguments.count} files, slowest {slowest:.0f} ms, peak {largest:.0f} MB, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
