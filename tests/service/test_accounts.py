"""Keys, accounts, credits: who may do what, and what it costs under load."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa

from receipt_engine.service.accounts.store import AccountError
from receipt_engine.service.codes import Code, Refusal, envelope
from receipt_engine.service.jobs.booking import Upload
from receipt_engine.service.jobs.options import Options
from receipt_engine.service.storage.schema import api_keys, ledger
from tests.service.conftest import Service, one_store
from tests.service.pictures import png
from tests.service.rules import rule


@rule("key-unknown", "http-200")
@pytest.mark.parametrize("path", ["/api/credit", "/api/result/x", "/api/2/process", "/api/nothing"])
@pytest.mark.parametrize("key", [None, "", "x", "A" * 64, "A" * 63 + "\u00e9", "x" * 4000])
@one_store
def test_missing_and_unknown_keys(service: Service, path: str, key: str | None) -> None:
    headers = {} if key is None else {"apikey": key.encode("latin-1")}
    method = "POST" if path.endswith("process") else "GET"
    answer = service.client.request(method, path, headers=headers)
    assert answer.status_code == 200
    assert answer.json() == envelope(Code.KEY_UNKNOWN)


@rule("key-header")
def test_no_other_scheme(service: Service) -> None:
    client, key = service.client, service.key
    tries = [
        client.get("/api/credit", params={"apikey": key}),
        client.get("/api/credit", headers={"authorization": f"Bearer {key}"}),
        client.get("/api/credit", headers={"cookie": f"apikey={key}"}),
        client.get("/api/credit", headers=[("apikey", key), ("apikey", key)]),
        client.get("/api/credit", headers={"apikey": key[:63]}),
        client.get("/api/credit", headers={"apikey": key[:16] + "0" * 48}),
    ]
    assert [answer.json()["code"] for answer in tries] == [400] * 6
    assert client.get("/api/credit", headers={"APIKey": key}).text == "10"


@rule("key-several", "key-per-account")
def test_several_keys_share_one_account(service: Service) -> None:
    second = service.parts.accounts.new_key(service.account_id)
    token = service.upload(png())["token"]
    assert service.upload(png(), key=second)["code"] == 200
    assert service.result(token, key=second)["code"] == 301
    assert service.credits() == 8


@rule("key-several")
def test_rotation_and_revocation(service: Service) -> None:
    accounts = service.parts.accounts
    new = accounts.rotate(service.account_id, service.key[:16], grace=60_000)
    assert service.upload(png())["code"] == service.upload(png(), key=new)["code"] == 200
    service.clock.forward(seconds=61)
    assert service.upload(png())["code"] == 400
    assert service.upload(png(), key=new)["code"] == 200
    accounts.revoke(service.account_id, new[:16])
    assert service.upload(png(), key=new)["code"] == 400


def test_a_revocation_is_never_postponed(service: Service) -> None:
    accounts = service.parts.accounts
    accounts.revoke(service.account_id, service.key[:16])
    accounts.rotate(service.account_id, service.key[:16], grace=60_000)
    assert service.upload(png())["code"] == 400


def test_keys_of_others_cannot_be_touched(service: Service) -> None:
    other = service.parts.accounts.create("another", 1)
    with pytest.raises(AccountError):
        service.parts.accounts.revoke(other, service.key[:16])
    with pytest.raises(AccountError):
        service.parts.accounts.rotate(other, service.key[:16], grace=0)


def test_disabled_accounts_are_refused(service: Service) -> None:
    service.parts.accounts.set_disabled(service.account_id, True)
    assert service.upload(png())["code"] == 400


@rule("key-shown-once")
def test_keys_are_stored_as_digests(service: Service) -> None:
    with service.parts.database.read() as connection:
        row = connection.execute(sa.select(api_keys)).one()
    assert len(service.key) == 64
    stored = repr(tuple(row))
    assert service.key[16:] not in stored and row.id == service.key[:16]
    assert len(row.digest) == 32


@rule("credit-none-left", "credit-per-upload")
def test_concurrent_uploads_on_the_last_credits(make_service: Any) -> None:
    """Twenty uploads at once, three credits: three accepted, whichever they are."""
    service = make_service(credits=3)
    futures = []
    with ThreadPoolExecutor(20) as pool:
        for _ in range(20):
            upload = Upload(service.account_id, png(), Options(), Code.ACCEPTED)
            futures.append(pool.submit(service.acceptor.submit, upload))
    outcomes = [future.result().exception(60) for future in futures]
    refusals = [error for error in outcomes if isinstance(error, Refusal)]
    assert len(refusals) == 17 and {error.code for error in refusals} == {Code.NO_CREDIT}
    assert service.credits() == 0
    assert service.work() == 3
    with service.parts.database.read() as connection:
        charged = connection.execute(sa.select(ledger.c.token).where(ledger.c.delta == -1)).all()
    assert len({row.token for row in charged}) == 3
    assert service.parts.accounts.balances_disagree() == []


@rule("credit-per-upload", "duplicate")
def test_concurrent_uploads_of_the_same_bytes(service: Service) -> None:
    picture = png()
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: service.upload(picture), range(6)))
    firsts = [answer["token"] for answer in answers if not answer["duplicate"]]
    assert len(firsts) == 1
    assert {answer["duplicateToken"] for answer in answers if answer["duplicate"]} == set(firsts)
    assert service.work() == 1 and service.credits() == 4


@rule("credit-per-upload")
def test_two_server_processes_on_the_last_credit(service: Service, make_service: Any) -> None:
    """Two acceptors on one store, as two hosts would be; uploads of both accounts cross each other."""
    other = make_service(credits=5)
    futures = []
    for acceptor in (service.acceptor, other.acceptor) * 10:
        for account_id in (service.account_id, other.account_id):
            futures.append(acceptor.submit(Upload(account_id, png(), Options(), Code.ACCEPTED)))
    errors = [future.exception(60) for future in futures]
    assert sum(error is None for error in errors) == 15
    assert service.credits() == 0 and other.credits() == 0
    assert service.parts.accounts.balances_disagree() == []


@rule("duplicate", "credit-per-upload")
def test_the_same_bytes_on_two_hosts_at_once(service: Service, make_service: Any) -> None:
    """Two acceptors on one store get the same pictures at the same moment: one is first, one a duplicate."""
    service.parts.accounts.add_credits(service.account_id, 30, "test")
    other = make_service()
    for _ in range(15):
        upload = Upload(service.account_id, png(), Options(), Code.ACCEPTED)
        futures = [acceptor.submit(upload) for acceptor in (service.acceptor, other.acceptor)]
        accepted = [future.result(20) for future in futures]
        first = {item.token for item in accepted if item.duplicate_of is None}
        assert len(first) == 1 and {item.duplicate_of for item in accepted} == {None, *first}
    assert service.work() == 15 and service.credits() == 10


def test_credits_cannot_be_taken_below_zero(service: Service) -> None:
    with pytest.raises(AccountError):
        service.parts.accounts.add_credits(service.account_id, -11, "too much")
    assert service.credits() == 10
