"""Pages in scripts that the official classes lack letters of; `pages/` was drawn with DejaVu Sans Mono, but
Hangul with NanumGothicCoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from receipt_engine.engine import Engine
from receipt_engine.stages.group import group

PAGES = {
    "cyrillic": (
        "ПЕКАРНЯ ЁЛОЧКА",
        "г. Тула, ул. Щорса, д. 48",
        "Чек № 00351 12.05.2024",
        "Хлеб ржаной 52,40",
        "Пирожок с вишней 38,10",
        "Чай Earl Grey 90,00",
        "ИТОГО К ОПЛАТЕ 180,50",
        "Спасибо за покупку!",
    ),
    "greek": (
        "ΑΡΤΟΠΟΙΕΙΟ ΨΩΜΑΣ",
        "Λεωφόρος Συγγρού 48, Αθήνα",
        "Τηλέφωνο 210 9214477",
        "Χωριάτικο ψωμί 2,40",
        "Τυρόπιτα φούρνου 3,10",
        "Καφές ελληνικός 1,80",
        "ΣΥΝΟΛΟ € 7,30",
        "Ευχαριστούμε πολύ",
    ),
    "hangul": (
        "푸른솔 베이커리",
        "서울 마포구 은행나무길 48",
        "사업자번호 123-45-67891",
        "2024-05-12 16:05",
        "우유식빵 3,500",
        "호두파이 12,000",
        "아메리카노 4,500",
        "합계 20,000원",
        "신용카드 20,000",
        "이용해 주셔서 감사합니다",
    ),
    "vietnamese": (
        "QUÁN ĂN BẾN THÀNH",
        "45 Lê Thánh Tôn, Quận 1",
        "Điện thoại 028 3822 9911",
        "Phở bò tái 65.000",
        "Bún chả Hà Nội 58.000",
        "Nước mía 15.000",
        "TỔNG CỘNG 138.000",
        "Cảm ơn quý khách",
    ),
}


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


@pytest.mark.parametrize("script", sorted(PAGES))
def test_letters_of_the_script_are_read(script: str, engine: Engine) -> None:
    reading = engine.read(Path(__file__).parent / "pages" / f"{script}.png")
    rows = [row.text for row in group(reading.spans)]
    assert len(rows) == len(PAGES[script])
    wrong = [pair for pair in zip(rows, PAGES[script], strict=True) if pair[0] != pair[1]]
    assert len(wrong) <= 1, wrong
