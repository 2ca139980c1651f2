"""Who sold, where, and how it was paid: the rows and their roles in, a `Merchant` out.

Definite things are found first (web addresses, tax numbers, telephones, dates) and blanked out; what is
left are pieces of text, of which a run is the address and one or a few neighbours are the name.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import Found, KnownMerchant, Merchant, ParsedLine, Sheet
from receipt_engine.region import Region
from receipt_engine.stages.merchant.address_parts import address_norm
from receipt_engine.stages.merchant.card_numbers import card_digits
from receipt_engine.stages.merchant.country import find_country
from receipt_engine.stages.merchant.facts import Facts, measure
from receipt_engine.stages.merchant.identifiers import find_identifiers, vat_number
from receipt_engine.stages.merchant.kinds import document_type
from receipt_engine.stages.merchant.lookup import MerchantLookup
from receipt_engine.stages.merchant.marks import Mark, date_marks
from receipt_engine.stages.merchant.payment import find_payment
from receipt_engine.stages.merchant.phone import best_phone, find_phones
from receipt_engine.stages.merchant.pieces import cut
from receipt_engine.stages.merchant.receipt_numbers import number_marks, receipt_number
from receipt_engine.stages.merchant.trades import expense_type
from receipt_engine.stages.merchant.web import best_url, find_web, merchant_domains
from receipt_engine.stages.merchant.weights import weights
from receipt_engine.stages.merchant.who_where import find_who_where
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.normalise import letters

__all__ = ["find_merchant", "prepare"]

#: Pieces with less than this mean character score are noise.
_LEGIBLE = 0.5


def find_merchant(
    rows: Sequence[ParsedLine], sheet: Sheet, region: Region, merchants: MerchantLookup | None = None
) -> Merchant:
    """Everything about the merchant and the payment that the rows tell.

    merchants: a table of known merchants; with one, a name that agrees with a known merchant's phone or
    address is validated and takes the spelling of the table.
    """
    marks, identifiers = _marks(rows, sheet, region)
    facts = _legible(measure(cut(rows, sheet), rows, marks, region))
    found = find_who_where(facts, merchant_domains(marks), weights())
    name, address = found.name, found.address
    near = facts[found.run[0]].piece.row if found.run else name.lines[0] if name else None
    phone = best_phone(marks, near)
    known = _known(merchants, facts, name, marks, address, identifiers)
    if known is not None and name is not None:
        name = _as_known(name, known)
    return Merchant(
        establishment=name,
        validated=known is not None and (known.by_phone or known.by_address),
        address=address,
        address_norm=address_norm(address.value, region) if address else None,
        phone=phone,
        url=best_url(marks, sheet.roles, letters(name.value) if name else ""),
        payment_method=find_payment(rows, sheet),
        document_type=document_type(rows, sheet),
        expense_type=expense_type(name.value if name else "", _legal_name(facts), rows),
        identifiers=_named(
            VATNumber=vat_number(identifiers),
            ReceiptNumber=receipt_number(
                rows,
                sheet,
                [m for m in marks if m.kind not in ("date", "number")],
                address.lines if address else (),
            ),
            CardLast4Digits=card_digits(rows, sheet),
            Country=find_country(address, phone, region),
        ),
    )


def prepare(
    rows: Sequence[ParsedLine], sheet: Sheet, region: Region
) -> tuple[tuple[Facts, ...], tuple[str, ...]]:
    """The legible pieces with their facts, and the names in web addresses: what the weights are fitted on."""
    marks, _ = _marks(rows, sheet, region)
    return _legible(measure(cut(rows, sheet), rows, marks, region)), merchant_domains(marks)


def _marks(
    rows: Sequence[ParsedLine], sheet: Sheet, region: Region
) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """All definite places, and among them the tax and registration numbers."""
    web = find_web(rows)
    identifiers = find_identifiers(rows, sheet, region)
    phones = find_phones(rows, sheet, region, web + identifiers)
    found = web + identifiers + phones
    return found + number_marks(rows, sheet, found) + date_marks(rows), identifiers


def _legible(facts: Sequence[Facts]) -> tuple[Facts, ...]:
    return tuple(f for f in facts if f.letters + f.digits >= 2 and f.piece.score > _LEGIBLE)


def _legal_name(facts: Sequence[Facts]) -> str:
    return next((f.rest for f in facts if has_legal_form(f.rest)), "")


def _known(
    merchants: MerchantLookup | None,
    facts: Sequence[Facts],
    name: Found | None,
    marks: Sequence[Mark],
    address: Found | None,
    identifiers: Sequence[Mark],
) -> KnownMerchant | None:
    """The merchant of the table that agrees with what is printed."""
    if merchants is None:
        return None
    printed = [name.value] if name else []
    printed += [text for text, _ in name.runners_up] if name else []
    printed += [f.rest for f in facts if has_legal_form(f.rest)][:2]
    phones = [m.value for m in marks if m.kind == "phone"]
    return merchants.find(printed, phones, address.value if address else None, [m.value for m in identifiers])


def _as_known(name: Found, known: KnownMerchant) -> Found:
    """The name in the table's spelling; certain when phone or address agrees too."""
    sure = known.by_phone or known.by_address
    confidence = max(name.confidence, 0.97 if sure else 0.85)
    return replace(name, value=known.name, confidence=confidence, rule=f"{name.rule}, merchant {known.id}")


def _named(**found: Found | None) -> tuple[tuple[str, Found], ...]:
    return tuple((key, value) for key, value in found.items() if value is not None)
