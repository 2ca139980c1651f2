"""Tables of tips that a guest may give, below the total."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.document import Sheet
from tests.unit.stages import printed_sheets

BILL = """
      THE COPPER LADLE
    12 Main Street
Pale Ale                        15.00
Garden Salad                    15.50
Subtotal                        30.50
Tax                              3.00
Total                           33.50
"""


def sheet(below: str) -> Sheet:
    return printed_sheets.sheet(BILL + below)


def claims(found: Sheet, role: str) -> list[Decimal]:
    return [e.amount.value for e in found.entries if e.role == role]


@pytest.mark.parametrize(
    "below",
    [
        "18%: (Tip $5.49 Total $38.99)\n20%: (Tip $6.10 Total $39.60)\n",
        "[ ] 18%  Tip=5.49  Total=38.99\n[ ] 20%  Tip=6.10  Total=39.60\n",
        "18% Gratuity =                  5.49\n20% Gratuity =                  6.10\n",
        "18%  Tip: $5.49\nTotal: $38.99\n20%  Tip: $6.10\nTotal: $39.60\n",
        "Suggested Gratuity\n20%: Tip 6.10  Total 39.60\n",
        "Suggested Gratuity\n% Tip Total\n18.00% of sale: $5.49 = $38.99\n20.00% of sale: $6.10 = $39.60\n",
        "Suggested Tip\nPercentage Tip\n18%     5.49\n20%     6.10\nTip:\nTotal:\n",
        "Tip Guide\n18%=$5.49, 20%=$6.10\n",
        "Recommended Tip\n20%     6.10\nTip:\n",
        "Tip 18%  5.49  20%  6.10\n",
        "Tip          18%     20%     22%\n             5.49    6.10    6.71\n",
        "Tip\n18%                              5.49\n20%                              6.10\n",
        "gested Tip (18%)                 5.49\n(20%)                 6.10\n(22%)                 6.71\n",
    ],
)
def test_shares_and_what_they_make_are_suggested(below: str) -> None:
    found = sheet(below)
    assert claims(found, "total") == [Decimal("33.50")]
    assert claims(found, "tip") == []
    assert len(found.items) == 2


def test_the_columns_of_the_table_are_not_those_of_the_products() -> None:
    found = sheet("".join(f"{n}%  Tip: ${n}.49\nTotal: ${n}.99\n" for n in (15, 18, 20, 22, 25)))
    assert [item.total.value for item in found.items] == [Decimal("15.00"), Decimal("15.50")]


def test_a_single_share_is_a_tip_that_was_added() -> None:
    found = sheet("Gratuity 18%                     5.49\nAmount Due                      38.99\n")
    assert claims(found, "tip") == [Decimal("5.49")]


def test_taxes_below_a_guide_are_no_suggestion() -> None:
    found = sheet("Tip Guide\n18%     5.49\nIncluded VAT\n20%     5.58\n")
    assert Decimal("5.58") in claims(found, "tax")
    assert Decimal("5.49") in claims(found, "suggested")


def test_a_rate_below_a_tip_that_makes_another_sum_is_no_tip() -> None:
    found = sheet("Gratuity 18%                     5.49\n8%                               3.00\n")
    assert claims(found, "tip") == [Decimal("5.49")]


def test_several_shares_of_one_sum_without_words_are_suggested() -> None:
    found = sheet("15% = 4.58  18% = 5.49  20% = 6.10\n")
    assert claims(found, "suggested") == [Decimal("4.58"), Decimal("5.49"), Decimal("6.10")]
