"""Whatever happens to the bytes of a picture, a page or an ImageError comes out."""

from __future__ import annotations

import drawn
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from receipt_engine.errors import ImageError
from receipt_engine.stages.preprocess.color import read_orientation
from receipt_engine.stages.preprocess.decode import decode

SMALL = drawn.page(48, 64)
FILES = [
    drawn.jpeg(SMALL),
    drawn.jpeg(SMALL, progressive=True),
    drawn.jpeg(SMALL, restart_marker_rows=1, optimize=True),
    drawn.jpeg(SMALL.convert("L")),
    drawn.jpeg(SMALL.convert("CMYK")),
    drawn.with_segment(drawn.jpeg(SMALL), 0xE1, b"Exif\0\0" + drawn.exif(6)),
    drawn.png(SMALL),
    drawn.png(SMALL.convert("P"), transparency=0),
    drawn.png(SMALL.convert("1")),
    drawn.png(SMALL.convert("RGBA"), save_all=True, append_images=[Image.new("RGBA", (48, 64))]),
    drawn.SIGNATURE
    + drawn.header(6, 6, 16, 4)
    + drawn.pixels(np.ones((6, 12), np.uint16))
    + drawn.chunk(b"IEND"),
]
STEADY = settings(
    deadline=None, max_examples=150, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["set", "cut", "insert", "repeat"]),
        st.floats(0, 1),
        st.binary(min_size=1, max_size=8),
    ),
    min_size=1,
    max_size=6,
)


def page_or_error(data: bytes) -> None:
    try:
        page = decode(data, max_pixels=1_000_000)
    except ImageError as error:
        assert len(str(error)) > 20
        return
    assert page.image.dtype == np.uint8
    assert page.image.ndim == 3
    assert page.image.shape[2] == 3
    assert page.image.flags.c_contiguous
    assert sorted(page.source_size) == sorted((page.width, page.height))


@STEADY
@given(st.sampled_from(FILES), EDITS)
def test_edited_files(file: bytes, edits: list[tuple[str, float, bytes]]) -> None:
    for verb, where, what in edits:
        place = int(where * len(file))
        if verb == "set":
            file = file[:place] + what + file[place + len(what) :]
        elif verb == "cut":
            file = file[:place] + file[place + 5 * len(what) :]
        elif verb == "insert":
            file = file[:place] + what + file[place:]
        else:
            file = file[:place] + file[max(0, place - 200) :]
    page_or_error(file)


@STEADY
@given(st.sampled_from(FILES), st.floats(0, 1))
def test_cut_files(file: bytes, share: float) -> None:
    page_or_error(file[: int(share * len(file))])


@STEADY
@given(
    st.sampled_from([b"", b"\xff\xd8\xff", drawn.SIGNATURE, drawn.SIGNATURE + drawn.header(9, 9)]),
    st.binary(),
)
def test_random_bytes(start: bytes, rest: bytes) -> None:
    page_or_error(start + rest)


@STEADY
@given(st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=20)), max_size=12))
def test_random_segments(segments: list[tuple[int, bytes]]) -> None:
    file = b"\xff\xd8"
    for marker, body in segments:
        file += bytes((0xFF, marker)) + (len(body) + 2).to_bytes(2) + body
    page_or_error(file + drawn.jpeg(SMALL)[2:])


@STEADY
@given(
    st.lists(
        st.tuples(
            st.sampled_from([b"tRNS", b"PLTE", b"eXIf", b"iCCP", b"IDAT", b"tEXt", b"IEND"]),
            st.binary(max_size=30),
        ),
        max_size=6,
    )
)
def test_random_chunks(chunks: list[tuple[bytes, bytes]]) -> None:
    file = drawn.png(SMALL.convert("P"))
    page_or_error(file[:33] + b"".join(drawn.chunk(kind, body) for kind, body in chunks) + file[33:])


@STEADY
@given(st.binary(max_size=80), st.sampled_from([b"", b"II*\0", b"MM\0*", b"II*\0\x08\0\0\0"]))
def test_any_exif_gives_an_orientation(rest: bytes, start: bytes) -> None:
    assert 1 <= read_orientation(start + rest) <= 8
