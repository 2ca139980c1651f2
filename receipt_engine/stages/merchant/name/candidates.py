"""Finds the candidates for the merchant's name, and holds the context that they are compared with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from receipt_engine.document import Record
from receipt_engine.stages.merchant.address.other_rows import registered_office_rows
from receipt_engine.stages.merchant.address.places import begins_with_town, is_letterhead
from receipt_engine.stages.merchant.name.greetings import name_before_programme
from receipt_engine.stages.merchant.name.text import clean_name, is_announced, is_greeted, is_greeting_only
from receipt_engine.stages.merchant.row_kinds import of_trip
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary import is_term, term_at_end, term_at_start
from receipt_engine.vocabulary.brands import brand_named
from receipt_engine.vocabulary.legal_forms import has_legal_form, is_legal_form, without_legal_form
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME, tokens
from receipt_engine.vocabulary.trades import (
    count_distinctive,
    ends_in_trade,
    is_description,
    is_only_trade,
    joins_trade,
    trade_share,
)

#: The head is the page's first HEAD segments, in which any text may be a candidate. Most segments of a name.
HEAD = 16
MOST_SEGMENTS = 3
#: Largest gap between two rows of one name, in text heights.
_ROW_GAP = 1.6
#: From this ratio of text sizes on, two rows are not one name.
LARGER = 1.35
#: Size of a logo, relative to the page's median.
LOGO = 1.6
#: A text is centred when its middle is at most this far from the page's middle, as a fraction of the width.
_IN_THE_MIDDLE = 0.08
#: From this title share on, a segment is not plain text.
TITLED = 0.5
#: From this breadth of a character on, relative to the page's, a row is printed in spaced letters.
_SPACED = 1.6
#: Fewest letters of a text that is compared with others on the page.
_COMPARED = 4
#: Fewest digits of a text that is a number rather than a name; "1884" and "99 Speed" are names.
_FEWEST_DIGITS = 5
#: From this similarity on, a segment may repeat a candidate.
_MUCH_ALIKE = 0.75
#: Below this log-odds, words below those for a trade may be the name, though they occur in addresses.
_DOUBTFUL = 1.0
#: Fewest letters of a word that parts a name, with its article: "del".
_LINK = 3
#: Between the trades of a list.
_LISTED = re.compile(r"[^\W\d_]{3} [-–·•|*/] [^\W\d_]{3}")
_HYPHENS = re.compile(r"[^\W\d_]{3,}(?:[-–/·][^\W\d_]{3,}){2,}")
#: A letter with two points, spelled out as in a web address: "ae" for "ä".
_SPELLED_OUT = re.compile("([aou])e")
#: Characters of scripts without spaces between words.
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


class NameCandidate(Record, frozen=True):
    """A name on the segments first to last (indices). text: cleaned name. key: its folded letters."""

    first: int
    last: int
    text: str
    key: str


@dataclass(frozen=True)
class NameContext:
    """The page that candidates are taken from and compared with.

    address: indices of the address's segments, in order; address_scores: every segment's log-odds of being
    one; domains: names in web and e-mail addresses, letters only; customer: indices of the segments that name
    the customer of an invoice; country: the code of the region.
    """

    segments: Sequence[Segment]
    address: Sequence[int]
    address_scores: Sequence[float]
    domains: Sequence[str]
    customer: frozenset[int] = frozenset()
    country: str = ""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Folded letters of every segment."""
        return tuple(letters(f.rest) for f in self.segments)

    @cached_property
    def elsewhere(self) -> frozenset[int]:
        """Indices of segments with the two ends of a trip, the company's registered office, or a town and a
        street behind a word for a town."""
        places = frozenset(at for at, own in enumerate(self.segments) if begins_with_town(own))
        return of_trip(self.segments) | registered_office_rows(self.segments) | places

    @cached_property
    def cut_amid(self) -> tuple[bool, ...]:
        """For every segment of the head, whether its name certainly goes on in the one below."""
        pairs = zip(self.segments[: HEAD + 1], self.segments[1 : HEAD + 2], strict=False)
        return tuple(
            continues(above, below)
            and not _is_no_name(below)
            and max(self.address_scores[at], self.address_scores[at + 1]) < 0
            and is_cut(above, below)
            for at, (above, below) in enumerate(pairs)
        )

    @cached_property
    def biggest(self) -> float:
        """Size of the largest text in the head."""
        return max((f.size for f in self.segments[:HEAD] if f.letters >= 2), default=1.0)

    def plain(self, at: int, most: float = 0.0) -> bool:
        """Whether a segment is plain text of the header: no title, number, entity or part of the address,
        whose log-odds are less than `most`."""
        own = self.segments[at]
        return (
            own.letters >= SHORTEST_NAME
            and own.letters > own.digits
            and not own.entities
            and not own.amount
            and own.title_share < TITLED
            and own.run.zone == "header"
            and self.address_scores[at] < most
        )

    @cached_property
    def candidates(self) -> tuple[NameCandidate, ...]:
        """Names that may be the merchant's, from the top."""
        return tuple(self._in_head()) + tuple(self._farther())

    @cached_property
    def likeness(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        """Candidates × segments: partial-match similarity of their letters, 0 to 1; 0 below 0.7."""
        keys = [c.key if len(c.key) >= _COMPARED else "" for c in self.candidates]
        others = [k if len(k) >= _COMPARED else "" for k in self.keys]
        if not keys:
            return np.zeros((0, len(others)), np.float32)
        matrix = cdist(keys, others, scorer=fuzz.partial_ratio, dtype=np.float32, score_cutoff=70)
        compared = np.outer(np.array(keys, bool), np.array(others, bool))
        return np.asarray(np.where(compared, matrix / 100, 0), dtype=np.float32)

    @cached_property
    def alike(self) -> tuple[tuple[tuple[int, float], ...], ...]:
        """For every candidate, the segments that are very similar to it, with their similarity."""
        found: list[list[tuple[int, float]]] = [[] for _ in self.candidates]
        for candidate, segment in np.argwhere(self.likeness >= _MUCH_ALIKE).tolist():
            found[candidate].append((segment, float(self.likeness[candidate, segment])))
        return tuple(map(tuple, found))

    def _in_head(self) -> list[NameCandidate]:
        found: list[NameCandidate] = []
        limit = min(HEAD, len(self.segments))
        for first in range(limit):
            text = ""
            for last in range(first, min(first + MOST_SEGMENTS, limit)):
                if last in self.customer:
                    break
                own = self.segments[last]
                if last > first and not self._goes_on(first, last):
                    break
                if _is_no_name(own):
                    break
                if is_term(own.rest, "name_label"):  # "Supplier", with the name in the row below
                    break
                greeting = first == last and is_greeting_only(own.rest)
                text = "" if greeting else f"{text} {own.rest}".strip()
                # A chain's name is whole, whatever company stands below it.
                chain = first == last and brand_named(own.rest, self.country) is not None
                if chain or not (self._cuts(first, last) or self._announces(first, last)):
                    _add(found, first, last, text)
        return found

    def _goes_on(self, first: int, last: int) -> bool:
        """Whether a segment may continue a name: right below, or in the same widely spaced row. A segment
        that begins with the text above repeats it, often with the legal form."""
        above, own = self.segments[last - 1], self.segments[last]
        if len(self.keys[last - 1]) >= SHORTEST_NAME and self.keys[last].startswith(self.keys[last - 1]):
            return False
        end, begin = tokens(above.rest)[-1:], tokens(own.rest)[:1]
        if end and begin and end[0].text == begin[0].text and len(end[0].text) >= SHORTEST_NAME:
            return False  # "PUSTAKA KETEL" above "KETEL BOOKS SDN BHD"
        if _is_other_company(above.rest, own.rest) or _ends_company(above.rest, own.rest):
            return False
        listed = _LISTED.search(own.rest) and is_only_trade(own.rest)
        if first + 1 == last and (listed or (_HYPHENS.fullmatch(own.rest) and trade_share(own.rest))):
            return False  # "MAISON KETTLE" above "Boulangerie - Pâtisserie" or "BAR-TABAC-LOTO"
        return continues(above, own) or (last == first + 1 and is_spread(above, own))

    def _cuts(self, first: int, last: int) -> bool:
        """Whether the segments begin or end inside a name: an open bracket, or "&" at a row's edge."""
        return any(self.cut_amid[max(0, first - 1) : first]) or any(self.cut_amid[last : last + 1])

    def _announces(self, first: int, last: int) -> bool:
        """Whether the segment is only trade words ("RESTAURANT") with the name in the row below."""
        if first != last or last + 1 >= len(self.segments) or not self._is_trade_above(last):
            return False
        below = self.segments[last + 1]
        return (
            continues(self.segments[last], below)
            and self.plain(last + 1, _DOUBTFUL if not below.digits else 0.0)
            and count_distinctive(below.rest) >= SHORTEST_NAME
        )

    def _is_trade_above(self, at: int) -> bool:
        """Whether a segment is only trade words, or a compound with one above a logo in spaced letters:
        "Alpengasthof", "K E S S E L"."""
        name, below = clean_name(self.segments[at].rest), self.segments[at + 1]
        logo = below.breadth > _SPACED and ends_in_trade(name) and " " not in name
        return (is_description(name) and not self.segments[at].digits) or logo

    def _farther(self) -> list[NameCandidate]:
        """Candidates below the head: company names with a legal form, names behind their label, a greeting or
        before a loyalty programme, the name of a web address alone in a row, and one before the address. At
        most four."""
        found: list[NameCandidate] = []
        sites = {_SPELLED_OUT.sub(r"\1", letters(domain)) for domain in self.domains}
        for index in range(HEAD, len(self.segments)):
            own = self.segments[index]
            if own.run.zone == "items" or own.amount or index in self.customer:
                continue
            name, programme = clean_name(own.rest), name_before_programme(own.rest)
            if programme:
                _add(found, index, index, programme)
            elif (
                _SPELLED_OUT.sub(r"\1", self.keys[index]) in sites
                or has_legal_form(name)
                or is_announced(own.rest)
                or (is_greeted(own.rest) and len(name.split()) <= 5)
                or self._is_greeted_below(index)
                or self._heads_address(index)
            ):
                _add(found, index, index, own.rest)
        return found[:4]

    def _heads_address(self, at: int) -> bool:
        """Whether a segment of words stands right before the address, in its row or above it, at the
        foot, or is a sender's name and address in one row."""
        own, (first, *_) = self.segments[at], self.address or (at,)
        words = first == at + 1 and not (own.digits or own.entities)
        return own.run.zone == "after" and (words or is_letterhead(own))

    def _is_greeted_below(self, at: int) -> bool:
        """Whether a segment stands right below a greeting without a name: "Thank you for shopping at"."""
        above, own = self.segments[at - 1], self.segments[at]
        plain = not own.digits and not own.entities and own.title_share < TITLED
        return plain and continues(above, own) and is_greeting_only(above.run.text)


def _is_other_company(above: str, below: str) -> bool:
    """Whether one of two rows is an East Asian company's whole name and the other has no legal form: a
    company and its shop ("株式会社山水フーズ", "居酒屋 はなび"), which are never one name."""
    companies = [text for text in (above, below) if has_legal_form(text)]
    if len(companies) != 1 or _EAST_ASIAN.search(companies[0]) is None:
        return False
    return count_distinctive(companies[0]) >= SHORTEST_NAME


def _ends_company(above: str, below: str) -> bool:
    """Whether a company's whole name stands above trade words: "Kettle S.A." above "Bar - Cafe"."""
    return is_only_trade(below) and has_legal_form(above) and count_distinctive(above) >= SHORTEST_NAME


def _is_no_name(own: Segment) -> bool:
    """Whether a segment cannot be a row of a name: an amount, a title, no letters, mostly a unit's or
    document's number ("02-14 88 GT", "NO:15927"), or with the full stop of Chinese and Japanese."""
    number = own.digits >= max(_FEWEST_DIGITS, 2 * own.letters) and not has_legal_form(own.rest)
    sentence = own.rest.rstrip().endswith(("。", "｡"))
    return own.letters == 0 or own.amount or own.titled or number or sentence


def _add(found: list[NameCandidate], first: int, last: int, text: str) -> None:
    name = clean_name(text)
    key = letters(name)
    if len(key) >= 2:
        found.append(NameCandidate(first, last, name, key))


def is_cut(above: Segment, below: Segment) -> bool:
    """Whether two rows are certainly one name: "(M" above ") LTD", "&" between them, a link such as "DE" at
    the end of the upper one, or no name of its own in the lower one ("CO. (M) LTD", "RESTAURANT LTD")."""
    if above.letters == 0 or below.letters == 0 or above.titled:
        return False
    first, second = above.rest, below.rest
    bracket = first.rfind("(") > first.rfind(")") and 0 <= second.find(")") < (second + "(").find("(")
    if bracket or first.endswith(("&", "+")) or second.startswith(("&", "+ ")) or _ends_in_link(first):
        return True
    if second[:1].islower() and term_at_start(second, "conjunction") is not None:
        return True  # "of Kettle Hill"
    if _begins_with_link(second) and not has_legal_form(first) and not above.entities and not above.digits:
        return max(above.size, below.size) < LARGER * min(above.size, below.size)
    if joins_trade(first, second):
        return True  # "KETTLE GENERAL", "STORE AND BAKERY"
    within, _, behind = second.partition(")")
    company = second.startswith("(") and (within.count("(") > 1 or not is_legal_form(behind))
    return not company and _is_open(above, below)  # "(Kettle Hospitality (Pty) Ltd)" is another name


def _ends_in_link(text: str) -> bool:
    """Whether a text's last word needs another one behind it: "COMERCIO DE". Latin letters behind East Asian
    ones are a logo."""
    link = term_at_end(text, "link")
    if link is None or _EAST_ASIAN.match(text[: link.start].rstrip()[-1:]):
        return False
    return text[link.start - 1 : link.start] == " "


def _begins_with_link(text: str) -> bool:
    """Whether a text's first word needs another one before it, as logos part a name ("DE LA FUENTE"), and is
    no article; no company's name, and not the owner's ("di Ana Lee")."""
    link, article = term_at_start(text, "link"), term_at_start(text, "determiner")
    if link is None or link.start or link.end < _LINK or (article is not None and article.end >= link.end):
        return False
    linked = text[link.end :]
    titled = "." in linked[1:].partition(" ")[0]  # "della Dr.ssa Ana Lee"
    return linked[:1] == " " and not (titled or has_legal_form(text) or text.endswith(("!", ".")))


def _is_open(above: Segment, below: Segment) -> bool:
    """Whether two rows may be one name: below a name of similar size stands a legal form without its own name
    ("TRADING CO. LTD"), whole or up to an open bracket ("TRADING (GREEN")."""
    name, form = clean_name(above.rest), clean_name(below.rest)
    if name.lower().split()[:1] == form.lower().split()[:1]:
        return False  # "KIOSK NORTHGATE" above "KIOSK LTD": the shop and its company
    bracket = below.rest.rfind("(")
    begun = below.rest if bracket <= below.rest.rfind(")") else below.rest[:bracket].rstrip()
    own = [word for word in without_legal_form(begun).split() if not is_term(word, "store", "building")]
    return (
        (has_legal_form(form) or (begun != below.rest and is_legal_form(begun)))
        and min(map(count_distinctive, (begun, " ".join(own)))) < SHORTEST_NAME
        and count_distinctive(name) >= SHORTEST_NAME
        and not has_legal_form(name)
        and above.title_share < 0.5
        and not above.entities
        and max(above.size, below.size) < LARGER * min(above.size, below.size)
    )


def is_spread(left: Segment, right: Segment) -> bool:
    """Whether two segments of one row look like one widely spaced text: similar size, words only; centred,
    both in spaced letters or parted behind a link ("Caffe del", "Corso")."""
    if left.run.row != right.run.row or left.digits or right.digits or left.entities or right.entities:
        return False
    middle = (left.center - left.share / 2 + right.center + right.share / 2) / 2
    joined = min(left.breadth, right.breadth) > _SPACED or _ends_in_link(left.rest)
    return (
        (joined or abs(middle - 0.5) < _IN_THE_MIDDLE)
        and left.run.zone == right.run.zone == "header"
        and max(left.title_share, right.title_share) < TITLED
        and max(left.size, right.size) < LARGER * min(left.size, right.size)
    )


def continues(above: Segment, below: Segment) -> bool:
    """Whether the lower segment stands right below the upper one."""
    a, b = above.run, below.run
    if a.row == b.row:
        return False
    gap = b.top - a.bottom
    return gap < _ROW_GAP * max(a.height, b.height) and min(a.right, b.right) - max(a.left, b.left) > 0
