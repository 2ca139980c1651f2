"""The result and credit calls, and what a token goes through."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from receipt_engine import AddressNorm, Result, json_schema
from receipt_engine.service.codes import Code, Refusal, envelope
from receipt_engine.service.http.limits import RateLimiter
from receipt_engine.service.jobs.result import stored_form
from receipt_engine.service.settings import Settings
from tests.service.conftest import Service, one_store
from tests.service.pictures import png
from tests.service.rules import rule
from tests.service.test_upload import ENVELOPE


@rule("state-pending", "result-only-with-202", "envelope-success")
def test_pending(service: Service) -> None:
    token = service.upload(png())["token"]
    answer = service.result(token)
    assert set(answer) == ENVELOPE
    assert answer["code"] == answer["status_code"] == 301
    assert answer["success"] is False and answer["status"] == "failed"


@rule("state-available", "result-object", "envelope-success")
def test_available(service: Service) -> None:
    picture = png()
    token = service.upload(picture)["token"]
    service.work()
    answer = service.result(token)
    assert set(answer) == ENVELOPE | {"result"}
    assert answer["code"] == answer["status_code"] == 202
    assert answer["success"] is True and answer["status"] == "success"
    expected: Result = service.engine.extract(picture, document_type="receipt", cents=False)
    nothing_known = dict.fromkeys(json_schema()["$defs"]["AddressNorm"]["properties"])
    assert answer["result"] == expected.to_dict() | {"addressNorm": nothing_known}
    text = service.client.get(f"/api/result/{token}", headers={"apikey": service.key}).text
    assert f'"result":{stored_form(expected.to_json()).decode()}' in text


@rule("object-address")
def test_an_unknown_address_is_an_object_of_nulls() -> None:
    """Its components can be read without asking; everything else is passed on byte by byte."""
    plain = Result(address='"addressNorm":null', total=Decimal("12.30"))
    made = json.loads(stored_form(plain.to_json()))
    assert list(made["addressNorm"].values()) == [None] * 8
    assert made["address"] == '"addressNorm":null' and made["subTotal"] is None
    known = Result(address_norm=AddressNorm(city="Porto")).to_json()
    assert stored_form(known) == known.encode()


@rule("state-immutable", "result-repeatable", "state-free", "credit-free")
def test_results_never_change_and_cost_nothing(service: Service) -> None:
    token = service.upload(png())["token"]
    service.work()
    headers = {"apikey": service.key}
    texts = {service.client.get(f"/api/result/{token}", headers=headers).content for _ in range(5)}
    service.clock.forward(days=89.9)
    texts.add(service.client.get(f"/api/result/{token}", headers=headers).content)
    assert len(texts) == 1
    assert service.credits() == service.credits() == 9


@rule("state-failed", "state-immutable")
def test_unreadable_pictures_fail_the_same_way_again(service: Service) -> None:
    picture = png(order=b"unreadable")
    first = service.upload(picture)["token"]
    service.work()
    answer = service.result(first)
    assert set(answer) == ENVELOPE and answer["code"] == 500
    assert answer["success"] is False and answer["status"] == "failed"
    again = service.upload(picture)
    assert again["duplicateToken"] == first
    assert service.work() == 0
    assert service.result(again["token"])["code"] == 500


@rule("state-unknown", "code-4xx-permanent")
@pytest.mark.parametrize(
    "token", ["x", "A" * 16, "A" * 5000, "%00", "..%2F..%2Fetc", "a/b", "a%0Ab", "%0A", "%F0%9F%A7%BE", ""]
)
@one_store
def test_unknown_tokens(service: Service, token: str) -> None:
    answer = service.result(token)
    assert answer["code"] == 402 and set(answer) == ENVELOPE


@rule("state-expired", "deleted-after-90-days")
def test_after_ninety_days_the_token_is_unknown(service: Service) -> None:
    done = service.upload(png())["token"]
    failed = service.upload(png(order=b"unreadable"))["token"]
    service.work()
    pending = service.upload(png())["token"]
    service.clock.forward(days=89.999)
    assert [service.result(token)["code"] for token in (done, failed, pending)] == [202, 500, 301]
    service.clock.forward(days=0.002)
    assert [service.result(token)["code"] for token in (done, failed, pending)] == [402, 402, 402]


@rule("token-stays", "state-pending")
def test_a_token_stays_valid_after_its_client_gave_up(service: Service) -> None:
    token = service.upload(png())["token"]
    service.clock.forward(seconds=3600)
    assert service.result(token)["code"] == 301
    service.work()
    service.clock.forward(days=3)
    assert service.result(token)["code"] == 202


@rule("polling-cadence")
def test_polling_by_the_documents_rules_meets_no_limit() -> None:
    """A batch of fifty tokens, each polled once a second for a minute, by the limiter's own clock."""
    rate, burst = Settings().read_rate, Settings().read_burst
    now = 0.0
    limiter = RateLimiter(lambda: now)
    for _ in range(60):
        for _ in range(50):
            limiter.take("read", 1, rate, burst)
        now += 1.0
    with pytest.raises(Refusal):
        for _ in range(int(burst) + 1):
            limiter.take("read", 1, rate, burst)


@rule("state-expired", "duplicate")
def test_an_upload_after_the_first_expired_is_new(service: Service) -> None:
    picture = png()
    first = service.upload(picture)
    service.work()
    service.clock.forward(days=91)
    second = service.upload(picture)
    assert second["duplicate"] is False
    assert service.work() == 1
    assert service.result(second["token"])["code"] == 202
    assert service.result(first["token"])["code"] == 402


@rule("state-expired", "duplicate-same-result")
def test_a_duplicate_lives_ninety_days_of_its_own(service: Service) -> None:
    picture = png()
    first = service.upload(picture)
    service.work()
    service.clock.forward(days=60)
    second = service.upload(picture)
    service.clock.forward(days=31)
    assert service.result(first["token"])["code"] == 402
    assert service.result(second["token"])["code"] == 202
    third = service.upload(picture)
    assert third["duplicateToken"] == second["token"]


@rule("result-own-account")
def test_tokens_of_other_accounts_are_unknown(service: Service) -> None:
    token = service.upload(png())["token"]
    other = service.parts.accounts.new_key(service.parts.accounts.create("another", 5))
    assert service.result(token, key=other)["code"] == 402


@rule("result-path", "version-path")
def test_result_addresses(service: Service) -> None:
    token = service.upload(png())["token"]
    for path in (f"/api/result/{token}", f"/api/2/result/{token}"):
        assert service.client.get(path, headers={"apikey": service.key}).json()["code"] == 301


@rule("credit-number", "credit-auth")
def test_credit(service: Service) -> None:
    answer = service.client.get("/api/credit", headers={"apikey": service.key})
    assert answer.status_code == 200 and answer.text == "10"
    assert answer.headers["content-type"] == "application/json"
    refused = service.client.get("/api/credit")
    assert refused.status_code == 200 and refused.json() == envelope(Code.KEY_UNKNOWN)


@rule("version-classic")
def test_the_classic_profile(make_service: Any) -> None:
    service = make_service(profile="classic")
    picture = png()
    upload = service.upload(picture)
    assert (upload["status"], upload["status_code"], upload["success"], upload["code"]) == (
        "success",
        2,
        True,
        200,
    )
    pending = service.result(upload["token"])
    assert (pending["status"], pending["status_code"], pending["success"]) == ("pending", 1, True)
    assert pending["code"] == 301
    service.work()
    done = service.result(upload["token"])
    assert (done["status"], done["status_code"], done["success"], done["code"]) == ("done", 3, True, 202)
    failed = service.result("unknown")
    assert (failed["status"], failed["status_code"], failed["success"], failed["code"]) == (
        "failed",
        4,
        False,
        402,
    )
