"""Finds web and e-mail addresses, and chooses the merchant's web address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from receipt_engine.document import Entity, Found, ParsedLine, RoleMatch
from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.vocabulary import phrase_terms
from receipt_engine.vocabulary.domains import (
    domain_kind,
    domain_name,
    domains,
    ending_pattern,
    without_scheme,
)
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

_PATH = r"(?:/[\w\-./?=&%#~+]*)?"
#: "www." as recognised: a comma or colon for the point, spaces around it, letters lost, joined or misread.
_WWW = (
    r"(?:w{2,4}|vww|wvw|(?<![\w.\-])(?=[uvmn]*w)[uvwmn]{2,4}(?=\s?[.,:]\s?[\w\-]*[a-z][\w\-]*[.,][a-z]))"
    r"\s?[.,:]\s?"
)
_URL = re.compile(
    rf"(?:https?\s?:\s?/{{1,2}}\s?(?:www\.)?|{_WWW})[\w\-]+(?:\s?[.,]\s?[\w\-]+)*{_PATH}", re.IGNORECASE
)
#: "www" with letters lost or joined, or the scheme before a host.
_PRINTED_WWW = re.compile(r"https?|w{2,4}", re.IGNORECASE)
#: Excludes a telephone number that only a dash, or nothing, separates from the address.
_EMAIL = re.compile(
    r"(?:(?<![\w.+\-])(?![\w.]*\d{6}-|(?:\d+[.-]){1,3}\d{4}[^\W\d_])|(?<=\d{6}-)|(?<=\d[.-]\d{4})(?=[^\W\d_]))"
    r"[\w.+\-]+\s?@\s?[\w\-]+(?:\s?\.\s?[\w\-]+)+",
    re.IGNORECASE,
)
#: Occurs in every domain: a point with a letter right after it.
_DOTTED = re.compile(r"\.[^\W\d_]")
#: Scores of an address with "www." and of a bare domain.
_WITH_WWW, _DOMAIN_ALONE = 0.75, 0.65


@cache
def _bare() -> re.Pattern[str]:
    """Matches a bare domain, with an optional path."""
    return re.compile(
        rf"(?<![\w@.\-])(?:[a-z0-9][a-z0-9\-]*\.)+{ending_pattern()}(?![\w@\-])(?!\.\w){_PATH}", re.IGNORECASE
    )


@cache
def _ended() -> re.Pattern[str]:
    """Matches a host with the ending of a domain: one whose "www" was misread may be other words."""
    return re.compile(rf"\S*[.,]\s?{ending_pattern()}(?:/\S*)?$", re.IGNORECASE)


@cache
def _whole() -> re.Pattern[str]:
    """Matches an address that is complete before a comma and a space: "www.kettle.com, tell us more"."""
    return re.compile(rf"^(\S+\.{ending_pattern()}),\s.*$", re.IGNORECASE)


def find_web(rows: Sequence[ParsedLine]) -> tuple[Entity, ...]:
    """Web and e-mail addresses of all rows, top to bottom."""
    found: list[Entity] = []
    for index, parsed in enumerate(rows):
        text = parsed.text
        emails = [m for m in _EMAIL.finditer(text) if _is_email(m.group())] if "@" in text else []
        taken = [m.span() for m in emails]
        found.extend(_entity("email", index, m.start(), m.group(), "e-mail") for m in emails)
        dotted = _DOTTED.search(text) is not None
        for pattern, rule in ((_URL, "www"), (_bare(), "domain")) if dotted else ((_URL, "www"),):
            for match in pattern.finditer(text):
                value = _whole().sub(r"\1", match.group()).rstrip(".,;:)/*- ")
                end = match.start() + len(value)
                if any(match.start() < e and s < end for s, e in taken):
                    continue
                if rule == "domain" and not _plausible(value):
                    continue
                if rule == "www" and not _is_host(value):
                    continue
                taken.append((match.start(), end))
                found.append(_entity("url", index, match.start(), value, rule))
    return tuple(sorted(found, key=lambda m: (m.row, m.start)))


def _is_host(value: str) -> bool:
    """Whether a host is one: it has a point, and an ending where its "www" was misread. "NW,OTTAWA,ON" ends a
    street."""
    printed = _PRINTED_WWW.match(value) is not None or _ended().search(value) is not None
    return printed and "." in without_scheme(value).replace(",", ".")


def _entity(kind: Literal["url", "email"], row: int, start: int, value: str, rule: str) -> Entity:
    end = start + len(value)
    score = _DOMAIN_ALONE if rule == "domain" else _WITH_WWW
    return Entity(kind, row, start, end, value, score, start, rule, _own_name(value))


def _is_email(value: str) -> bool:
    """Whether the domain has letters: "2 @ 68.50" is a quantity and a price."""
    domain = value.rpartition("@")[2]
    return sum(c.isalpha() for c in domain) >= 3 and domain.rpartition(".")[2].strip().isalpha()


def _plausible(value: str) -> bool:
    """Whether a bare domain has a name with letters, long enough for its ending: "5.00.us" and "No.my" have
    none."""
    name = value.split("/")[0].rsplit(".", 1)[0]
    ending = value.split("/")[0].rsplit(".", 1)[1]
    if not any(c.isalpha() for c in name) or len(name) < 3:
        return False
    host = value.split("/")[0]
    return ending.lower() in domains().generic or (len(name) >= 4 and host == host.lower())


def _own_name(value: str) -> str:
    """The domain's name if it may be the merchant's; "" for a mail service, a social network or a short
    name."""
    name = domain_name(value)
    return "" if len(name) < SHORTEST_NAME or domain_kind(value) in ("mail_service", "network") else name


def best_url(entities: Sequence[Entity], roles: Sequence[Sequence[RoleMatch]], name: str) -> Found | None:
    """The merchant's web address, as printed. name: folded letters of the merchant's name."""
    ranked: list[tuple[float, Entity]] = []
    for entity in entities:
        if entity.kind != "url":
            continue
        domain = domain_name(entity.value)
        score = entity.score
        kind = domain_kind(entity.value)
        plain = "".join(c for c in domain if c.isalpha())
        own = bool(plain and name) and (plain in name or name in plain or plain[:5] == name[:5])
        score += 0.2 * own
        if kind == "network" or (kind == "portal" and not own):
            score -= 0.5
        if any("survey" in phrase_terms(m.phrase) for m in roles[entity.row]):
            score -= 0.2
        if score >= POSSIBLE:
            ranked.append((score, entity))
    if not ranked:
        return None
    ranked.sort(key=lambda r: (-r[0], r[1].row))
    score, entity = ranked[0]
    others = tuple((m.value, s) for s, m in ranked[1:4])
    return Found(_as_printed(entity.value), round(min(0.97, score), 3), (entity.row,), entity.rule, others)


def _as_printed(value: str) -> str:
    """The address without the recogniser's spaces between parts, and with commas read for points replaced."""
    joined = re.sub(r"\s*([.:/])\s*", r"\1", value)
    return re.sub(r"(?<=\w)\s?,\s?(?=\w)", ".", joined)
