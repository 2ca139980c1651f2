"""Pages in scripts that the official classes lack letters of; `pages/` was drawn with DejaVu Sans Mono, but
Hangul with NanumGothicCoding and those that the reader of further scripts reads with Noto fonts."""

from __future__ import annotations

from pathlib import Path

import pytest

from receipt_engine.engine import Engine
from receipt_engine.stages.group import group

PAGES = {
    "arabic": (
        "مخبز السنبلة الذهبية",
        "شارع النخيل، جدة",
        "رقم الفاتورة 00351",
        "خبز أسمر 12.00",
        "قهوة عربية 18.50",
        "عصير برتقال 9.00",
        "ضريبة القيمة المضافة 5.15",
        "المجموع 39.50",
        "شكرا لزيارتكم",
    ),
    "bengali": (
        "সোনালি বেকারি",
        "রোড নম্বর 48",
        "চালান নং 00351",
        "পাউরুটি 65.00",
        "দুধ চা 40.00",
        "মিষ্টি দই 120.00",
        "মোট টাকা 225.00",
        "ধন্যবাদ",
    ),
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
    "devanagari": (
        "अन्नपूर्णा बेकरी",
        "गांधी मार्ग 48",
        "रसीद संख्या 00351",
        "पाव रोटी 45.00",
        "मसाला चाय 30.00",
        "केसर लस्सी 80.00",
        "कुल राशि 155.00",
        "धन्यवाद",
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
    "hebrew": (
        "מאפיית שיבולת הזהב",
        "רחוב הדקל, חיפה",
        "מספר קבלה 00351",
        "לחם כפרי 18.00",
        "קפה הפוך 14.00",
        "מיץ תפוזים 12.50",
        "סהכ לתשלום 44.50",
        "תודה ולהתראות",
    ),
    "thai": (
        "ร้านขนมปังรวงทอง",
        "ถนนมะลิ เชียงใหม่",
        "เลขที่ใบเสร็จ 00351",
        "ขนมปังโฮลวีต 65.00",
        "กาแฟเย็น 55.00",
        "น้ำส้มคั้น 40.00",
        "ยอดรวมสุทธิ 160.00",
        "ขอบคุณที่ใช้บริการ",
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
