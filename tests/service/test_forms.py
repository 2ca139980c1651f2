"""Broken bodies in every cut and chunking: right code, never an exception, memory bounded."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.http.form import MAX_FIELD_BYTES, Form, FormReader, single_file
from tests.service.pictures import png
from tests.service.rules import rule

TYPE = "multipart/form-data; boundary=XX"
BODY = (
    b'--XX\r\nContent-Disposition: form-data; name="region"\r\n\r\nus\r\n'
    b'--XX\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n'
    b"Content-Type: image/png\r\n\r\n" + png(unique=False) + b"\r\n--XX--\r\n"
)


def read(body: bytes, sizes: list[int] | None = None, content_type: str = TYPE) -> Form:
    """Feeds a body in chunks of these sizes, cycling."""
    reader = FormReader(content_type, max_file=1 << 20)
    position, turn = 0, 0
    while position < len(body):
        size = sizes[turn % len(sizes)] if sizes else len(body)
        reader.feed(body[position : position + size])
        position, turn = position + size, turn + 1
    return reader.finish()


def code(body: bytes, sizes: list[int] | None = None) -> int:
    try:
        single_file(read(body, sizes), frozenset({"image/png"}))
    except Refusal as refusal:
        return int(refusal.code)
    return 200


@rule("form-multipart")
@given(st.lists(st.integers(1, 400), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_chunks_do_not_matter(sizes: list[int]) -> None:
    form = read(BODY, sizes)
    assert form.fields == [("region", "us")]
    assert form.files[0].data == png(unique=False) and form.files[0].content_type == "image/png"


@rule("form-multipart")
def test_every_truncation_is_a_form_error() -> None:
    whole = BODY.rindex(b"--XX--") + len(b"--XX--")
    for cut in range(whole):
        for sizes in ([cut or 1], [7]):
            assert code(BODY[:cut], sizes) == 406, cut


@rule("form-multipart")
@given(st.binary(max_size=600), st.lists(st.integers(1, 64), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_garbage_never_escapes(data: bytes, sizes: list[int]) -> None:
    for body in (data, b"--XX\r\n" + data, BODY[:200] + data, BODY + data):
        assert code(body, sizes) in {200, 403, 404, 405, 406, 407}


@rule("form-multipart")
def test_flipped_bytes_never_escape() -> None:
    generator = random.Random(5)
    for _ in range(600):
        body = bytearray(BODY)
        for _ in range(generator.randint(1, 4)):
            body[generator.randrange(len(body))] = generator.randrange(256)
        assert code(bytes(body), [generator.randint(1, 300)]) in {200, 403, 404, 405, 406, 407}


@rule("form-multipart")
@pytest.mark.parametrize(
    "body",
    [
        BODY.replace(b"\r\n", b"\n"),
        BODY.replace(b"--XX--", b"--XX"),
        BODY.replace(b"form-data; name", b"attachment; name"),
        BODY.replace(b"Content-Disposition", b"X-Disposition"),
        BODY.replace(b'name="file"; ', b""),
        BODY.replace(b"Content-Type: image/png", b"Content-Type"),
        BODY.replace(b"Content-Type: image/png", b"X: " + b"y" * 9000),
        BODY.replace(b"Content-Type: image/png", b"\r\n".join(b"X%d: y" % n for n in range(50))),
        b"",
        b"\r\n",
        b"--XX",
        b"--XX\r\n",
        b"--XY--",
    ],
)
def test_malformed_forms(body: bytes) -> None:
    assert code(body) == code(body, [1]) == 406


def test_what_comes_before_and_after_the_form_is_ignored() -> None:
    assert code(b"\r\n" + BODY + b"anything after the end") == 200
    assert code(b"preamble\r\n" + BODY, [3]) == 200


@rule("limit-size")
def test_nothing_is_kept_beyond_the_caps() -> None:
    kept: list[int] = []
    reader = FormReader(TYPE, max_file=1000, reserve=kept.append)
    reader.feed(BODY[: BODY.index(b"\x89PNG")])
    with pytest.raises(Refusal) as caught:
        for _ in range(100):
            reader.feed(b"z" * 400)
    assert caught.value.code is Code.BAD_FORM and sum(kept) <= 1400
    fields = FormReader(TYPE, max_file=1000)
    with pytest.raises(Refusal):
        fields.feed(
            b'--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n' + b"x" * (MAX_FIELD_BYTES + 100)
        )
    many = FormReader(TYPE, max_file=1000)
    with pytest.raises(Refusal):
        many.feed(b'--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n' * 200)


def test_bytes_of_a_second_file_are_not_kept() -> None:
    kept: list[int] = []
    part = (
        b'--XX\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
        + b"z" * 500
        + b"\r\n"
    )
    reader = FormReader(TYPE, max_file=1000, reserve=kept.append)
    reader.feed(part * 10 + b"--XX--\r\n")
    form = reader.finish()
    assert len(form.files) == 10 and sum(kept) == 500
    with pytest.raises(Refusal) as caught:
        single_file(form, frozenset())
    assert caught.value.code is Code.MANY_FILES
