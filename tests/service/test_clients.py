"""Requests as other people's clients write them, byte for byte over a real socket.

Each spelling is what a widespread HTTP library sends: order and spelling of headers, quoting, part headers,
framing. None of them may have to change for this service.
"""

from __future__ import annotations

import json
import os
import shutil
import ssl
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from benchmarks.service.sockets import Answer, connect, converse, parse
from tests.service.conftest import CURL
from tests.service.fake_engine import CANARY
from tests.service.pictures import jpeg, png
from tests.service.rules import rule
from tests.service.running import Pair, outcome

CRLF = "\r\n"
EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "service" / "examples"


@dataclass(frozen=True)
class Spelling:
    """How a library writes an upload. head: request line and headers; file, field: the heads of a part."""

    head: str
    boundary: str
    file: str
    field: str = 'Content-Disposition: form-data; name="{name}"'
    start: str = ""

    def body(self, picture: bytes, fields: dict[str, str], at: int) -> bytes:
        """The form, with the file before the field of that number."""
        parts = [
            self.field.format(name=name, length=len(value)).encode() + b"\r\n\r\n" + value.encode()
            for name, value in fields.items()
        ]
        parts.insert(at, self.file.format(length=len(picture)).encode("utf-8") + b"\r\n\r\n" + picture)
        delimiter = b"--" + self.boundary.encode()
        form = b"".join(delimiter + b"\r\n" + part + b"\r\n" for part in parts) + delimiter + b"--\r\n"
        return self.start.encode() + form

    def request(self, key: str, body: bytes) -> bytes:
        """The whole request; chunked when the head says so, else with a length."""
        head = self.head.format(key=key, boundary=self.boundary, length=len(body))
        if "chunked" in head:
            body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        return head.replace("\n", CRLF).encode() + b"\r\n\r\n" + body


def head(*lines: str, line: str = "POST /api/2/process HTTP/1.1", host: str = "Host: localhost") -> str:
    return "\n".join((line, *((host,) if host else ()), *lines))


_TYPE = "Content-Type: multipart/form-data; boundary={boundary}"
_FILE = 'Content-Disposition: form-data; name="file"; filename="receipt.jpg"'
_LENGTH = "Content-Length: {length}"
_CLOSE = "Connection: close"

SPELLINGS = {
    "curl": Spelling(
        head("User-Agent: curl/8.5.0", "Accept: */*", "apikey: {key}", _LENGTH, _TYPE, _CLOSE),
        "------------------------d74496d66958873e",
        _FILE + "\r\nContent-Type: image/jpeg",
    ),
    "python requests": Spelling(
        head(
            "User-Agent: python-requests/2.32.3",
            "Accept-Encoding: gzip, deflate",
            "Accept: */*",
            _CLOSE,
            "apikey: {key}",
            _LENGTH,
            _TYPE,
        ),
        "3f1b7e1b0c2f4b51a7f0c7c3ad0e9b11",
        _FILE,
    ),
    "python aiohttp": Spelling(
        head("apikey: {key}", "Accept: */*", _TYPE, "Transfer-Encoding: chunked", _CLOSE),
        "0123456789abcdef0123456789abcdef",
        "Content-Type: image/jpeg\r\n" + _FILE,
        'Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name="{name}"',
    ),
    "php curl without a type": Spelling(
        head("Accept: */*", "apikey: {key}", _LENGTH, _TYPE, _CLOSE),
        "------------------------9051914041544843",
        'Content-Disposition: form-data; name="file"; filename="/var/www/uploads/receipt.jpg"\r\n'
        "Content-Type: application/octet-stream",
    ),
    "php guzzle": Spelling(
        head(_LENGTH, "User-Agent: GuzzleHttp/7", "apikey: {key}", _TYPE, _CLOSE),
        "f2e1bd4a0c7f1ab15c3dbb0d9ad75e0a2d3bbd6d",
        _FILE + "\r\nContent-Length: {length}\r\nContent-Type: image/jpeg",
        'Content-Disposition: form-data; name="{name}"\r\nContent-Length: {length}',
    ),
    "c# HttpClient": Spelling(
        head("apikey: {key}", 'Content-Type: multipart/form-data; boundary="{boundary}"', _LENGTH, _CLOSE),
        "0d5f3f3c-8f0e-4b35-9f0f-2f6a3d1c7b11",
        "Content-Type: image/jpeg\r\n"
        "Content-Disposition: form-data; name=file; filename=receipt.jpg; filename*=utf-8''receipt.jpg",
        "Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name={name}",
    ),
    "c# RestSharp": Spelling(
        head("apikey: {key}", "Accept: application/json, text/json, */*", _TYPE, _LENGTH, _CLOSE),
        "-----------------------------28947758029299",
        _FILE + "\r\nContent-Type: image/jpeg",
    ),
    "java okhttp": Spelling(
        head("apikey: {key}", _TYPE, _LENGTH, _CLOSE, "Accept-Encoding: gzip", "User-Agent: okhttp/4.12.0"),
        "c5a1a8f4-3c6b-43fb-a8d5-0ac8b3d6f2d7",
        _FILE + "\r\nContent-Type: image/jpeg\r\nContent-Length: {length}",
        'Content-Disposition: form-data; name="{name}"\r\nContent-Transfer-Encoding: binary\r\n'
        "Content-Type: text/plain; charset=UTF-8\r\nContent-Length: {length}",
    ),
    "java apache": Spelling(
        head("apikey: {key}", _LENGTH, _TYPE, _CLOSE, "User-Agent: Apache-HttpClient/4.5.14 (Java/17)"),
        "-KvJ0Sd5pPzqDnWm_3yXqkq4s7l3Yt1b",
        _FILE + "\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary",
        'Content-Disposition: form-data; name="{name}"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n'
        "Content-Transfer-Encoding: 8bit",
    ),
    "go": Spelling(
        head("User-Agent: Go-http-client/1.1", "Transfer-Encoding: chunked", "Apikey: {key}", _TYPE, _CLOSE),
        "8d7b1f5ad1b5dc6f0c2a6a1f2e3f95b7f2b1a0f6c8a59d9bb9c1c6a8a0d1",
        _FILE + "\r\nContent-Type: application/octet-stream",
    ),
    "node form-data": Spelling(
        head(
            "content-type: multipart/form-data; boundary={boundary}",
            "apikey: {key}",
            "Accept: application/json, text/plain, */*",
            "Transfer-Encoding: chunked",
            _CLOSE,
            host="host: localhost",
        ),
        "--------------------------515890814546601021194782",
        _FILE + "\r\nContent-Type: image/jpeg",
    ),
    "node fetch": Spelling(
        head(
            "connection: close",
            "content-type: multipart/form-data; boundary={boundary}",
            "apikey: {key}",
            "accept: */*",
            "accept-language: *",
            "sec-fetch-mode: cors",
            "user-agent: node",
            "content-length: {length}",
            host="host: localhost",
        ),
        "----formdata-undici-071533562473",
        _FILE + "\r\nContent-Type: application/octet-stream",
    ),
    "ruby faraday": Spelling(
        head("User-Agent: Faraday v2.9.0", "Apikey: {key}", _TYPE, _LENGTH, _CLOSE),
        "-------------RubyMultipartPost-3e1dd5d8d5b4b2b6b52e6f5d3a2d2a10",
        _FILE
        + "\r\nContent-Length: {length}\r\nContent-Type: image/jpeg\r\nContent-Transfer-Encoding: binary",
    ),
    "dart": Spelling(
        head("user-agent: Dart/3.3 (dart:io)", "apikey: {key}", _TYPE, _LENGTH, _CLOSE),
        "dart-http-boundary-+u4C0Wd0Z.6Zr7lG8kW+.lB7.c8Vz-Q1_J9wE0pR7tY5uI",
        "content-type: application/octet-stream\r\n"
        'content-disposition: form-data; name="file"; filename="receipt.jpg"',
        'content-disposition: form-data; name="{name}"',
    ),
    "a browser": Spelling(
        head("apikey: {key}", _TYPE, _LENGTH, "Origin: null", _CLOSE),
        "----WebKitFormBoundary7MA4YWxkTrZu0gW",
        _FILE + "\r\nContent-Type: image/jpeg",
    ),
    "http/1.0": Spelling(
        head(
            "apikey: {key}",
            'Content-Type: multipart/form-data; boundary="{boundary}"',
            _LENGTH,
            line="POST /api/2/process HTTP/1.0",
            host="",
        ),
        "simple boundary",
        _FILE + "\r\nContent-Type: image/jpg",
        start="\r\n",
    ),
    "parameters after the boundary": Spelling(
        head(
            "APIKEY:   {key}  ",
            "Content-Type: Multipart/Form-Data;boundary={boundary};charset=utf-8",
            _LENGTH,
        )
        + "\n"
        + _CLOSE,
        "abc",
        "content-disposition:form-data;name=file;filename=RECEIPT.JPEG\r\ncontent-type:IMAGE/JPEG; q=1",
    ),
}


def options(standing: Pair, answer: Answer) -> dict[str, Any]:
    """What the engine was asked for."""
    assert answer.status == 200 and answer.code == 200, answer
    asked: dict[str, Any] = outcome(standing[1], answer.body["token"])["result"]["evidence"]["options"]
    return asked


@rule("form-multipart", "form-region", "form-document-type", "form-decimal-places", "form-cents")
@pytest.mark.parametrize("name", SPELLINGS)
def test_uploads_as_libraries_write_them(standing: Pair, name: str) -> None:
    """Every spelling, with the file first and last, reaches the engine with its options."""
    service, client = standing
    spelling = SPELLINGS[name]
    fields = {"region": "gb", "documentType": "auto", "decimalPlaces": "3", "cents": "True"}
    for at in (0, 4):
        body = spelling.body(jpeg(), fields, at)
        asked = options(standing, converse(service, spelling.request(client.key, body)))
        assert (asked["region"], asked["document_type"]) == ("gb", "auto")
        assert asked["decimal_places"] == 3 and asked["cents"] is True


def upload(standing: Pair, path: str, fields: dict[str, str] | None = None, file: str = "") -> Answer:
    """One upload as curl writes it, to another address or with another part head."""
    service, client = standing
    plain = SPELLINGS["curl"]
    spelling = Spelling(plain.head.replace("/api/2/process", path), plain.boundary, file or plain.file)
    return converse(service, spelling.request(client.key, spelling.body(jpeg(), fields or {}, 0)))


@rule("version-path")
@pytest.mark.parametrize(
    "path",
    [
        "/api/2/process/",
        "//api/2/process",
        "/api/process/",
        "https://localhost/api/2/process",
        "/api/2/process?lang=en",
    ],
)
def test_addresses_as_clients_join_them(standing: Pair, path: str) -> None:
    """A slash at the end, one too many between base address and path, and the absolute form."""
    service, client = standing
    answer = upload(standing, path)
    assert answer.code == 200
    result = path.replace("2/process", "process").replace("process", "result/" + answer.body["token"])
    credit = path.replace("2/process", "process").replace("process", "credit")
    for address in (result, credit):
        request = f"GET {address} HTTP/1.1\r\nHost: a\r\napikey: {client.key}\r\nConnection: close\r\n\r\n"
        found = converse(service, request.encode())
        assert found.status == 200 and (found.code in {202, 301} or found.raw.isdigit()), found


@rule("form-cents")
@pytest.mark.parametrize(
    ("text", "cents"),
    [
        *((text, True) for text in ("true", "True", "TRUE", "1", "on", "yes", " true ")),
        *((text, False) for text in ("false", "False", "FALSE", "0", "off", "no", "", "null", "truth")),
    ],
)
def test_booleans_as_languages_print_them(standing: Pair, text: str, cents: bool) -> None:
    answer = upload(standing, "/api/2/process", {"cents": text, "decimalPlaces": "3"})
    assert options(standing, answer)["cents"] is cents


@rule("form-region", "form-document-type", "form-decimal-places", "form-date-order", "version-additive")
def test_empty_and_unknown_fields_count_as_not_sent(standing: Pair) -> None:
    names = ("region", "documentType", "decimalPlaces", "cents", "defaultDateParsing", "testMode", "\u00fc")
    answer = upload(standing, "/api/2/process", dict.fromkeys(names, ""))
    assert options(standing, answer) == {"document_type": "receipt", "cents": False}
    many = {f"meta[{number}]": "x" * 500 for number in range(90)}
    assert upload(standing, "/api/2/process", many).code == 200


@rule("form-extension", "form-one-file", "form-mimetype")
@pytest.mark.parametrize(
    ("file", "code"),
    [
        ('name="file"; filename="C:\\fakepath\\receipt.JPG"', 200),
        ('name="file"; filename="re\\"cei;pt.jpg"', 200),
        ('name="file"; filename="Beleg f\u00fcr \u20ac.jpg"', 200),
        ("name=file; filename*=UTF-8''Re%C3%A7u.jpg", 200),
        ("filename=receipt.jpg; name=file", 200),
        ('name="file"; filename="receipt.tiff"', 407),
        ('name="file"; filename="receipt"', 407),
        ('name="file"; filename=""', 407),
        ('name="file"', 403),
        ('name="file"\r\nContent-Type: image/jpeg', 403),
        ('name="File"; filename="receipt.jpg"', 403),
        ('filename="receipt.jpg"', 406),
        ('name="file"; filename="receipt.jpg"\r\nContent-Type: image/png', 200),
        ('name="file"; filename="receipt.jpg"\r\nContent-Type:', 200),
        ('name="file"; filename="receipt.jpg"\r\nContent-Type: application/pdf', 405),
    ],
)
def test_file_parts_as_libraries_name_them(standing: Pair, file: str, code: int) -> None:
    assert upload(standing, "/api/2/process", file="Content-Disposition: form-data; " + file).code == code


@rule("form-one-file")
def test_a_large_picture_without_a_file_name_is_no_file(standing: Pair) -> None:
    """It is a field like any other to a form reader, and must not be told as too long a one."""
    service, client = standing
    plain = SPELLINGS["curl"]
    spelling = Spelling(plain.head, plain.boundary, 'Content-Disposition: form-data; name="file"')
    answer = converse(service, spelling.request(client.key, spelling.body(png(size=500_000), {}, 0)))
    assert answer.code == 403 and "no file name" in answer.body["message"]


@rule("key-header")
def test_a_key_in_the_form_is_no_key(standing: Pair) -> None:
    service, client = standing
    spelling = SPELLINGS["python requests"]
    body = spelling.body(jpeg(), {"apikey": client.key}, 1)
    request = spelling.request(client.key, body).replace(f"apikey: {client.key}\r\n".encode(), b"", 1)
    assert converse(service, request).code == 400


@rule("limit-batches", "polling-cadence")
def test_a_batch_over_a_handful_of_connections(standing: Pair) -> None:
    service, client = standing

    def batch(number: int) -> list[str]:
        mine = service.client(client.key)
        tokens = [mine.upload(png())["token"] for _ in range(8)]
        mine.close()
        return tokens

    with ThreadPoolExecutor(5) as pool:
        tokens = [token for found in pool.map(batch, range(5)) for token in found]
    assert len(set(tokens)) == 40
    assert {outcome(client, token)["code"] for token in tokens} == {202}


def read_head(connection: Any) -> bytes:
    """Bytes up to the end of an HTTP head."""
    received = b""
    while not received.endswith(b"\r\n\r\n"):
        received += connection.recv(1)
    return received


@rule("form-multipart")
@pytest.mark.parametrize("patient", [True, False])
def test_a_client_that_waits_for_leave_to_send(standing: Pair, patient: bool) -> None:
    """`Expect: 100-continue`, as PHP and .NET send it; the impatient ones send before they are asked."""
    service, client = standing
    spelling = SPELLINGS["php guzzle"]
    body = spelling.body(jpeg(), {}, 0)
    request = spelling.request(client.key, body)
    request_head = request.removesuffix(body).replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")
    with connect(service) as connection:
        connection.sendall(request_head)
        if patient:
            assert read_head(connection).startswith(b"HTTP/1.1 100")
        connection.sendall(body)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    assert parse(received).code == 200


@rule("key-unknown")
def test_a_waiting_client_is_refused_before_it_sends(standing: Pair) -> None:
    request = (
        b"POST /api/2/process HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\nExpect: 100-continue\r\n\r\n"
    )
    with connect(standing[0]) as connection:
        connection.sendall(request)
        assert read_head(connection).startswith(b"HTTP/1.1 200")


@rule("polling-cadence", "result-repeatable")
def test_one_connection_serves_a_whole_session(standing: Pair) -> None:
    """Upload, polls and credit on one kept connection, as sessions of HTTP libraries do."""
    service, client = standing
    trust = ssl.create_default_context(cafile=str(service.certificate))
    address = f"https://localhost:{service.port}"
    with httpx2.Client(verify=trust, base_url=address, headers={"apikey": client.key}) as session:
        before = session.get("/api/credit").json()
        files = {"file": ("receipt.png", png(), "image/png")}
        token = session.post("/api/2/process", files=files, data={"region": "us"}).json()["token"]
        answers = [session.get(f"/api/result/{token}") for _ in range(30)]
        assert {answer.status_code for answer in answers} == {200}
        assert {answer.json()["code"] for answer in answers} <= {301, 202}
        assert session.head(f"/api/result/{token}").status_code == 200
        assert session.get("/api/credit").json() == before - 1


@rule("http-200", "key-unknown")
@pytest.mark.parametrize("method", ["BREW", "PROPFIND", "TRACE", "get"])
@pytest.mark.parametrize("path", ["/api/credit", "/api/2/process", "/nowhere", "/dashboard/login"])
def test_odd_methods_get_an_envelope(standing: Pair, method: str, path: str) -> None:
    service, client = standing
    request = f"{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\napikey: {client.key}\r\n\r\n"
    answer = converse(service, request.encode())
    if path.startswith("/dashboard"):
        assert answer.status == 404 and b"no such page" in answer.raw
    else:
        assert answer.status == 200 and answer.code == 406


@rule("async-upload", "credit-number")
@pytest.mark.needs("curl")
def test_the_commands_of_the_notes_work(standing: Pair, folder: Path) -> None:
    """curl itself, as the notes show it."""
    service, client = standing
    picture = folder / "receipt.png"
    picture.write_bytes(png())

    def curl(*arguments: str, path: str) -> Any:
        command = [CURL, "-sS", "--cacert", str(service.certificate), "-H", f"apikey: {client.key}"]
        command += [*arguments, f"https://localhost:{service.port}{path}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        return json.loads(done.stdout)

    answer = curl("-F", f"file=@{picture}", "-F", "region=us", path="/api/2/process")
    assert answer["code"] == 200
    assert curl(path=f"/api/result/{answer['token']}")["code"] in {301, 202}
    assert isinstance(curl(path="/api/credit"), int)


@pytest.mark.parametrize("program", ["sh", "node", "python"])
@rule("async-upload", "version-clients")
def test_the_examples_read_a_picture(standing: Pair, folder: Path, program: str) -> None:
    """As the notes have them, each with nothing but its own language."""
    service, client = standing
    command = sys.executable if program == "python" else shutil.which(program)
    if command is None:
        pytest.skip(f"{program} is not installed")
    picture = folder / "receipt.png"
    picture.write_bytes(png())
    environment = {
        **os.environ,
        **dict.fromkeys(("RECEIPTS_CA", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE"), str(service.certificate)),
        "RECEIPTS_URL": f"https://localhost:{service.port}",
        "RECEIPTS_KEY": client.key,
        "PYTHONPATH": str(EXAMPLES.parents[2]),
    }
    script = EXAMPLES / {"sh": "read.sh", "node": "read.mjs", "python": "read.py"}[program]

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [command, str(script), str(picture)], env=environment, capture_output=True, text=True, timeout=300
        )

    done = run()
    assert done.returncode == 0, done.stderr
    assert CANARY in done.stdout and json.loads(done.stdout)
    picture.write_bytes(b"no picture")
    failed = run()
    assert failed.returncode != 0 and "405" in failed.stderr + failed.stdout
