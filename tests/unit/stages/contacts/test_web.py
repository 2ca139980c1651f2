from __future__ import annotations

import pytest

from receipt_engine.stages.contacts.web import find_web
from tests.unit.stages.printed_receipts import printed

_SHOP = "SALTMARSH INN\n\nSoup      12.00\nTOTAL      12.00\n{line}\n"


@pytest.mark.parametrize(
    ("line", "url"),
    [
        ("www.saltmarsh.ca", "www.saltmarsh.ca"),
        ("www. saltmarsh,ca", "www.saltmarsh.ca"),
        ("wm. saltmarsh,ca", "wm.saltmarsh.ca"),
        ("visit saltmarsh.com/help", "saltmarsh.com/help"),
        ("Rate us at www.saltmarsh.ca, tell us more", "www.saltmarsh.ca"),
        ("like us: facebook.com/harbour   www.saltmarsh.ca", "www.saltmarsh.ca"),
    ],
)
def test_web_addresses(line: str, url: str) -> None:
    found = printed("ca", _SHOP.format(line=line)).contacts.url
    assert found is not None
    assert found.value == url


@pytest.mark.parametrize(
    "line",
    [
        "stay@saltmarsh.ca",
        "www.sii.cl",
        "Card payment by www.worldline.com/privacy",
        "Facture en www.factura88.mx",
        "Fonte: IBPT/empresometro.com.br 77C1A0",
        "2 @ 68.50",
        "5.00.us",
        "1420 92ND AVE NW,EDMONTON,AB,T6G 0S9",
    ],
)
def test_what_is_no_web_address_of_the_merchant(line: str) -> None:
    assert printed("ca", _SHOP.format(line=line)).contacts.url is None


def test_quantity_and_price_are_no_e_mail_address() -> None:
    rows = printed("ca", _SHOP.format(line="2 @ 68.50\nmail: stay@saltmarsh.ca")).rows
    assert [m.value for m in find_web(rows)] == ["stay@saltmarsh.ca"]
