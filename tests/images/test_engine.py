"""The engine with its real models, on a small drawn receipt whose truth is known."""

from __future__ import annotations

import io
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from receipt_engine.engine import Engine, Explanation
from receipt_engine.errors import NotAnImageError, NoTextError, OptionError
from receipt_engine.options import ExtractOptions
from receipt_engine.result import Result
from scripts.make_receipts import DrawnReceipt, draw_receipt

#: Width that the drawn receipt is scaled to: small enough to be quick, large enough to be read.
WIDTH = 420
EXTRACTIONS = 15
#: What the process may grow by over all of them, in bytes: less than two pictures as the networks see them.
GROWTH = 40 * 2**20
STAGES = [
    "preprocess",
    "detect",
    "orient",
    "quality",
    "recognize",
    "barcodes",
    "legibility",
    "group",
    "fiscal_codes",
    "localize",
    "parse",
    "laws",
    "label",
    "columns",
    "zones",
    "items",
    "totals",
    "complete_items",
    "sheet",
    "reconcile",
    "dating",
    "currency",
    "entities",
    "merchant",
    "address_parts",
    "contacts",
    "payment",
    "document_type",
    "expense",
    "assemble",
    "custom_fields",
]


@pytest.fixture(scope="module")
def drawn() -> DrawnReceipt:
    return draw_receipt("us", kind="supermarket", look="clean", seed=11)


@pytest.fixture(scope="module")
def picture(drawn: DrawnReceipt) -> Image.Image:
    whole = Image.open(io.BytesIO(drawn.file)).convert("RGB")
    return whole.resize((WIDTH, round(whole.height * WIDTH / whole.width)), Image.Resampling.LANCZOS)


@pytest.fixture(scope="module")
def file(picture: Image.Image) -> bytes:
    return png(picture)


@pytest.fixture(scope="module")
def expected(engine: Engine, file: bytes) -> Result:
    return engine.extract(file, region="us", evidence=True)


@pytest.fixture(scope="module")
def explanation(engine: Engine, file: bytes) -> Explanation:
    return engine.explain(file, ExtractOptions(region="us", evidence=True))


def png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def test_what_was_printed_is_read(expected: Result, drawn: DrawnReceipt) -> None:
    truth = drawn.composed.result
    assert expected.total == truth.total
    assert expected.currency == truth.currency
    assert [item.line_total for item in expected.line_items] == [i.line_total for i in truth.line_items]


def test_a_path_bytes_and_pixels_give_the_same_json(
    engine: Engine, file: bytes, picture: Image.Image, expected: Result, tmp_path: Path
) -> None:
    path = tmp_path / "receipt.png"
    path.write_bytes(file)
    pixels: NDArray[np.uint8] = np.asarray(picture)
    for source in (path, str(path), pixels):
        assert engine.extract(source, region="us", evidence=True).to_json() == expected.to_json()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_number_of_threads_changes_no_byte(threads: int, file: bytes, expected: Result) -> None:
    result = Engine(threads=threads).extract(file, region="us", evidence=True)
    assert result.to_json() == expected.to_json()


def test_what_was_read_before_changes_no_byte(
    engine: Engine, picture: Image.Image, file: bytes, expected: Result
) -> None:
    for size in ((300, 500), (900, 400)):
        engine.read(np.asarray(picture.resize(size)))
    assert engine.extract(file, region="us", evidence=True).to_json() == expected.to_json()


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_picture_gives_the_same_total(
    degrees: int, engine: Engine, picture: Image.Image, expected: Result
) -> None:
    turned = engine.extract(png(picture.rotate(degrees, expand=True)), region="us")
    assert (turned.total, turned.date) == (expected.total, expected.date)


def test_a_picture_on_its_side_is_read_as_if_upright(engine: Engine, picture: Image.Image) -> None:
    upright = engine.read(np.asarray(picture))
    aside = engine.read(np.ascontiguousarray(np.rot90(np.asarray(picture))))
    assert aside.rotation == 90
    assert aside.spans == upright.spans


def test_two_receipts_in_one_picture(engine: Engine, picture: Image.Image, expected: Result) -> None:
    beside = draw_receipt("us", kind="transport", look="clean", seed=21)
    other = Image.fromarray(beside.image)
    other = other.resize((WIDTH, round(other.height * WIDTH / other.width)))
    table = Image.new("RGB", (2 * WIDTH + 150, max(picture.height, other.height) + 100), (90, 60, 40))
    table.paste(picture, (50, 50))
    table.paste(other, (WIDTH + 100, 60))
    results = engine.extract_all(table, ExtractOptions(evidence=True))
    truth = beside.composed.result
    assert [result.total for result in results] == [expected.total, truth.total]
    assert results[1].date_iso == truth.date_iso
    explained = engine.explain_all(table)
    assert [one.result.to_json() for one in explained] == [result.to_json() for result in results]
    assert all(
        (one.page.width, one.page.height) == (one.reading.width, one.reading.height) for one in explained
    )


def test_two_threads_may_share_an_engine(engine: Engine, file: bytes, expected: Result) -> None:
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda _: engine.extract(file, region="us", evidence=True), range(4))
        assert {result.to_json() for result in results} == {expected.to_json()}


def test_a_blank_picture_has_no_text(engine: Engine) -> None:
    with pytest.raises(NoTextError, match="closer"):
        engine.extract(png(Image.new("RGB", (400, 600), (250, 250, 248))))


@pytest.mark.parametrize("data", [b"", b"8BPS" + bytes(40), b"TOTAL 12.00"])
def test_what_is_no_picture_is_told_so(engine: Engine, data: bytes) -> None:
    with pytest.raises(NotAnImageError, match=r"JPEG|PNG"):
        engine.extract(data)


def test_a_wrong_option_is_refused_before_any_work(engine: Engine, file: bytes) -> None:
    with pytest.raises(OptionError, match="decimal_places"):
        engine.extract(file, decimal_places=5)


def test_a_missing_file_is_an_os_error(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        engine.extract(tmp_path / "none.png")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_does_not_grow_with_extractions(engine: Engine, picture: Image.Image) -> None:
    small = np.asarray(picture.crop((0, 0, WIDTH, WIDTH // 2)))
    for _ in range(2):
        engine.extract(small, region="us")
    before = resident()
    for _ in range(EXTRACTIONS):
        engine.extract(small, region="us")
    assert resident() - before < GROWTH


def resident() -> int:
    """The process's resident memory in bytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024  # type: ignore[index]


def test_an_explanation_has_every_stage_with_its_time(explanation: Explanation, expected: Result) -> None:
    assert [step.stage for step in explanation.trace.steps] == STAGES
    assert all(step.milliseconds >= 0 for step in explanation.trace.steps)
    assert sum(step.milliseconds for step in explanation.trace.steps) > 1
    assert explanation.trace["assemble"].total == explanation.result.total
    assert explanation.result.to_json() == expected.to_json()


class Page(HTMLParser):
    """Collects the tags, the addresses they point to, the text, and the elements left open."""

    void = frozenset(("meta", "br", "img", "link", "input"))

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.handlers: list[str] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.void:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_of_an_explanation_needs_nothing_else(explanation: Explanation, drawn: DrawnReceipt) -> None:
    html = explanation.to_html()
    page = Page(html)
    assert page.open == []
    assert not page.tags & {"script", "link", "iframe", "object", "embed", "form"}
    assert page.handlers == []
    assert len(page.addresses) == 1
    assert page.addresses[0].startswith("data:image/jpeg;base64,")
    assert not re.search(r"@import|url\(", html)
    text = " ".join(page.text)
    assert str(drawn.composed.result.total) in text
    assert all(stage in text for stage in STAGES)


def test_printed_markup_is_shown_not_obeyed(engine: Engine) -> None:
    picture = Image.new("RGB", (640, 260), (255, 255, 255))
    write(picture, ("<b>BOLD & CO</b>", "<script>alert(1)</script>", "TOTAL          7.30"))
    html = engine.explain(png(picture), ExtractOptions(region="us")).to_html()
    page = Page(html)
    assert not page.tags & {"script", "b"}
    assert "alert(1)" in " ".join(page.text)


def write(picture: Image.Image, lines: tuple[str, ...]) -> None:
    """Prints lines of black text on the picture."""
    pen = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        pen.text((40, 40 + 60 * row), line, fill=(0, 0, 0), font=ImageFont.load_default(size=34))
