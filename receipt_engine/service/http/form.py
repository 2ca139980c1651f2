"""Parses the upload form from a stream of body chunks, in bounded memory.

The parser never holds a whole body: the image and the other fields are collected up to their size limits,
and exceeding a limit stops the parsing. Nothing is written to disk.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from multipart import (
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,
)

from receipt_engine.service.codes import Code, Refusal

MAX_PARTS = 100
MAX_FIELD_BYTES = 64 * 1024  # all fields that are not files, together
MAX_BOUNDARY = 200
EXTENSIONS = (".jpg", ".jpeg", ".png")
_EXTENDED_NAME = re.compile(r"filename\*\s*=\s*\"?([A-Za-z0-9_-]+)'[^']*'([^\";\s]*)", re.IGNORECASE)


@dataclass(frozen=True)
class FilePart:
    """One file of a form. content_type: None when the part declares none."""

    field: str
    filename: str
    content_type: str | None
    data: bytes


@dataclass
class Form:
    """A parsed form: files with their bytes, other fields in the order sent."""

    files: list[FilePart] = field(default_factory=list)
    fields: list[tuple[str, str]] = field(default_factory=list)
    unnamed: bool = False  # a part `file` came without a file name, so it does not count as a file

    def single_files(self) -> list[Form]:
        """Returns one form per file, each with all fields; the form itself when it has at most one file."""
        if len(self.files) <= 1:
            return [self]
        return [Form([file], self.fields, self.unnamed) for file in self.files]


class FormReader:
    """Incremental parser: `feed` body chunks, then `finish`. Raises Refusal 406 once the form is invalid.

    max_file: bytes; reserve: called with the number of bytes about to be kept, may raise to refuse them;
    most_files: the bytes of further files are dropped, only their names are kept.
    """

    def __init__(
        self,
        content_type: str,
        *,
        max_file: int,
        reserve: Callable[[int], None] = lambda _: None,
        most_files: int = 1,
    ) -> None:
        self._parser = PushMultipartParser(
            _boundary(content_type),
            max_segment_count=MAX_PARTS,
            header_charset="latin-1",
            strict=False,
        )
        self._form = Form()
        self._max_file = max_file
        self._reserve = reserve
        self._most_files = most_files
        self._segment: MultipartSegment | None = None
        self._name = ""
        self._filename: str | None = None
        self._chunks: list[bytes] = []
        self._kept = 0
        self._field_bytes = 0

    def feed(self, chunk: bytes) -> None:
        """Parses the next bytes of the body."""
        if not chunk or self._parser.closed:
            return
        try:
            for event in self._parser.parse(chunk):
                if isinstance(event, MultipartSegment):
                    self._begin(event)
                elif event is None:
                    self._end()
                else:
                    self._keep(event)
        except MultipartError as error:
            raise Refusal(Code.BAD_FORM, str(error)[:120]) from error

    def finish(self) -> Form:
        """Returns the form after the whole body was fed; raises Refusal when its end is missing."""
        try:
            self._parser.close()
        except MultipartError as error:
            raise Refusal(Code.BAD_FORM, "the body ends before the form does") from error
        return self._form

    def _begin(self, segment: MultipartSegment) -> None:
        if not segment.name:
            raise Refusal(Code.BAD_FORM, "a part has no name")
        self._segment = segment
        self._name = _decode(segment.name)
        self._filename = _filename(segment)
        self._chunks, self._kept = [], 0

    def _keep(self, chunk: bytes) -> None:
        is_file = self._filename is not None
        if not is_file and self._name == "file":  # its bytes are not used; the body's limit bounds them
            self._form.unnamed = True
            return
        self._kept += len(chunk)
        if is_file and self._kept > self._max_file:
            raise Refusal(Code.BAD_FORM, f"the file is larger than {self._max_file // (1 << 20)} MiB")
        if not is_file:
            self._field_bytes += len(chunk)
            if self._field_bytes > MAX_FIELD_BYTES:
                raise Refusal(Code.BAD_FORM, "the form's text fields are too long")
        if is_file and len(self._form.files) >= self._most_files:  # refused later; its bytes are not needed
            return
        self._reserve(len(chunk))
        self._chunks.append(bytes(chunk))

    def _end(self) -> None:
        data = b"".join(self._chunks)
        self._chunks = []
        if self._filename is None:
            self._form.fields.append((self._name, data.decode("utf-8", errors="replace")))
        elif self._filename or data:
            declared = self._segment.content_type if self._segment else None
            self._form.files.append(FilePart(self._name, self._filename, declared or None, data))


def _boundary(content_type: str) -> str:
    kind, options = parse_options_header(content_type)
    boundary = str(options.get("boundary", ""))
    if kind != "multipart/form-data":
        raise Refusal(Code.BAD_FORM, "the request is not multipart/form-data")
    if not boundary or len(boundary) > MAX_BOUNDARY or not boundary.isascii() or not boundary.isprintable():
        raise Refusal(Code.BAD_FORM, "the Content-Type header has no usable boundary")
    return boundary


def _decode(text: str) -> str:
    """Decodes header text as UTF-8, or as Latin-1 when it is not valid UTF-8."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return text


def _filename(segment: MultipartSegment) -> str | None:
    """Returns the part's file name (RFC 6266 extended form first), "" when empty, None when it has none."""
    extended = _EXTENDED_NAME.search(segment.header("Content-Disposition") or "")
    if extended:
        charset, encoded = extended.groups()
        try:
            return unquote_to_bytes(encoded).decode(charset)
        except (LookupError, UnicodeDecodeError):
            return unquote_to_bytes(encoded).decode("latin-1")
    return _decode(segment.filename) if segment.filename is not None else None


def single_file(form: Form, allowed_types: frozenset[str]) -> FilePart:
    """Returns the only file of an upload; raises Refusal 403, 404, 407 or 405, checked in this order."""
    named = [part for part in form.files if part.field == "file"]
    if not named:
        raise Refusal(Code.NO_FILE, "the part named file has no file name" if form.unnamed else None)
    if len(form.files) > 1:
        raise Refusal(Code.MANY_FILES)
    part = named[0]
    if not part.filename.lower().endswith(EXTENSIONS):
        raise Refusal(Code.WRONG_EXTENSION)
    if part.content_type is not None and part.content_type not in allowed_types:
        raise Refusal(Code.WRONG_TYPE)
    return part
