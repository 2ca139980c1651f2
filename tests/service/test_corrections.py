"""Correcting what was read: beside the result, on pages and in tables, and gone with the upload."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
import sqlalchemy as sa

from receipt_engine.service.dashboard.corrections import FIELDS, CorrectionError, parse
from receipt_engine.service.storage.erasure import erase_account, erase_upload
from receipt_engine.service.storage.schema import corrections
from receipt_engine.service.storage.secret_keys import rewrap
from receipt_engine.service.storage.vault import MasterKeys, key_file, save_master_keys
from tests.service.conftest import Service
from tests.service.pictures import png
from tests.service.test_at_rest import stored_bytes
from tests.service.test_dashboard import hidden, inside, stored_password, visitor
from tests.service.test_history import finish

__all__ = ["inside", "stored_password", "visitor"]  # fixtures

RESULT = {"establishment": "Corner Shap", "date": "2026-03-01 10:00:00", "total": 12.5, "currency": "EUR"}


def form_of(service: Service, token: str) -> dict[str, str]:
    return {"csrf": hidden(service.client.get(f"/dashboard/uploads/{token}/correct").text)}


def correct(service: Service, token: str, **values: str) -> Any:
    form = {**form_of(service, token), **values}
    return service.client.post(f"/dashboard/uploads/{token}/correct", data=form)


def test_a_corrected_value_is_shown_and_exported_and_the_result_stays(inside: Service) -> None:
    token = finish(inside, **RESULT)
    before = inside.result(token)
    page = inside.client.get(f"/dashboard/uploads/{token}/correct").text
    assert 'value="Corner Shap"' in page and 'value="12.50"' in page
    answer = correct(inside, token, establishment="Corner Shop", total="13", date="2026-03-01 10:00:00")
    assert answer.status_code == 303 and answer.headers["location"] == f"/dashboard/uploads/{token}"
    page = inside.client.get(f"/dashboard/uploads/{token}").text
    assert "Corner Shop" in page and "“Corner Shap”" in page and "13.00" in page and "corrected.json" in page
    assert inside.result(token) == before
    assert inside.client.get(f"/dashboard/uploads/{token}/result.json").json() == before["result"]
    merged = inside.client.get(f"/dashboard/uploads/{token}/corrected.json").json()
    assert merged["establishment"] == "Corner Shop" and merged["total"] == 13 and merged["currency"] == "EUR"
    rows = list(csv.DictReader(io.StringIO(inside.client.get("/dashboard/receipts.csv").text)))
    assert rows[0]["establishment"] == "Corner Shop" and rows[0]["corrected"] == "establishment total"
    assert token in inside.client.get("/dashboard/uploads?text=corner+shop").text


def test_what_is_as_it_was_read_is_no_correction(inside: Service) -> None:
    token = finish(inside, **RESULT)
    correct(inside, token, total="20")
    assert "corrected.json" in inside.client.get(f"/dashboard/uploads/{token}").text
    correct(inside, token, total="12.50", establishment=" Corner Shap ")
    assert "corrected.json" not in inside.client.get(f"/dashboard/uploads/{token}").text
    with inside.parts.database.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(corrections)) == 0


def test_a_value_that_was_not_read_and_one_that_is_not_there(inside: Service) -> None:
    token = finish(inside, **RESULT, tip=None)
    correct(inside, token, tip="2", currency="")
    merged = inside.client.get(f"/dashboard/uploads/{token}/corrected.json").json()
    assert merged["tip"] == 2 and merged["currency"] is None


@pytest.mark.parametrize(
    ("field", "text"),
    [
        *(("total", text) for text in ("twelve", "1e400", "NaN", "Infinity", "1.23456", "1000000000000")),
        *(("date", text) for text in ("01/02/2026", "2026-02-30", "2026-01-01 25:00")),
        *(("currency", text) for text in ("€", "eur", "EURO")),
        ("address", "a" * 501),
    ],
)
def test_impossible_values_are_refused(inside: Service, field: str, text: str) -> None:
    token = finish(inside, **RESULT)
    answer = correct(inside, token, **{field: text})
    assert answer.status_code == 400 and f"{field} must be" in answer.text and 'role="alert"' in answer.text
    with pytest.raises(CorrectionError, match=field):
        parse({field: text}, RESULT)


def test_dates_and_texts_that_were_read_pass_as_they_are() -> None:
    assert parse({"date": "2026-03-02"}, RESULT) == {"date": "2026-03-02 00:00:00"}
    assert parse({"date": "2026-03-01T10:05"}, RESULT) == {"date": "2026-03-01 10:05:00"}
    odd = {"address": "a\tb" + "c" * 600}
    assert parse(odd, odd) == {}  # nobody has to mend what is not shown to be wrong
    assert parse(dict.fromkeys(FIELDS, ""), {}) == {}


def test_corrections_of_others_are_out_of_reach(inside: Service) -> None:
    other = inside.parts.accounts.new_key(inside.parts.accounts.create("another", 5))
    token = inside.upload(png(), key=other)["token"]
    assert inside.work() == 1
    mine = finish(inside, **RESULT)
    address = f"/dashboard/uploads/{token}/correct"
    assert inside.client.get(address).status_code == 404
    assert inside.client.post(address, data=form_of(inside, mine)).status_code == 404
    assert inside.client.get(f"/dashboard/uploads/{token}/corrected.json").status_code == 404
    without = inside.client.post(f"/dashboard/uploads/{mine}/correct", data={"total": "1"})
    assert without.status_code == 403


def test_corrections_are_sealed_and_go_with_the_upload_and_account(inside: Service) -> None:
    first, second = finish(inside, **RESULT), finish(inside, **RESULT, tip=1)
    for token in (first, second):
        correct(inside, token, establishment="Unmistakable Words Ltd")
    assert b"Unmistakable Words" not in stored_bytes(inside)
    with inside.parts.database.read() as connection:
        sealed = [bytes(each) for each in connection.scalars(sa.select(corrections.c.sealed))]
    assert len(sealed) == 2 and all(each in stored_bytes(inside) for each in sealed)
    parts = inside.parts
    erase_upload(parts.database, parts.blobs, inside.account_id, first)
    assert sum(each in stored_bytes(inside) for each in sealed) == 1
    erase_account(parts.database, parts.blobs, inside.account_id)
    assert not any(each in stored_bytes(inside) for each in sealed)


def test_corrections_outlive_a_rotation(inside: Service) -> None:
    token = finish(inside, **RESULT)
    correct(inside, token, total="13")
    parts = inside.parts
    newer = MasterKeys(parts.keys.keys, parts.keys.active).with_new()
    save_master_keys(key_file(parts.settings), newer)
    assert rewrap(parts.database, newer)
    merged = inside.client.get(f"/dashboard/uploads/{token}/corrected.json")
    assert json.loads(merged.content)["total"] == 13
