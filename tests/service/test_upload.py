"""The upload call: form, file, options, codes, in the interface's order."""

from __future__ import annotations

import json
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from starlette.responses import Response

from receipt_engine.service.codes import MESSAGES, Code, Refusal
from receipt_engine.service.http.openapi import document
from receipt_engine.service.jobs.booking import Accepted
from receipt_engine.service.jobs.options import REGIONS, parse_options
from receipt_engine.service.storage.blobs import FileBlobs
from receipt_engine.service.storage.schema import images, jobs, uploads
from tests.service.conftest import Service, one_store
from tests.service.pictures import jpeg, png
from tests.service.rules import rule

ENVELOPE = {"success", "status", "status_code", "code", "message"}
BOUNDARY = "b0undary"


def stored(service: Service) -> int:
    with service.parts.database.read() as connection:
        return sum(len(connection.execute(table.select()).all()) for table in (images, jobs, uploads))


def raw(
    service: Service, body: bytes, content_type: str = f"multipart/form-data; boundary={BOUNDARY}"
) -> Any:
    headers = {"apikey": service.key, "content-type": content_type}
    answer: Response = service.client.post("/api/2/process", content=body, headers=headers)
    assert answer.status_code == 200
    return json.loads(answer.text)


def part(name: str | None, data: bytes, filename: str | None = None, kind: str | None = None) -> bytes:
    head = "Content-Disposition: form-data" + (f'; name="{name}"' if name is not None else "")
    head += f'; filename="{filename}"' if filename is not None else ""
    head += f"\r\nContent-Type: {kind}" if kind else ""
    return f"--{BOUNDARY}\r\n{head}\r\n\r\n".encode("latin-1") + data + b"\r\n"


END = f"--{BOUNDARY}--\r\n".encode()


@rule(
    "async-upload", "token-on-accept", "envelope-fields", "envelope-status-code", "http-200", "version-path"
)
def test_an_upload_is_answered_with_a_token_at_once(service: Service) -> None:
    answer = service.upload(png())
    assert answer["code"] == answer["status_code"] == 200
    assert answer["success"] is True and answer["status"] == "success"
    assert answer["message"] == MESSAGES[Code.ACCEPTED]
    assert set(answer) == ENVELOPE | {"token", "duplicate", "duplicateToken"}
    assert answer["token"].isalnum() and len(answer["token"]) == 16
    assert answer["duplicate"] is False and answer["duplicateToken"] is None
    assert service.result(answer["token"])["code"] == 301


@rule("version-path")
@pytest.mark.parametrize("path", ["/api/2/process", "/api/process"])
@one_store
def test_upload_addresses(service: Service, path: str) -> None:
    assert service.upload(png(), path=path)["code"] == 200


@rule("limit-formats", "form-mimetype", "form-extension")
@pytest.mark.parametrize(
    ("picture", "name", "kind"),
    [
        (png(), "a.png", "image/png"),
        (jpeg(), "a.jpg", "image/jpeg"),
        (jpeg(), "A.JPEG", "image/jpeg"),
        (jpeg(), "a.b.jpg", "image/jpg"),
        (png(), "a.jpg", "image/jpeg"),
        (jpeg(), "a.png", None),
        (jpeg(), "a.jpg", "application/octet-stream"),
        (jpeg(), "a.jpg", "IMAGE/JPEG; q=1"),
    ],
)
@one_store
def test_pictures_that_are_taken(service: Service, picture: bytes, name: str, kind: str | None) -> None:
    assert raw(service, part("file", picture, name, kind) + END)["code"] == 200


@rule("form-mimetype", "version-no-pdf")
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (png(), "application/pdf"),
        (png(), "image/gif"),
        (b"%PDF-1.7", "image/png"),
        (b"GIF89a", None),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "image/png"),  # formats that the engine itself reads
        (b"II*\0\x08\0\0\0", "image/jpeg"),
        (b"BM\x36\0\0\0", "image/png"),
        (b"\0\0\0\x18ftypheic", "image/jpeg"),
        (b"\0\0\0\x18ftypavif", "image/jpeg"),
        (b"", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (png()[:20], "image/png"),
    ],
)
@one_store
def test_wrong_types(service: Service, data: bytes, kind: str | None) -> None:
    assert raw(service, part("file", data, "a.png", kind) + END)["code"] == 405


@rule("form-extension", "version-no-pdf")
@pytest.mark.parametrize("name", ["a.pdf", "a", "jpg", "a.jpg.exe", "a.gif", ".", "a.jpg "])
@one_store
def test_wrong_extensions(service: Service, name: str) -> None:
    assert raw(service, part("file", png(), name, "image/png") + END)["code"] == 407


@rule("form-extension")
@pytest.mark.parametrize(
    "name", ["caf\xe9.png", "UTF-8 \u00e9".encode().decode("latin-1") + ".png", "a b;c.png"]
)
@one_store
def test_file_names_in_any_encoding(service: Service, name: str) -> None:
    assert raw(service, part("file", png(), name, "image/png") + END)["code"] == 200


@rule("form-extension")
def test_extended_file_name(service: Service) -> None:
    head = (
        f"--{BOUNDARY}\r\nContent-Disposition: form-data; name=file; filename*=UTF-8''re%C3%A7u.png\r\n\r\n"
    )
    assert raw(service, head.encode() + png() + b"\r\n" + END)["code"] == 200


@rule("form-one-file", "refusal-envelope-only", "envelope-success", "envelope-status")
@pytest.mark.parametrize(
    "body",
    [
        END,
        part("other", b"x") + END,
        part("file", png()) + END,
        part("picture", png(), "a.png", "image/png") + END,
        part("file", b"", "", "application/octet-stream") + END,
    ],
)
@one_store
def test_no_file(service: Service, body: bytes) -> None:
    answer = raw(service, body)
    assert answer["code"] == 403
    assert set(answer) == ENVELOPE
    assert answer["success"] is False and answer["status"] == "failed" and answer["status_code"] == 403


@rule("form-one-file")
@pytest.mark.parametrize("second", ["file", "other"])
def test_several_files(service: Service, second: str) -> None:
    body = part("file", png(), "a.png") + part(second, png(), "b.png") + END
    assert raw(service, body)["code"] == 404


@rule("form-multipart")
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"{}", "application/json"),
        (b"file=a", "application/x-www-form-urlencoded"),
        (part("file", png(), "a.png") + END, "multipart/form-data"),
        (part("file", png(), "a.png") + END, "multipart/form-data; boundary="),
        (part("file", png(), "a.png") + END, "multipart/form-data; boundary=" + "x" * 500),
        (part("file", png(), "a.png") + END, "multipart/form-data; boundary=other"),
        (part("file", png(), "a.png") + END, "multipart/mixed; boundary=b0undary"),
        (part("file", png(), "a.png") + END, ""),
    ],
)
@one_store
def test_no_form(service: Service, body: bytes, content_type: str) -> None:
    assert raw(service, body, content_type)["code"] == 406


@rule("form-multipart")
def test_a_part_without_a_name(service: Service) -> None:
    assert raw(service, part(None, png(), "a.png") + END)["code"] == 406
    assert raw(service, part("", png(), "a.png") + END)["code"] == 406


@rule("form-small", "token-on-accept")
@pytest.mark.parametrize(
    ("width", "height", "code"),
    [
        (720, 1280, 200),
        (719, 1280, 300),
        (720, 1279, 300),
        (1280, 720, 200),
        (100, 100, 300),
        (3000, 700, 300),
    ],
)
def test_small_pictures(service: Service, width: int, height: int, code: int) -> None:
    for picture in (png(width, height), jpeg(width, height)):
        answer = service.upload(picture)
        assert answer["code"] == code and answer["success"] is True
        service.work()
        assert service.result(answer["token"])["code"] == 202


def options(service: Service, fields: dict[str, str]) -> dict[str, Any]:
    """What the engine was asked for."""
    token = service.post({"file": ("a.png", png(), "image/png")}, fields)["token"]
    service.work()
    asked: dict[str, Any] = service.result(token)["result"]["evidence"]["options"]
    return asked


@rule("form-region")
@pytest.mark.parametrize(
    ("sent", "asked"), [("us", "us"), (" GB ", "gb"), ("uk", "uk"), ("usa", None), ("1", None), ("", None)]
)
@one_store
def test_region(service: Service, sent: str, asked: str | None) -> None:
    assert options(service, {"region": sent}).get("region") == asked


@rule("form-document-type")
@pytest.mark.parametrize(("sent", "asked"), [("invoice", "invoice"), ("auto", "auto"), ("x", "receipt")])
@one_store
def test_document_type(service: Service, sent: str, asked: str) -> None:
    assert options(service, {"documentType": sent})["document_type"] == asked
    assert options(service, {})["document_type"] == "receipt"


@rule("form-region-list")
def test_the_regions_are_those_of_the_document() -> None:
    listed = "ar au be br ca cl co fr de gr hk in id ie it ja ke "
    listed += "my mx nz pa pe ph sg za es se ch to ae gb uy us vn"
    assert frozenset(listed.split()) == REGIONS and len(REGIONS) == 34
    described = document()["paths"]["/api/2/process"]["post"]["requestBody"]["content"]
    assert set(described["multipart/form-data"]["schema"]["properties"]["region"]["enum"]) == REGIONS
    for code in REGIONS:
        assert parse_options([("region", code)]).region == code


@rule("form-decimal-places")
@pytest.mark.parametrize(
    ("sent", "asked"), [("0", 0), ("1", 1), ("2", 2), ("3", 3), ("4", None), ("-1", None), ("two", None)]
)
@one_store
def test_decimal_places(service: Service, sent: str, asked: int | None) -> None:
    assert options(service, {"decimalPlaces": sent}).get("decimal_places") == asked


@rule("form-cents")
def test_cents_need_three_decimal_places(service: Service) -> None:
    assert options(service, {"cents": "true", "decimalPlaces": "3"})["cents"] is True
    assert options(service, {"cents": "true", "decimalPlaces": "2"})["cents"] is False
    assert options(service, {"cents": "true"})["cents"] is False
    assert options(service, {"decimalPlaces": "3"})["cents"] is False


@rule("form-date-order")
@pytest.mark.parametrize(("sent", "asked"), [("d/m", "d/m"), ("m/d", "m/d"), ("y/m", None)])
@one_store
def test_date_order(service: Service, sent: str, asked: str | None) -> None:
    assert options(service, {"defaultDateParsing": sent}).get("default_date_parsing") == asked


@rule("form-custom-fields")
def test_custom_fields_are_configured_per_account(service: Service) -> None:
    assert "custom_fields" not in options(service, {"customFields": "Country"})
    service.parts.accounts.set_custom_fields(service.account_id, ("Country", "VATNumber"))
    assert options(service, {})["custom_fields"] == ["Country", "VATNumber"]


@rule("version-test-mode", "credit-per-upload")
def test_the_old_test_mode_changes_nothing(service: Service) -> None:
    picture = png()
    answers = [
        service.post({"file": ("a.png", picture, "image/png")}, {"testMode": "true"}) for _ in range(2)
    ]
    assert [answer["duplicate"] for answer in answers] == [False, True]
    assert answers[0]["token"] != answers[1]["token"] and service.credits() == 8


@rule("version-additive")
def test_unknown_and_repeated_fields(service: Service) -> None:
    body = part("testMode", b"1") + part("documentType", b"receipts") + part("documentType", b"auto")
    answer = raw(service, body + part("file", png(), "a.png", "image/png") + END)
    assert answer["code"] == 200
    service.work()
    assert service.result(answer["token"])["result"]["evidence"]["options"]["document_type"] == "auto"


@rule("credit-per-upload", "credit-not-for-rejected", "code-4xx-permanent")
def test_what_costs_credit(service: Service) -> None:
    assert service.credits() == 10
    service.upload(png())
    assert service.credits() == 9
    service.upload(png(10, 10))
    assert service.credits() == 8
    refused = [
        raw(service, END),
        raw(service, b"x"),
        raw(service, part("file", b"x", "a.png") + END),
        raw(service, part("file", png(), "a.gif") + END),
        raw(service, part("file", png(), "a.png") + part("file", png(), "a.png") + END),
    ]
    assert [answer["code"] for answer in refused] == [403, 406, 405, 407, 404]
    assert service.credits() == 8


@rule("credit-none-left", "credit-per-upload")
def test_without_credit_nothing_is_queued(make_service: Any) -> None:
    service = make_service(credits=1)
    assert service.upload(png())["code"] == 200
    before = stored(service)
    answer = service.upload(png())
    assert answer["code"] == 401 and set(answer) == ENVELOPE
    assert stored(service) == before
    service.parts.accounts.add_credits(service.account_id, 1, "top up")
    assert service.upload(png())["code"] == 200


@rule("credit-only-uploads", "credit-none-left")
def test_without_credit_results_and_balance_are_told(make_service: Any) -> None:
    service = make_service(credits=1)
    picture = png()
    token = service.upload(picture)["token"]
    assert service.upload(picture)["code"] == 401  # a duplicate costs a credit too
    service.work()
    assert service.result(token)["code"] == 202 and service.credits() == 0


@rule("form-check-order")
def test_the_order_of_checks(make_service: Any) -> None:
    """Each step mends the first fault of the one before; the code is always that of the first fault left."""
    service = make_service(credits=0)
    bad, good = b"no picture", png()
    two = part("file", bad, "a.gif", "image/gif") + part("file", bad, "b.gif", "image/gif")
    steps = [
        (b"garbage", 406),
        (part("other", b"1") + END, 403),
        (two + END, 404),
        (part("file", bad, "a.gif", "image/gif") + END, 407),
        (part("file", bad, "a.png", "image/gif") + END, 405),
        (part("file", bad, "a.png", "image/png") + END, 405),
        (part("file", good, "a.png", "image/png") + END, 401),
    ]
    anonymous = service.client.post("/api/2/process", content=b"garbage")
    assert anonymous.json()["code"] == 400
    assert [raw(service, body)["code"] for body, _ in steps] == [code for _, code in steps]


@rule("form-stored", "form-check-order")
def test_a_picture_that_cannot_be_written(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(service.parts.blobs), "stage", full)
    answer = service.upload(png())
    assert answer["code"] == 408 and set(answer) == ENVELOPE
    assert service.credits() == 10 and stored(service) == 0


@rule("limit-size")
def test_oversized_bodies_and_pictures(make_service: Any) -> None:
    service = make_service(max_picture=1 << 20, max_body=(1 << 20) + 4096, max_pixels=5_000_000)
    assert service.upload(png(size=900_000))["code"] == 200
    assert service.upload(png(size=1_048_577))["code"] == 406
    assert service.upload(png(size=3 << 20))["code"] == 406
    assert service.upload(png(3000, 3000))["code"] == 405
    assert service.credits() == 9
    assert service.http_limits.budget.used == 0


@one_store
def test_memory_is_counted_until_the_picture_is_stored(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow disk must not let bodies pile up behind it uncounted."""
    waiting: Future[Accepted] = Future()
    monkeypatch.setattr(service.acceptor, "submit", lambda upload: waiting)
    picture = png(size=100_000)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(service.upload, picture)
        deadline = time.monotonic() + 30
        while not service.http_limits.budget.used and time.monotonic() < deadline:
            time.sleep(0.01)
        assert service.http_limits.budget.used >= len(picture)
        waiting.set_exception(Refusal(Code.STORE_FAILED))
        assert answer.result(30)["code"] == 408
    assert service.http_limits.budget.used == 0


@rule("duplicate", "duplicate-token", "duplicate-same-result", "credit-per-upload")
def test_the_same_bytes_again(service: Service) -> None:
    picture = png()
    first = service.upload(picture)
    second = service.post({"file": ("other.png", picture, "image/png")}, {"region": "us"})
    assert second["duplicate"] is True and second["duplicateToken"] == first["token"]
    assert second["token"] != first["token"]
    assert service.result(second["token"])["code"] == 301
    assert service.work() == 1
    third = service.upload(picture)
    assert third["duplicateToken"] == first["token"]
    results = [service.result(answer["token"]) for answer in (first, second, third)]
    assert results[0]["code"] == 202 and results[0] == results[1] == results[2]
    assert service.credits() == 7


@rule("duplicate")
def test_the_same_bytes_of_another_account_are_no_duplicate(service: Service) -> None:
    picture = png()
    service.upload(picture)
    other = service.parts.accounts.new_key(service.parts.accounts.create("another", 5))
    assert service.upload(picture, key=other)["duplicate"] is False
    assert service.work() == 2


def test_bytes_of_refused_and_repeated_uploads_are_not_left_behind(service: Service) -> None:
    picture = png()
    for _ in range(3):
        service.upload(picture)
    blobs = service.parts.blobs
    if isinstance(blobs, FileBlobs):
        assert len(list(blobs.folder.glob("*/*"))) == 1
