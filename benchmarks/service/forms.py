"""Generates upload forms as clients write them, and broken ones, each with its expected response code."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from dataclasses import dataclass

from receipt_engine.service.codes import Refusal
from receipt_engine.service.http.api import ALLOWED_TYPES
from receipt_engine.service.http.form import MAX_FIELD_BYTES, MAX_PARTS, FormReader, single_file
from receipt_engine.service.http.picture import inspect

_BOUNDARY_SIGNS = string.ascii_letters + string.digits + "'()+_,-./:=?"
_GOOD = frozenset({200})


@dataclass(frozen=True)
class Sent:
    """One request body. codes: the accepted codes; picture: the image bytes that must arrive, when known."""

    kind: str
    body: bytes
    content_type: str
    codes: frozenset[int]
    picture: bytes | None = None


def good_form(generator: random.Random) -> Sent:
    """A valid form in one of many spellings; code 200."""
    boundary = _boundary(generator)
    data = picture(generator, boundary)
    parts = [_field(generator, name) for name in generator.sample(_FIELDS, generator.randint(0, 4))]
    parts.insert(generator.randint(0, len(parts)), _file(generator, data))
    body = generator.choice((b"", b"\r\n", b"a preamble\r\n"))
    body += join(boundary, parts) + generator.choice((b"", b"\r\n", b"\r\nan epilogue"))
    return Sent("good", body, _content_type(generator, boundary), _GOOD, data)


def broken_form(generator: random.Random) -> Sent:
    """A form that is wrong in one known way."""
    name = generator.choice(sorted(_BREAKS))
    boundary = _boundary(generator)
    body, codes = _BREAKS[name](generator, boundary)
    content_type = _content_type(generator, boundary)
    if name == "other boundary":
        content_type = "multipart/form-data; boundary=" + boundary.translate({ord("a"): "b"}) + "x"
    elif name == "no boundary":
        content_type = "multipart/form-data"
    return Sent(name, body, content_type, codes)


def flipped_form(generator: random.Random) -> Sent:
    """A good form with a few bytes changed, added or removed; the form reader gives the expected code."""
    form = good_form(generator)
    body = bytearray(form.body)
    for _ in range(generator.randint(1, 5)):
        at = generator.randrange(len(body))
        match generator.randrange(3):
            case 0:
                body[at] = generator.randrange(256)
            case 1:
                del body[at : at + generator.randint(1, 8)]
            case _:
                body[at:at] = generator.randbytes(generator.randint(1, 8))
        if not body:
            break
    return Sent("flipped", bytes(body), form.content_type, verdict(bytes(body), form.content_type))


def verdict(body: bytes, content_type: str) -> frozenset[int]:
    """The code of a body that is read in one piece."""
    try:
        reader = FormReader(content_type, max_file=1 << 24)
        reader.feed(body)
        found = inspect(single_file(reader.finish(), ALLOWED_TYPES).data)
    except Refusal as refusal:
        return frozenset({int(refusal.code)})
    if found is None or found.pixels > 100_000_000:
        return frozenset({405})
    return frozenset({300 if found.small else 200})


def picture(generator: random.Random, boundary: str) -> bytes:
    """A PNG header followed by bytes that resemble delimiters but contain none."""
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (800).to_bytes(4, "big") + (1400).to_bytes(4, "big")
    delimiter = b"\r\n--" + boundary.encode()
    near = [delimiter[:-1], b"\r\n--", b"--" + boundary.encode(), b"\r\n\r\n", b"\r", delimiter[2:] + b"--"]
    data = head
    for _ in range(generator.randint(0, 6)):
        data += generator.randbytes(generator.randint(0, 900)) + generator.choice(near)
    data += generator.randbytes(12).hex().encode()
    while delimiter in data:  # removing one may join the bytes around it into another
        data = data.replace(delimiter, b"")
    return data


def join(boundary: str, parts: list[bytes]) -> bytes:
    """A complete form of these parts (header and content each), without a final line end."""
    delimiter = b"--" + boundary.encode()
    return b"".join(delimiter + b"\r\n" + part + b"\r\n" for part in parts) + delimiter + b"--"


def _boundary(generator: random.Random) -> str:
    if generator.random() < 0.5:
        return "----" + "".join(generator.choices(string.ascii_letters + string.digits, k=24))
    return "".join(generator.choices(_BOUNDARY_SIGNS, k=generator.randint(8, 70)))


def _content_type(generator: random.Random, boundary: str) -> str:
    plain = all(sign.isalnum() or sign in "-_." for sign in boundary)
    shown = boundary if plain and generator.random() < 0.7 else f'"{boundary}"'
    kind = generator.choice(("multipart/form-data", "Multipart/Form-Data"))
    return f"{kind}; boundary={shown}" + generator.choice(("", "; charset=utf-8"))


_FIELDS = ("region", "documentType", "decimalPlaces", "cents", "defaultDateParsing", "testMode", "note")
_VALUES = ("", "us", "auto", "3", "true", "TRUE", "d/m", "\u20ac 5", " x ", "0" * 300)


def _field(generator: random.Random, name: str, value: str | None = None) -> bytes:
    shown = name if generator.random() < 0.3 else f'"{name}"'
    head = generator.choice(("Content-Disposition", "content-disposition")) + f": form-data; name={shown}"
    if generator.random() < 0.3:
        head += "\r\nContent-Type: text/plain; charset=utf-8"
    return f"{head}\r\n\r\n{generator.choice(_VALUES) if value is None else value}".encode()


def _file(
    generator: random.Random,
    data: bytes,
    name: str | None = "file",
    filename: str | None = "a.png",
    kind: str | None = "",
) -> bytes:
    shown = "" if name is None else f'; name="{name}"'
    shown += "" if filename is None else f'; filename="{filename}"'
    lines = [f"Content-Disposition: form-data{shown}"]
    kinds = (None, "image/png", "image/jpeg", "image/jpg", "application/octet-stream")
    declared = generator.choice(kinds) if kind == "" else kind
    if declared:
        lines.insert(generator.randint(0, 1), f"Content-Type: {declared}")
    if generator.random() < 0.2:
        lines.append(f"Content-Length: {len(data)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


Break = Callable[[random.Random, str], tuple[bytes, frozenset[int]]]


def _whole(generator: random.Random, boundary: str, **file: str | None) -> bytes:
    parts = [_field(generator, name) for name in generator.sample(_FIELDS, 2)]
    parts.insert(generator.randint(0, 2), _file(generator, picture(generator, boundary), **file))
    return join(boundary, parts)


def _with(code: int, **file: str | None) -> Break:
    return lambda generator, boundary: (_whole(generator, boundary, **file), frozenset({code}))


def _changed(change: Callable[[random.Random, bytes, bytes], bytes]) -> Break:
    """A good form after `change(generator, body, delimiter)`; code 406."""
    return lambda generator, boundary: (
        change(generator, _whole(generator, boundary), b"--" + boundary.encode()),
        frozenset({406}),
    )


def _parts(code: int, make: Callable[[random.Random, str], list[bytes]]) -> Break:
    return lambda generator, boundary: (join(boundary, make(generator, boundary)), frozenset({code}))


def _headed(head: bytes) -> Callable[[random.Random, str], list[bytes]]:
    return lambda generator, boundary: [head + b"\r\n\r\n" + picture(generator, boundary)]


def _glued(generator: random.Random, boundary: str) -> tuple[bytes, frozenset[int]]:
    form = join(boundary, [_file(generator, picture(generator, boundary))])
    end = b"--" + boundary.encode() + b"--"
    return form.removesuffix(b"\r\n" + end) + end, frozenset({406})


_DISPOSITION = b'Content-Disposition: form-data; name="file"; filename="a.png"'
_BREAKS: dict[str, Break] = {
    "cut": _changed(lambda generator, body, _: body[: generator.randrange(len(body))]),
    "no end": _changed(lambda _, body, delimiter: body[: -len(delimiter) - 2]),
    "end without dashes": _changed(lambda _, body, delimiter: body[:-2] + b"\r\n"),
    "end glued to the picture": _glued,
    "line feeds only": _changed(lambda _, body, delimiter: body.replace(b"\r\n", b"\n")),
    "other boundary": _changed(lambda _, body, delimiter: body),
    "no boundary": _changed(lambda _, body, delimiter: body),
    "empty": _changed(lambda _, body, delimiter: b""),
    "no disposition": _parts(406, _headed(b"Content-Type: image/png")),
    "wrong disposition": _parts(406, _headed(_DISPOSITION.replace(b"form-data", b"attachment"))),
    "no name": _with(406, name=None),
    "header without colon": _parts(406, _headed(_DISPOSITION + b"\r\nContent-Type image/png")),
    "header without end": _parts(406, _headed(_DISPOSITION + b"\r\nX: " + b"y" * 9000)),
    "too many headers": _parts(406, _headed(_DISPOSITION + b"".join(b"\r\nX%d: y" % n for n in range(60)))),
    "too many parts": _parts(406, lambda generator, _: [_field(generator, "a", "b")] * (MAX_PARTS + 1)),
    "too much text": _parts(406, lambda generator, _: [_field(generator, "a", "b" * (MAX_FIELD_BYTES + 1))]),
    "no parts": _parts(403, lambda _, __: []),
    "fields only": _parts(403, lambda generator, _: [_field(generator, "region", "us")]),
    "file under another name": _with(403, name="image"),
    "file without a file name": _with(403, filename=None),
    "two files": _parts(
        404, lambda generator, b: [_file(generator, picture(generator, b)) for _ in range(2)]
    ),
    "wrong extension": _with(407, filename="a.pdf"),
    "empty file name": _with(407, filename=""),
    "wrong type": _with(405, kind="application/pdf"),
    "no picture": _parts(
        405, lambda generator, _: [_file(generator, b"%PDF-1.7 " + generator.randbytes(50))]
    ),
    "empty file": _parts(405, lambda generator, _: [_file(generator, b"")]),
}
