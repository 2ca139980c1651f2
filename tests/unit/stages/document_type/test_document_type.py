from __future__ import annotations

import pytest

from tests.unit.stages.printed_receipts import printed

_GOODS = "\n\nRoom      120.00\nTOTAL      120.00\n"


@pytest.mark.parametrize(
    ("code", "head"),
    [
        ("ca", "QUAY INN\nINVOICE   Folio No. 64913\nGuest: M. Okafor\nArrival: 2024-06-17"),
        ("pe", "GRIFO SUR\nFACTURA ELECTRONICA\nF038-00517296\nCliente: TRANSPORTES ALTOS S.A.C."),
        ("us", "HILL & CO\nINVOICE\nBill to: Ada Stone\nPayment terms: 14 days"),
        ("ae", "FALCON PLUMBING\nTAX INVOICE\nCustomer: Paul"),
        ("uy", "EL FOGON\ne-Factura A-4471\nRUC Comprador: 219988770011"),
        ("se", "NORDBYGG AB\nFAKTURA\nKöpare: Astrid Lind\nFörfallodatum 2025-03-31"),
        ("it", "OFFICINA BOSCO\nFattura n. 12\nCommittente: Vetreria Alta\nScadenza: 31/03/2025"),
        ("ch", "RADWERK\nFrau Lena Moser\nRechnung R-41"),
        ("fr", "ATELIER RIVE          FACTURE\n12 rue Basse            Client :"),
        ("ca", "HILL DRIVING SCHOOL\nINVOICE #: 3307\nSTUDENT: Ada Stone"),
        ("gb", "SHINY PANES\nINVOICE                        No. 0318\nTo: Mrs Ashworth"),
        ("nz", "LAKE LODGE\nTAX INVOICE\nGuest: Harbour Builders Ltd"),
        ("es", "FERRETERIA COBRE\nCLIENTE: OBRAS ALTAS SL\nFACTURA Nº 2024/118"),
        (
            "nl",
            "Drukkerij Koper      Klant\nKade 21              Bakkerij Linde\n"
            "3831 KA Leusden      Lindelaan 8\n                     3701 AB Zeist\nFactuurnummer 4471",
        ),
    ],
)
def test_invoices(code: str, head: str) -> None:
    found = printed(code, head + _GOODS).document_type
    assert found is not None
    assert found.value == "Invoice"


@pytest.mark.parametrize(
    ("code", "head"),
    [
        ("us", "CORNER DELI\n14 Mill Street"),
        ("ae", "DATES & MORE\nTAX INVOICE\nNo. DXB4-25-01946"),
        ("es", "BAR SOL\nFACTURA SIMPLIFICADA: 143595"),
        ("uy", "KIOSCO\nFactura 465323"),
        ("gb", "BISTRO\nGuests: 4\nTable 7"),
        ("my", "KEDAI BUKU\nTAX INVOICE\nCustomer: Walk-in"),
        ("us", "NOODLE BAR\nGUEST CHECK\nGuest #2\nBill total"),
        ("ke", "CHEMIST\nINVOICE/RECEIPT: KSM-40528"),
        ("us", "HARDWARE\nInvoice No: 0044718"),
        ("ae", "DATES & MORE\nTAX INVOICE\nInvoice No. 0194611"),
        ("ie", "HARBOUR VETS\nOwner: Ann Lind\nPatient: Rex\nReceipt No: 20718"),
        ("es", "BAR SOL\nCLIENTE: ANA PRADO\nFACTURA SIMPLIFICADA Nº 143595"),
    ],
)
def test_receipts(code: str, head: str) -> None:
    found = printed(code, head + _GOODS + "CASH      120.00\n").document_type
    assert found is not None
    assert found.value == "Receipt"
