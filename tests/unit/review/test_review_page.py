"""The local page: who gets in, and a review from the first question to the last in a real browser."""

from __future__ import annotations

import errno
import http.client
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, sync_playwright

from receipt_engine.review import Answer, ReviewServer, corrected_rows
from receipt_engine.review.session import Session
from tests.service.browser import BROWSER


@pytest.fixture
def server(results: Path) -> Iterator[ReviewServer]:
    session = Session(results, lambda path: f"<!doctype html><title>why {path.name}</title>")
    with ReviewServer(session) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def _ask(
    server: ReviewServer, path: str, body: object = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(server.host, timeout=10)
    data = None if body is None else json.dumps(body)
    connection.request("GET" if data is None else "POST", path, data, headers)
    response = connection.getresponse()
    found = response.status, dict(response.getheaders()), response.read()
    connection.close()
    return found


def _cookie(server: ReviewServer) -> str:
    parts = urlsplit(server.address)
    status, headers, _ = _ask(server, f"/?{parts.query}")
    assert (status, headers["Location"]) == (303, "/")
    assert "HttpOnly" in headers["Set-Cookie"] and "SameSite=Strict" in headers["Set-Cookie"]
    return headers["Set-Cookie"].split(";")[0]


def test_it_listens_on_this_machine_only(server: ReviewServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_port_in_use_is_named(server: ReviewServer) -> None:
    port = server.server_address[1]
    with pytest.raises(OSError, match=f"port {port}"):
        ReviewServer(server.session, port)


def test_the_address_works_once(server: ReviewServer) -> None:
    address = urlsplit(server.address)
    cookie = _cookie(server)
    assert _ask(server, f"/?{address.query}")[0] == 403
    assert _ask(server, "/?token=wrong")[0] == 403
    status, headers, body = _ask(server, "/", Cookie=cookie)
    assert status == 200 and b"Review" in body
    assert "default-src 'none'" in headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path", ["/", "/page.js", "/api/state", "/crop?question=0", "/picture?row=0", "/why?row=0"]
)
def test_nothing_is_shown_without_the_cookie(server: ReviewServer, path: str) -> None:
    assert _ask(server, path)[0] == 403
    assert _ask(server, path, Cookie="review=wrong")[0] == 403


def test_a_foreign_page_can_do_nothing(server: ReviewServer, results: Path) -> None:
    cookie = _cookie(server)
    answer = {"row": 0, "field": "total", "value": "1"}
    assert _ask(server, "/api/state", Cookie=cookie, Host="evil.example")[0] == 403
    for origin in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert _ask(server, "/api/answer", answer, Cookie=cookie, **origin)[0] == 403
    own = {"Origin": f"http://{server.host}"}
    assert _ask(server, "/api/answer", answer, **own)[0] == 403
    assert _ask(server, "/api/answer", answer, Cookie=cookie, **own)[0] == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/etc/passwd", 404),
        ("/crop?question=99", 400),
        ("/crop", 400),
        ("/picture?row=x", 400),
        ("/favicon.ico", 204),
    ],
)
def test_what_is_not_there_is_an_answer_too(server: ReviewServer, path: str, status: int) -> None:
    assert _ask(server, path, Cookie=_cookie(server))[0] == status


def _full(answer: Answer) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "results.corrections.jsonl")


def test_a_full_disk_is_told(server: ReviewServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.session.corrections, "add", _full)
    answer = {"row": 0, "field": "total", "value": "7.30"}
    status, _, said = _ask(
        server, "/api/answer", answer, Cookie=_cookie(server), Origin=f"http://{server.host}"
    )
    assert (status, said) == (507, b"results.corrections.jsonl: No space left on device.")


@pytest.fixture
def page(server: ReviewServer) -> Iterator[Page]:
    """The page in Chromium; any complaint of the browser fails the test."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"], timeout=120_000)
        try:
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            page.set_default_timeout(120_000)
            complaints: list[str] = []
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(server.address)
            _until(page, "document.activeElement.id == 'value' && !document.getElementById('work').hidden")
            yield page
            refused = ("422", "507", "ERR_CONNECTION_REFUSED")
            assert [text for text in complaints if not any(code in text for code in refused)] == []
        finally:
            browser.close()


def _until(page: Page, condition: str) -> None:
    """Waits for a JavaScript condition; the page's own policy forbids the browser's way to do that."""
    for _ in range(1200):  # a minute: on a busy machine a browser is slow
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {condition}")


def _at(page: Page, field: str, file: str) -> None:
    shown = "[document.getElementById('field').textContent, document.getElementById('file').textContent]"
    _until(page, f"JSON.stringify({shown}) == {json.dumps(json.dumps([field, file], separators=(',', ':')))}")


@pytest.mark.needs("Chromium")
def test_a_review_with_the_keyboard_alone(page: Page, results: Path) -> None:
    _at(page, "Merchant", "b.png")
    assert page.inner_text("#text") == "No text."
    assert page.inner_text("#chance") == "nothing was found"
    page.keyboard.type("Kiosk")
    page.keyboard.press("Enter")
    _at(page, "Date", "b.png")
    page.keyboard.type("yesterday")
    page.keyboard.press("Enter")
    _until(page, "document.getElementById('error').textContent.includes('2024-03-15')")
    page.keyboard.press("Escape")  # later
    _at(page, "Total", "b.png")
    page.keyboard.press("Alt+n")

    _at(page, "Total", "a.png")
    assert page.inner_text("#chance") == "60 % likely wrong"
    assert page.input_value("#value") == "7.80"
    _until(page, "document.getElementById('crop').naturalWidth > 0")
    assert "off by 0.50" in page.inner_text("#equations")
    page.keyboard.type("7.3")
    assert "adds up" in page.inner_text("#equations")
    page.keyboard.press("Alt+1")  # the runner-up
    assert page.input_value("#value") == "7.30"
    page.keyboard.press("Enter")
    _at(page, "Merchant", "a.png")
    page.keyboard.press("Alt+b")
    _at(page, "Total", "a.png")
    page.keyboard.press("Enter")
    _at(page, "Merchant", "a.png")
    for field in ("Tax 2", "Date"):
        page.keyboard.press("Enter")
        _at(page, field, "a.png")
    page.keyboard.press("Enter")
    _at(page, "Date", "b.png")  # which was put off
    page.keyboard.type("2024-03-15")
    page.keyboard.press("Enter")
    page.wait_for_selector("#done:not([hidden])")

    first, second, _ = corrected_rows(results)
    assert first.found is not None and second.found is not None
    assert (str(first.found.total), first.found.establishment_confidence) == ("7.30", 1.0)
    assert (second.found.establishment, second.found.date, second.found.total) == (
        *("Kiosk", "2024-03-15 00:00:00"),
        None,
    )


@pytest.mark.needs("Chromium")
def test_any_field_can_be_corrected_and_explained(page: Page, results: Path) -> None:
    for _ in range(3):
        page.keyboard.press("Escape")
    _at(page, "Total", "a.png")
    page.click("dt:text-is('Type of expense') + dd button")
    _at(page, "Type of expense", "a.png")
    page.keyboard.type("Meals/Coffee")
    page.keyboard.press("Enter")
    _until(page, "document.getElementById('field').textContent == 'Total'")
    assert next(iter(corrected_rows(results))).result.expense_type == "Meals/Coffee"  # type: ignore[union-attr]
    with page.expect_popup() as opened:
        page.click("#why")
    opened.value.wait_for_load_state()
    assert opened.value.title() == "why a.png"


@pytest.mark.needs("Chromium")
@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_screen_and_can_be_read(page: Page, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    colours = page.evaluate(
        "['.badge', 'h2', '#equations li', 'button[type=submit]', '#file', 'dd button'].map((name) => {"
        " const node = document.querySelector(name); let ground = node;"
        " while (getComputedStyle(ground).backgroundColor == 'rgba(0, 0, 0, 0)')"
        " ground = ground.parentElement;"
        " return [name, getComputedStyle(node).color, getComputedStyle(ground).backgroundColor]; })"
    )
    poor = [(name, c) for name, ink, ground in colours if (c := _contrast(ink, ground)) < 4.5]
    assert poor == []


def _contrast(ink: str, ground: str) -> float:
    """As WCAG 2 has it; 4.5 is enough for text."""
    one, other = sorted(map(_luminance, (ink, ground)), reverse=True)
    return (one + 0.05) / (other + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").rstrip(")").split(", ")[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.needs("Chromium")
def test_an_answer_that_is_not_saved_stays_asked(
    page: Page, server: ReviewServer, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "document.getElementById('error').textContent"
    with monkeypatch.context() as full:
        full.setattr(server.session.corrections, "add", _full)
        page.keyboard.press("Alt+n")
        _until(page, f"{said}.includes('No space left')")
        _at(page, "Merchant", "b.png")
    page.keyboard.press("Alt+n")
    _at(page, "Date", "b.png")
    page.route("**/api/answer", lambda route: route.abort("connectionrefused"))
    page.keyboard.press("Alt+n")
    _until(page, f"{said}.includes('The program has stopped')")
    assert len(server.session.corrections) == 1
