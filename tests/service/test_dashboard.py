"""The dashboard: session, form tokens, policy, pages; once through a real browser."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright
from starlette.testclient import TestClient

from benchmarks.service import limiter
from receipt_engine.result import AddressNorm, LineItem, Result
from receipt_engine.service.accounts import sessions
from receipt_engine.service.accounts.passwords import PasswordError, hash_password, verify_password
from receipt_engine.service.accounts.sessions import COOKIE, IDLE, LONGEST
from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.dashboard import confinement
from receipt_engine.service.dashboard.explain import explain
from receipt_engine.service.dashboard.outcome import FieldRow, LineRow, field_rows, line_rows
from receipt_engine.service.dashboard.site import POLICY
from receipt_engine.service.dashboard.upload_pages import MOST_FILES
from receipt_engine.service.http.app import public_app
from receipt_engine.service.http.limits import RateLimiter
from receipt_engine.service.jobs.options import Options
from receipt_engine.service.settings import Settings
from tests.service.browser import BROWSER
from tests.service.conftest import Service, base_settings
from tests.service.pictures import png
from tests.service.rules import rule
from tests.service.running import Pair

PASSWORD = "correct horse battery"


@pytest.fixture
def settings(folder: Path) -> Settings:
    """SQLite only."""
    return base_settings(folder)


@pytest.fixture(scope="module")
def stored_password() -> str:
    return hash_password(PASSWORD)


@pytest.fixture
def visitor(service: Service, stored_password: str) -> Service:
    """A service whose account has a password; nobody is logged in."""
    service.parts.accounts.set_password(service.account_id, stored_password)
    service.client.follow_redirects = False
    return service


def hidden(text: str) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', text)
    assert found
    return found[1]


def login(visitor: Service, password: str = PASSWORD, name: str = "account 0") -> Any:
    token = hidden(visitor.client.get("/dashboard/login").text)
    return visitor.client.post("/dashboard/login", data={"csrf": token, "name": name, "password": password})


@pytest.fixture
def inside(visitor: Service) -> Service:
    """Logged in."""
    assert login(visitor).status_code == 303
    return visitor


def form_token(inside: Service) -> str:
    return hidden(inside.client.get("/dashboard").text)


PAGES = [
    "/dashboard",
    "/dashboard/keys",
    "/dashboard/try",
    "/dashboard/uploads/x",
    "/dashboard/uploads/x/explain",
    "/dashboard/uploads/x/picture",
    "/dashboard/uploads/x/result.json",
    "/dashboard/uploads/x/correct",
    "/dashboard/uploads/x/corrected.json",
    "/dashboard/help",
    "/dashboard/uploads",
    "/dashboard/credits",
    "/dashboard/password",
    "/dashboard/receipts.csv",
    "/dashboard/receipts.xlsx",
]


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_shown_without_a_session(visitor: Service, path: str) -> None:
    answer = visitor.client.get(path)
    assert answer.status_code == 303 and answer.headers["location"] == "/dashboard/login"


def test_login_sets_a_strict_cookie(visitor: Service) -> None:
    answer = login(visitor)
    cookie = next(item for item in answer.headers.get_list("set-cookie") if item.startswith(COOKIE))
    for part in ("HttpOnly", "Secure", "SameSite=strict", "Path=/"):
        assert part in cookie
    assert "Domain" not in cookie
    assert visitor.client.get("/dashboard").status_code == 200


def test_wrong_logins_are_refused_alike_and_limited(
    visitor: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = login(visitor, "wrong password")
    unknown = login(visitor, name="nobody\0")
    assert wrong.status_code == unknown.status_code == 403
    assert "Wrong account or password." in wrong.text and "Wrong account or password." in unknown.text
    monkeypatch.setattr(sessions, "verify_password", lambda *_: False)  # the slow hash says nothing more
    for _ in range(10):
        last = login(visitor, "wrong password")
    assert last.status_code == 429 and 60 <= int(last.headers["retry-after"]) <= 120
    monkeypatch.undo()
    assert login(visitor).status_code == 429


@pytest.mark.parametrize(("proxied", "others"), [(True, 403), (False, 429)])
def test_tries_are_counted_by_the_visitors_address(
    visitor: Service, monkeypatch: pytest.MonkeyPatch, proxied: bool, others: int
) -> None:
    """Behind a proxy by what it adds last, not by what visitors claim; without one, claims count nothing."""
    monkeypatch.setattr(sessions, "verify_password", lambda *_: False)
    app = public_app(visitor.parts, visitor.acceptor, visitor.http_limits, proxied=proxied)
    client = TestClient(app, base_url="https://testserver", follow_redirects=False)

    def attempt(number: int, address: str) -> int:
        token = hidden(client.get("/dashboard/login").text)
        data = {"csrf": token, "name": f"name {number}", "password": "x"}
        chain = {"x-forwarded-for": f"203.0.113.{number}, {address}"}
        return int(client.post("/dashboard/login", data=data, headers=chain).status_code)

    assert [attempt(number, "192.0.2.1") for number in range(31)] == [403] * 30 + [429]
    assert attempt(32, "192.0.2.2") == others


def test_an_address_without_tries_left_fills_nothing(
    visitor: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "verify_password", lambda *_: False)
    for number in range(40):
        login(visitor, "wrong password", name=f"name {number}")
    assert len(visitor.http_limits.logins) == 31  # the address, and the thirty names it was let try


def test_a_million_names_take_bounded_memory_and_time() -> None:
    assert limiter.peak_bytes(40_000) < 20_000_000
    now = 0.0
    buckets = RateLimiter(lambda: now, most=3)
    for name in "abcd":
        buckets.take("name", name, 0.1, 1)
    assert len(buckets) == 3
    buckets.take("name", "a", 0.1, 1)  # forgotten, so full again
    with pytest.raises(Refusal) as refused:
        buckets.take("name", "d", 0.1, 1)
    assert refused.value.retry_after == pytest.approx(10)


def test_a_login_form_from_elsewhere_is_refused(visitor: Service) -> None:
    data = {"name": "account 0", "password": PASSWORD, "csrf": "0" * 64}
    assert visitor.client.post("/dashboard/login", data=data).status_code == 403
    visitor.client.get("/dashboard/login")
    assert visitor.client.post("/dashboard/login", data=data).status_code == 403
    data["csrf"] = hidden(visitor.client.get("/dashboard/login").text)
    foreign = {"origin": "https://elsewhere.example"}
    assert visitor.client.post("/dashboard/login", data=data, headers=foreign).status_code == 403


FORMS = [
    "/dashboard/password",
    "/dashboard/uploads/x/delete",
    "/dashboard/keys",
    "/dashboard/keys/x/rotate",
    "/dashboard/keys/x/revoke",
    "/dashboard/logout",
]


@pytest.mark.parametrize("path", FORMS)
def test_forms_need_the_token_of_the_session(inside: Service, path: str) -> None:
    before = inside.parts.accounts.keys(inside.account_id)
    for data in ({}, {"csrf": "wrong"}):
        assert inside.client.post(path, data=data).status_code == 403
    site = {"sec-fetch-site": "cross-site"}
    assert inside.client.post(path, data={"csrf": form_token(inside)}, headers=site).status_code == 403
    assert inside.parts.accounts.keys(inside.account_id) == before
    assert inside.client.get("/dashboard").status_code == 200


def test_sessions_end(inside: Service) -> None:
    inside.clock.forward(seconds=IDLE / 1000 - 60)
    assert inside.client.get("/dashboard").status_code == 200
    inside.clock.forward(seconds=IDLE / 1000 + 1)
    assert inside.client.get("/dashboard").status_code == 303
    assert login(inside).status_code == 303
    for _ in range(LONGEST // IDLE + 1):
        inside.clock.forward(seconds=IDLE / 1000 - 60)
        last = inside.client.get("/dashboard").status_code
    assert last == 303


def test_logout_ends_the_session_on_the_server(inside: Service) -> None:
    cookie = inside.client.cookies[COOKIE]
    assert inside.client.post("/dashboard/logout", data={"csrf": form_token(inside)}).status_code == 303
    inside.client.cookies.set(COOKIE, cookie)
    assert inside.client.get("/dashboard").status_code == 303


@rule("key-shown-once", "key-several")
def test_keys_are_shown_once_rotated_and_revoked(inside: Service) -> None:
    page = inside.client.post("/dashboard/keys", data={"csrf": form_token(inside), "profile": "classic"})
    shown = re.search(r'id="new-key">([A-Za-z0-9]{64})<', page.text)
    assert shown and page.headers["cache-control"] == "no-store"
    assert shown[1] not in inside.client.get("/dashboard/keys").text
    assert inside.upload(png(), key=shown[1])["status_code"] == 2
    rotated = inside.client.post(f"/dashboard/keys/{shown[1][:16]}/rotate", data={"csrf": form_token(inside)})
    new = re.search(r'id="new-key">([A-Za-z0-9]{64})<', rotated.text)
    assert (
        new and inside.upload(png(), key=shown[1])["code"] == inside.upload(png(), key=new[1])["code"] == 200
    )
    inside.client.post(f"/dashboard/keys/{new[1][:16]}/revoke", data={"csrf": form_token(inside)})
    assert inside.upload(png(), key=new[1])["code"] == 400


def test_keys_and_uploads_of_others_are_out_of_reach(inside: Service) -> None:
    other = inside.parts.accounts.create("another", 5)
    key = inside.parts.accounts.new_key(other)
    token = inside.upload(png(), key=key)["token"]
    inside.work()
    path = f"/dashboard/keys/{key[:16]}/revoke"
    assert inside.client.post(path, data={"csrf": form_token(inside)}).status_code == 400
    assert inside.upload(png(), key=key)["code"] == 200
    assert inside.client.get(f"/dashboard/uploads/{token}").status_code == 404
    assert inside.client.get(f"/dashboard/uploads/{token}/explain").status_code == 404
    assert token not in inside.client.get("/dashboard").text


def test_trying_a_picture_is_charged_like_an_upload(inside: Service) -> None:
    data = {"csrf": form_token(inside), "region": "us", "documentType": "auto"}
    answer = inside.client.post("/dashboard/try", data=data, files={"file": ("a.png", png(), "image/png")})
    assert answer.status_code == 303 and inside.credits() == 9
    inside.work()
    page = inside.client.get(answer.headers["location"])
    assert ">202<" in page.text and "total" in page.text and "Tea" in page.text
    wrong = inside.client.post("/dashboard/try", data=data, files={"file": ("a.gif", png(), "image/gif")})
    assert wrong.status_code == 400 and "unsupported file extension" in wrong.text
    no_token = inside.client.post("/dashboard/try", files={"file": ("a.png", png(), "image/png")})
    assert no_token.status_code == 403 and inside.credits() == 9
    inside.parts.accounts.set_limits(inside.account_id, 0, 0)
    refused = inside.client.post("/dashboard/try", data=data, files={"file": ("a.png", png(), "image/png")})
    assert refused.status_code == 400 and "too many requests" in refused.text


@pytest.mark.parametrize(
    "path",
    ["", "/keys", "/try", "/login", "/uploads", "/credits", "/password"],
)
def test_every_page_forbids_scripts_and_framing(inside: Service, path: str) -> None:
    path = f"/dashboard{path}"
    headers = inside.client.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert "default-src 'none'" in POLICY and "unsafe" not in POLICY and "frame-ancestors 'none'" in POLICY
    assert headers["cache-control"] == "no-store"
    assert "<script" not in inside.client.get(path).text


def test_contents_are_escaped(inside: Service) -> None:
    inside.parts.accounts.create("<script>alert(1)</script>", 0)
    token = inside.upload(png())["token"]
    job = inside.parts.jobs.claim("w")
    assert job is not None
    inside.parts.jobs.finish(job, b'{"establishment":"<script>alert(1)</script>","lineItems":[]}')
    page = inside.client.get(f"/dashboard/uploads/{token}").text
    assert "<script>" not in page and "&lt;script&gt;" in page


def test_the_process_that_explains_knows_no_secrets(folder: Path) -> None:
    secret = "k1:" + "A" * 43 + "="
    settings = Settings(
        data_dir=str(folder),
        engine="tests.service.fake_engine:TellTale",
        master_keys=secret,
        database_url="postgresql+psycopg://me:hidden@db/receipts",
    )
    page = asyncio.run(explain(settings, png(), Options())).decode()
    assert "TellTale" in page and secret not in page and "hidden" not in page


@pytest.mark.skipif(confinement.version() < 1, reason="this kernel has no Landlock")
def test_the_process_that_explains_cannot_open_the_master_keys(folder: Path) -> None:
    (folder / "master.keys").write_text("k1:SECRET", encoding="ascii")
    settings = Settings(data_dir=str(folder), engine="tests.service.fake_engine:Snoop")
    page = asyncio.run(explain(settings, png(), Options())).decode()
    assert "PermissionError PermissionError" in page and "SECRET" not in page


def test_folders_with_secrets_are_never_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory is on the path of imports, and in the container it is the data directory."""
    monkeypatch.setattr(sys, "path", ["", "/usr/lib"])
    readable = confinement.own_files(Path.cwd() / "data" / "master.keys")
    assert Path.cwd() not in readable and Path("/usr/lib").resolve() in readable


def test_the_fields_and_lines_of_a_result() -> None:
    """Confidences and flags stand beside the field they belong to; amounts keep their decimals."""
    line = LineItem(desc="Tea", line_total=Decimal("4.5"), price=Decimal("1.125"), qty=Decimal(4))
    found = Result(
        establishment="Corner",
        establishment_confidence=0.9,
        total=Decimal("4.50"),
        validated_total=True,
        total_confidence=0.995,
        service_charges=(Decimal("0.5"), Decimal("1")),
        service_charge_confidences=(0.8, 0.7),
        address_norm=AddressNorm(number="1", street="Mill Lane"),
        line_items=(line,),
    )
    rows = {row.name: row for row in field_rows(json.loads(found.to_json()), {})}
    assert rows["establishment"] == FieldRow("establishment", "Corner", 0.9, False)
    assert rows["total"] == FieldRow("total", "4.50", 0.995, True)
    assert (rows["serviceCharges"].value, rows["serviceCharges"].confidence) == ("0.50, 1.00", 0.7)
    assert rows["addressNorm"].value == "number: 1, street: Mill Lane"
    assert not [name for name in rows if "onfidence" in name or name.startswith("validated")]
    assert line_rows(json.loads(found.to_json())) == [LineRow("Tea", "4", "1.125", "4.50", "")]


def test_a_pending_upload_looks_again_by_itself(inside: Service) -> None:
    token = inside.upload(png())["token"]
    assert 'http-equiv="refresh"' in inside.client.get(f"/dashboard/uploads/{token}").text
    inside.work()
    assert 'http-equiv="refresh"' not in inside.client.get(f"/dashboard/uploads/{token}").text


def tried(inside: Service, *files: tuple[str, bytes], **fields: str) -> Any:
    form = {"csrf": form_token(inside), **fields}
    parts = [("file", (name, data, "image/png")) for name, data in files]
    return inside.client.post("/dashboard/try", data=form, files=parts)


def test_several_pictures_at_once(inside: Service) -> None:
    """Each as if it had come alone, all with the options of the form; a refused one costs nothing."""
    first = png()
    files = [
        ("a.png", first),
        ("b.png", png()),
        ("<b>.png", b"no picture"),
        ("c.gif", png()),
        ("d.png", first),
    ]
    page = tried(inside, *files, region="de", decimalPlaces="3", cents="true")
    assert page.status_code == 200 and page.text.count('class="tag unreadable"') == 2
    assert "&lt;b&gt;.png" in page.text and page.text.count(">duplicate<") == 1
    assert inside.credits() == 7
    tokens = re.findall(r"/dashboard/uploads/(\w{16})", page.text)
    assert len(tokens) == 3 and inside.work() == 2
    for token in tokens:
        evidence = inside.result(token)["result"]["evidence"]
        assert evidence["options"] == {"region": "de", "document_type": "receipt"} | {
            "decimal_places": 3,
            "cents": True,
        }


def test_too_many_pictures_at_once(inside: Service) -> None:
    many = [(f"{n}.png", b"x") for n in range(MOST_FILES + 1)]
    answer = tried(inside, *many)
    assert answer.status_code == 400 and f"at most {MOST_FILES}" in answer.text
    assert tried(inside).status_code == 400
    assert inside.credits() == 10


def test_several_pictures_are_limited_as_single_ones(inside: Service, make_service: Any) -> None:
    few = make_service(credits=5, upload_rate=0.001, upload_burst=2)
    few.client.cookies = inside.client.cookies
    page = tried(few, *[(f"{n}.png", png()) for n in range(4)])
    assert page.text.count('class="tag unreadable"') == 2 and inside.credits() == 8


def test_the_documentation_names_every_code(inside: Service) -> None:
    page = inside.client.get("/dashboard/help").text
    assert all(f">{int(code)}<" in page for code in Code) and "https://testserver/api/2/process" in page


def test_passwords() -> None:
    stored = hash_password(PASSWORD)
    assert stored != hash_password(PASSWORD) and PASSWORD not in stored
    assert verify_password(PASSWORD, stored)
    assert not verify_password(PASSWORD + "x", stored) and not verify_password(PASSWORD, None)
    for password in ("short", "x" * 201):
        with pytest.raises(PasswordError):
            hash_password(password)


@rule("key-shown-once")
@pytest.mark.needs("Chromium")
def test_through_a_browser(standing: Pair, folder: Path) -> None:
    """Chromium logs in, makes a key, uploads a picture and looks at how it was read."""
    picture = folder / "receipt.png"
    picture.write_bytes(png())
    service, _ = standing
    service.account("visitors", 1000)
    password = service.command("account", "password", "visitors", "--generate").splitlines()[-1]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        try:
            context = browser.new_context(ignore_https_errors=True)
            page = context.new_page()
            page.set_default_timeout(60_000)
            complaints: list[str] = []
            page.on("console", lambda message: complaints.append(message.text))
            page.goto(f"https://localhost:{service.port}/")
            page.fill("input[name=name]", "visitors")
            page.fill("input[name=password]", password)
            page.click("main button")
            assert page.inner_text("#credits") == "1000"
            assert page.eval_on_selector("header", "node => getComputedStyle(node).display") == "flex"
            page.click("text=Keys")
            page.click("text=Create a key")
            assert len(page.inner_text("#new-key")) == 64
            page.click("text=Try it out")
            page.set_input_files("input[type=file]", str(picture))
            page.click("main button")
            page.wait_for_selector("#code:text-is('202')")  # the page looks again by itself
            assert page.inner_text("#code") == "202"
            frame = page.frame_locator("iframe")
            assert "explained" in frame.locator("p").inner_text()
            assert page.title() != "ran"
            assert not [text for text in complaints if "script" not in text], complaints
            page.click("header button")
            page.wait_for_url("**/dashboard/login")
        finally:
            browser.close()
