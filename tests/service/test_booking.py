"""Uploads that arrive together: one commit, a fixed number of statements, each with its own outcome."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import sqlalchemy as sa

from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.jobs.booking import Accepted, Prepared, Upload
from receipt_engine.service.jobs.options import Options
from receipt_engine.service.jobs.uploads import Uploads
from receipt_engine.service.storage.schema import jobs, ledger, uploads
from tests.service.conftest import Service, one_store
from tests.service.pictures import png


def prepared(service: Service, picture: bytes, account_id: int = 0) -> Prepared:
    upload = Upload(account_id or service.account_id, picture, Options(), Code.ACCEPTED)
    return service.parts.uploads().prepare(upload)


def test_a_batch_costs_a_fixed_number_of_statements(make_service: Any) -> None:
    service = make_service(credits=100)
    store = service.parts.uploads()
    counts: list[int] = []
    for size in (2, 16):
        batch = [prepared(service, png()) for _ in range(size)]
        statements: list[str] = []

        def note(connection: object, cursor: object, statement: str, *rest: object) -> None:
            statements.append(statement)  # noqa: B023

        sa.event.listen(service.parts.database.engine, "before_cursor_execute", note)
        assert all(isinstance(outcome, Accepted) for outcome in store.accept(batch))
        sa.event.remove(service.parts.database.engine, "before_cursor_execute", note)
        own = [text for text in statements if "blobs" not in text and "procrastinate" not in text]
        counts.append(len(own))
    assert counts[1] <= counts[0] <= 10  # the first one counts the waiting jobs as well


def test_each_upload_of_a_batch_has_its_own_outcome(make_service: Any) -> None:
    """New, twice the same, of an account without credit, known already: as if they came one by one."""
    service = make_service(credits=4)
    poor = service.parts.accounts.create("poor", 0)
    known, fresh = png(), png()
    first = service.upload(known)["token"]
    batch = [
        prepared(service, fresh),
        prepared(service, fresh, poor),
        prepared(service, known),
        prepared(service, fresh),
        prepared(service, png()),
    ]
    outcomes = service.parts.uploads().accept(batch)
    new, refused, again, twice, late = outcomes
    assert isinstance(new, Accepted) and new.duplicate_of is None
    assert isinstance(refused, Refusal) and refused.code is Code.NO_CREDIT
    assert isinstance(again, Accepted) and again.duplicate_of == first
    assert isinstance(twice, Accepted) and twice.duplicate_of == new.token
    assert isinstance(late, Refusal) and late.code is Code.NO_CREDIT  # the credit before it was the last
    with service.parts.database.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(uploads)) == 4
        assert connection.scalar(sa.select(sa.func.count()).select_from(jobs)) == 2
        charged = sa.select(sa.func.count()).select_from(ledger).where(ledger.c.delta == -1)
        assert connection.scalar(charged) == 4
    assert service.credits() == 0 and service.parts.accounts.balances_disagree() == []


@one_store
def test_uploads_that_arrive_during_a_commit_share_the_next(
    make_service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = make_service(credits=100)
    sizes: list[int] = []
    accept = Uploads.accept
    all_there = threading.Event()

    def slow(self: Uploads, batch: list[Prepared]) -> list[Accepted | Refusal]:
        sizes.append(len(batch))
        assert all_there.wait(60)
        return accept(self, batch)

    monkeypatch.setattr(Uploads, "accept", slow)
    ready = [Upload(service.account_id, png(), Options(), Code.ACCEPTED) for _ in range(12)]
    futures = [service.acceptor.submit(upload) for upload in ready]
    all_there.set()
    assert len({future.result(60).token for future in futures}) == 12
    assert sum(sizes) == 12 and len(sizes) <= 2


def test_a_shorter_retention_takes_nothing_from_older_uploads(make_service: Any) -> None:
    service = make_service()
    brief = make_service(retention_days=1)
    picture = png()
    first = service.upload(picture)["token"]
    second = brief.upload(picture, key=service.key)
    assert second["duplicateToken"] == first
    for opened in (service, brief):
        opened.clock.forward(days=2)
    service.sweep()
    assert service.result(second["token"])["code"] == 402
    assert service.result(first)["code"] == 301
