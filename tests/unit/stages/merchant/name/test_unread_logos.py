"""A chain whose logo was not read is told by its web address; a name by the end of its logo."""

from __future__ import annotations

import pytest

from receipt_engine.document import Merchant
from receipt_engine.stages.merchant.name.beside import in_full
from tests.unit.stages.merchant.merchant_contexts import context_of, merchant_of

BODY = """
        HARBOR MALL
       12 Harbor Street
      Portland, OR 97201

03/14/2024            6:42 PM
2 Sheets                17.00
TOTAL                   17.00

"""


def merchant(foot: str, head: str = "") -> Merchant:
    return merchant_of(f"{head}{BODY}{foot}\n")


def test_a_chain_of_which_only_the_web_address_is_printed() -> None:
    found = merchant("   www.bedbathandbeyond.com")
    assert found.name is not None
    assert (found.name.value, found.name.rule) == ("Bed Bath & Beyond", "web address of a chain")
    assert found.name.runners_up[0][0] == "HARBOR MALL"
    assert found.name.lines == (6,)
    assert found.name.confidence < 0.9


def test_a_card_of_the_chain_shows_no_name_in_the_head() -> None:
    found = merchant("   BED BATH BEYOND CARD  12.99\n   www.bedbathandbeyond.com")
    assert found.name is not None and found.name.value == "Bed Bath & Beyond"


@pytest.mark.parametrize(
    ("foot", "head"),
    [
        ("   www.harbor-linen-mill.com", ""),
        ("   www.bedbathandbeyond.com\n   www.walmart.com", ""),
        ("   www.bedbathandbeyond.com", "   COPPER HOLDINGS LLC"),
        ("   www.bedbathandbeyond.com", "    BED BATH & BEYOND"),
    ],
    ids=["no chain's", "two chains'", "a company's name is printed", "the name is printed"],
)
def test_whose_web_address_decides_nothing(foot: str, head: str) -> None:
    found = merchant(foot, head)
    assert found.name is not None
    assert found.name.rule != "web address of a chain"


def test_the_domain_of_a_mail_provider_is_no_chain() -> None:
    found = merchant("   harbormall@bedbathandbeyond.com")
    assert found.name is not None
    assert found.name.value == "HARBOR MALL"


def test_a_web_shop_that_heads_the_page_is_not_the_chain_of_shops_with_a_longer_name() -> None:
    found = merchant_of(
        "amazon.com\n12 Harbor Street\nPortland, OR 97201\n\n2 Sheets   17.00\nTOTAL   17.00\n"
    )
    assert found.name is not None and found.name.value == "amazon.com"


@pytest.mark.parametrize(
    ("name", "full"), [("Millhaven Tin Lights", "Millhaven Tin Lights"), ("Harbor Tin Lights", None)]
)
def test_the_end_of_a_logo_stands_for_the_name_below_its_drawing(name: str, full: str | None) -> None:
    context = context_of(f"haven\n\n\n\n{name}{BODY}")
    logo = next(one for one in context.candidates if one.text == "haven")
    found = in_full(context, context.candidates, logo)
    assert (found and found.text) == full


SHOP = """
Receipt
Order WB-44718
Kettle mug              $12.00
Total                   $12.00
Paid by card            $12.00

"""


@pytest.mark.parametrize(
    ("foot", "name"),
    [
        ("Questions? hello@tinkettle.example\ntinkettle.example", "tinkettle.example"),
        ("tinkettle.example", "tinkettle.example"),
        ("hello@tinkettle.example", None),
        ("tinkettle.example\nwww.copperpan.example", None),
        ("www.worldline.com", None),
    ],
    ids=["and its mail", "alone", "only mail", "two sites", "of a processor"],
)
def test_the_only_web_address_of_a_page_without_a_name_is_the_web_shops(foot: str, name: str | None) -> None:
    found = merchant_of(SHOP + foot + "\n", "nz").name
    assert (found and found.value) == name
