"""Leases, faults and losses: what happens to a job whose worker does not come back."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from receipt_engine.service.jobs.queue import Job
from receipt_engine.service.ops.probes import Probes
from receipt_engine.service.storage.schema import jobs
from tests.service.conftest import Service
from tests.service.pictures import png
from tests.service.rules import rule

RESULT = b'{"total":1}'


def claimed(service: Service, owner: str = "w") -> Job:
    job = service.parts.jobs.claim(owner)
    assert job is not None
    return job


def test_jobs_of_an_account_are_claimed_oldest_first_and_once(service: Service) -> None:
    pictures = [png() for _ in range(3)]
    for picture in pictures:
        service.upload(picture)
        service.clock.forward(seconds=1)
    seen = [service.parts.jobs.picture(claimed(service)) for _ in range(3)]
    assert seen == pictures
    assert service.parts.jobs.claim("w") is None


def another(service: Service, credits: int = 1000) -> str:
    """The key of a further account."""
    accounts = service.parts.accounts
    return accounts.new_key(accounts.create(f"another {len(accounts.all())}", credits))


def served(service: Service, count: int) -> list[int]:
    """Accounts in the order their jobs are claimed."""
    order = []
    for _ in range(count):
        job = claimed(service)
        with service.parts.database.read() as connection:
            owner = connection.scalar(sa.select(jobs.c.account_id).where(jobs.c.image_id == job.image_id))
        order.append(int(owner or 0))
        assert service.parts.jobs.finish(job, RESULT)
    return order


def test_accounts_are_served_in_rotation(make_service: Any) -> None:
    service = make_service(credits=100)
    keys = [service.key, another(service), another(service)]
    for key in keys:
        for _ in range(4):
            assert service.upload(png(), key=key)["code"] == 200
    order = served(service, 12)
    assert [len(set(order[start : start + 3])) for start in range(0, 12, 3)] == [3] * 4


def test_a_few_pictures_pass_between_those_of_a_large_batch(make_service: Any) -> None:
    """One account has a hundred waiting and two running; another one's ten need not wait for them."""
    service = make_service(credits=1000)
    small = another(service)
    for _ in range(122):
        service.upload(png())
    served(service, 20)
    running = [claimed(service), claimed(service)]
    for _ in range(10):
        service.upload(png(), key=small)
    order = served(service, 24)
    last = max(place for place, owner in enumerate(order) if owner != service.account_id)
    assert order.count(service.account_id) == 14 and last <= 14
    assert all(service.parts.jobs.finish(job, RESULT) for job in running)


def test_the_large_batch_is_not_starved(make_service: Any) -> None:
    """While another account keeps sending one picture after the other, the batch goes on."""
    service = make_service(credits=1000)
    small = another(service)
    for _ in range(50):
        service.upload(png())
    own = 0
    for _ in range(60):
        service.upload(png(), key=small)
        own += served(service, 1) == [service.account_id]
    assert own >= 12


def test_a_job_is_claimed_in_the_same_time_in_a_long_queue(make_service: Any) -> None:
    """By what the database says of its plan: the index gives the order, nothing is sorted."""
    service = make_service(credits=100)
    for _ in range(3):
        service.upload(png())
    statements: list[str] = []
    engine = service.parts.database.engine
    sa.event.listen(engine, "before_cursor_execute", lambda *seen: statements.append(seen[2]))
    claimed(service)
    asked = next(text for text in statements if "ORDER BY" in text).partition(" FOR UPDATE")[0]
    query = re.sub(
        r"\?|%\(\w+\)s(::\w+)?", "9", re.sub(r"state = (\?|%\(\w+\)s(::\w+)?)", "state = 'queued'", asked)
    )
    with service.parts.database.read() as connection:
        if service.settings.embedded:
            plan = str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all())
        else:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
            connection.exec_driver_sql("SET LOCAL enable_sort = off")
            plan = str(connection.exec_driver_sql(f"EXPLAIN {query}").all())
    assert "fair_job" in plan and "sort" not in plan.lower() and "TEMP B-TREE" not in plan


@rule("state-immutable")
def test_a_late_worker_changes_nothing(service: Service) -> None:
    token = service.upload(png())["token"]
    slow = claimed(service)
    service.clock.forward(seconds=16)
    assert service.parts.jobs.recover() == 1
    fast = claimed(service)
    assert service.parts.jobs.finish(fast, RESULT)
    before = service.result(token)
    assert not service.parts.jobs.finish(slow, b'{"total":2}')
    assert not service.parts.jobs.refuse(slow)
    assert not service.parts.jobs.finish(fast, b'{"total":3}')
    service.parts.jobs.fault(fast.image_id, fast.lease)
    assert service.result(token) == before and before["result"] == {"total": 1}


def test_a_prolonged_lease_is_not_recovered(service: Service) -> None:
    service.upload(png())
    job = claimed(service)
    for _ in range(5):
        service.clock.forward(seconds=10)
        assert service.parts.jobs.extend(job)
        assert service.parts.jobs.recover() == 0
    service.clock.forward(seconds=16)
    assert service.parts.jobs.recover() == 1
    assert not service.parts.jobs.extend(job)


@rule("state-failed")
def test_a_picture_that_breaks_its_worker_three_times_is_500(service: Service) -> None:
    token = service.upload(png(order=b"bug"))["token"]
    runs = 0
    for _ in range(10):
        runs += service.work()
        service.clock.forward(seconds=60)
    assert runs == 3
    assert service.result(token)["code"] == 500


def test_lost_workers_do_not_count_against_the_picture(service: Service) -> None:
    """Kill -9 ten times in a row, then one worker that lives: the result is there."""
    token = service.upload(png())["token"]
    for _ in range(10):
        job = claimed(service)
        service.parts.jobs.lose(job.image_id, job.lease)
        service.clock.forward(seconds=60)
    assert service.work() == 1
    assert service.result(token)["code"] == 202


def test_losses_without_end_end_as_500(make_service: Any) -> None:
    service = make_service(max_losses=4)
    token = service.upload(png())["token"]
    for _ in range(4):
        job = claimed(service)
        service.parts.jobs.lose(job.image_id, job.lease)
        service.clock.forward(seconds=60)
    assert service.work() == 0
    assert service.result(token)["code"] == 500


def test_a_restarted_server_takes_its_jobs_back_at_once(service: Service) -> None:
    service.upload(png())
    claimed(service)
    assert service.parts.jobs.recover(everything=True) == 1
    assert service.work() == 1


def test_a_damaged_installation_is_not_the_pictures_fault(service: Service) -> None:
    token = service.upload(png(order=b"damaged"))["token"]
    for _ in range(30):
        assert service.work() == 1
        assert service.work() == 0
        service.clock.forward(seconds=31)
    assert service.result(token)["code"] == 301


def test_a_full_queue_refuses_without_charging(make_service: Any) -> None:
    service = make_service(max_queue=2)
    picture = png()
    codes = [service.upload(item)["code"] for item in (picture, png(), png())]
    assert codes == [200, 200, 510]
    assert service.upload(picture)["code"] == 200  # a duplicate adds no job
    assert service.credits() == 7
    claimed(service)  # a running job counts, too
    assert service.upload(png())["code"] == 510
    assert "the queue is full" in Probes(service.parts, service.http_limits).problems()
    service.work()
    assert "the queue is full" not in Probes(service.parts, service.http_limits).problems()
    assert service.upload(png())["code"] == 200


def test_one_account_cannot_fill_the_queue(make_service: Any) -> None:
    service = make_service(max_queue_account=1)
    other = service.parts.accounts.new_key(service.parts.accounts.create("another", 5))
    assert service.upload(png())["code"] == 200
    assert service.upload(png())["code"] == 510
    assert service.upload(png(), key=other)["code"] == 200


def test_a_missing_picture_ends_as_500(service: Service) -> None:
    token = service.upload(png())["token"]
    with service.parts.database.write() as connection:
        names = list(connection.scalars(sa.select(jobs.c.image_id)))
        service.parts.blobs.delete(connection, names)
    for _ in range(3):
        service.work()
        service.clock.forward(seconds=60)
    assert service.result(token)["code"] == 500


def test_bytes_are_durable_before_the_answer(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Order of writes on SQLite: picture file and its folder's entry, then the commit, then the answer."""
    if not service.settings.embedded:
        assert service.parts.database.embedded is False  # there the picture is a row of the same commit
        return
    events: list[str] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").resolve()
        events.append("folder" if path.is_dir() else "picture")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    sa.event.listen(service.parts.database.engine, "commit", lambda connection: events.append("commit"))
    service.upload(png())
    last = len(events) - 1 - events[::-1].index("commit")
    before = events.index("commit")  # that of the look into what is there
    assert "picture" in events[before:last] and "folder" in events[before:last]
    assert set(events[last:]) == {"commit"}
    with service.parts.database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
