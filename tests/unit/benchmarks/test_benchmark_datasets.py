"""Labelled folders become samples; what is absent stays unlabelled."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from benchmarks import datasets
from benchmarks.datasets import Label, LabelError, faulty_labels, load

WriteLabels = Callable[..., Path]


def one(folder: Path, **options: bool):  # type: ignore[no-untyped-def]
    (sample,) = load([folder], **options)
    return sample


def test_only_what_is_labelled_has_a_label(write_labels: WriteLabels) -> None:
    fields = {"total": 12.30, "date_iso": "2031-04-05", "currency": "EUR"}
    sample = one(write_labels("lv", {"id": "a", "image": "a.png", "fields": fields, "region": "lv"}))
    assert sample.fields == {
        "total": Label.of(Decimal("12.3")),
        "date": Label.of("2031-04-05"),
        "currency": Label.of("EUR"),
    }
    assert sample.items is None
    assert sample.summary is None
    assert sample.region == "lv"
    assert sample.image.is_file()


def test_unlabelled_pictures_are_left_out_unless_asked_for(write_labels: WriteLabels) -> None:
    folder = write_labels("srd", {"id": "a", "image": "a.png", "fields": {}, "labelled": False})
    assert load([folder]) == []
    assert len(load([folder], unlabelled=True)) == 1


def test_time_makes_a_label_for_both_together(write_labels: WriteLabels) -> None:
    fields = {"date_iso": "2031-04-05", "time_iso": "16:20:00"}
    sample = one(write_labels("srd", {"id": "a", "image": "a.png", "fields": fields}))
    assert sample.fields["time"].main == "16:20:00"
    assert sample.fields["dateTime"].main == "2031-04-05 16:20:00"


def test_time_inside_the_date(write_labels: WriteLabels) -> None:
    row = {"id": "a", "image": "a.png", "fields": {"date_iso": "2031-04-05T16:20:09"}}
    sample = one(write_labels("misc", row))
    assert sample.fields["date"].main == "2031-04-05"
    assert sample.fields["time"].main == "16:20:09"


def test_alternatives_follow_the_main_value(write_labels: WriteLabels) -> None:
    fields = {"total": 5.15, "total_any": [5.15, 5.17], "subTotal_any": [4.0, 5.0]}
    sample = one(write_labels("sroie", {"id": "a", "image": "a.png", "fields": fields}))
    assert sample.fields["total"].accepted == (Decimal("5.15"), Decimal("5.17"))
    assert sample.fields["total"].has_main
    assert not sample.fields["subTotal"].has_main


def test_several_phone_numbers_are_alternatives(write_labels: WriteLabels) -> None:
    row = {"id": "a", "image": "a.png", "fields": {"phone": ["555-0100", "555-0101"]}}
    assert one(write_labels("srd", row)).fields["phoneNumber"].accepted == ("555-0100", "555-0101")


def test_several_taxes_are_one_value(write_labels: WriteLabels) -> None:
    row = {"id": "a", "image": "a.png", "fields": {"taxes": [1.0, 2.5]}}
    assert one(write_labels("misc", row)).fields["taxes"].main == (Decimal("1.0"), Decimal("2.5"))


def test_official_strings_stay_as_printed(write_labels: WriteLabels) -> None:
    fields = {"establishment": "INVENTED SHOP", "total": 5.0, "total_raw": "RM5.00", "date": "05/04/31"}
    sample = one(write_labels("sroie", {"id": "a", "image": "a.png", "fields": fields}))
    assert sample.fields["sroie.total"].main == "RM5.00"
    assert sample.fields["sroie.company"].main == "INVENTED SHOP"
    assert "sroie.address" not in sample.fields


def test_any_part_of_a_name_is_accepted(write_labels: WriteLabels) -> None:
    fields = {"establishment": "TheBlueDoor TaxInvoice", "establishment_parts": ["TheBlueDoor", "TaxInvoice"]}
    sample = one(write_labels("wildreceipt", {"id": "a", "image": "a.png", "fields": fields}))
    assert sample.fields["establishment"].accepted == ("TheBlueDoor TaxInvoice", "TheBlueDoor", "TaxInvoice")


def test_incomplete_items_are_unlabelled(write_labels: WriteLabels) -> None:
    item = {"desc": "Tea", "qty": 1, "lineTotal": 3.0}
    whole = {"id": "a", "image": "a.png", "fields": {"total": 3.0}, "lineItems": [item]}
    partial = {"id": "b", "image": "b.png", "fields": {"total": 9.0}, "lineItems_partial": [item]}
    noted = {**whole, "id": "c", "image": "c.png", "lineItems_partial": [item]}
    samples = load([write_labels("srd", whole, partial, noted)])
    assert [sample.items is not None for sample in samples] == [True, False, False]
    assert samples[0].items[0].line_total == Decimal("3.0")  # type: ignore[index]


def test_items_without_an_amount_make_the_list_unlabelled(write_labels: WriteLabels) -> None:
    row = {"id": "a", "image": "a.png", "fields": {"total": 3.0}, "lineItems": [{"desc": "Tea"}]}
    assert one(write_labels("misc", row)).items is None


def test_a_merchant_identifier_has_to_be_contained(write_labels: WriteLabels) -> None:
    fields = {"establishment": "Shop", "merchant_id": "shop", "numItems": 3}
    sample = one(write_labels("de_softmatic", {"id": "a", "image": "a.png", "fields": fields}))
    assert sample.fields["establishment"].contained
    assert sample.fields["establishment"].main == "shop"
    assert sample.fields["itemCount"].main == Decimal(3)


def test_the_same_picture_counts_once(write_labels: WriteLabels) -> None:
    row = {"id": "a", "image": "a.png", "fields": {"total": 3.0}}
    again = {**row, "id": "b", "image": "b.png", "same_bytes_as": "a"}
    assert [sample.id for sample in load([write_labels("misc", row, again)])] == ["a"]


TRUTH = {
    "establishment": "ORT & CO",
    "establishment_any": ["ORT"],
    "date": "2031-04-05 16:20:00",
    "total": 10,
    "tip": None,
    "taxes": [],
    "barcodes": [["123", "Code 128"]],
    "addressNorm": {"city": "Ort"},
    "customFields": {"VATNumber": "X1"},
    "lineItems": [{"desc": "2 Tea 5.00", "descClean": "Tea", "lineTotal": 10, "qty": 2, "productCode": "77"}],
    "summaryItems": [{"desc": "Sum", "lineTotal": 10, "lineType": "Total"}],
}


def test_a_whole_truth_labels_absence_too(write_labels: WriteLabels) -> None:
    sample = one(write_labels("drawn", {"id": "a", "image": "a.png", "region": "de", "truth": TRUTH}))
    assert sample.dataset == "drawn"
    assert sample.fields["tip"] == Label.of(None)
    assert not sample.fields["taxes"].printed
    assert "cash" not in sample.fields
    assert sample.fields["establishment"].accepted == ("ORT & CO", "ORT")
    assert sample.fields["addressNorm.city"].main == "Ort"
    assert sample.fields["customFields.VATNumber"].main == "X1"
    assert sample.fields["barcodes"].main == (("123", "Code 128"),)
    assert sample.items[0].descs == ("Tea", "2 Tea 5.00")
    assert sample.items[0].product_code == "77"
    assert sample.summary[0].line_type == "Total"


def test_alternative_moments_are_alternative_dates(write_labels: WriteLabels) -> None:
    truth = {"date": "2031-04-05 00:00:00", "date_any": ["2031-04-06 09:10:00"]}
    sample = one(write_labels("drawn", {"id": "a", "image": "a.png", "truth": truth}))
    assert sample.fields["date"].accepted == ("2031-04-05", "2031-04-06")
    assert sample.fields["time"].accepted == ("00:00:00", "09:10:00")
    assert sample.fields["dateTime"].accepted == ("2031-04-05 00:00:00", "2031-04-06 09:10:00")


def test_an_address_that_is_not_there(write_labels: WriteLabels) -> None:
    row = {"id": "a", "image": "a.png", "truth": {"addressNorm": None, "date": None}}
    sample = one(write_labels("drawn", row))
    assert sample.fields["addressNorm"] == Label.of(None)
    assert not sample.fields["date"].printed
    assert "time" not in sample.fields


def test_each_form_of_a_region_is_a_set(write_labels: WriteLabels) -> None:
    row = {"id": "xx", "region": "xx", "photo": "p.jpg", "clean": "c.png", "truth": TRUTH}
    folder = write_labels("regions", row)
    assert [(s.id, s.dataset) for s in load([folder])] == [
        ("xx/photo", "regions-photo"),
        ("xx/clean", "regions-clean"),
    ]
    assert [s.id for s in load([folder.parent], ["regions-clean"])] == ["xx/clean"]
    assert len(load([folder.parent], ["regions"])) == 2


def test_a_root_is_searched_in_the_order_of_the_report(write_labels: WriteLabels) -> None:
    row = {"id": "a", "image": "a.png", "fields": {"total": 3.0}}
    write_labels("aaa", row)
    write_labels("srd", row)
    root = write_labels("sroie", row, {**row, "id": "b"}).parent
    assert [s.dataset for s in load([root])] == ["sroie", "sroie", "srd", "aaa"]
    assert [s.dataset for s in load([root], limit=1)] == ["sroie", "srd", "aaa"]
    assert [s.dataset for s in load([root], ["srd"])] == ["srd"]


def test_wrong_places_are_named(write_labels: WriteLabels, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(LabelError, match="holds no folder"):
        load([tmp_path / "empty"])
    folder = write_labels("srd", {"id": "a", "image": "a.png", "fields": {"total": 3.0}})
    with pytest.raises(LabelError, match="no data set elsewhere; there are: srd"):
        load([folder], ["elsewhere"])
    (folder / "labels.jsonl").write_text('{"id": "a"}\n{broken')
    with pytest.raises(LabelError, match=r"labels\.jsonl:2"):
        load([folder])


def test_two_folders_of_one_name_are_refused(write_labels: WriteLabels, tmp_path: Path) -> None:
    folder = write_labels("srd", {"id": "a", "image": "a.png", "fields": {"total": 3.0}})
    other = tmp_path / "other" / "srd"
    other.mkdir(parents=True)
    (other / "labels.jsonl").write_text("")
    with pytest.raises(LabelError, match="Two folders are called srd"):
        load([folder, other])


def test_faulty_labels_are_named_once_by_sample_and_field() -> None:
    rows = Path(datasets.__file__).with_name("faulty_labels.txt").read_text("utf-8").splitlines()
    listed = [tuple(row.split()) for row in rows if not row.startswith("#")]
    assert listed == sorted(set(listed))
    assert faulty_labels() == set(listed)
