"""Parses JPEG files: keeps the segments that define the image and checks that the image is complete.

The decoder silently fills missing data with grey, so completeness is decided here. Only tables, frame, scans
and the two segments that determine the colour space (JFIF, Adobe) reach it: no thumbnail, profile, second
image or trailing data can confuse it or slow it down.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace

from receipt_engine.errors import UnreadableImageError
from receipt_engine.stages.preprocess.color import read_orientation

SIGNATURE = b"\xff\xd8\xff"
_SOI, _EOI, _SOS, _DHT, _DQT, _DRI, _DAC = 0xD8, 0xD9, 0xDA, 0xC4, 0xDB, 0xDD, 0xCC
_APP0, _APP1, _APP14 = 0xE0, 0xE1, 0xEE
_FRAMES = frozenset(range(0xC0, 0xD0)) - {_DHT, 0xC8, _DAC}
_PROGRESSIVE = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
_ARITHMETIC = frozenset({0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})
#: Baseline, extended and progressive, Huffman coded: the kinds that cameras and programs write.
_USUAL = frozenset({0xC0, 0xC1, 0xC2})
_MARKER = re.compile(rb"\xff[\x01-\xfe]")
#: The end of a scan, by whether a restart interval is set: any marker, except restart markers if it is.
_SCAN_END = {False: _MARKER, True: re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")}
_RESTART = re.compile(rb"\xff([\xd0-\xd7])")
_MAX_SEGMENTS = 20_000
#: Decoding each scan takes a pass over the whole image. Real files have up to about 12.
MAX_SCANS = 50
#: A file without an end marker that ends in this many zero bytes was not written completely.
_HOLE = bytes(64)
#: Extra data for a decoder that runs out of input; contains nothing that looks like a marker.
_FILLER = b"\xd8" * 4096


@dataclass(frozen=True, slots=True)
class Frame:
    """The content of a SOF segment. kind: its marker (0xC0 baseline, 0xC2 progressive, …).

    components: identifier → horizontal and vertical sampling.
    """

    kind: int
    width: int
    height: int
    components: dict[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Scan:
    """One SOS and its data. coefficients: first and last; low: the lowest bit that it provides.

    end: offset in `JpegFile.picture` of the byte after its data. broken: followed by data that does not
    belong there.
    """

    components: tuple[int, ...]
    coefficients: tuple[int, int]
    low: int
    end: int
    broken: bool = False


@dataclass(frozen=True, slots=True)
class JpegFile:
    """A parsed JPEG file. picture: a minimal JPEG file with the same pixels. orientation: EXIF, 1 to 8.

    doubtful: the file is irregular, so `with_filler` should be used to prove that the scans are complete.
    provable: whether `with_filler` can prove it (not for arithmetic coding, which omits trailing zeros by
    design).
    """

    frame: Frame
    scans: tuple[Scan, ...]
    picture: bytes
    orientation: int
    doubtful: bool
    provable: bool

    def with_filler(self) -> bytes:
        """The image file with extra data after every scan that may have been cut off.

        A decoder that already had all its data skips the addition; one that ran out of data uses it and
        gives different pixels.
        """
        parts, start = [], 0
        for scan in self.scans:
            if self.frame.kind not in _PROGRESSIVE or scan.broken or scan is self.scans[-1]:
                parts += [self.picture[start : scan.end], _FILLER]
                start = scan.end
        return b"".join([*parts, self.picture[start:]])


@dataclass(frozen=True, slots=True)
class _Segment:
    """A marker with its body; for SOS also the data after it.

    restart_interval: the interval in force. stray: the segment is not where it belongs.
    """

    marker: int
    body: bytes = b""
    data: bytes = b""
    restart_interval: int = 0
    stray: bool = False

    @property
    def raw(self) -> bytes:
        return bytes((0xFF, self.marker)) + struct.pack(">H", len(self.body) + 2) + self.body + self.data


def read_jpeg(data: bytes) -> JpegFile:
    """Parses a JPEG file; raises UnreadableImageError when parts of the image are missing.

    Data after the end marker is tolerated, and so is a missing end marker. Only a decoder can tell whether
    the scans hold enough data: see `JpegFile.doubtful`.
    """
    parts, size = [b"\xff\xd8"], 2
    frame: Frame | None = None
    scans: list[Scan] = []
    orientation, stray, ended = None, False, False
    for segment in _segments(data):
        marker, body = segment.marker, segment.body
        ended = marker == _EOI
        if segment.stray:
            stray = True
            scans[-1:] = [replace(scan, broken=True) for scan in scans[-1:]]
        if marker in _FRAMES:
            if frame is not None:
                raise _damaged("it has two frames")
            frame = _read_frame(marker, body)
        elif marker == _SOS:
            if frame is None:
                raise _damaged("its header is missing")
            scans.append(_read_scan(segment, frame, size))
        elif marker == _APP1 and orientation is None and body.startswith(b"Exif\0"):
            orientation = read_orientation(body[6:])
        if _is_picture(marker, body):
            parts.append(segment.raw)
            size += len(segment.raw)
    if frame is None or not scans:
        raise _damaged("it contains no picture")
    ordinary = _is_ordinary(frame, scans)
    unproved = frame.kind in _ARITHMETIC or (frame.kind in _PROGRESSIVE and not ordinary)
    if not ended and (data.endswith(_HOLE) or unproved):
        raise _cut_off()
    return JpegFile(
        frame=frame,
        scans=tuple(scans),
        picture=b"".join([*parts, b"\xff\xd9"]),
        orientation=orientation or 1,
        doubtful=stray or not ended or frame.kind not in _USUAL or not ordinary,
        provable=frame.kind not in _ARITHMETIC,
    )


def _segments(data: bytes) -> Iterator[_Segment]:
    """The segments up to the end marker, a second start marker, or where the file is cut off."""
    position, interval = 2, 0
    for _ in range(_MAX_SEGMENTS):
        found = _MARKER.search(data, position)
        if found is None:
            return
        stray = bool(data[position : found.start()].strip(b"\xff"))  # FF bytes may pad a marker
        marker, position = data[found.end() - 1], found.end()
        if marker in (_EOI, _SOI):
            yield _Segment(marker, stray=stray)
            return
        if marker < 0xC0 or 0xD0 <= marker <= 0xD7:  # has no body and is misplaced outside a scan
            yield _Segment(marker, stray=True)
            continue
        length = int.from_bytes(data[position : position + 2])
        if length < 2 or position + length > len(data):
            return
        body, position = data[position + 2 : position + length], position + length
        coded = b""
        if marker == _DRI:
            interval = int.from_bytes(body[:2])
        elif marker == _SOS:
            end = _SCAN_END[interval > 0].search(data, position)
            stop = end.start() if end else len(data)
            coded, position = data[position:stop].rstrip(b"\xff"), stop
        yield _Segment(marker, body, coded, interval, stray)
    raise _damaged(f"it has more than {_MAX_SEGMENTS} segments")


def _read_frame(kind: int, body: bytes) -> Frame:
    if len(body) < 6 or len(body) < 6 + 3 * body[5]:
        raise _damaged("its header is too short")
    bits, height, width, count = struct.unpack_from(">BHHB", body)
    if bits != 8 or count not in (1, 3, 4):
        raise UnreadableImageError(
            f"The JPEG file has {bits} bits for each of {count} channels. "
            "Save it as an ordinary 8-bit JPEG or PNG."
        )
    sampling = {body[i]: (body[i + 1] >> 4, body[i + 1] & 15) for i in range(6, 6 + 3 * count, 3)}
    if not width or not height or len(sampling) < count or not all(min(pair) for pair in sampling.values()):
        raise _damaged("its header is wrong")
    return Frame(kind, width, height, sampling)


def _read_scan(segment: _Segment, frame: Frame, offset: int) -> Scan:
    body = segment.body
    count = body[0] if body else 0
    if not count or len(body) < 4 + 2 * count:
        raise _damaged("a scan has no header")
    components = tuple(body[1 : 1 + 2 * count : 2])
    if not set(components) <= set(frame.components):
        raise _damaged("a scan is of an unknown channel")
    first, last, bits = body[1 + 2 * count : 4 + 2 * count]
    if segment.restart_interval and not _has_restarts(segment, frame, components):
        raise _damaged("strips of the picture are missing")
    return Scan(components, (first, last), bits & 15, offset + len(segment.raw))


def _has_restarts(segment: _Segment, frame: Frame, components: tuple[int, ...]) -> bool:
    """Whether all restart markers that the restart interval requires are present, in order."""
    most_x = max(x for x, _ in frame.components.values())
    most_y = max(y for _, y in frame.components.values())
    x, y = frame.components[components[0]] if len(components) == 1 else (1, 1)
    units = math.ceil(frame.width * x / (8 * most_x)) * math.ceil(frame.height * y / (8 * most_y))
    expected = (units - 1) // segment.restart_interval
    found = [marker[0] - 0xD0 for marker in _RESTART.findall(segment.data)]
    return len(found) >= expected and all(n == i % 8 for i, n in enumerate(found[:expected]))


def _is_ordinary(frame: Frame, scans: list[Scan]) -> bool:
    """Whether the scans hold every coefficient, in the usual way; raises when channels are missing."""
    if len(scans) > MAX_SCANS:
        raise _damaged(f"it has {len(scans)} scans")
    if {c for scan in scans for c in scan.components} != set(frame.components):
        raise _cut_off()
    if frame.kind not in _PROGRESSIVE:
        return len(scans) == 1
    whole = {(c, k) for scan in scans if not scan.low for c in scan.components for k in _span(scan)}
    return len(whole) == 64 * len(frame.components)


def _span(scan: Scan) -> range:
    first, last = scan.coefficients
    return range(first, min(last, 63) + 1)


def _is_picture(marker: int, body: bytes) -> bool:
    if marker == _APP0:
        return body.startswith(b"JFIF\0")
    if marker == _APP14:
        return body.startswith(b"Adobe")
    return marker in _FRAMES or marker in (_DHT, _DAC, _DQT, _DRI, _SOS)


def _cut_off() -> UnreadableImageError:
    return UnreadableImageError(
        "The JPEG file is cut off: the end of the picture is missing. Upload the complete file again."
    )


def _damaged(how: str) -> UnreadableImageError:
    return UnreadableImageError(
        f"The JPEG file is damaged ({how}). Copy it again from its source, or photograph the receipt again."
    )
