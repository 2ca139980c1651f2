"""Reorders rows in columns: in the header an invoice's seller and, beside it, the buyer or the number and
date; at the foot of a letter its sender's name and address, and beside them its telephone and bank."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, takewhile

from receipt_engine.stages.merchant.address.features import is_customer
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.text_runs import TextRun
from receipt_engine.vocabulary import is_term, term_at_start

#: Fewest rows of two texts that make two columns, and how far their left edges may differ, in text heights.
_FEWEST_ROWS = 2
_ALIGNED = 1.5
#: Columns of the seller, the document and the buyer.
_THREE = 3
#: Number of texts at the head of a column that may name the buyer: a word for the buyer, and the name.
_HEAD = 2
#: Entities by which a seller is reached or registered, and how many rows below a column they may stand.
_CONTACTS = frozenset(("phone", "url", "email", "id"))
_BELOW = 3
#: From this title share on, a text is a label, with its value beside it.
_LABEL = 0.6


def by_column(segments: Sequence[Segment], contacts: Sequence[Segment]) -> tuple[Segment, ...]:
    """The segments in reading order: where header rows form two columns, all of the seller's column before
    all of the other one. The seller's is the left one, unless the buyer's name heads it, or the right one
    begins in a row above, as on a letter with the buyer in its window, or has more contacts: the texts with a
    telephone, a web address or a registration. Columns at the foot follow each other from the left."""
    rows = [list(row) for _, row in groupby(segments, key=lambda own: own.run.row)]
    ordered: list[Segment] = []
    at = 0
    while at < len(rows):
        if foot := _foot_from(rows, at):
            texts = [own for row in rows[at : at + foot] for own in row]
            ordered += sorted(texts, key=lambda own: _nearest(own, rows[at]))
            at += foot
            continue
        heads = next((row for row in rows[at : at + _HEAD] if len(row) == _THREE), ())
        if count := _three_from(rows, at, heads):
            columns: list[list[Segment]] = [[] for _ in heads]
            for own in (own for row in rows[at : at + count] for own in row):
                columns[_nearest(own, heads)].append(own)
            ordered += [own for column in sorted(columns, key=_of_buyer) for own in column]
            at += count
            continue
        count = _columns_from(rows, at)
        above = rows[at - 1] if at else ()
        ordered += _in_columns(rows[at : at + count], above, contacts) if count else rows[at]
        at += count or 1
    return tuple(ordered)


def _columns_from(rows: Sequence[Sequence[Segment]], first: int) -> int:
    """How many rows from `first` on form two columns; 0 when no columns begin there."""
    if len(rows[first]) < 2 or rows[first][0].run.zone != "header" or _is_parted(*rows[first][:2]):
        return 0
    left, right = (own.run for own in rows[first][:2])
    if _is_one_text(rows[first]):
        return 0
    both = labels = end = 0
    placed = False
    for at in range(first, len(rows)):
        row = rows[at]
        if row[0].run.zone != "header" or len(row) > 2 + _is_pair(row[1:]):
            break
        if not all(
            _is_in(own, left.left) or _stands_right(row[i:], left, right) for i, own in enumerate(row[:2])
        ):
            break
        placed = placed or any(map(_is_town, row))
        if len(row) >= 2:
            both, end = both + 1, at + 1
            labels += _is_label(row[0])
        elif row[0].run.left < right.left - _ALIGNED * right.height and row[0].run.right > right.left:
            break  # one text across both
        elif _stands_right(row, left, right) or (end == at and _is_town(row[0])):
            end = at + 1
    return end - first if both >= _FEWEST_ROWS and 2 * labels < both and placed else 0


def _three_from(rows: Sequence[Sequence[Segment]], first: int, heads: Sequence[Segment]) -> int:
    """How many rows from `first` on form the three columns of an invoice, the seller's, the document's and
    the buyer's, whose name heads one; 0 when none begin there. heads: the first row with a text in each: a
    document's title may be no text."""
    buyers = any(is_customer(own) for own in (*rows[first], *heads))
    if not heads or heads[0].run.zone != "header" or not buyers:
        return 0
    edges = [own.run.left for own in heads]
    block = _at_edges(rows[first:], edges)
    both = sum(len(row) > 1 for row in block)
    placed = any(own.places & {"city", "postcode"} for row in block for own in row)
    return len(block) if both >= _FEWEST_ROWS and placed else 0


def _of_buyer(column: Sequence[Segment]) -> bool:
    """Whether the buyer's name heads a column."""
    return any(map(is_customer, column[:1]))


def _foot_from(rows: Sequence[Sequence[Segment]], first: int) -> int:
    """How many rows below the sale, from `first` on, form columns at the left edges of the first one, with a
    town and its postcode in a column; 0 when none begin there."""
    if len(rows[first]) < 2 or rows[first][0].run.zone != "after" or _is_one_text(rows[first]):
        return 0
    edges = [own.run.left for own in rows[first]]
    foot = _at_edges(rows[first:], edges)
    placed = any("postcode" in own.places and _is_place(own) for row in foot[1:] for own in row)
    return len(foot) if len(foot) >= _FEWEST_ROWS and placed else 0


def _at_edges(rows: Sequence[Sequence[Segment]], edges: Sequence[float]) -> list[Sequence[Segment]]:
    """The first rows, whose texts all begin at one of the edges."""
    return list(takewhile(lambda row: all(any(_is_in(own, e) for e in edges) for own in row), rows))


def _nearest(own: Segment, heads: Sequence[Segment]) -> int:
    """Which of the columns a text stands in."""
    return min(range(len(heads)), key=lambda at: abs(heads[at].run.left - own.run.left))


def _is_one_text(row: Sequence[Segment]) -> bool:
    """Whether no wide blank parts the first two texts of a row, as a sender's name and address."""
    left, right = (own.run for own in row[:2])
    return right.left - left.right < left.height


def _is_parted(street: Segment, town: Segment) -> bool:
    """Whether a street with its number and the town with its postcode stand in one row, with a wide blank
    between."""
    numbered = street.number_first and "postcode" not in street.places
    return numbered and not town.number_first and "postcode" in town.places and town.letters > 0


def _is_pair(texts: Sequence[Segment]) -> bool:
    """Whether the texts of the right column are a label and its value: "Invoice number", "10231"."""
    return len(texts) == 2 and (_is_label(texts[0]) or texts[0].run.text.rstrip().endswith(":"))


def _is_place(own: Segment) -> bool:
    """Whether a text has a house number, perhaps before its city, or a postcode, and is not a label with its
    value."""
    numbered = own.numbered or "postcode" in own.places
    numbered = numbered or (own.digits > 0 and "city" in own.places)
    return numbered and own.letters > 0 and own.title_share == 0 and ":" not in own.run.text


def _is_town(own: Segment) -> bool:
    return _is_place(own) or "city" in own.places


def _stands_right(texts: Sequence[Segment], left: TextRun, right: TextRun) -> bool:
    """Whether a text begins at the left edge of the right column; or it, or a value behind it, ends at the
    right one."""
    begins, ends = texts[0].run.left, texts[-1].run.right
    flush = abs(ends - right.right) <= right.height and begins > (left.left + right.left) / 2
    return flush or _is_in(texts[0], right.left)


def _is_in(own: Segment, edge: float) -> bool:
    return abs(own.run.left - edge) <= _ALIGNED * own.run.height


def _is_label(own: Segment) -> bool:
    """Whether a text is the label of the value beside it. A word for the customer or the seller is not."""
    if term_at_start(own.run.text, "customer") is not None or is_term(own.run.text, "name_label"):
        return False
    return (own.title_share >= _LABEL and not own.digits) or own.run.text.rstrip().endswith(":")


def _in_columns(
    rows: Sequence[Sequence[Segment]], above: Sequence[Segment], contacts: Sequence[Segment]
) -> list[Segment]:
    first, edge = (own.run.left for own in rows[0][:2])
    texts = [own for row in rows for own in row]
    left = [own for own in texts if _is_in(own, first)]
    right = [own for own in texts if own not in left]
    said = any(map(_is_buyer, right[:_HEAD]))
    buyer = any(map(_is_buyer, left[:_HEAD])) and not said
    begun = not said and len(above) == 1 and _is_in(above[0], edge) and _is_name(above[0])
    reached = not said and all(any("postcode" in own.places for own in side) for side in (left, right))
    reached = reached and _reached(rows, edge, contacts) > _reached(rows, first, contacts)
    return right + left if (buyer or begun or reached) and any(map(_is_town, right)) else left + right


def _is_buyer(own: Segment) -> bool:
    """Whether a text heads the buyer's column: "Bill to", "To"."""
    return is_customer(own) or is_term(own.run.text.rstrip(": "), "addressee")


def _reached(rows: Sequence[Sequence[Segment]], edge: float, contacts: Sequence[Segment]) -> int:
    """How many kinds of contacts stand at the edge of a column, in its rows or right below them."""
    last = rows[-1][0].run.row + _BELOW
    near = [own for own in contacts if rows[0][0].run.row <= own.run.row <= last and _is_in(own, edge)]
    return len(_CONTACTS & {kind for own in near for kind in own.entities})


def _is_name(own: Segment) -> bool:
    """Whether a text may be a seller's name at the head of its column."""
    return own.letters > 0 and not own.digits and own.title_share == 0 and not is_customer(own)
