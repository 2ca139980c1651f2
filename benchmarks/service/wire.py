"""Sends broken, cut and re-chunked upload forms over the socket: does every one get its right code?

    python -m benchmarks.service.wire --bodies 5000

Each body is constructed with a known code, then sent in random pieces, with a length or chunked, at once or
byte by byte. For bodies with flipped bytes the code is the form reader's own verdict on the whole body, so
that the transport may not change it. Every accepted image must arrive as it was sent.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.service.client import Client
from benchmarks.service.forms import Sent, broken_form, flipped_form, good_form
from benchmarks.service.load import FREE
from benchmarks.service.process import ServiceProcess
from benchmarks.service.sockets import Answer, connect, converse, pieces

CREDITS = 10_000_000
_UPLOADED = frozenset({200, 300})


@dataclass
class Verdict:
    """Counts of a run; faults must be 0. growth: increase of the server's peak memory, in bytes."""

    bodies: int = 0
    wrong_code: int = 0
    http_error: int = 0
    unanswered: int = 0
    altered: int = 0
    growth: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """True when every body got its code and every image arrived as sent."""
        return not (self.wrong_code or self.http_error or self.unanswered or self.altered)


def run(service: ServiceProcess, client: Client, key: str, bodies: int, seed: int) -> Verdict:
    """Sends that many bodies to a running service with the tests' engine."""
    generator = random.Random(seed)
    verdict = Verdict()
    accepted: dict[str, bytes] = {}
    before = service.forget_peak()
    makers: list[Callable[[random.Random], Sent]] = [good_form, broken_form, broken_form, flipped_form]
    for _ in range(bodies):
        sent = generator.choice(makers)(generator)
        answer = _send(service, key, sent, generator)
        _judge(verdict, sent, answer)
        if answer.code in _UPLOADED and sent.picture is not None:
            accepted[answer.body["token"]] = sent.picture
    verdict.growth = service.peak() - before
    for token, picture in accepted.items():
        verdict.altered += not _arrived(client, token, picture)
    return verdict


def _send(service: ServiceProcess, key: str, sent: Sent, generator: random.Random) -> Answer:
    head = ["POST /api/2/process HTTP/1.1", "Host: localhost", f"apikey: {key}", "Connection: close"]
    if sent.content_type:
        head.append(f"Content-Type: {sent.content_type}")
    body = sent.body
    if generator.random() < 0.5:
        head.append("Transfer-Encoding: chunked")
        sizes = pieces(len(body), generator)
        chunks, position = b"", 0
        for size in sizes:
            chunks += b"%x\r\n%b\r\n" % (size, body[position : position + size])
            position += size
        body = chunks + b"0\r\n\r\n"
    else:
        head.append(f"Content-Length: {len(body)}")
    data = "\r\n".join(head).encode() + b"\r\n\r\n" + body
    return converse(service, data, pieces(len(data), generator))


def _judge(verdict: Verdict, sent: Sent, answer: Answer) -> None:
    verdict.bodies += 1
    verdict.kinds[sent.kind] += 1
    fault = ""
    if answer.status == 0:
        verdict.unanswered += 1
        fault = "no answer"
    elif answer.status != 200 or not answer.body:
        verdict.http_error += 1
        fault = f"HTTP {answer.status}"
    elif answer.code not in sent.codes:
        verdict.wrong_code += 1
        fault = f"{answer.code} instead of {sorted(sent.codes)}"
    if fault:
        verdict.faults.append(f"{sent.kind}: {fault}")


def _arrived(client: Client, token: str, picture: bytes) -> bool:
    """Whether the engine got exactly the image's bytes: its result names their digest."""
    deadline = time.monotonic() + 120
    answer = client.result(token)
    while answer["code"] == 301 and time.monotonic() < deadline:
        time.sleep(0.02)
        answer = client.result(token)
    digest = hashlib.sha256(picture).hexdigest()[:12]
    return answer["code"] == 202 and digest in answer["result"]["establishment"]


def hang_up(service: ServiceProcess, data: bytes) -> None:
    """Sends bytes and closes the connection without reading."""
    with connect(service) as connection:
        connection.sendall(data)


def main() -> int:
    """Command line; exit status 1 when any body got a wrong answer."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bodies", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wire-") as name:
        service = ServiceProcess(Path(name), {**FREE, "engine": "tests.service.fake_engine:FakeEngine"})
        key = service.account("wire", CREDITS)
        service.start()
        try:
            service.wait_until_ready()
            client = service.client(key)
            verdict = run(service, client, key, arguments.bodies, arguments.seed)
            client.close()
        finally:
            service.kill()
    print(json.dumps(vars(verdict)))
    return 0 if verdict.clean else 1


if __name__ == "__main__":
    sys.exit(main())
