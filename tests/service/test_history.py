"""The dashboard's history: pages, search, exports, one upload's files, deleting, credits, password."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import openpyxl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

from receipt_engine.service.dashboard import history
from receipt_engine.service.dashboard.history import UploadFilter, ledger_entries, upload_page, usage
from receipt_engine.service.dashboard.tables import COLUMNS, to_csv
from tests.service.browser import BROWSER
from tests.service.conftest import Service
from tests.service.fake_engine import CANARY
from tests.service.pictures import png
from tests.service.rules import rule
from tests.service.running import Pair, outcome
from tests.service.test_dashboard import PASSWORD, form_token, inside, login, stored_password, visitor

__all__ = ["inside", "stored_password", "visitor"]  # fixtures


def finish(service: Service, **result: Any) -> str:
    """An upload with a result of one's own; its token."""
    token: str = service.upload(png())["token"]
    job = service.parts.jobs.claim("w")
    assert job is not None
    assert service.parts.jobs.finish(job, json.dumps({"lineItems": [], **result}).encode())
    return token


def tokens(service: Service, chosen: UploadFilter, limit: int = 3) -> list[list[str]]:
    """Every page of a search, as tokens."""
    pages, after = [], ""
    while True:
        page = upload_page(service.parts, service.account_id, chosen, after, limit)
        pages.append([row.token for row in page.rows])
        after = page.following
        if not after:
            return pages


def test_every_upload_is_on_one_page(make_service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that came in the same millisecond, and across the batches in which they are fetched."""
    monkeypatch.setattr(history, "_BATCH", 2)
    service = make_service(credits=20)
    made = [service.upload(png())["token"] for _ in range(8)]
    other = service.parts.accounts.new_key(service.parts.accounts.create("other", 5))
    service.upload(png(), key=other)
    pages = tokens(service, UploadFilter())
    assert sorted(token for page in pages for token in page) == sorted(made)
    assert [len(page) for page in pages[:2]] == [3, 3]
    moments = [row.created_at for row in upload_page(service.parts, service.account_id, UploadFilter()).rows]
    assert moments == sorted(moments, reverse=True)


def test_uploads_are_found_by_what_was_read(service: Service) -> None:
    corner = finish(service, establishment="Corner Shop", date="2026-03-01 10:00:00", total=12.5)
    station = finish(service, establishment="Station Kiosk", date="2026-04-02 10:00:00", total=7)
    waiting = service.upload(png())["token"]
    assert tokens(service, UploadFilter(text="corner")) == [[corner]]
    assert tokens(service, UploadFilter(text="2026-04")) == [[station]]
    assert tokens(service, UploadFilter(text="12.5")) == [[corner]]
    assert tokens(service, UploadFilter(text=waiting[:8])) == [[waiting]]
    assert tokens(service, UploadFilter(state="pending")) == [[waiting]]
    assert tokens(service, UploadFilter(state="available", text="shop")) == [[corner]]
    assert tokens(service, UploadFilter(text="nowhere")) == [[]]


def test_a_search_stops_and_goes_on(make_service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_MOST_SCANNED", 3)
    service = make_service(credits=20)
    first = service.upload(png())["token"]
    for _ in range(7):
        service.upload(png())
    pages = tokens(service, UploadFilter(text=first))
    assert len(pages) == 3 and [token for page in pages for token in page] == [first]


def test_the_pages_of_the_history(inside: Service) -> None:
    token = finish(inside, establishment="Corner <b>Shop", total=12.5, currency="EUR")
    page = inside.client.get("/dashboard/uploads?text=corner&state=available").text
    assert token in page and "Corner &lt;b&gt;Shop" in page and "12.50 EUR" in page
    assert "No uploads match" in inside.client.get("/dashboard/uploads?text=nowhere").text
    assert token in inside.client.get("/dashboard/uploads?after=garbage&state=odd").text
    assert token in inside.client.get("/dashboard").text
    result = inside.client.get(f"/dashboard/uploads/{token}/result.json")
    assert result.json()["total"] == 12.5 and result.headers["cache-control"] == "no-store"
    assert inside.client.get("/dashboard/uploads/abcdefghijklmnop/result.json").status_code == 404


def test_the_picture_is_shown_as_nothing_but_a_picture(inside: Service) -> None:
    picture = png()
    token = inside.upload(picture)["token"]
    answer = inside.client.get(f"/dashboard/uploads/{token}/picture")
    assert answer.content == picture and answer.headers["content-type"] == "image/png"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    other = inside.parts.accounts.new_key(inside.parts.accounts.create("another", 5))
    foreign = inside.upload(png(), key=other)["token"]
    assert inside.client.get(f"/dashboard/uploads/{foreign}/picture").status_code == 404


def test_uploads_are_taken_away_as_tables(inside: Service) -> None:
    """Texts of a receipt are never formulas."""
    finish(inside, establishment="=HYPERLINK(1)", total=12.5, validatedTotal=True)
    waiting = inside.upload(png())["token"]
    answer = inside.client.get("/dashboard/receipts.csv")
    assert "attachment" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0]["token"] == waiting and tuple(rows[0]) == COLUMNS
    assert rows[1]["establishment"] == "'=HYPERLINK(1)" and rows[1]["total"] == "12.5"
    answer = inside.client.get("/dashboard/receipts.xlsx?state=available")
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    assert sheet is not None and sheet.max_row == 2
    values = dict(zip(COLUMNS, [cell.value for cell in sheet[2]], strict=True))
    assert values["establishment"] == "=HYPERLINK(1)" and values["total"] == 12.5
    assert [cell.data_type for cell in sheet[2]][3] == "s"
    assert to_csv([]).decode("utf-8-sig").strip() == ",".join(COLUMNS)


@rule("deleted-after-90-days")
def test_an_upload_is_deleted_from_its_page(inside: Service) -> None:
    token = finish(inside)
    path = f"/dashboard/uploads/{token}/delete"
    assert path in inside.client.get(f"/dashboard/uploads/{token}").text
    assert inside.client.post(path, data={"csrf": form_token(inside)}).status_code == 303
    assert inside.result(token)["code"] == 402
    assert inside.client.post(path, data={"csrf": form_token(inside)}).status_code == 404
    other = inside.parts.accounts.new_key(inside.parts.accounts.create("another", 5))
    foreign = inside.upload(png(), key=other)["token"]
    path = f"/dashboard/uploads/{foreign}/delete"
    assert inside.client.post(path, data={"csrf": form_token(inside)}).status_code == 404
    assert inside.result(foreign, key=other)["code"] == 301


def test_credits_and_usage_are_told_by_day(inside: Service) -> None:
    for _ in range(2):
        inside.upload(png())
    inside.clock.forward(days=1)
    inside.upload(png())
    inside.parts.accounts.add_credits(inside.account_id, 5, "gift")
    found = [(entry.delta, entry.reason) for entry in ledger_entries(inside.parts, inside.account_id)]
    assert sorted(found) == [(-2, "uploads"), (-1, "uploads"), (5, "gift"), (10, "opening balance")]
    days = usage(inside.parts, inside.account_id)
    assert [day.uploads for day in days[-2:]] == [2, 1] and [day.height for day in days[-2:]] == [100, 50]
    page = inside.client.get("/dashboard/credits")
    if page.status_code == 200:  # the session is a day old by the turned clock
        assert "gift" in page.text and "+5" in page.text


def test_the_password_is_changed_by_who_knows_it(inside: Service) -> None:
    def change(present: str, new: str, again: str) -> int:
        data = {"csrf": form_token(inside), "present": present, "new": new, "again": again}
        return int(inside.client.post("/dashboard/password", data=data).status_code)

    elsewhere = inside.parts
    new = "another long password"
    assert change("wrong password", new, new) == 403
    assert change(PASSWORD, new, new + "!") == 400
    assert change(PASSWORD, "short", "short") == 400
    assert change(PASSWORD, new, new) == 200
    assert inside.client.get("/dashboard").status_code == 200  # this session goes on
    assert elsewhere.accounts.find("account 0").has_password
    inside.client.cookies.clear()
    assert login(inside).status_code == 403 and login(inside, new).status_code == 303


@pytest.mark.needs("Chromium")
def test_every_page_is_accessible(standing: Pair) -> None:
    """axe-core finds nothing, light and dark, on a desk and on a phone; a phone shows state and link."""
    service, _ = standing
    client = service.client(service.account("readers", 100))
    token = client.upload(png())["token"]
    assert outcome(client, token)["code"] == 202
    password = service.command("account", "password", "readers", "--generate").splitlines()[-1]
    refused = client.upload(png(order=b"unreadable"))["token"]
    assert outcome(client, refused)["code"] == 500  # a page that waits would load itself again meanwhile
    client.close()
    uploads = [f"/uploads/{each}" for each in (token, refused)]
    paths = ["", "/uploads", *uploads, f"/uploads/{token}/correct", "/keys", "/credits", "/password"]
    paths += ["/try", "/webhooks", "/help", "/nowhere"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        try:
            for scheme, width in (("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)):
                context = browser.new_context(
                    ignore_https_errors=True,
                    bypass_csp=True,  # for axe itself, which is a script
                    color_scheme=scheme,
                    viewport={"width": width, "height": 800},
                )
                page = context.new_page()
                page.set_default_timeout(60_000)
                root = f"https://localhost:{service.port}/dashboard"
                page.goto(f"{root}/login")
                assert violations(page) == [], "login"
                page.fill("input[name=name]", "readers")
                page.fill("input[name=password]", password)
                page.click("main button")
                page.goto(f"{root}/webhooks")
                if scheme == "light" and width == 1280:
                    page.fill("input[name=url]", "https://localhost:9/receipts")
                    page.click("main form button.main")
                page.wait_for_selector("td code")
                for path in paths:
                    page.goto(root + path)
                    assert violations(page) == [], (path, scheme, width)
                    assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
                _two_at_once(page, root)
                assert violations(page) == [], ("several pictures", scheme, width)
                page.goto(f"{root}/uploads")
                for selector in ("td .tag.available", "td a:has-text('View')"):
                    box, frame = (page.locator(each).first.bounding_box() for each in (selector, ".wide"))
                    assert box and frame
                    assert box["x"] + box["width"] <= frame["x"] + frame["width"], (selector, width)
                assert CANARY in page.inner_text("tbody")
                context.close()
        finally:
            browser.close()


def _two_at_once(page: Page, root: str) -> None:
    page.goto(f"{root}/try")
    files = [{"name": name, "mimeType": "image/png", "buffer": png()} for name in ("a.png", "b.txt")]
    page.set_input_files("input[type=file]", files)  # type: ignore[arg-type]
    page.click("main button")
    page.wait_for_selector("h1:text-is('Uploaded pictures')")


def violations(page: Page) -> list[str]:
    """What axe-core has against a page, without the frame, whose contents are the engine's own."""
    found = Axe().run(page, context={"exclude": [["iframe"]]})
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found.response["violations"]]
