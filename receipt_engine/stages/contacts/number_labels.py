"""How surely the words before a number say that it is the receipt's own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from receipt_engine import assets
from receipt_engine.document import ParsedLine, RoleMatch
from receipt_engine.region import load_language
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.tokens import word_tokens

#: Words (beginnings, letters alone) of the paper itself, of an order or a sale, and of card slips and
#: fiscal memories; Greek is folded to the Latin letters of its shape.
_DOCUMENT = re.compile(
    r"rece?i?pt|rct|inv|bill|bon|beleg|ticket|tkt|tiquete?|tique|factur|fra|fatur|faktur|fattur|boleta|cupom|"
    r"che?c?k|rechn|quitt|scontr|ricev|doc|dok|resit|resib|recib|recu|struk|nota|hoadon|hd|phieu|kvitt|slip|"
    r"memo|folio|comprobante|docket|rebut|paragon|nfce|extrato|talao|kassen|kas|ornumber|orno|sino|"
    r"anod|tim|nap|risit|レシート|領収|伝票|納品|收據|單據|單號|发票|發票|帳單|賬單|結單|小票|单号|فاتورة|يصال|रसीद|बिल"
)
_SALE = re.compile(
    r"order|ord|pedido|orden|comanda|bestell|auftrag|commande|table|queue|token|tran|trx|txn|transa|seq|"
    r"booking|reserv|confirm|job|quote|kot|pickup|collection|session|antrian|wait|senha|注文|受付|呼|取引|取餐|訂單|订单"
)
_SLIP = re.compile(
    r"nsu|protoc|ref|rrn|stan|trace|auth|aut|batch|approv|tef|serie|operac|operaz|chiusura|azzer|matr|control|"
    r"自|承認|取引通番|端末|参|參考|支付|商[户戶]|serial|atcud|ccf|gnf"
)
_NUMBER_WORD = re.compile(
    r"^(?:numero|number|nombor|nomor|nummer|num|nro|nr|no|n|so|ma|ap|apiomos)(?:de|di|ng|ya)?"
)
#: The number of an earlier sale that is returned or exchanged.
_EARLIER = re.compile(
    r"orig|ursp|ursprung|oorspronk|initial|asal\b|goc\b|αρχικ|apxik|riferimento|exchange|purchasedon|refcompra|"
    r"retur|returned|元|原單|原单|gốc|credit(?:note|inv)|replac|voids?no"
)
_EARLIER_COST = 1.2
#: So many rows apart two rows of technical data belong to one slip.
_SLIP_GAP = 5
#: Technical data of a card slip.
_SLIP_WORDS = frozenset(
    ("aid", "tvr", "auth", "trace", "stan", "rrn", "tsi", "arqc", "approved", "approval", "batch")
)


def label_score(role: RoleMatch, text: str) -> float:
    """How surely a phrase announces this receipt's own number."""
    score = role.weight * (1.0 if role.role == "receipt_number" else 0.75)
    if _SLIP.match(role.phrase):
        score -= 0.3
    elif is_document(role.phrase):
        score += 0.3
    elif _SALE.match(role.phrase):
        score -= 0.3
    near = letters(text[max(0, role.start - 24) : role.end + 12])
    return score - _EARLIER_COST * (_EARLIER.search(near) is not None)


def is_document(phrase: str) -> bool:
    """Whether a label names the paper itself, behind a word for "number" too ("n scontrino")."""
    return any(_DOCUMENT.match(form) for form in (phrase, _NUMBER_WORD.sub("", phrase)))


def slip_rows(rows: Sequence[ParsedLine]) -> frozenset[int]:
    """Rows of a card slip: its technical data with what stands between, one row above and one below."""
    words = ([token.text for token in word_tokens(row.text)] for row in rows)
    found = [index for index, row in enumerate(words) if not _SLIP_WORDS.isdisjoint(row)]
    near: set[int] = set()
    for index, following in zip(found, [*found, len(rows) + _SLIP_GAP][1:], strict=True):
        near.update(range(index - 1, following if following - index <= _SLIP_GAP else index + 2))
    return frozenset(near)


@cache
def all_labels() -> dict[str, float]:
    """Letters of the phrases for a receipt's number in every language → weight."""
    found: dict[str, float] = {}
    for path in sorted((assets.folder("regions") / "languages").glob("*.toml")):
        for phrase in load_language(path.stem).phrases("receipt_number"):
            key = letters(phrase.text)
            if len(key) >= 2:
                found[key] = max(phrase.weight, found.get(key, 0.0))
    return found
